// SPDX-License-Identifier: GPL-3.0-or-later
// Batch command of `armilla`: its options, checks and work.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/operations/usage_error.h"
#include "armilla/ops/device.h"
#include "cli/form.h"

namespace armilla {
class Ranks;
}

namespace armilla::cli {

class Run;

using armilla::UsageError;

class Command {
public:
    virtual ~Command() = default;
    virtual std::string_view name() const = 0;
    // One line, lower case, without a full stop.
    virtual std::string_view summary() const = 0;
    // Text for the man page, in plain sentences; may be empty.
    virtual std::string_view manual() const { return {}; }
    // Adds files and options, bound to members, to the form.
    virtual void fill(Form& form) = 0;
    // Devices that the command supports besides the CPU.
    virtual DeviceSupport devices() const { return {}; }
    // Throws UsageError for options that contradict each other; reads no file.
    virtual void check() const {}
    virtual void execute(Run& run) = 0;
    // Runs the command as one of several processes, all of which call it. Throws UsageError unless
    // the command shares its work.
    virtual void executeOverRanks(Run& run, Ranks& ranks);
};

// Commands that are no operations, because they make no layer or need a font.
std::unique_ptr<Command> makeInfo();
std::unique_ptr<Command> makeRender();
std::unique_ptr<Command> makeDevices();
std::unique_ptr<Command> makeBench();

// All commands, in the order of the help.
std::vector<std::unique_ptr<Command>> allCommands();

}  // namespace armilla::cli
