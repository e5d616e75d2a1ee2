// SPDX-License-Identifier: GPL-3.0-or-later
// Derivatives of a scalar field on the sphere, in harmonic space.
#pragma once

#include <algorithm>
#include <cmath>

namespace armilla {

// sqrt((l + s)! / (l - s)!): the factor of s derivatives, 0 for l < s.
inline double derivativeFactor(int s, double l) {
    double square = 1.0;
    for (int i = 0; i < s; ++i) square *= (l - i) * (l + i + 1.0);
    return std::sqrt(std::max(0.0, square));
}

}  // namespace armilla
