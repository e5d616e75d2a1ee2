// SPDX-License-Identifier: GPL-3.0-or-later
// Location on the sky of the good pixels of a map.
#pragma once

#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

// A disc that holds the good pixels; `center` is in the frame of the map.
struct DataExtent {
    Vec3 center;
    double radius = 0.0;  // radians
};
// Disc from an even sample of the good pixels, widened by the diameter of each pixel. None without
// good pixels, and none if no disc smaller than a hemisphere holds the sample.
std::optional<DataExtent> dataExtent(const HealpixMap& map, int field);

// The center of the good pixel nearest to `place` (frame of the map), from the sample of
// dataExtent(). None without good pixels.
std::optional<Vec3> goodPlaceNear(const HealpixMap& map, int field, const Vec3& place);

// The center of the good pixel (or cell) with the largest value; the first one of equal values.
// None without good pixels, if all values are equal, or if the field does not exist.
std::optional<Vec3> peakOf(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla
