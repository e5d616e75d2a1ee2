// SPDX-License-Identifier: GPL-3.0-or-later
// Isolines in a picture.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/draw/graticule.h"

namespace armilla {

// Marching squares on `values` (width * height, top row first, NaN for no value), located at the
// centers of their image pixels. On every line the value, interpolated linearly between neighbors,
// is `level`. No line crosses a square with a NaN corner. The mean of the corners resolves a
// saddle. Lines end at the border, or close: the last point then equals the first. Test:
// tst_contours.
std::vector<Polyline> contourLines(std::span<const float> values, int width, int height,
                                   double level);

// Calls visit(from, to) for each straight piece of these lines, square after square, in a time that
// does not depend on their number; polls row by row.
void forEachContourPiece(std::span<const float> values, int width, int height, double level,
                         const std::function<void(ImagePoint, ImagePoint)>& visit, JobContext& job);
int64_t contourPieceCount(std::span<const float> values, int width, int height, double level,
                          JobContext& job);

}  // namespace armilla
