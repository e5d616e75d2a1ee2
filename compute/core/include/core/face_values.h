// SPDX-License-Identifier: GPL-3.0-or-later
// The values that pictures are drawn from: single precision, with means over four children.
#pragma once

#include <cmath>
#include <limits>

#include "core/hd.h"

namespace armilla {

namespace detail {

// NaN and infinities leave a difference that is not zero.
template <class Real>
ARMILLA_HD inline bool isFinite(Real value) {
    return value - value == Real(0);
}

}  // namespace detail

ARMILLA_HD inline float badFaceValue() {
    return std::numeric_limits<float>::quiet_NaN();
}

// Infinities count as bad, as they do in files; what is beyond single precision becomes its
// largest.
ARMILLA_HD inline float faceValue(float value) {
    return detail::isFinite(value) ? value : badFaceValue();
}
ARMILLA_HD inline float faceValue(double value) {
    constexpr double limit = std::numeric_limits<float>::max();
    if (!detail::isFinite(value)) return badFaceValue();
    return static_cast<float>(value > limit ? limit : value < -limit ? -limit : value);
}

// Mean of the good ones of four values; bad if none is.
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
