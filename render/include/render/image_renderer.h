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

// All three return width * height elements, the top row first, and are the same for any number of
// threads. They throw InvalidArgument for a view without pixels or scale.

// Pixel index (in the map's ordering) under each image pixel's center; -1 off the sky. To the bit
// what pixel_geometry.h gives for the direction that skyFromImage gives.
std::vector<int64_t> renderIndices(int64_t nside, Ordering ordering, const ViewGeometry& view,
                                   JobContext& job);
// Value of the map under each image pixel's center, exactly (no means); NaN off the sky or bad.
// Bilinear is HEALPix's interpolation between four pixels (pixel_queries.h). Bad ones among them
// are left out and the other weights raised to a sum of 1; where the pixel under the center is bad
// itself the result is bad, so a mask keeps its shape.
std::vector<double> renderValues(const HealpixMap& map, int field, const ViewGeometry& view,
                                 PixelInterpolation interpolation, JobContext& job);
// The colored picture, RGBA. Where an image pixel covers several map pixels, their mean is drawn:
// pyramidLevel() and blendedValue() of view_geometry.h, with the footprint of each image pixel, as
// in the shader and in the kernel.
std::vector<Rgba> renderImage(const MapPyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job);

}  // namespace armilla
