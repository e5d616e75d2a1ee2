// SPDX-License-Identifier: GPL-3.0-or-later
// Captures the standard streams of C++ during its lifetime.
#pragma once

#include <iostream>
#include <sstream>
#include <string>

namespace armilla::test {

class Captured {
public:
    Captured()
        : output_(std::cout.rdbuf(outputText_.rdbuf())),
          errors_(std::cerr.rdbuf(errorText_.rdbuf())) {}
    ~Captured() {
        std::cout.rdbuf(output_);
        std::cerr.rdbuf(errors_);
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    std::string output() const { return outputText_.str(); }
    std::string errors() const { return errorText_.str(); }

private:
    std::ostringstream outputText_, errorText_;
    std::streambuf* output_;
    std::streambuf* errors_;
};

}  // namespace armilla::test
