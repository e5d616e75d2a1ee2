// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that suit the rows of a catalog: an image around them, their measured values, bins of
// their distances.
#pragma once

#include <QString>
#include <cstddef>
#include <optional>

#include "armilla/core/table.h"

namespace armilla {

// An image around samples, with a kernel width that suits their density.
struct SuggestedTarget {
    LonLat center;
    double reach = 0.0;                         // radians, from the center to the farthest sample
    double kernelFwhm = 0.0, resolution = 0.0;  // radians
    int width = 0, height = 0;                  // pixels
};
// None for samples over the whole sphere, which no image can hold, or without positions.
std::optional<SuggestedTarget> suggestedTarget(const Catalog& catalog);
// The most likely column of measured values; none if all columns are text or positions.
std::optional<size_t> likelyValueColumn(const Catalog& catalog);
// Suitable bins for pair counts, such as "0.01deg,3deg,12": from well below the mean distance of
// neighbors to a fourth of the catalog's extent. Empty if too few rows have a position.
QString suggestedBins(const Catalog& catalog);

// Rounded to two digits; `value` is above 0.
double inTwoDigits(double value);

}  // namespace armilla
