// SPDX-License-Identifier: GPL-3.0-or-later
// The angle between two points by their chord. Host and device.
#pragma once

#include <cmath>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

// Angle in radians between unit vectors a and b, from |a - b|^2 and |a + b|^2. The smaller of them
// keeps its digits, and its arc sine is that of at most sqrt(1/2), where it is well conditioned.
ARMILLA_HD inline double pairAngle(double squaredDifference, double squaredSum) {
    const bool near = squaredDifference <= squaredSum;
    const double angle = 2.0 * std::asin(0.5 * std::sqrt(near ? squaredDifference : squaredSum));
    return near ? angle : kPi - angle;
}

}  // namespace armilla
