// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the sky the good pixels of a map lie.
#pragma once

#include <optional>

#include "core/healpix_map.h"
#include "core/sky_vector.h"

namespace armilla {

// A disc that holds them; `center` in the map's own frame.
struct DataExtent {
    Vec3 center;
    double radius = 0.0;  // radians
};
// From an even sample of the good pixels, widened by a pixel's diameter. None without good pixels,
// and for those all around the sphere, which no disc of less than a hemisphere holds.
std::optional<DataExtent> dataExtent(const HealpixMap& map, int field);

}  // namespace armilla
