// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of a command line, as opposed to errors of files or devices.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace armilla {

// The parameters request something that no input can provide, or, after the inputs are read, that
// these inputs cannot. Exit status 2 of the command.
class UsageError : public std::exception {
public:
    explicit UsageError(std::string message) : message_(std::move(message)) {}
    const char* what() const noexcept override { return message_.c_str(); }

private:
    std::string message_;
};

}  // namespace armilla
