// SPDX-License-Identifier: GPL-3.0-or-later
// Latitudes of the Legendre sums of transforms on CUDA devices, and the orders with modes there.
// Computed without a device, so that the work can be partitioned in advance.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "armilla/ops/ring_grid.h"

namespace armilla {

// Size of groups of latitudes: a group has one limit of orders, and storage is padded to complete
// groups.
inline constexpr int kLatitudeGroup = 32;
// Number of ring pairs that are interpolated together.
inline constexpr int kInterpolatedPairs = 64;

// Whether sums are formed at fewer latitudes than there are pairs of rings, and interpolated to the
// rings (shared/band_interpolation.h).
bool interpolatesLatitudes(int lmax, const RingGrid& grid,
                           std::span<const std::pair<int, int>> pairs);
// Whether interpolatesLatitudes() is true for some lmax.
bool mayInterpolateLatitudes(const RingGrid& grid, std::span<const std::pair<int, int>> pairs);
// Number of interpolation latitudes between a pole and the equator.
int midpointsFor(int lmax);
// The largest m with modes at each latitude in a transform of degrees up to lmax. It is the same
// within a group, grows from group to group, and is padded to complete groups.
std::vector<int> orderLimits(std::span<const Ring> latitudes, int lmax, int mmax, int spin);
// For each order m of 0 .. mmax the first latitude with modes of m; the number of latitudes if
// there is none.
std::vector<int> firstThatSee(std::span<const int> limits, int mmax);

}  // namespace armilla
