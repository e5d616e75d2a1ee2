// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the sky the good pixels of a map lie.
#pragma once

#include <optional>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/sky_vector.h"

namespace armilla {

// A disc that holds them; `center` in the map's own frame.
struct DataExtent {
    Vec3 center;
    double radius = 0.0;  // radians
};
// From an even sample of the good pixels, widened by each one's diameter. None without good pixels,
// and for those all around the sphere, which no disc of less than a hemisphere holds.
std::optional<DataExtent> dataExtent(const HealpixMap& map, int field);

// The center of the good pixel next to a place in the map's own frame, of the same sample. None
// without good pixels.
std::optional<Vec3> goodPlaceNear(const HealpixMap& map, int field, const Vec3& place);

// The center of the good pixel, or cell, of the largest value, the first of equals. None without
// good pixels, where they are all alike, or where there is no such field.
std::optional<Vec3> peakOf(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla
