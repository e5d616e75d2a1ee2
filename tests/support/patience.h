// SPDX-License-Identifier: GPL-3.0-or-later
// How long a test waits for what must come. Tests assert nothing else about time: a limit on time
// fails on a machine that does other work beside the test.
#pragma once

#include <chrono>

namespace armilla::test {

// Milliseconds. Nothing that works takes this long on any machine: what has not come by then hangs.
inline constexpr int kPatience = 240000;

// Says whether something hangs, for loops that wait for a state without an event loop.
class HangWatch {
public:
    bool isOver() const {
        return std::chrono::steady_clock::now() - start_ > std::chrono::milliseconds(kPatience);
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace armilla::test
