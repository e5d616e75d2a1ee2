// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of equal value in a picture.
#pragma once

#include <span>
#include <vector>

#include "render/graticule.h"

namespace armilla {

// By marching squares on `values` (width * height, the top row first, NaN for none), which stand at
// the centers of their image pixels: on every line the value, linear between neighbors, is `level`.
// No line crosses a square with a corner of NaN. A saddle is cut by the mean of its corners. Lines
// end at the border or close: their last point is then the first. Test: tst_contours.
std::vector<Polyline> contourLines(std::span<const float> values, int width, int height,
                                   double level);

}  // namespace armilla
