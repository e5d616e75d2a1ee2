// SPDX-License-Identifier: GPL-3.0-or-later
// Environment of a running command: job, device, output, HISTORY.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/operations/files.h"
#include "armilla/ops/device.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/terminal.h"

namespace armilla::cli {

class Run {
public:
    // `arguments` is the command line from the name of the command on.
    Run(std::string command, CommonOptions options, std::vector<std::string> arguments,
        std::stop_token stop);

    const CommonOptions& options() const { return options_; }
    JobContext& job() { return job_; }
    const Device& device() const { return device_; }
    // Selects the device of --device. Throws UsageError for an unknown name, Unsupported for a
    // device that is absent or has no code for the work.
    void chooseDevice(DeviceSupport support);
    // Notes the device in use. Commands that compute call it.
    void reportDevice();

    // Output of --json: an object until `setResult`.
    Json& result() { return result_; }
    void setResult(Json result) { result_ = std::move(result); }
    // Adds a line for people to standard output.
    void print(std::string_view line);
    // Writes such a line at once, if lines for people are printed. Throws IoError.
    void printNow(const std::string& line);
    // Keeps a line for standard error, "armilla COMMAND: LINE", until the work is done. After a
    // failure only the line of the failure is printed.
    void note(const std::string& line);
    // Keeps the notes of a reader about a file.
    void notes(const std::string& file, const std::vector<std::string>& lines);
    // Prints the notes and the result, as JSON or as lines. Throws IoError.
    void finish();

    // Request for reading inputs: field, stated facts, receiver of notes.
    ReadRequest reading();

    // HISTORY of an output: program and version, command line, device.
    std::vector<std::string> history() const;
    // Command line quoted for a shell.
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

// "armilla 1.0.0".
std::string programVersion();

}  // namespace armilla::cli
