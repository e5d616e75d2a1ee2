// SPDX-License-Identifier: GPL-3.0-or-later
// Who works on which orders m and on which rings, where several share a transform: ranks
// (sht/ranks) and the devices of a host (order_shares_cuda.h). To each in proportion to its speed,
// by cost.
//
// Orders come in blocks: the next costliest goes to the one who has done with it first. Of pairs of
// rings each has two runs: one of the caps, whose rings are of many lengths and cost several times
// as much a sample as others, and one of the belt, whose rings are all of one. So all have their
// part of the work and of the map, however much the caps cost.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sht/plan/ring_windows.h"

namespace armilla {

// Legendre sums of each order up to mmax: latitudes that see it, times degrees. `modes`: of each
// latitude, how many orders it sees.
std::vector<double> orderCosts(std::span<const int> modes, int lmax, int mmax);
// The owner of each block.
std::vector<int> dealtBlocks(std::span<const double> costs, std::span<const double> speeds);

// What pairs of rings cost, of which some that follow each other may have to stay together.
struct PairCosts {
    std::vector<double> ofUnits;
    int unit = 1, pairs = 0;                // pairs of a unit (the last may have fewer), and all
    int belt = 0;                           // the first unit from which on rings are of one length
    double of(const RingRuns& some) const;  // of whole units
};
enum class RingsOn { Cpus, Devices };
// `modes`: of each pair, how many orders it sees.
PairCosts pairCosts(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                    std::span<const int> modes, RingsOn where, int unit = 1);
// The pairs of each; none for some if there are few.
std::vector<RingRuns> dealtPairs(const PairCosts& costs, std::span<const double> speeds);

// Of each pair of rings: whose it is, and its place among those of its owner.
struct PairPlaces {
    explicit PairPlaces(std::span<const RingRuns> dealt);
    std::vector<int> owner, place;
};

}  // namespace armilla
