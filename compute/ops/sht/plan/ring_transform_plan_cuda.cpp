// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/ring_transform_plan_cuda.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "shared/band_interpolation.h"
#include "shared/legendre_recurrence.h"

namespace armilla {

namespace {

using cuda::BandPosition;
using cuda::BandTile;
using cuda::check;
using cuda::DeviceBuffer;
using cuda::DeviceScope;
using cuda::kBandRows;
using cuda::kBlockPairs;
using cuda::kOrderTile;
using cuda::kPairGroup;
using cuda::LegendreItem;
using cuda::PairLatitude;
using cuda::PairModes;
using cuda::PairRings;

cuda::Priority priorityOf(const CudaTransformShape& shape) {
    return shape.live ? cuda::Priority::High : cuda::Priority::Low;
}

// log2 in double-double. At a pole the logarithm of 0 is replaced by a number so small that every
// power stays out of range.
double2 splitLog2(long double value) {
    return value > 0.0L ? split(std::log2(value)) : make_double2(-1e4, 0.0);
}

}  // namespace

CudaRingTransform::Plan::Plan(RingGrid ringGrid, int lmaxGiven, int mmaxGiven, int deviceIndex,
                              const CudaTransformShape& shapeGiven, const CudaOrderShare* share)
    : device(deviceIndex),
      shape(shapeGiven),
      stream(deviceIndex, priorityOf(shapeGiven)),
      transferStream(deviceIndex, priorityOf(shapeGiven)),
      polarStream(deviceIndex, priorityOf(shapeGiven)),
      grid(std::move(ringGrid)),
      lmax(lmaxGiven),
      mmax(mmaxGiven),
      started(deviceIndex) {
    if (lmax < 0 || mmax < 0 || mmax > lmax)
        throw InvalidArgument("expected 0 <= mmax <= lmax, found lmax " + std::to_string(lmax) +
                              ", mmax " + std::to_string(mmax));
    const auto among = [](int value, std::initializer_list<int> values) {
        return std::find(values.begin(), values.end(), value) != values.end();
    };
    if (!among(shape.synthesisPairs, {2, 4}) || !among(shape.adjointPairs, {4, 8}) ||
        !among(shape.mapsAtOnce, {1, 2, 4}) || !(shape.workShare > 0.0))
        throw InvalidArgument(
            "expected a valid shape of transforms on CUDA devices, found another");
    const DeviceScope scope(device);
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "querying multiprocessors");
    sharedBytes = cuda::ringFftSharedBytes(device);
    for (const Ring& ring : grid.rings) longestRing = std::max(longestRing, ring.count);
    cuda::allowRingFftSharedBytes(sharedBytes);
    pairs = mirroredPairs(grid);
    samples = grid.sampleCount();
    for (const auto& [north, south] : pairs) {
        northern.push_back(grid.rings[static_cast<size_t>(north)]);
        ++pairsOfLength[northern.back().count];
    }
    interpolates = shape.interpolates && interpolatesLatitudes(lmax, grid, pairs);
    const bool inRows = cuda::RingRows::suits(grid, shape.rows);
    const RingRange all{0, static_cast<int>(pairs.size())};
    own = RingRuns({&all, 1});
    if (share != nullptr) takeShare(*share);
    makeColumns();
    std::vector<double> inverse;
    for (const auto& [north, south] : pairs)
        inverse.push_back(static_cast<double>(
            1.0L / wideLatitude(grid.rings[static_cast<size_t>(north)]).sinTheta));
    inverseSines = uploaded(device, inverse, stream);
    sources = northern;
    if (interpolates) makeInterpolation();
    makeLatitudes(sources);
    roots = DeviceBuffer<double2>(device, size_t{1} << (cuda::kLogRoots - 3));
    cuda::fillRoots(roots.data(), stream.get());
    weights = DeviceBuffer<double2>(device, pairs.size());
    if (inRows)
        equalRows.emplace(device, grid, pairs, stream);
    else
        makeBatches();
}

// The rings of some pairs, northern rings and then southern rings, as a separate grid.
void CudaRingTransform::Plan::takeShare(const CudaOrderShare& share) {
    isShare = true;
    own = share.pairs;
    givenSlices = share.slices;
    const RingWindow window = ringWindow(grid, pairs, own);
    int south = static_cast<int>(window.rings.size());
    std::vector<std::pair<int, int>> ownPairs;
    for (int i = 0; i < own.count(); ++i) {
        const bool single = pairs[static_cast<size_t>(own.at(i))].second < 0;
        ownPairs.emplace_back(i, single ? -1 : --south);
    }
    pairs = ownPairs;
    grid = window.grid;
    samples = grid.sampleCount();
}

// Coefficients of the own orders, stored contiguously.
void CudaRingTransform::Plan::makeColumns() {
    std::vector<bool> ownOrders(static_cast<size_t>(mmax) + 1, !isShare);
    for (const cuda::OrderSlice& slice : givenSlices)
        for (int slot = 0; slot < slice.slots; ++slot)
            if (const int m = slice.orderOf(slot); m <= mmax)
                ownOrders[static_cast<size_t>(m)] = true;
    for (int m = 0; m <= mmax; ++m) {
        const bool there = ownOrders[static_cast<size_t>(m)];
        columnOf.push_back(there ? coefficients - m : -m - 1);
        if (there) coefficients += lmax - m + 1;
    }
    columns = uploaded(device, columnOf, stream);
}

// The matrix in tiles of rows: the columns within reach of the window of any row of a tile, and
// their weights.
void CudaRingTransform::Plan::makeBand(bool toRingTiles, const std::vector<BandPosition>& positions,
                                       BandTables& tables) const {
    const int rings = static_cast<int>(positions.size()),
              midpoints = static_cast<int>(sources.size());
    const auto ringAt = [&](int i) {
        if (i < 0) return -1 - positions[static_cast<size_t>(-1 - i)].whole;
        if (i < rings) return positions[static_cast<size_t>(i)].whole;
        return 2 * midpoints - 1 - positions[static_cast<size_t>(2 * rings - 1 - i)].whole;
    };
    constexpr int kReach = kBandTaps / 2;
    const auto firstFrom = [&](int midpoint) {
        int low = -rings, high = 2 * rings;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (ringAt(middle) < midpoint)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    // The first column that these rows reach, and the one after the last.
    const auto reach = [&](int row, int last) {
        if (toRingTiles) return std::pair(ringAt(row) - kReach, ringAt(last) + kReach + 1);
        return std::pair(firstFrom(row - kReach), firstFrom(last + kReach + 1));
    };
    const int rows = toRingTiles ? rings : midpoints;
    std::vector<BandTile> tiles;
    int64_t at = 0;
    for (int row = 0; row < rows; row += kBandRows) {
        const auto [first, end] = reach(row, std::min(row + kBandRows, rows) - 1);
        BandTile tile{first, (end - first + 3) / 4, at, {}, {}};
        for (int s = 0; s < cuda::kBandStrips && row + 16 * s < rows; ++s) {
            const auto [from, to] = reach(row + 16 * s, std::min(row + 16 * s + 16, rows) - 1);
            tile.begin[s] = (from - first) / 4;
            tile.end[s] = (to - first + 3) / 4;
        }
        tiles.push_back(tile);
        at += int64_t{tile.steps} * cuda::kBandStepWeights;
    }
    tables.h_tiles = tiles;
    tables.tiles = uploaded(device, tiles, stream);
    tables.weights = DeviceBuffer<double2>(device, static_cast<size_t>(at));
    const DeviceBuffer<BandPosition> places = uploaded(device, positions, stream);
    cuda::fillBandWeights({places.data(), rings, midpoints, toRingTiles}, tables.tiles.data(),
                          static_cast<int>(tiles.size()), tables.weights.data(), stream.get());
    stream.synchronize();
}

void CudaRingTransform::Plan::makeInterpolation() {
    const int midpoints = midpointsFor(lmax);
    std::vector<BandPosition> positions;
    const long double perAngle = 2 * midpoints / std::acos(-1.0L);
    for (const Ring& ring : sources) {
        const WideLatitude wide = wideLatitude(ring);
        const long double place = std::atan2(wide.sinTheta, wide.z) * perAngle - 0.5L;
        const long double whole = std::rint(place);
        positions.push_back({static_cast<int>(whole), static_cast<double>(place - whole)});
    }
    sources = midpointRings(midpoints);
    makeBand(true, positions, toRings);
    makeBand(false, positions, fromRings);
}

void CudaRingTransform::Plan::makeLatitudes(const std::vector<Ring>& rings) {
    std::vector<PairLatitude> table(roundedUp<size_t>(rings.size(), kPairGroup));
    constexpr size_t kFormGroup = 8;
    for (size_t i = 0; i < table.size(); ++i) {
        const auto ringOf = [&](size_t pair) -> const Ring& {
            return rings[std::min(pair, rings.size() - 1)];
        };
        const size_t group = i / kFormGroup * kFormGroup;
        bool polar = true;
        for (size_t j = group; j < group + kFormGroup; ++j)
            polar = polar && ringOf(j).z > kPolarCap;
        const WideLatitude wide = wideLatitude(ringOf(i));
        PairLatitude& at = table[i];
        at.form = polar ? 1 : 0;
        at.z = static_cast<double>(wide.z);
        at.scalarArgument = scalarArgument(wide, at.form);
        at.spinArgument = spinArgument(wide, at.form);
        const long double root2 = std::sqrt(2.0L);
        at.logSin = splitLog2(wide.sinTheta);
        at.logSinHalf = splitLog2(root2 * wide.sinHalf);
        at.logCosHalf = splitLog2(root2 * wide.cosHalf);
    }
    latitudes = uploaded(device, table, stream);
}

void CudaRingTransform::Plan::checkAlm(const CudaArray& alm) const {
    const auto expected = static_cast<size_t>(2 * coefficients);
    if (alm.size() != expected)
        throw InvalidArgument("expected " + std::to_string(expected) +
                              " doubles of coefficients (lmax " + std::to_string(lmax) + ", mmax " +
                              std::to_string(mmax) + "), found " + std::to_string(alm.size()));
}
void CudaRingTransform::Plan::checkMap(const CudaArray& map) const {
    if (map.size() != static_cast<size_t>(samples))
        throw InvalidArgument("expected a map of " + std::to_string(samples) + " samples, found " +
                              std::to_string(map.size()));
}
void CudaRingTransform::Plan::checkBatch(std::span<const CudaArray> maps,
                                         std::span<const CudaArray> alm) const {
    if (maps.empty() || maps.size() != alm.size())
        throw InvalidArgument("expected as many maps as sets of coefficients, found " +
                              std::to_string(maps.size()) + " and " + std::to_string(alm.size()));
    for (const CudaArray& one : alm) checkAlm(one);
    for (const CudaArray& one : maps) checkMap(one);
}

// Pairs of one kind and size are launched together, the longest first, so that the last blocks of a
// launch are short.
void CudaRingTransform::Plan::makeBatches() {
    struct Kind {
        std::vector<int> pairs;  // own pairs
        int64_t longest = 0;     // longest of all pairs: the tables of a batch depend on it
    };
    std::map<std::pair<cuda::RingFftKind, int>, Kind> kinds;
    for (int i = static_cast<int>(northern.size()) - 1; i >= 0; --i) {
        const int64_t length = northern[static_cast<size_t>(i)].count;
        const cuda::RingFftStrategy strategy =
            cuda::ringFftStrategy({length, longestRing, pairsOfLength.at(length), sharedBytes});
        Kind& kind = kinds[{strategy.kind, strategy.logSize}];
        kind.longest = std::max(kind.longest, length);
        if (own.has(i)) kind.pairs.push_back(own.before(i));
    }
    std::vector<int> all;
    for (const auto& [kind, of] : kinds) all.insert(all.end(), of.pairs.begin(), of.pairs.end());
    batchPairs = uploaded(device, all, stream);
    const int* at = batchPairs.data();
    for (const auto& [kind, of] : kinds) {
        if (of.pairs.empty()) continue;
        batches.push_back({{kind.first, kind.second, static_cast<int>(of.longest)},
                           at,
                           static_cast<int>(of.pairs.size())});
        at += of.pairs.size();
    }
}

RingRange CudaRingTransform::Plan::rowsFor(const RingRuns::Run& wanted) const {
    if (!interpolates) return {wanted.begin, wanted.end};
    RingRange range{rows(), 0};
    for (int tile = wanted.begin / kBandRows; tile * kBandRows < wanted.end; ++tile) {
        const cuda::BandTile& band = toRings.h_tiles[static_cast<size_t>(tile)];
        for (int column = band.first; column < band.first + 4 * band.steps; ++column) {
            int row = column < 0 ? -1 - column : column;
            if (row >= rows()) row = 2 * rows() - 1 - row;
            if (row < 0) continue;
            range = {std::min(range.begin, row), std::max(range.end, row + 1)};
        }
    }
    return range;
}
RingRuns CudaRingTransform::Plan::rowsFor(const RingRuns& wanted) const {
    std::vector<RingRange> ranges;
    for (const RingRuns::Run& run : wanted) ranges.push_back(rowsFor(run));
    return RingRuns(ranges);
}

int64_t CudaRingTransform::Plan::deviceBytes() const {
    size_t bytes = 0;
    const auto add = [&](const auto& buffer) { bytes += buffer.size() * sizeof(*buffer.data()); };
    add(latitudes);
    add(columns);
    add(inverseSines);
    add(roots);
    add(weights);
    add(mixed);
    add(polarMixed);
    add(batchPairs);
    if (equalRows) bytes += equalRows->bytes();
    for (const auto& both : modes)
        for (const auto& buffer : both) add(buffer);
    for (const auto& buffer : tails) add(buffer);
    for (const BandTables* band : {&toRings, &fromRings}) {
        add(band->tiles);
        add(band->weights);
    }
    for (const auto& [spin, tables] : recurrences) {
        add(tables.recurrence);
        add(tables.scales);
        add(tables.start);
        add(tables.stepsAt);
    }
    for (const auto& [spin, tables] : spins) {
        add(tables.lowering);
        add(tables.rowFactors);
        add(tables.firstRows);
        add(tables.firstPairs);
        add(tables.rings);
        for (const SumTables* sums : {&tables.scalar, &tables.polar}) {
            add(sums->mixedAt);
            add(sums->firstRows);
            for (const SumTables::Slice& slice : sums->slices) add(slice.items);
        }
    }
    return static_cast<int64_t>(bytes);
}

void CudaRingTransform::Plan::setWeights(std::span<const double> given) {
    if (given.size() != grid.rings.size())
        throw InvalidArgument("expected weights of " + std::to_string(grid.rings.size()) +
                              " rings, found " + std::to_string(given.size()));
    // Analyses of one plan have the same weights: no copy, and no wait for it.
    if (std::equal(given.begin(), given.end(), ringWeights.begin(), ringWeights.end())) return;
    ringWeights.clear();
    std::vector<double2> table;
    for (const auto& [north, south] : pairs)
        table.push_back(make_double2(given[static_cast<size_t>(north)],
                                     south < 0 ? 0.0 : given[static_cast<size_t>(south)]));
    check(cudaMemcpyAsync(weights.data(), table.data(), table.size() * sizeof(double2),
                          cudaMemcpyHostToDevice, stream.get()),
          "copying weights to the device");
    stream.synchronize();
    ringWeights.assign(given.begin(), given.end());
}

}  // namespace armilla
