// SPDX-License-Identifier: GPL-3.0-or-later
// Unit vectors along the parallel and the meridian of a place on the unit sphere.
#pragma once

#include <cmath>

#include "armilla/core/sky_vector.h"

namespace armilla {

// At a pole, the direction for longitude 0.
inline Vec3 eastAt(Vec3 place) {
    const double across = std::sqrt(place.x * place.x + place.y * place.y);
    return across > 0.0 ? Vec3{-place.y / across, place.x / across, 0.0} : Vec3{0.0, 1.0, 0.0};
}

// The basis of the tangent plane.
struct Tangent {
    Vec3 north, east;
};
inline Tangent tangentAt(Vec3 place) {
    const Vec3 east = eastAt(place);
    return {cross(place, east), east};
}

}  // namespace armilla
