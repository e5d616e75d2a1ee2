// SPDX-License-Identifier: GPL-3.0-or-later
// Time limits for hangs. Tests assert nothing else about time, because a time limit fails on a
// machine under other load.
#pragma once

#include <chrono>

namespace armilla::test {

// Milliseconds. No working code takes this long on any machine, so a longer wait is a hang.
inline constexpr int kPatience = 240000;

// Detects hangs in loops that wait for a state without an event loop.
class HangWatch {
public:
    bool isOver() const {
        return std::chrono::steady_clock::now() - start_ > std::chrono::milliseconds(kPatience);
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace armilla::test
