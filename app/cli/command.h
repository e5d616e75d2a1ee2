// SPDX-License-Identifier: GPL-3.0-or-later
// One batch command of `armilla`: its options, its checks, its work.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "operations/usage_error.h"
#include "ops/device.h"

namespace CLI {
class App;
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
    virtual void addOptions(CLI::App& app) = 0;
    // What it can run on besides the CPU.
    virtual DeviceSupport devices() const { return {}; }
    // Throws UsageError for options that do not go together; sees no file.
    virtual void check() const {}
    virtual void execute(Run& run) = 0;
};

std::unique_ptr<Command> makeInfo();
std::unique_ptr<Command> makeConvert();
std::unique_ptr<Command> makeProject();
std::unique_ptr<Command> makeRender();
std::unique_ptr<Command> makeMap2Alm();
std::unique_ptr<Command> makeAlm2Map();
std::unique_ptr<Command> makeAnafast();
std::unique_ptr<Command> makeSynfast();
std::unique_ptr<Command> makeDevices();
std::unique_ptr<Command> makeBench();

// All commands, in the order of the help.
std::vector<std::unique_ptr<Command>> allCommands();

}  // namespace armilla::cli
