// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the sky as runs of the finest pixels, the representation of MOC 2.0, and their algebra.
#pragma once

#include <cstdint>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

// The order of the finest pixels; the maximum of MOC 2.0 and HEALPix.
inline constexpr int kRangeOrder = 29;

// NESTED pixels of order 29 as ascending runs that do not touch, in the equatorial frame (ICRS), as
// in all MOCs.
using SkyRanges = std::vector<PixelRange>;

// Set operations.
enum class RangeJoin { Union, Intersection, Difference, SymmetricDifference };
// Set operations on ranges, linear in the number of runs. Test: tst_sky_ranges (bit by bit, and
// HEALPix C++).
SkyRanges joinedRanges(const SkyRanges& a, const SkyRanges& b, RangeJoin join);
// The rest of the sky.
SkyRanges complementOf(const SkyRanges& ranges);
// All pixels of `order` that overlap the ranges.
SkyRanges coveredAt(const SkyRanges& ranges, int order);
// The smallest order whose pixels represent the ranges exactly.
int orderOf(const SkyRanges& ranges);
// Sorts any runs and merges runs that touch. Throws InvalidArgument for runs outside the sky.
SkyRanges normalizedRanges(std::vector<PixelRange> runs);
// The ranges in which a field exceeds one half. Maps that are not NESTED or not equatorial are
// sampled at the centers of NESTED ICRS pixels of their nside (or of the next power of two above).
// Throws InvalidArgument for a map without a frame or without that field.
SkyRanges rangesWhere(const HealpixMap& map, int field, JobContext& job);
// Fraction of the sky, 0 to 1.
double shareOf(const SkyRanges& ranges);

// A cell of a hierarchy: a NESTED pixel of an order.
struct SkyCell {
    int order = 0;
    int64_t pixel = 0;
};
// The fewest cells that make up the ranges, each as large as possible, ascending along the sky.
std::vector<SkyCell> cellsOf(const SkyRanges& ranges);
// A multi-order map with 1 inside the ranges and 0 elsewhere.
HealpixMap coverageOf(const SkyRanges& ranges, JobContext& job);

}  // namespace armilla
