// SPDX-License-Identifier: GPL-3.0-or-later
// Elapsed time.
#pragma once

#include <chrono>

namespace armilla {

// Seconds from `start` to now, on a clock that is never set back.
inline double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace armilla
