// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/interruption.h"
#include "cli/operation_command.h"
#include "cli/run.h"
#include "cli/window.h"
#include "core/error.h"

namespace armilla::cli {

namespace {

std::string commandNames() {
    std::string names;
    for (const auto& command : allCommands())
        names += (names.empty() ? "" : ", ") + std::string(command->name());
    return names;
}

std::string overview() {
    std::string text = programVersion() +
                       ", for maps of the whole sky\n\n"
                       "  armilla [FILE...]                         open the window\n"
                       "  armilla COMMAND INPUT... OUTPUT [OPTIONS] one batch operation\n"
                       "  armilla help [COMMAND]                    options of a command\n"
                       "  armilla --version\n\nCommands:\n";
    for (const auto& command : allCommands()) {
        std::string name(command->name());
        name.resize(10, ' ');
        text += "  " + name + std::string(command->summary()) + "\n";
    }
    return text +
           "\nAngles carry their unit: 4.7arcmin, 1deg, 30arcsec, 0.01rad.\n"
           "Exit status: 0 done, 1 failed, 2 usage, 130 interrupted.\n";
}

std::unique_ptr<Command> findCommand(std::string_view name) {
    for (auto& command : allCommands())
        if (command->name() == name) return std::move(command);
    return nullptr;
}

std::unique_ptr<CLI::App> parserOf(Command& command, CommonOptions& common) {
    auto app = std::make_unique<CLI::App>(std::string(command.summary()),
                                          "armilla " + std::string(command.name()));
    app->set_help_flag("-h,--help", "print this help");
    app->get_formatter()->column_width(34);
    command.addOptions(*app);
    addCommonOptions(*app, common);
    return app;
}

std::string lineOf(const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    const std::string help = "the options of 'armilla help " + arguments.front() + "'";
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        std::string found = error.what();
        const size_t colon = found.find(": ");
        return "expected " + help +
               ", found more: " + (colon == std::string::npos ? found : found.substr(colon + 2));
    }
    const std::string text = error.what();
    constexpr std::string_view kRequired = " is required";
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && text.ends_with(kRequired))
        return "expected " + text.substr(0, text.size() - kRequired.size()) + ", found none (see " +
               help + ")";
    return text + " (see " + help + ")";
}

int fail(const std::string& command, const std::string& line, int status) {
    writeErrorLine((command.empty() ? "armilla: " : "armilla " + command + ": ") + line);
    return status;
}

// `body` returns the exit status; what it throws becomes one line and a status.
template <typename Body>
int guarded(const std::string& command, const Body& body) {
    try {
        return body();
    } catch (const UsageError& error) {
        return fail(command, error.what(), kUsage);
    } catch (const Cancelled&) {
        return fail(command, "interrupted", kInterrupted);
    } catch (const Error& error) {
        return fail(command, error.what(), kFailed);
    } catch (const std::bad_alloc&) {
        return fail(command, "expected enough memory, found too little", kFailed);
    } catch (const std::exception& error) {
        return fail(command, std::string("expected no failure inside, found: ") + error.what(),
                    kFailed);
    }
}

int runCommand(Command& command, const std::vector<std::string>& arguments) {
    const std::string name(command.name());
    CommonOptions common;
    const std::unique_ptr<CLI::App> app = parserOf(command, common);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1);
    try {
        app->parse(std::move(reversed));  // CLI11 takes the arguments from the back
    } catch (const CLI::CallForHelp&) {
        return guarded(name, [&] {
            writeStandardOutput(app->help());
            return kDone;
        });
    } catch (const CLI::ParseError& error) {
        return fail(name, lineOf(error, arguments), kUsage);
    }
    return guarded(name, [&] {
        command.check();
        // Writes into a closed pipe or past a size limit fail with an error, not with a signal.
        std::signal(SIGPIPE, SIG_IGN);
        std::signal(SIGXFSZ, SIG_IGN);
        const Interruption interruption;
        Run run(name, common, arguments, interruption.token());
        run.chooseDevice(command.devices());
        command.execute(run);
        run.finish();
        return kDone;
    });
}

int help(const std::vector<std::string>& arguments) {
    return guarded("", [&] {
        if (arguments.size() < 2) {
            writeStandardOutput(overview());
            return kDone;
        }
        const std::unique_ptr<Command> command = findCommand(arguments[1]);
        if (command == nullptr || arguments.size() > 2)
            throw UsageError("expected one command (" + commandNames() + "), found '" +
                             arguments.back() + "'");
        CommonOptions common;
        writeStandardOutput(parserOf(*command, common)->help());
        return kDone;
    });
}

// A standard stream that was closed from outside would give its number to the next file opened, and
// what is said would land in there. In its place something that every write to fails.
void occupyStandardStreams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
            const int taken = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool looksLikePath(const std::string& text) {
    std::error_code ignored;
    return text.find_first_of("./[") != std::string::npos || std::filesystem::exists(text, ignored);
}

}  // namespace

std::vector<std::unique_ptr<Command>> allCommands() {
    std::vector<std::unique_ptr<Command>> commands;
    for (const auto make : {makeInfo, makeConvert, makeProject, makeRender, makeMap2Alm,
                            makeAlm2Map, makeAnafast, makeSynfast, makeDevices, makeBench})
        commands.push_back(make());
    for (const Operation& operation : allOperations())
        commands.insert(commands.end() - 2, makeOperationCommand(operation));
    return commands;
}

int runApplication(int argc, char** argv) {
    occupyStandardStreams();
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const std::string first = arguments.empty() ? "" : arguments.front();
    if (first == "help" || first == "--help" || first == "-h") return help(arguments);
    if (first == "--version" || first == "-V")
        return guarded("", [] {
            writeStandardOutput(programVersion() + "\n");
            return kDone;
        });
    if (const std::unique_ptr<Command> command = findCommand(first))
        return runCommand(*command, arguments);
    return guarded("", [&]() -> int {
        if (!first.empty() && (first.front() == '-' || !looksLikePath(first)))
            throw UsageError("expected a command (" + commandNames() +
                             "), help, or files to open, found '" + first + "'");
        openWindow(arguments);
    });
}

}  // namespace armilla::cli
