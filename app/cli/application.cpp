// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "armilla/core/table_text.h"
#include "armilla/io/atomic_file.h"
#include "cli/command.h"
#include "cli/convert_layers.h"
#include "cli/documentation.h"
#include "cli/interruption.h"
#include "cli/launch.h"
#include "cli/operation_command.h"
#include "cli/other_names.h"
#include "cli/parser.h"
#include "cli/rank_device.h"
#include "cli/rank_watch.h"
#include "cli/run.h"
#include "cli/terminal.h"
#include "cli/translation.h"
#include "cli/window.h"

namespace armilla::cli {

namespace {

std::string commandNames() {
    std::string names;
    for (const auto& command : allCommands())
        names += (names.empty() ? "" : ", ") + std::string(command->name());
    return names;
}

// The command for a word that is none: by its name elsewhere, or by a similar name.
std::string hintOf(const std::string& word) {
    if (const std::string other = otherCommand(word); !other.empty())
        return " (here: armilla " + other + ")";
    std::vector<std::string> names{"help"};
    for (const auto& command : allCommands()) names.emplace_back(command->name());
    const std::string nearest = nearestName(word, names);
    return nearest.empty() ? "" : " (the nearest is '" + nearest + "')";
}

std::string overview() {
    std::string text = programVersion() +
                       ", for maps of the whole sky\n\n"
                       "  armilla [FILE...]                         open the window\n"
                       "  armilla COMMAND INPUT... OUTPUT [OPTIONS] one batch operation\n"
                       "  armilla help [COMMAND]                    options of a command\n"
                       "  armilla --version\n\nCommands:\n";
    const auto commands = allCommands();
    size_t longest = 0;
    for (const auto& command : commands) longest = std::max(longest, command->name().size());
    for (const auto& command : commands) {
        std::string name = "  " + std::string(command->name());
        name.resize(longest + 3, ' ');
        text += name + wrapped(tableText(command->summary()), name.size(), name.size()) + "\n";
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

// Words after the name of the command. --all-fields is short for --field all.
std::vector<std::string> wordsOf(const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    for (size_t i = 1; i < arguments.size(); ++i)
        if (arguments[i] == "--all-fields")
            words.insert(words.end(), {"--field", "all"});
        else
            words.push_back(arguments[i]);
    return words;
}

// A command with the forms that bind its options.
struct Prepared {
    explicit Prepared(Command& command) {
        command.fill(own);
        describe(shared.options, common);
        forms.name = command.name();
        forms.summary = command.summary();
    }
    CommonOptions common;
    Form own, shared;
    CommandForms forms{{}, {}, own, shared};
};

int fail(const std::string& command, const std::string& line, int status) {
    writeErrorLine((command.empty() ? "armilla: " : "armilla " + command + ": ") + line);
    return status;
}

// Failure of a command as one line.
struct Failure {
    RankState state = RankState::Failed;
    int status = kFailed;
    std::string line;
};

// Failure for the exception in flight.
Failure presentFailure() {
    try {
        throw;
    } catch (const UsageError& error) {
        return {RankState::Failed, kUsage, error.what()};
    } catch (const Cancelled&) {
        return {RankState::Interrupted, kInterrupted, "interrupted"};
    } catch (const Error& error) {
        return {RankState::Failed, kFailed, error.what()};
    } catch (const RankLost&) {
        return {RankState::Fine, kFailed, ""};
    } catch (const std::bad_alloc&) {
        return {RankState::Failed, kFailed, "expected enough memory, found too little"};
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::resource_unavailable_try_again)
            return {RankState::Failed, kFailed,
                    std::string("expected no internal error, found: ") + error.what()};
        return {RankState::Failed, kFailed,
                "expected one more thread, found that the system grants none; raise the limit "
                "(ulimit -u)"};
    } catch (const std::exception& error) {
        return {RankState::Failed, kFailed,
                std::string("expected no internal error, found: ") + error.what()};
    }
}

// Runs `body`, which returns the exit status. An exception becomes one line and a status.
template <typename Body>
int guarded(const std::string& command, const Body& body) {
    try {
        return body();
    } catch (...) {
        const Failure failure = presentFailure();
        return fail(command, failure.line, failure.status);
    }
}

// Makes writes to a closed pipe or past a size limit fail with an error instead of a signal.
void ignoreSignalsOfWrites() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

int runCommand(Command& command, const std::vector<std::string>& arguments) {
    const std::string name(command.name());
    return guarded(name, [&] {
        Prepared prepared(command);
        if (parseWords(prepared.forms, wordsOf(arguments))) {
            writeStandardOutput(helpText(prepared.forms));
            return kDone;
        }
        command.check();
        ignoreSignalsOfWrites();
        const Interruption interruption;
        Run run(name, prepared.common, arguments, interruption.token());
        run.chooseDevice(command.devices());
        command.execute(run);
        run.finish();
        return kDone;
    });
}

// A script in a job of several ranks may run unrelated commands. These see the variables of the
// launcher and would mistake each other for ranks of one work.
void requireAlike(const std::vector<std::string>& arguments, Ranks& ranks, JobContext& job) {
    std::string line;
    for (const std::string& argument : arguments) line += argument + '\0';
    const auto all = ranks.gatherAll(std::span<const char>(line), job);
    for (const std::vector<char>& other : all)
        if (!std::equal(other.begin(), other.end(), all[0].begin(), all[0].end()))
            throw UsageError("expected the same command line on all " +
                             std::to_string(ranks.size()) +
                             " ranks, found different ones; to run unrelated commands, unset the "
                             "variables of the launcher");
}

// Runs one of several processes that have the same command line, each with its share.
int workAsRank(Command& command, const std::vector<std::string>& arguments, const LaunchedAs& as,
               Interruption& interruption, Ranks& ranks) {
    JobContext job(interruption.token(), {}, 1);
    requireAlike(arguments, ranks, job);
    const auto stopped = [&](int rank) {
        // After a signal all ranks end at once and report it themselves.
        if (interruption.requested()) return;
        removeUnfinishedFiles();
        _exit(fail(
            std::string(command.name()),
            "expected all ranks at work, found rank " + std::to_string(rank) + " stopped (SIGSTOP)",
            kFailed));
    };
    const RankWatch watch(ranks, job, {stopped, removeUnfinishedFiles, [&](bool quiet) {
                                           interruption.hush(quiet);
                                       }});
    Prepared prepared(command);
    if (parseWords(prepared.forms, wordsOf(arguments))) {
        if (ranks.rank() == 0) writeStandardOutput(helpText(prepared.forms));
        ranks.meet(job);
        return kDone;
    }
    command.check();
    CommonOptions options = prepared.common;
    if (ranks.rank() != 0) {
        options.quiet = true;
        options.json = false;
    }
    options.processes = as.onHost;
    options.device = deviceOfRank(options.device, command.devices(), as, ranks, job);
    Run run(std::string(command.name()), options, arguments, interruption.token());
    run.chooseDevice(command.devices());
    command.executeOverRanks(run, ranks);
    if (ranks.rank() == 0) run.finish();
    ranks.meet(job);
    return kDone;
}

int runAsRank(Command& command, const std::vector<std::string>& arguments, const LaunchedAs& as) {
    const std::string name(command.name());
    ignoreSignalsOfWrites();
    // Freed arrays above 2 MiB go back to the machine, whose memory the ranks share. The C library
    // would keep 1.5 times the size of a share. Buffers of 1 MiB for parts of files are kept:
    // touching their pages for the first time takes longer than filling them.
    mallopt(M_MMAP_THRESHOLD, 1 << 21);
    mallopt(M_TRIM_THRESHOLD, 1 << 22);
    return guarded(name, [&] {
        // Created before MPI, whose threads inherit the signal mask.
        Interruption interruption(as.rank == 0);
        std::unique_ptr<Launch> launch;
        try {
            launch = std::make_unique<Launch>(as);
        } catch (...) {
            const Failure failure = presentFailure();
            if (as.rank == 0) return fail(name, failure.line, failure.status);
            // A launcher ends all ranks after the first failure. The pause lets the first rank
            // print its line.
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            return failure.status;
        }
        Ranks& ranks = launch->ranks();
        try {
            const int status = workAsRank(command, arguments, as, interruption, ranks);
            launch->end();
            return status;
        } catch (...) {
            const Failure failure = presentFailure();
            const Ranks::End end = ranks.leave(failure.state, failure.status, failure.line);
            if (ranks.rank() == 0 || (end.alone && end.state == RankState::Failed))
                fail(name, end.message, end.status);
            interruption.hush();
            removeUnfinishedFiles();  // files of a rank that has ended
            if (end.alone) launch->abort(end.status);
            launch->end();
            return end.status;
        }
    });
}

// Documentation of all commands, made from their forms.
std::string documentationOf(const std::string& kind, const std::string& which) {
    std::vector<std::unique_ptr<Command>> commands = allCommands();
    std::vector<std::unique_ptr<Prepared>> prepared;
    std::vector<DocumentedCommand> documented;
    for (const auto& command : commands) {
        prepared.push_back(std::make_unique<Prepared>(*command));
        documented.push_back({&prepared.back()->forms, std::string(command->manual())});
    }
    if (kind == "--man") return manualPage(documented);
    if (kind == "--texts") return tableTexts(documented);
    if (which == "bash") return bashCompletion(documented);
    if (which == "zsh") return zshCompletion(documented);
    if (which == "fish") return fishCompletion(documented);
    throw UsageError("expected --completion of bash, zsh or fish, found '" + which + "'");
}

int help(const std::vector<std::string>& arguments) {
    return guarded("", [&] {
        if (arguments.size() < 2) {
            writeStandardOutput(overview());
            return kDone;
        }
        const std::string& which = arguments[1];
        if (which == "--man" || which == "--completion" || which == "--texts") {
            writeStandardOutput(
                documentationOf(which, arguments.size() > 2 ? arguments[2] : std::string()));
            return kDone;
        }
        const std::unique_ptr<Command> command = findCommand(which);
        if (command == nullptr || arguments.size() > 2)
            throw UsageError("expected one command (" + commandNames() + "), found '" +
                             arguments.back() + "'" + (command == nullptr ? hintOf(which) : ""));
        const Prepared prepared(*command);
        writeStandardOutput(helpText(prepared.forms));
        return kDone;
    });
}

// Occupies a closed standard stream with a descriptor that fails on every write. Otherwise the next
// opened file would get its number, and messages would be written into that file.
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
    commands.push_back(makeInfo());
    for (const Operation& operation : allOperations()) {
        commands.push_back(operation.id == "convert"
                               ? convertingLayers(makeOperationCommand(operation))
                               : makeOperationCommand(operation));
        // The two commands that make a view of a map are neighbors.
        if (operation.id == "project" && ARMILLA_HAVE_FIGURES) commands.push_back(makeRender());
    }
    commands.push_back(makeDevices());
    commands.push_back(makeBench());
    return commands;
}

int runApplication(int argc, char** argv) {
    occupyStandardStreams();
    setEnvironment(environmentOfProcess());
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const std::string first = arguments.empty() ? "" : arguments.front();
    const LaunchedAs as = launchedAs();
    // Only one of several processes prints.
    if (as.rank > 0 && findCommand(first) == nullptr) return kDone;
    // Text for files stays in English; help is in the language of the user.
    const bool isForFiles =
        std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
            return argument == "--man" || argument == "--completion" || argument == "--texts";
        });
    const bool asksHelp =
        std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
            return argument == "help" || argument == "--help" || argument == "-h";
        });
    if (asksHelp && !isForFiles) loadTranslation();
    if (first == "help" || first == "--help" || first == "-h") return help(arguments);
    if (first == "--version" || first == "-V")
        return guarded("", [] {
            writeStandardOutput(programVersion() + "\n" ARMILLA_BUILT_WITH "\n");
            return kDone;
        });
    if (const std::unique_ptr<Command> command = findCommand(first))
        return as.size > 1 ? runAsRank(*command, arguments, as) : runCommand(*command, arguments);
    return guarded("", [&]() -> int {
        if (!first.empty() && (first.front() == '-' || !looksLikePath(first)))
            throw UsageError("expected a command (" + commandNames() +
                             "), help, or files to open, found '" + first + "'" + hintOf(first));
        openWindow(arguments);
    });
}

}  // namespace armilla::cli
