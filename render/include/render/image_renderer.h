// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a map made by CPU threads: no display, no OpenGL.
#pragma once

#include <cstdint>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/view_geometry.h"
#include "render/color_scale.h"
#include "render/map_pyramid.h"

namespace armilla {

enum class PixelInterpolation { Nearest, Bilinear };

// Pixel index (in the map's ordering) under each image pixel's center; -1 off the sky.
std::vector<int64_t> renderIndices(int64_t nside, Ordering ordering, const ViewGeometry& view,
                                   JobContext& job);
// Value of the map under each image pixel's center, exactly (no means); NaN off the sky or bad.
std::vector<float> renderValues(const HealpixMap& map, int field, const ViewGeometry& view,
                                PixelInterpolation interpolation, JobContext& job);
// The colored picture, RGBA, top row first. Where an image pixel covers several map pixels, their
// mean is drawn (level chosen by the footprint, as in the shader).
std::vector<Rgba> renderImage(const MapPyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job);

}  // namespace armilla
