// SPDX-License-Identifier: GPL-3.0-or-later
// Partition of the orders m and the rings of a transform among ranks (sht/several/ranks) or the
// devices of a host (order_shares_cuda.h), by cost, in proportion to their speed.
//
// Orders come in blocks and use longest-processing-time scheduling: the costliest remaining block
// goes to the owner that would finish it first. Each owner has two runs of pairs of rings. One is
// in the caps, whose rings have many lengths and cost several times as much a sample. The other is
// in the belt, whose rings have one length. So each owner has its part of the work and of the map,
// however much the caps cost.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sht/plan/ring_windows.h"

namespace armilla {

// Cost of the Legendre sums of each order up to mmax: latitudes with modes of the order, times
// degrees. `modes`: for each latitude, its number of orders.
std::vector<double> orderCosts(std::span<const int> modes, int lmax, int mmax);
// The owner of each block.
std::vector<int> partitionedBlocks(std::span<const double> costs, std::span<const double> speeds);

// The costs of pairs of rings, in units of successive pairs that must stay together.
struct PairCosts {
    std::vector<double> ofUnits;
    int unit = 1, pairs = 0;  // pairs of a unit (the last may have fewer), and all pairs
    int belt = 0;             // first unit of the belt, where all rings have one length
    double of(const RingRuns& some) const;  // cost of complete units
};
enum class RingsOn { Cpus, Devices };
// `modes`: for each pair, its number of orders.
PairCosts pairCosts(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                    std::span<const int> modes, RingsOn where, int unit = 1);
// The pairs of each owner; empty for some owners if there are few pairs.
std::vector<RingRuns> partitionedPairs(const PairCosts& costs, std::span<const double> speeds);

// For each pair of rings its owner, and its place among the owner's pairs.
struct PairPlaces {
    explicit PairPlaces(std::span<const RingRuns> partitioned);
    std::vector<int> owner, place;
};

}  // namespace armilla
