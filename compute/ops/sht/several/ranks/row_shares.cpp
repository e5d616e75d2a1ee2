// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/ranks/row_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shared/band_interpolation.h"
#include "sht/legendre/legendre.h"
#include "sht/plan/device_latitudes.h"
#include "sht/plan/ring_transform.h"
#include "sht/several/work_shares.h"
#include "sht/storage/order_tiles.h"

namespace armilla {

namespace {

// kBlocksOfSlices blocks of sixteen orders are enough work for a device and give a large message. A
// rank has at least kLeastPairsOfSlices pairs of slices, if there are blocks for them, so that
// exchange and sums overlap.
constexpr int kBlocksOfSlices = 64, kLeastPairsOfSlices = 2;
// With unequal speeds there are more slices, up to this number, so that none is too small for a
// device.
constexpr int kMostForSpeeds = 64;
static_assert(kTileSpan == 2 * kOrderTile);

// The number of pairs of slices for all orders.
int pairsOfSlices(int blocks, std::span<const double> speeds) {
    const int ranks = static_cast<int>(speeds.size());
    const int each = std::clamp(std::max(kLeastPairsOfSlices, blocks / (kBlocksOfSlices * ranks)),
                                1, std::max(1, blocks / ranks));
    const double slowest = *std::min_element(speeds.begin(), speeds.end());
    const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    // With unequal speeds a slice is half of the slowest rank's part.
    const bool equal = all <= slowest * (ranks + 1e-9);
    const int fine =
        equal ? 0
              : static_cast<int>(std::min<double>(kMostForSpeeds, std::ceil(2 * all / slowest)));
    return std::clamp(std::max(ranks * each, fine), 1, blocks);
}

}  // namespace

RowShares::RowShares(const RingGrid& grid, int lmax, int mmax, std::span<const RankPower> ranks,
                     const std::vector<RingRuns>* given)
    : slices(ranks.size()), ownerOfOrder(static_cast<size_t>(mmax) + 1) {
    const std::vector<std::pair<int, int>> rings = mirroredPairs(grid);
    const auto modesOf = [&](const Ring& ring) {
        return usefulModes(lmax, mmax, 0, ring.sinTheta, ring.z);
    };
    std::vector<int> modes;
    for (const auto& [north, south] : rings)
        modes.push_back(modesOf(grid.rings[static_cast<size_t>(north)]));
    const auto isDevice = [](const RankPower& rank) { return rank.device; };
    devicesAlone = std::all_of(ranks.begin(), ranks.end(), isDevice);
    interpolates = devicesAlone && interpolatesLatitudes(lmax, grid, rings);
    // Complete tiles of the interpolation, for any lmax, because plans of one grid may use the same
    // partition.
    const int unit = devicesAlone && mayInterpolateLatitudes(grid, rings) ? kInterpolatedPairs : 1;
    std::vector<double> speeds;
    for (const RankPower& rank : ranks) speeds.push_back(rank.speed);
    // If there are devices, they do most of the ring transforms, so their costs count.
    const RingsOn where =
        std::any_of(ranks.begin(), ranks.end(), isDevice) ? RingsOn::Devices : RingsOn::Cpus;
    pairs = given != nullptr ? *given
                             : partitionedPairs(pairCosts(grid, rings, modes, where, unit), speeds);
    std::vector<size_t> workers;
    for (size_t i = 0; i < pairs.size(); ++i)
        if (works(i)) workers.push_back(i);
    speeds.clear();
    for (const size_t rank : workers) speeds.push_back(ranks[rank].speed);

    if (interpolates) {
        modes.clear();
        for (const Ring& ring : midpointRings(midpointsFor(lmax))) modes.push_back(modesOf(ring));
    }
    const int blocks = mmax / kTileSpan + 1, count = pairsOfSlices(blocks, speeds);
    std::vector<double> ofSlices(static_cast<size_t>(count), 0.0);
    const std::vector<double> costs = orderCosts(modes, lmax, mmax);
    for (int m = 0; m <= mmax; ++m)
        ofSlices[static_cast<size_t>(m / kTileSpan % count)] += costs[static_cast<size_t>(m)];
    const std::vector<int> owners = partitionedBlocks(ofSlices, speeds);
    const int slots = (blocks + count - 1) / count * kOrderTile;
    for (int i = 0; i < count; ++i) {
        const size_t owner = workers[static_cast<size_t>(owners[static_cast<size_t>(i)])];
        for (int half = 0; half < 2; ++half)
            slices[owner].push_back({2 * i + half, 2 * count, slots});
        for (int m = 0; m <= mmax; ++m)
            if (m / kTileSpan % count == i)
                ownerOfOrder[static_cast<size_t>(m)] = static_cast<int>(owner);
    }
}

size_t RowShares::steps() const {
    size_t most = 0;
    for (const auto& own : slices) most = std::max(most, own.size());
    return most;
}

int64_t RowMessages::most() const {
    int64_t most = 0;
    for (const auto* rows : {&sends, &takes}) {
        size_t steps = 0;
        for (const RowExchange& each : *rows) steps = std::max(steps, each.totals.size());
        for (size_t step = 0; step < steps; ++step) most = std::max(most, countOf(*rows, step));
    }
    return most;
}

SeenFrom::SeenFrom(const RingGrid& grid, int lmax, int mmax, int spin, const RowShares& shares) {
    std::vector<Ring> northern;
    std::vector<int> limits;
    int most = 0;
    for (const RingTransform::RingPair& pair : RingTransform::pairsOf(grid, lmax, mmax)) {
        northern.push_back(grid.rings[static_cast<size_t>(pair.north)]);
        most = std::max(most, pair.modes - 1);
        limits.push_back(most);
    }
    const auto byDevices = [&](std::span<const Ring> latitudes) {
        // Derivatives of spin 0 have degrees up to lmax + 1.
        return firstThatSee(orderLimits(latitudes, spin == 0 ? lmax + 1 : lmax, mmax, spin), mmax);
    };
    pairs = byDevices(northern);
    if (!shares.devicesAlone) {
        const std::vector<int> byCpu = firstThatSee(limits, mmax);
        for (size_t m = 0; m < pairs.size(); ++m) pairs[m] = std::min(pairs[m], byCpu[m]);
    }
    rows = shares.interpolates ? byDevices(midpointRings(midpointsFor(lmax))) : pairs;
}

}  // namespace armilla
