// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a bad pixel or an unknown quantity, and the test for it.
#pragma once

#include <limits>

namespace armilla {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// True for finite values. Compilers vectorize this test, unlike std::isfinite.
template <class T>
constexpr bool isGood(T value) {
    return value - value == T{0};
}

}  // namespace armilla
