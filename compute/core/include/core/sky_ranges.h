// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the sky as runs of the finest pixels, as MOC 2.0 thinks of them, and their algebra.
#pragma once

#include <cstdint>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/pixel_queries.h"

namespace armilla {

inline constexpr int kRangeOrder = 29;

// NESTED pixels of order 29: ascending runs that do not touch. An equatorial (ICRS) part of the
// sky, as all MOCs are.
using SkyRanges = std::vector<PixelRange>;

enum class RangeJoin { Union, Intersection, Difference, SymmetricDifference };
// Linear in the number of runs. Test: tst_sky_ranges (bit by bit, and HEALPix C++).
SkyRanges joinedRanges(const SkyRanges& a, const SkyRanges& b, RangeJoin join);
SkyRanges complementOf(const SkyRanges& ranges);
// All pixels of `order` that hold a part of them.
SkyRanges coveredAt(const SkyRanges& ranges, int order);
// The least order whose pixels they are made of.
int orderOf(const SkyRanges& ranges);
// Any runs, sorted and made one where they touch. Throws InvalidArgument for runs off the sky.
SkyRanges normalizedRanges(std::vector<PixelRange> runs);
// Where a field is above one half. Maps that are not NESTED or not equatorial are looked up at the
// centers of the NESTED ICRS pixels of their nside, or of the next power of two above. Throws
// InvalidArgument for a map without a frame or without that field.
SkyRanges rangesWhere(const HealpixMap& map, int field, JobContext& job);
// Share of the sky.
double shareOf(const SkyRanges& ranges);

// A cell of a hierarchy: NESTED pixel of an order.
struct SkyCell {
    int order = 0;
    int64_t pixel = 0;
};
// The fewest cells that make them up, the largest that fit, ascending along the sky.
std::vector<SkyCell> cellsOf(const SkyRanges& ranges);
// A multi-order map of 1 there and 0 elsewhere.
HealpixMap coverageOf(const SkyRanges& ranges, JobContext& job);

}  // namespace armilla
