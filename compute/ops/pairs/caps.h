// SPDX-License-Identifier: GPL-3.0-or-later
// Caps around points, and bounds on the chords between two caps. Host and device.
#pragma once

#include <cmath>

#include "armilla/core/hd.h"

namespace armilla {

// Points within an angle of a direction; the angle as sine and cosine of its half.
struct Cap {
    double x = 0.0, y = 0.0, z = 1.0;
    double sinHalf = 0.0, cosHalf = 1.0;
};

// The cap with this center and squared chord to its farthest point. Beyond 130 degrees the cap
// becomes the whole sphere, because such caps decide nothing.
ARMILLA_HD inline Cap capWithin(double x, double y, double z, double farthestSquared) {
    Cap cap{x, y, z, 0.5 * std::sqrt(farthestSquared), 1.0};
    if (cap.sinHalf > 0.9) cap.sinHalf = 1.0;
    cap.cosHalf = std::sqrt(1.0 - cap.sinHalf * cap.sinHalf);
    return cap;
}

// Half the smallest and the greatest chord between points of two caps, widened by more than all
// rounding errors.
struct ChordRange {
    double least, greatest;
};
// 64 roundoffs: points have errors of 12.2, centers, radii and the formulas of less than 30.
inline constexpr double kCapError = 64.0 * 0x1p-53;

ARMILLA_HD inline ChordRange chordRange(const Cap& a, const Cap& b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    // Sine and cosine of half the angle between centers, and of half the sum of radii.
    const double quarter = 0.25 * (dx * dx + dy * dy + dz * dz);
    const double ss = quarter < 1.0 ? quarter : 1.0;
    const double s = std::sqrt(ss), c = std::sqrt(1.0 - ss + 8.0 * 0x1p-53);
    const double sinSum = a.sinHalf * b.cosHalf + a.cosHalf * b.sinHalf;
    const double cosSum = a.cosHalf * b.cosHalf - a.sinHalf * b.sinHalf;
    if (cosSum <= 0.0) return {-1.0, 2.0};
    return {s * cosSum - c * sinSum - kCapError,
            c * cosSum - s * sinSum <= kCapError ? 2.0 : s * cosSum + c * sinSum + kCapError};
}

}  // namespace armilla
