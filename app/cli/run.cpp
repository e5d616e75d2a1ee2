// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <thread>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/usable_threads.h"
#include "armilla/io/atomic_file.h"
#include "armilla/operations/record.h"
#include "cli/command.h"

namespace armilla::cli {

namespace {

int threadCount(const CommonOptions& options) {
    if (options.threads) return static_cast<int>(*options.threads);
    // Share of the machine; a launcher may have bound each rank to a part already.
    const auto share = static_cast<int>(options.threadsOfOne() / options.processes);
    return std::max(1, std::min(share, usableThreads()));
}

}  // namespace

int CommonOptions::threadsOfOne() const {
    if (threads) return static_cast<int>(*threads);
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string programVersion() {
    return "armilla " ARMILLA_VERSION;
}

Run::Run(std::string command, CommonOptions options, std::vector<std::string> arguments,
         std::stop_token stop)
    : command_(std::move(command)),
      options_(std::move(options)),
      arguments_(std::move(arguments)),
      progress_("armilla " + command_, !options_.quiet),
      job_(
          std::move(stop),
          [this](double fraction, std::string_view stage) { progress_.show(fraction, stage); },
          threadCount(options_)),
      device_(Device::cpu()) {}

void Run::chooseDevice(DeviceSupport support) {
    Device asked;
    try {
        asked = Device::fromText(options_.device, support);
    } catch (const InvalidArgument& error) {
        throw UsageError("--device: " + error.message());
    } catch (Error& error) {
        error.addContext("--device " + options_.device);
        throw;
    }
    if (asked.kind == DeviceKind::Cuda && !support.cuda)
        throw Unsupported("--device " + options_.device + ": expected a device that '" + command_ +
                          "' can run on (cpu), found " + asked.label() + " (" + asked.name + ")");
    device_ = asked;
}

void Run::reportDevice() {
    result_.set("device", device_.label());
    note("device " + device_.label() + " (" + device_.name + "), " +
         counted(job_.threads(), "thread"));
}

void Run::print(std::string_view line) {
    lines_ += printableLines(line);
    lines_ += '\n';
}

void Run::printNow(const std::string& line) {
    if (options_.json || options_.quiet) return;
    progress_.clear();
    writeStandardOutput(printableLines(line) + "\n");
}

void Run::note(const std::string& line) {
    // A note that applies to two inputs is printed once.
    if (std::find(notes_.begin(), notes_.end(), line) == notes_.end()) notes_.push_back(line);
}

void Run::notes(const std::string& file, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) note(file + ": " + line);
}

ReadRequest Run::reading() {
    return {options_.field, options_.inputFrame, false,
            [this](const std::string& line) { note(line); }, options_.statedPixels()};
}

void Run::finish() {
    progress_.clear();
    if (!options_.quiet)
        for (const std::string& line : notes_) writeErrorLine("armilla " + command_ + ": " + line);
    // If a file goes to standard output, lines go to standard error.
    if (standardOutputHoldsFile()) {
        if (!options_.quiet) writeErrorLines(options_.json ? result_.text() : lines_);
        return;
    }
    if (options_.json)
        writeStandardOutput(result_.text() + "\n");
    else if (!options_.quiet)
        writeStandardOutput(lines_);
}

std::string Run::commandLine() const {
    std::string line = "armilla";
    for (const std::string& argument : arguments_) line += " " + shellQuoted(argument);
    return line;
}

std::vector<std::string> Run::history() const {
    return {programVersion(), "command: " + commandLine(),
            "device: " + device_.label() + " (" + device_.name + ")"};
}

}  // namespace armilla::cli
