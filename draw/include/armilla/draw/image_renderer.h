// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a map by CPU threads: no display, no OpenGL.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/map_pyramid.h"

namespace armilla {

// The value between pixels.
enum class PixelInterpolation { Nearest, Bilinear };

// All three functions return width * height elements, top row first, identical for any number of
// threads. They throw InvalidArgument for a view without pixels or scale.

// Pixel index (in the map's ordering) under each image pixel's center; -1 off the sky.
// Bit-identical to pixel_geometry.h for the direction from skyFromImage.
std::vector<int64_t> renderIndices(int64_t nside, Ordering ordering, const ViewGeometry& view,
                                   JobContext& job);
// Exact value of the map under each image pixel's center (no means); NaN off the sky or bad.
// Bilinear is HEALPix's interpolation between four pixels (pixel_queries.h). Bad pixels get no
// weight, and the other weights are scaled to a sum of 1. If the pixel under the center is bad the
// result is bad, so that a mask keeps its shape.
std::vector<double> renderValues(const HealpixMap& map, int field, const ViewGeometry& view,
                                 PixelInterpolation interpolation, JobContext& job);
// The colored picture, RGBA. If an image pixel covers several map pixels, their mean is drawn:
// pyramidLevel() and blendedValue() of view_geometry.h, with the footprint of each image pixel, as
// in shader and kernel.
// Throws InvalidArgument for faces beyond nside 8192, too.
std::vector<Rgba> renderImage(const MapPyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job);
// The nside of the finest level of a pyramid of `nside`, a power of two, that renderImage reads in
// this view: no finer one need be built for it.
int64_t finestNsideDrawn(int64_t nside, const ViewGeometry& view);

}  // namespace armilla
