// SPDX-License-Identifier: GPL-3.0-or-later
// Where transforms on CUDA devices form their Legendre sums, and which orders are seen there: known
// without a device, for those who deal the work.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "ops/ring_grid.h"

namespace armilla {

// Latitudes share limits, and lie in padded storage, in groups of this many.
inline constexpr int kLatitudeGroup = 32;
// Ring pairs that are interpolated together.
inline constexpr int kInterpolatedPairs = 64;

// Whether sums are formed at fewer latitudes than there are pairs of rings, from which these are
// interpolated (shared/band_interpolation.h).
bool interpolatesLatitudes(int lmax, const RingGrid& grid,
                           std::span<const std::pair<int, int>> pairs);
// Whether they are for some lmax.
bool mayInterpolateLatitudes(const RingGrid& grid, std::span<const std::pair<int, int>> pairs);
// How many, then, between a pole and the equator.
int midpointsFor(int lmax);
// The largest m that each latitude sees in a transform of degrees to lmax, the same in a group of
// them, growing from one to the next; padded to whole groups.
std::vector<int> orderLimits(std::span<const Ring> latitudes, int lmax, int mmax, int spin);
// The first latitude that sees each order m of 0 .. mmax; their number where none does.
std::vector<int> firstThatSee(std::span<const int> limits, int mmax);

}  // namespace armilla
