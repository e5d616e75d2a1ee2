// SPDX-License-Identifier: GPL-3.0-or-later
// Who works on which orders m and on which rings, where several share a transform: ranks
// (sht/ranks) and the devices of a host (order_shares_cuda.h).
//
// Orders come in blocks, dealt by cost: the next costliest goes to the one who has done with it
// first. Rings are dealt in runs of successive pairs of equal cost, so that each holds two runs of
// the map.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sht/plan/ring_windows.h"

namespace armilla {

// What the dealing goes by.
struct SharedWork {
    std::vector<double> blocks;  // cost of each block of orders
    std::vector<double> pairs;   // and of each pair of rings
};
// Legendre sums of each order up to mmax: latitudes that see it, times degrees. `modes`: of each
// latitude, how many orders it sees.
std::vector<double> orderCosts(std::span<const int> modes, int lmax, int mmax);
// Ring transforms of a pair: of so many rings of `samples`, which see so many orders.
double pairCost(int rings, int64_t samples, int modes);

struct WorkShares {
    // Of as many as there are `speeds`, to each in proportion to its own.
    WorkShares(const SharedWork& work, std::span<const double> speeds);
    int count() const { return static_cast<int>(pairs.size()); }
    // Others in the place of `pairs`.
    void takePairs(const std::vector<RingRange>& others);
    std::vector<int> ownerOfBlock;
    std::vector<RingRange> pairs;  // of each; empty for those beyond the number of pairs
    std::vector<int> ownerOfPair;
};

}  // namespace armilla
