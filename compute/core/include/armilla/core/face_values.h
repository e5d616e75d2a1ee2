// SPDX-License-Identifier: GPL-3.0-or-later
// Values for drawing: single precision, with means over four children.
#pragma once

#include <cmath>
#include <limits>

#include "armilla/core/hd.h"

namespace armilla {

namespace detail {

// x - x is 0 for every finite x, and NaN for NaN and infinities.
template <class Real>
ARMILLA_HD inline bool isFinite(Real value) {
    return value - value == Real(0);
}

}  // namespace detail

// The bad value of pictures: a quiet NaN.
ARMILLA_HD inline float badFaceValue() {
    return std::numeric_limits<float>::quiet_NaN();
}

// Infinities become bad, as in files. Finite values beyond single precision become its largest
// value.
ARMILLA_HD inline float faceValue(float value) {
    return detail::isFinite(value) ? value : badFaceValue();
}
ARMILLA_HD inline float faceValue(double value) {
    constexpr double limit = std::numeric_limits<float>::max();
    if (!detail::isFinite(value)) return badFaceValue();
    return static_cast<float>(value > limit ? limit : value < -limit ? -limit : value);
}

// Mean of the good values among four; bad if none is good.
ARMILLA_HD inline float meanOfGood(float a, float b, float c, float d) {
    const float sum = (a + b) + (c + d);
    if (detail::isFinite(sum)) return 0.25F * sum;
    double total = 0.0;
    int good = 0;
    const float all[] = {a, b, c, d};
    for (const float value : all)
        if (value == value) {
            total += static_cast<double>(value);
            ++good;
        }
    return good > 0 ? static_cast<float>(total / good) : badFaceValue();
}

}  // namespace armilla
