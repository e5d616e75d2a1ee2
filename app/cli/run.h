// SPDX-License-Identifier: GPL-3.0-or-later
// What a command works with while it runs: job, device, the ways to speak, the recipe.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/json.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "core/job_context.h"
#include "operations/files.h"
#include "ops/device.h"

namespace armilla::cli {

class Run {
public:
    // `arguments` is the command line from the name of the command on.
    Run(std::string command, CommonOptions options, std::vector<std::string> arguments,
        std::stop_token stop);

    const CommonOptions& options() const { return options_; }
    JobContext& job() { return job_; }
    const Device& device() const { return device_; }
    // Takes the device of --device. Throws UsageError for one that is no device, Unsupported for
    // one that is not there or has no code for the work.
    void chooseDevice(DeviceSupport support);
    // Says which device was taken. Called by commands that compute.
    void reportDevice();

    // What --json prints: an object until `setResult`.
    Json& result() { return result_; }
    void setResult(Json result) { result_ = std::move(result); }
    // Adds a line for people to standard output.
    void print(std::string_view line);
    // Writes such a line at once, where there are lines for people to be written. Throws IoError.
    void printNow(const std::string& line);
    // Keeps something to be said on standard error, as "armilla COMMAND: LINE", once the work is
    // done: a failure is one line there.
    void note(const std::string& line);
    // The same of what a reader said of a file.
    void notes(const std::string& file, const std::vector<std::string>& lines);
    // Sends out the notes and the result, as JSON or as lines. Throws IoError.
    void finish();

    // How inputs are read: the field, what is stated of them, and where notes on them go.
    ReadRequest reading();

    // The HISTORY of an output: program and version, the command line, the device.
    std::vector<std::string> history() const;
    // The command line as a shell would take it.
    std::string commandLine() const;

private:
    std::string command_;
    CommonOptions options_;
    std::vector<std::string> arguments_;
    ProgressBar progress_;
    JobContext job_;
    Device device_;
    Json result_ = Json::object();
    std::string lines_;
    std::vector<std::string> notes_;
};

// "armilla 0.1.0".
std::string programVersion();

}  // namespace armilla::cli
