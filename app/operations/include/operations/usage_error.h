// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a command line, not with the world.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace armilla {

// The parameters ask for something that no input could give (or, once the inputs are read, not
// these): exit status 2 of the command.
class UsageError : public std::exception {
public:
    explicit UsageError(std::string message) : message_(std::move(message)) {}
    const char* what() const noexcept override { return message_.c_str(); }

private:
    std::string message_;
};

}  // namespace armilla
