// SPDX-License-Identifier: GPL-3.0-or-later
// Q and U from one basis of the tangent plane to another: the one place where they turn.
#pragma once

#include <cmath>

#include "core/sky_vector.h"

namespace armilla::resample {

inline Vec3 toSouth(Vec3 v) {  // unit vector along growing colatitude
    const double s = std::sqrt(v.x * v.x + v.y * v.y);
    return {v.z * v.x / s, v.z * v.y / s, -s};
}
inline Vec3 toEast(Vec3 v) {
    const double s = std::sqrt(v.x * v.x + v.y * v.y);
    return {-v.y / s, v.x / s, 0.0};
}

// Turns (Q, U) of one basis of the tangent plane into those of another one.
struct Turn {
    double cos2 = 1.0, sin2 = 0.0;
    double q(double q0, double u0) const { return cos2 * q0 + sin2 * u0; }
    double u(double q0, double u0) const { return cos2 * u0 - sin2 * q0; }
};

// From the local meridian at `from` to the basis (south, east) at `to`: the southward vector is
// carried along the great circle, which adds no turn of its own; a is the angle from the carried
// vector to `south`, and Q + iU takes the factor exp(-2 i a) (Q along south, U towards east).
inline Turn turnBetween(Vec3 from, Vec3 to, Vec3 south, Vec3 east) {
    const Vec3 own = toSouth(from);
    const Vec3 carried = own - (dot(own, to) / (1.0 + dot(from, to))) * (from + to);
    const double c = dot(carried, south), s = -dot(carried, east), norm2 = c * c + s * s;
    return {(c * c - s * s) / norm2, 2.0 * c * s / norm2};
}

}  // namespace armilla::resample
