// SPDX-License-Identifier: GPL-3.0-or-later
// Color ranges from values: percentiles, symmetry, requirements of scales. No widgets.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/color_scale.h"
#include "armilla/session/document.h"

namespace armilla {

struct PercentRange {
    double low = 1.0, high = 99.0;  // 0..100
    bool symmetric = false;         // symmetric about zero, with the larger end
};
struct ValueRange {
    float low = 0.0F, high = 1.0F;
};

// Range of ascending finite values; none without values. A range of zero width is widened around
// its value.
std::optional<ValueRange> rangeOf(std::span<const float> sorted, const PercentRange& percents);

// Finite values, ascending, on a grid of points over the visible part of the sky for this window
// shape. About `count` points, each for an equal area of the picture.
std::vector<float> valuesInView(const HealpixMap& map, const Shown& shown, const Camera& camera,
                                int width, int height, int count);

// Fits a scale to a range and a sample of values:
// - the linear width of SymLog and Asinh (a hundredth and a tenth of the larger end) if it does not
//   fit the range,
// - the cumulative table of Histogram,
// - a positive low end for Log.
//
// None if a Log scale finds no positive value.
std::optional<ColorScale> fittedScale(ColorScale scale, const ValueRange& range,
                                      std::span<const float> sorted);

}  // namespace armilla
