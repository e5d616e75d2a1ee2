// SPDX-License-Identifier: GPL-3.0-or-later
// The values behind the colors of a picture: for contours, and for colors between pixels.
#pragma once

#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/sparse_pyramid.h"

namespace armilla {

// The values that renderImage colors: width * height, top row first; NaN off the sky or bad.
std::vector<float> drawnValues(const MapPyramid& pyramid, const ViewGeometry& view,
                               JobContext& job);
std::vector<float> drawnValues(const SparsePyramid& pyramid, const ViewGeometry& view,
                               JobContext& job);
// Replaces values that depend on a single map pixel, which is wider than a picture pixel, by the
// bilinear interpolation of renderValues. Bad values stay bad.
void interpolateValues(std::vector<float>& values, const HealpixMap& map, int field,
                       const ViewGeometry& view, JobContext& job);

}  // namespace armilla
