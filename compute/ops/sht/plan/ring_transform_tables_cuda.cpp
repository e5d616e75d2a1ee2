// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the plan of CudaRingTransform that depend on the spin and on the number of maps:
// latitudes, functions and slices of the sums.
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "shared/legendre_recurrence.h"
#include "sht/plan/ring_transform_plan_cuda.h"

namespace armilla {

namespace {

using cuda::DeviceBuffer;
using cuda::kOrderTile;
using cuda::kPairGroup;
using cuda::LegendreItem;
using cuda::PairModes;
using cuda::PairRings;

// Least memory for F_m of a component.
constexpr int64_t kLeastModesBytes = int64_t{32} << 20;

// The number of steps if it is an integer up to the rounding of an angle, else -1.
int wholeSteps(long double steps) {
    const long double whole = std::rint(steps);
    const bool is = whole >= 0 && whole < 1e6L && std::abs(steps - whole) <= 1e-15L * (whole + 1);
    return is ? static_cast<int>(whole) : -1;
}

}  // namespace

void CudaRingTransform::Plan::makeRings(SpinTables& tables, const std::vector<int>& limits) const {
    std::vector<PairRings>& rings = tables.h_rings;
    const long double pi = std::acos(-1.0L);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Ring& north = grid.rings[static_cast<size_t>(pairs[i].first)];
        PairRings at;
        at.north = north.first;
        // Number of complex numbers that fit into a ring from its first even index on.
        const auto workspace = [&](int64_t first) {
            return static_cast<int>((first + north.count) / 2 - (first + 1) / 2);
        };
        at.inRing = workspace(at.north);
        if (pairs[i].second >= 0) {
            at.south = grid.rings[static_cast<size_t>(pairs[i].second)].first;
            at.inRing = std::min(at.inRing, workspace(at.south));
        }
        at.length = static_cast<int>(north.count);
        at.modeLimit = limits[static_cast<size_t>(own.at(static_cast<int>(i)))];
        at.tail = tables.tailModes;
        at.turn = split(static_cast<long double>(north.phi0) / pi);
        at.turnSteps = wholeSteps(static_cast<long double>(north.phi0) / pi * north.count);
        tables.tailModes += 2 * at.modesInTail();
        rings.push_back(at);
    }
    tables.rings = uploaded(device, rings, stream);
}

// Number of rows, in complete groups, up to the last one with the recurrences of spin s.
int CudaRingTransform::Plan::polarRows(int spin) const {
    if (spin == 0) return 0;
    if (spin > cuda::kMostMixedSpin) return rows();
    for (size_t i = sources.size(); i > 0; --i)
        if (sources[i - 1].sinTheta < kSpinCapSine)
            return roundedUp(static_cast<int>(i), kPairGroup);
    return 0;
}

void CudaRingTransform::Plan::makeMixing(SpinTables& tables, int spin) const {
    const int top = lmax + spin;
    std::vector<SpinLowering> lowering;
    for (int t = 1; t <= spin; ++t)
        for (int l = 0; l <= top; ++l)
            lowering.push_back(l < t ? SpinLowering{0.0, 0.0, 0.0} : spinLowering(l, t));
    tables.lowering = uploaded(device, lowering, stream);
    std::vector<double> factors;
    for (int i = 0; i < rows(); ++i) {
        const Ring& ring = sources[std::min(static_cast<size_t>(i), sources.size() - 1)];
        factors.push_back(static_cast<double>(
            std::pow(1.0L / wideLatitude(ring).sinTheta, static_cast<long double>(spin))));
    }
    tables.rowFactors = uploaded(device, factors, stream);
}

void CudaRingTransform::Plan::makeSums(SumTables& sums, const std::vector<int>& firstRow) {
    for (const int row : firstRow) {
        if (row < sums.end) ++sums.mmax;
        sums.firstRow.push_back(std::max(row, sums.begin));
    }
    sums.firstRows = uploaded(device, sums.firstRow, stream);
    sums.of = &recurrencesOf(sums.spin, sums.spin == 0 ? mmax : sums.mmax);
}

// The recurrences of spin 0 also serve the series of other spins, with degrees beyond lmax.
const RecurrenceTables& CudaRingTransform::Plan::recurrencesOf(int spin, int lastOrder) {
    const auto found = recurrences.find(spin);
    if (found != recurrences.end()) return found->second;
    const int top = spin == 0 ? lmax + cuda::kMostMixedSpin : lmax;
    RecurrenceTables tables;
    std::vector<int64_t> at;
    std::vector<double> start(static_cast<size_t>((spin == 0 ? 1 : 2) * (lastOrder + 1)));
    long double sectoral = 1.0L / (4.0L * std::acos(-1.0L));  // for degree max(m, spin)
    for (int l = 1; l < std::max(1, spin); ++l) sectoral *= sectoralStep(l);
    int64_t stepCount = 0;
    for (int m = 0; m <= lastOrder; ++m) {
        const int degree = std::max(m, spin);
        if (degree > 0 && (m == 0 || m > spin)) sectoral *= sectoralStep(degree);
        const double sign = (m & 1) != 0 ? -1.0 : 1.0;
        at.push_back(owns(m) ? stepCount : -1);
        if (spin == 0) {
            tables.stepsOf.push_back((top - m) / 2 + 1);
            start[static_cast<size_t>(m)] =
                sign * static_cast<double>(std::sqrt(sectoral)) / scalarEpsilon(m + 1.0, m);
        } else {
            tables.stepsOf.push_back(std::max(0, top - degree + 1));
            const auto norm = static_cast<double>(std::sqrt(spinStartSquare(sectoral, m, spin)));
            start[static_cast<size_t>(m)] = sign * norm;
            start[static_cast<size_t>(lastOrder + 1 + m)] =
                m >= spin ? sign * norm : ((spin & 1) != 0 ? -norm : norm);
        }
        if (owns(m)) stepCount += tables.stepsOf.back();
    }
    tables.start = uploaded(device, start, stream);
    tables.stepsAt = uploaded(device, at, stream);
    tables.recurrence = DeviceBuffer<double2>(device, static_cast<size_t>(stepCount));
    const int64_t most = *std::max_element(tables.stepsOf.begin(), tables.stepsOf.end());
    tables.chunks = static_cast<int>((most + cuda::kChunkSteps - 1) / cuda::kChunkSteps);
    tables.scales = DeviceBuffer<double2>(
        device, static_cast<size_t>(tables.chunks) * static_cast<size_t>(lastOrder + 1));
    cuda::LegendreSeries series;
    series.lmax = top;
    series.mmax = lastOrder;
    series.spin = spin;
    series.stepsAt = tables.stepsAt.data();
    series.recurrence = tables.recurrence.data();
    series.scales = tables.scales.data();
    series.chunks = tables.chunks;
    if (spin == 0)
        cuda::scalarRecurrences(series, stream.get());
    else
        cuda::spinRecurrences(series, stream.get());
    return recurrences.emplace(spin, std::move(tables)).first->second;
}

// Allocates buffers for F_m of a slice of orders and for their factors or sums; returns false if
// memory does not suffice. Buffers never shrink, because slices of other spins use them: a new
// buffer is allocated before the old one is freed.
bool CudaRingTransform::Plan::reserve(int count, size_t modesEach, const SpinTables& tables) {
    const auto grow = [&](auto& buffer, size_t size) {
        if (buffer.size() >= size) return;
        buffer = std::decay_t<decltype(buffer)>(device, size);
    };
    try {
        for (int c = 0; c < count; ++c)
            for (auto& buffer : modes[static_cast<size_t>(c)]) grow(buffer, modesEach);
        grow(mixed, tables.scalar.mixedSize());
        grow(polarMixed, tables.polar.mixedSize());
        return true;
    } catch (const OutOfMemory&) {
        return false;
    }
}

void CudaRingTransform::Plan::divideOrders(SumTables& sums,
                                           const std::vector<cuda::OrderSlice>& slices) const {
    sums.slices.clear();
    sums.mostSteps = 0;
    std::vector<int64_t> mixedAt(static_cast<size_t>(sums.mmax) + 1);
    for (const cuda::OrderSlice& orders : slices) {
        SumTables::Slice slice;
        for (int slot = 0; slot < orders.slots; ++slot) {
            const int m = orders.orderOf(slot);
            if (m > sums.mmax) break;
            mixedAt[static_cast<size_t>(m)] = slice.steps;
            slice.steps += sums.of->stepsOf[static_cast<size_t>(m)];
        }
        sums.mostSteps = std::max(sums.mostSteps, slice.steps);
        sums.slices.push_back(std::move(slice));
    }
    sums.mixedAt = uploaded(device, mixedAt, stream);
}

// The longest series come first, so that the last blocks of a launch are short.
void CudaRingTransform::Plan::makeItems(SumTables& sums,
                                        const std::vector<cuda::OrderSlice>& slices) const {
    for (size_t i = 0; i < slices.size(); ++i) {
        std::vector<LegendreItem> items;
        for (int slot = 0; slot < slices[i].slots; ++slot) {
            const int m = slices[i].orderOf(slot);
            if (m > sums.mmax) break;
            for (int row = sums.firstRow[static_cast<size_t>(m)]; row < sums.end;
                 row = (row / sums.run + 1) * sums.run)
                items.push_back({m, row});
        }
        sums.slices[i].items = uploaded(device, items, stream);
    }
}

// Number of tiles of orders in a slice, limited by their memory.
int CudaRingTransform::Plan::tilesOfSlice(SpinTables& tables) const {
    const int tiles = mmax / kOrderTile + 1;
    const auto parts = static_cast<double>(tables.parts);
    const double tileBytes = static_cast<double>(sizeof(PairModes)) * kOrderTile * rows();
    double whole = 2.0 * parts * tileBytes * tiles;
    double workspace =
        shape.workShare * parts * static_cast<double>(8 * samples + 16 * Alm::count(lmax, mmax));
    for (SumTables* sums : {&tables.scalar, &tables.polar}) {
        if (sums->empty()) continue;
        divideOrders(*sums, {{0, 1, tiles * kOrderTile}});
        whole += sizeof(double2) * static_cast<double>(sums->mixedSize());
        workspace -= sizeof(double2) * static_cast<double>(sums->of->recurrence.size());
    }
    const double most = std::max(tiles * workspace / whole, kLeastModesBytes / tileBytes);
    return static_cast<int>(std::clamp(most, 1.0, static_cast<double>(tiles)));
}

// The slices of a share.
void CudaRingTransform::Plan::makeGivenSlices(SpinTables& tables) {
    tables.slices = givenSlices;
    size_t slots = 0;
    for (const cuda::OrderSlice& slice : givenSlices)
        slots = std::max(slots, static_cast<size_t>(slice.slots));
    for (SumTables* sums : {&tables.scalar, &tables.polar})
        if (!sums->empty()) divideOrders(*sums, tables.slices);
    const size_t scratch = std::min(static_cast<size_t>(2 * multiprocessors), pairs.size()) *
                           static_cast<size_t>((longestRing + 1) / 2);
    if (!reserve(tables.parts, std::max(slots * latitudes.size(), scratch), tables))
        throw OutOfMemory("CUDA: expected memory for a slice of orders, found too little");
    for (SumTables* sums : {&tables.scalar, &tables.polar})
        if (!sums->empty()) makeItems(*sums, tables.slices);
}

// Makes as few slices as memory allows.
void CudaRingTransform::Plan::makeSlices(SpinTables& tables) {
    if (isShare) return makeGivenSlices(tables);
    const int tiles = mmax / kOrderTile + 1;
    int perSlice = tilesOfSlice(tables);
    int fftBlocks = 2 * multiprocessors;
    while (true) {
        const int count = (tiles + perSlice - 1) / perSlice;
        tables.slices.clear();
        for (int i = 0; i < count; ++i) tables.slices.push_back({i, count, perSlice * kOrderTile});
        for (SumTables* sums : {&tables.scalar, &tables.polar})
            if (!sums->empty()) divideOrders(*sums, tables.slices);
        // The ring transforms use the memory of the slices as scratch.
        const auto scratch =
            static_cast<size_t>(std::min(fftBlocks, static_cast<int>(pairs.size()))) *
            static_cast<size_t>((longestRing + 1) / 2);
        const auto each = static_cast<size_t>(perSlice) * kOrderTile * latitudes.size();
        if (reserve(tables.parts, std::max(each, scratch), tables)) break;
        if (perSlice == 1)
            throw OutOfMemory("CUDA: expected memory for a slice of orders, found too little");
        perSlice = (perSlice + 1) / 2;
        fftBlocks = std::max(1, fftBlocks / 2);
    }
    for (SumTables* sums : {&tables.scalar, &tables.polar})
        if (!sums->empty()) makeItems(*sums, tables.slices);
}

SpinTables& CudaRingTransform::Plan::tablesFor(int spin, int parts) {
    const auto found = spins.find({spin, parts});
    if (found != spins.end()) return found->second;
    SpinTables tables;
    tables.parts = parts;
    const auto limitsOf = [&](const std::vector<Ring>& of) {
        return orderLimits(of, seriesLmax(spin), mmax, spin);
    };
    const std::vector<int> limits = limitsOf(sources);
    const std::vector<int> firstRow = tables.h_firstRow = firstThatSee(limits, mmax);
    tables.firstRows = uploaded(device, firstRow, stream);
    SumTables &scalar = tables.scalar, &polar = tables.polar;
    scalar.begin = polar.end = polarRows(spin);
    scalar.end = rows();
    scalar.count = parts;
    polar.spin = spin;
    if (!scalar.empty()) polar.run = cuda::kSpinCapRun;
    if (spin > 0 && !scalar.empty()) makeMixing(tables, spin);
    for (SumTables* sums : {&scalar, &polar})
        if (!sums->empty()) makeSums(*sums, firstRow);
    const std::vector<int> ofRings = interpolates ? limitsOf(northern) : limits;
    tables.h_firstPair = firstThatSee(ofRings, mmax);
    tables.firstPairs = uploaded(device, tables.h_firstPair, stream);
    makeRings(tables, ofRings);
    for (int c = 0; c < parts; ++c) {
        DeviceBuffer<double2>& tail = tails[static_cast<size_t>(c)];
        if (tail.size() >= static_cast<size_t>(tables.tailModes)) continue;
        tail = DeviceBuffer<double2>(device, static_cast<size_t>(tables.tailModes));
    }
    makeSlices(tables);
    return spins.emplace(std::pair(spin, parts), std::move(tables)).first->second;
}

}  // namespace armilla
