// SPDX-License-Identifier: GPL-3.0-or-later
// Isolines in a picture.
#pragma once

#include <span>
#include <vector>

#include "armilla/draw/graticule.h"

namespace armilla {

// Marching squares on `values` (width * height, top row first, NaN for no value), located at the
// centers of their image pixels. On every line the value, interpolated linearly between neighbors,
// is `level`. No line crosses a square with a NaN corner. The mean of the corners resolves a
// saddle. Lines end at the border, or close: the last point then equals the first. Test:
// tst_contours.
std::vector<Polyline> contourLines(std::span<const float> values, int width, int height,
                                   double level);

}  // namespace armilla
