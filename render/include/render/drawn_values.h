// SPDX-License-Identifier: GPL-3.0-or-later
// The values behind the colors of a picture: for contours, and for colors between pixels.
#pragma once

#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/view_geometry.h"
#include "render/map_pyramid.h"
#include "render/sparse_pyramid.h"

namespace armilla {

// What renderImage gives its colors by, width * height, the top row first; NaN off the sky or bad.
std::vector<float> drawnValues(const MapPyramid& pyramid, const ViewGeometry& view,
                               JobContext& job);
std::vector<float> drawnValues(const SparsePyramid& pyramid, const ViewGeometry& view,
                               JobContext& job);
// Puts the bilinear interpolation of renderValues in place of those that one pixel of the map
// decides alone, that is where they are wider than those of the picture; bad ones stay bad.
void interpolateValues(std::vector<float>& values, const HealpixMap& map, int field,
                       const ViewGeometry& view, JobContext& job);

}  // namespace armilla
