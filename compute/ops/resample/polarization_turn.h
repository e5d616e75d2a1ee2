// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation of Q and U between bases of the tangent plane; all rotations use these formulas.
#pragma once

#include <cmath>

#include "armilla/core/sky_vector.h"

namespace armilla::resample {

inline Vec3 toSouth(Vec3 v) {  // unit vector towards increasing colatitude
    const double s = std::sqrt(v.x * v.x + v.y * v.y);
    return {v.z * v.x / s, v.z * v.y / s, -s};
}
inline Vec3 toEast(Vec3 v) {
    const double s = std::sqrt(v.x * v.x + v.y * v.y);
    return {-v.y / s, v.x / s, 0.0};
}

// Rotates (Q, U) from one basis of the tangent plane to another.
struct Turn {
    double cos2 = 1.0, sin2 = 0.0;
    double q(double q0, double u0) const { return cos2 * q0 + sin2 * u0; }
    double u(double q0, double u0) const { return cos2 * u0 - sin2 * q0; }
};

// From the local meridian at `from` to the basis (south, east) at `to`. The southward vector is
// parallel transported along the great circle. With a the angle from the transported vector to
// `south`, Q + iU takes the factor exp(-2 i a) (Q along south, U towards east).
inline Turn turnBetween(Vec3 from, Vec3 to, Vec3 south, Vec3 east) {
    const Vec3 own = toSouth(from);
    const Vec3 carried = own - (dot(own, to) / (1.0 + dot(from, to))) * (from + to);
    const double c = dot(carried, south), s = -dot(carried, east), norm2 = c * c + s * s;
    return {(c * c - s * s) / norm2, 2.0 * c * s / norm2};
}

}  // namespace armilla::resample
