// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuda/ring_transform_plan_cuda.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
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

// Interpolation in latitude pays if it saves this share of the rings; below this lmax all is over
// in less than a millisecond.
constexpr double kBandGain = 1.25;
constexpr int kBandLmax = 512;
// Memory for recurrences and a slice of orders: this share of input and output; for F_m of a
// component at least so much.
constexpr double kWorkShare = 0.4;
constexpr int64_t kLeastModesBytes = int64_t{32} << 20;

// A length that so many pairs share gets a launch of its own; the lengths of others, powers of two
// or not, go through convolutions of few sizes.
constexpr int kPairsForDirect = 16;
constexpr int kLeastConvolution = 9, kMostConvolution = 12;  // log2

template <typename Int>
Int roundedUp(Int n, Int step) {
    return (n + step - 1) / step * step;
}

double2 split(long double value) {
    const auto high = static_cast<double>(value);
    return make_double2(high, static_cast<double>(value - static_cast<long double>(high)));
}
// log2 in double-double. At a pole the logarithm of 0 is replaced by one that is small enough to
// leave every power of it out of range for good.
double2 splitLog2(long double value) {
    return value > 0.0L ? split(std::log2(value)) : make_double2(-1e4, 0.0);
}

// A number of steps that is whole up to the rounding of an angle, or -1.
int wholeSteps(long double steps) {
    const long double whole = std::rint(steps);
    const bool is = whole >= 0 && whole < 1e6L && std::abs(steps - whole) <= 1e-15L * (whole + 1);
    return is ? static_cast<int>(whole) : -1;
}

template <typename T>
DeviceBuffer<T> uploaded(int device, const std::vector<T>& values, const cuda::Stream& stream) {
    DeviceBuffer<T> buffer(device, values.size());
    if (!values.empty()) {
        check(cudaMemcpyAsync(buffer.data(), values.data(), values.size() * sizeof(T),
                              cudaMemcpyHostToDevice, stream.get()),
              "copying tables to the device");
        stream.synchronize();
    }
    return buffer;
}

}  // namespace

CudaRingTransform::Plan::Plan(RingGrid ringGrid, int lmaxGiven, int mmaxGiven, int deviceIndex)
    : device(deviceIndex),
      stream(deviceIndex, cuda::Priority::Low),
      transferStream(deviceIndex, cuda::Priority::Low),
      polarStream(deviceIndex, cuda::Priority::Low),
      started(deviceIndex),
      grid(std::move(ringGrid)),
      lmax(lmaxGiven),
      mmax(mmaxGiven) {
    if (lmax < 0 || mmax < 0 || mmax > lmax)
        throw InvalidArgument("expected 0 <= mmax <= lmax, found lmax " + std::to_string(lmax) +
                              ", mmax " + std::to_string(mmax));
    const DeviceScope scope(device);
    int shared = 0;
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "asking for shared memory");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "asking for multiprocessors");
    sharedBytes = static_cast<size_t>(shared);
    int64_t longest = 0;
    for (const Ring& ring : grid.rings) longest = std::max(longest, ring.count);
    const auto fits = [&](int log, bool direct) {
        return cuda::ringFftSharedBytes(
                   {.logSize = log, .direct = direct, .logLow = cuda::ringFftLogLow(longest)}) <=
               sharedBytes;
    };
    mostDirect = cuda::kLogRoots;
    while (!fits(mostDirect, true)) --mostDirect;
    mostConvolution = kMostConvolution;
    while (!fits(mostConvolution, false)) --mostConvolution;
    cuda::allowRingFftSharedBytes(sharedBytes);
    pairRings();
    std::vector<double> inverse;
    for (const auto& [north, south] : pairs) {
        sources.push_back(grid.rings[static_cast<size_t>(north)]);
        inverse.push_back(static_cast<double>(1.0L / wideLatitude(sources.back()).sinTheta));
    }
    inverseSines = uploaded(device, inverse, stream);
    interpolates = interpolationPays();
    if (interpolates) makeInterpolation();
    makeLatitudes(sources);
    roots = DeviceBuffer<double2>(device, size_t{1} << (cuda::kLogRoots - 3));
    cuda::fillRoots(roots.data(), stream.get());
    weights = DeviceBuffer<double2>(device, pairs.size());
    makeBatches();
}

// Rings pair up where the grid is symmetric about the equator; others stand alone.
void CudaRingTransform::Plan::pairRings() {
    int north = 0, south = static_cast<int>(grid.rings.size()) - 1;
    while (north <= south) {
        const Ring& n = grid.rings[static_cast<size_t>(north)];
        const Ring& s = grid.rings[static_cast<size_t>(south)];
        const bool alike = north < south && n.z == -s.z && n.count == s.count && n.phi0 == s.phi0;
        pairs.emplace_back(north, alike ? south : -1);
        ++pairsOfLength[n.count];
        samples += alike ? 2 * n.count : n.count;
        ++north;
        if (alike) --south;
    }
}

bool CudaRingTransform::Plan::interpolationPays() const {
    // Images of rings at the equator are those of whole pairs.
    for (const auto& [north, south] : pairs)
        if (south < 0 && grid.rings[static_cast<size_t>(north)].z != 0.0) return false;
    return lmax >= kBandLmax &&
           kBandGain * bandPairs(seriesLmax(0)) < static_cast<double>(pairs.size());
}

// The matrix in tiles of rows: the columns where any of a tile's rows is within reach of the
// window, and their weights.
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
    tables.tiles = uploaded(device, tiles, stream);
    tables.weights = DeviceBuffer<double2>(device, static_cast<size_t>(at));
    const DeviceBuffer<BandPosition> places = uploaded(device, positions, stream);
    cuda::fillBandWeights({places.data(), rings, midpoints, toRingTiles}, tables.tiles.data(),
                          static_cast<int>(tiles.size()), tables.weights.data(), stream.get());
    stream.synchronize();
}

void CudaRingTransform::Plan::makeInterpolation() {
    const int midpoints = roundedUp(bandPairs(seriesLmax(0)), kPairGroup);
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

void CudaRingTransform::Plan::makeLatitudes(const std::vector<Ring>& northern) {
    std::vector<PairLatitude> table(roundedUp<size_t>(northern.size(), kPairGroup));
    constexpr size_t kFormGroup = 8;
    for (size_t i = 0; i < table.size(); ++i) {
        const auto ringOf = [&](size_t pair) -> const Ring& {
            return northern[std::min(pair, northern.size() - 1)];
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
    const auto expected = static_cast<size_t>(2 * Alm::count(lmax, mmax));
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

// The largest m that each latitude sees, the same in a group of them, growing from one to the next;
// padded to whole groups.
std::vector<int> CudaRingTransform::Plan::modeLimits(int spin,
                                                     const std::vector<Ring>& northern) const {
    std::vector<int> limits(roundedUp<size_t>(northern.size(), kPairGroup));
    int most = 0;
    for (size_t i = 0; i < northern.size(); ++i) {
        const Ring& ring = northern[i];
        // From above to the largest m that is not beyond the limit for that m.
        int m = mmax;
        while (true) {
            const double useful = usefulOrder(seriesLmax(spin), m, spin, ring.sinTheta, ring.z);
            if (useful >= m) break;
            m = static_cast<int>(useful);
        }
        most = std::max(most, m);
        limits[i] = most;
    }
    for (size_t group = 0; group < limits.size(); group += kPairGroup) {
        const size_t end = std::min(group + kPairGroup, northern.size());
        std::fill(limits.begin() + static_cast<std::ptrdiff_t>(group),
                  limits.begin() + static_cast<std::ptrdiff_t>(group) + kPairGroup,
                  limits[end - 1]);
    }
    return limits;
}

void CudaRingTransform::Plan::makeRings(SpinTables& tables, const std::vector<int>& limits) const {
    std::vector<PairRings> rings;
    const long double pi = std::acos(-1.0L);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Ring& north = grid.rings[static_cast<size_t>(pairs[i].first)];
        PairRings at;
        at.north = north.first;
        // As many complex numbers as lie in a ring from its first even place on.
        const auto room = [&](int64_t first) {
            return static_cast<int>((first + north.count) / 2 - (first + 1) / 2);
        };
        at.inRing = room(at.north);
        if (pairs[i].second >= 0) {
            at.south = grid.rings[static_cast<size_t>(pairs[i].second)].first;
            at.inRing = std::min(at.inRing, room(at.south));
        }
        at.length = static_cast<int>(north.count);
        at.modeLimit = limits[i];
        at.tail = tables.tailModes;
        at.turn = split(static_cast<long double>(north.phi0) / pi);
        at.turnSteps = wholeSteps(static_cast<long double>(north.phi0) / pi * north.count);
        tables.tailModes += 2 * at.modesInTail();
        tables.mostModes = std::max(tables.mostModes, at.modeLimit + 1);
        rings.push_back(at);
    }
    tables.rings = uploaded(device, rings, stream);
}

// Rows, in whole groups, up to the last one that takes the recurrences of spin s.
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

// Those of spin 0 serve the series for other spins too, of degrees beyond lmax.
const RecurrenceTables& CudaRingTransform::Plan::recurrencesOf(int spin, int lastOrder) {
    const auto found = recurrences.find(spin);
    if (found != recurrences.end()) return found->second;
    const int top = spin == 0 ? lmax + cuda::kMostMixedSpin : lmax;
    RecurrenceTables tables;
    std::vector<int64_t> at;
    std::vector<double> start(static_cast<size_t>((spin == 0 ? 1 : 2) * (lastOrder + 1)));
    long double sectoral = 1.0L / (4.0L * std::acos(-1.0L));  // of degree max(m, spin)
    for (int l = 1; l < std::max(1, spin); ++l) sectoral *= sectoralStep(l);
    int64_t steps = 0;
    for (int m = 0; m <= lastOrder; ++m) {
        const int degree = std::max(m, spin);
        if (degree > 0 && (m == 0 || m > spin)) sectoral *= sectoralStep(degree);
        const double sign = (m & 1) != 0 ? -1.0 : 1.0;
        at.push_back(steps);
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
        steps += tables.stepsOf.back();
    }
    tables.start = uploaded(device, start, stream);
    tables.stepsAt = uploaded(device, at, stream);
    tables.recurrence = DeviceBuffer<double2>(device, static_cast<size_t>(steps));
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

// Pairs of one transform size go together, the longest first: the last blocks of a launch are then
// short.
void CudaRingTransform::Plan::makeBatches() {
    struct Kind {
        bool direct, single;  // single: no twists
        int log;
        auto operator<=>(const Kind&) const = default;
    };
    std::map<Kind, std::vector<int>> kinds;
    for (int i = static_cast<int>(pairs.size()) - 1; i >= 0; --i) {
        const int64_t n =
            grid.rings[static_cast<size_t>(pairs[static_cast<size_t>(i)].first)].count;
        const int64_t p = n % 4 == 0 ? n / 4 : n % 2 == 0 ? n / 2 : n;
        int log = 0;
        while (int64_t{1} << log < p) ++log;
        const bool direct =
            int64_t{1} << log == p && log <= mostDirect && pairsOfLength.at(n) >= kPairsForDirect;
        if (!direct) {
            log = std::min(kLeastConvolution, mostConvolution);
            while (log < mostConvolution && int64_t{1} << log < 2 * p - 1) ++log;
        }
        kinds[{direct, direct || int64_t{1} << log >= 2 * p - 1, log}].push_back(i);
    }
    std::vector<int> all;
    for (const auto& [kind, list] : kinds) all.insert(all.end(), list.begin(), list.end());
    batchPairs = uploaded(device, all, stream);
    const int* at = batchPairs.data();
    for (const auto& [kind, list] : kinds) {
        int64_t longest = 0;
        for (const int i : list)
            longest = std::max(
                longest,
                grid.rings[static_cast<size_t>(pairs[static_cast<size_t>(i)].first)].count);
        cuda::RingFftBatch batch{.logSize = kind.log,
                                 .direct = kind.direct,
                                 .roomy = true,
                                 .logLow = cuda::ringFftLogLow(longest),
                                 .pairs = at,
                                 .count = static_cast<int>(list.size())};
        batch.roomy = kind.single && cuda::ringFftSharedBytes(batch) <= sharedBytes;
        batches.push_back(batch);
        at += list.size();
    }
}

// Makes room for F_m of a slice of orders and for their factors, or the sums; false if there is
// none.
bool CudaRingTransform::Plan::reserve(int count, size_t modesEach, const SpinTables& tables) {
    const auto grow = [&](auto& buffer, size_t size) {
        if (buffer.size() >= size) return;
        buffer = {};
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

// The longest series first, so that the last blocks of a launch are short.
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

// Tiles of orders for a slice, by the memory that they take.
int CudaRingTransform::Plan::tilesOfSlice(SpinTables& tables) const {
    const int tiles = mmax / kOrderTile + 1;
    const auto parts = static_cast<double>(tables.parts);
    const double tileBytes = static_cast<double>(sizeof(PairModes)) * kOrderTile * rows();
    double whole = 2.0 * parts * tileBytes * tiles;
    double room =
        kWorkShare * parts * static_cast<double>(8 * samples + 16 * Alm::count(lmax, mmax));
    for (SumTables* sums : {&tables.scalar, &tables.polar}) {
        if (sums->empty()) continue;
        divideOrders(*sums, {{0, 1, tiles * kOrderTile}});
        whole += sizeof(double2) * static_cast<double>(sums->mixedSize());
        room -= sizeof(double2) * static_cast<double>(sums->of->recurrence.size());
    }
    const double most = std::max(tiles * room / whole, kLeastModesBytes / tileBytes);
    return static_cast<int>(std::clamp(most, 1.0, static_cast<double>(tiles)));
}

// As few slices as memory allows.
void CudaRingTransform::Plan::makeSlices(SpinTables& tables) {
    const int tiles = mmax / kOrderTile + 1;
    int perSlice = tilesOfSlice(tables);
    int fftBlocks = 2 * multiprocessors;
    while (true) {
        const int count = (tiles + perSlice - 1) / perSlice;
        tables.slices.clear();
        for (int i = 0; i < count; ++i) tables.slices.push_back({i, count, perSlice * kOrderTile});
        for (SumTables* sums : {&tables.scalar, &tables.polar})
            if (!sums->empty()) divideOrders(*sums, tables.slices);
        // The ring transforms put modes of the rings they work on where the slices are.
        const auto scratch =
            static_cast<size_t>(std::min(fftBlocks, static_cast<int>(pairs.size()))) *
            static_cast<size_t>(tables.mostModes);
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
    const std::vector<int> limits = modeLimits(spin, sources);
    std::vector<int> firstRow;
    for (int m = 0; m <= mmax; ++m)
        firstRow.push_back(
            static_cast<int>(std::lower_bound(limits.begin(), limits.end(), m) - limits.begin()));
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
    if (interpolates) {
        std::vector<Ring> northern;
        for (const auto& [north, south] : pairs)
            northern.push_back(grid.rings[static_cast<size_t>(north)]);
        makeRings(tables, modeLimits(spin, northern));
    } else {
        makeRings(tables, limits);
    }
    for (int c = 0; c < parts; ++c) {
        DeviceBuffer<double2>& tail = tails[static_cast<size_t>(c)];
        if (tail.size() >= static_cast<size_t>(tables.tailModes)) continue;
        tail = {};
        tail = DeviceBuffer<double2>(device, static_cast<size_t>(tables.tailModes));
    }
    makeSlices(tables);
    return spins.emplace(std::pair(spin, parts), std::move(tables)).first->second;
}

int64_t CudaRingTransform::Plan::deviceBytes() const {
    size_t bytes = 0;
    const auto add = [&](const auto& buffer) { bytes += buffer.size() * sizeof(*buffer.data()); };
    add(latitudes);
    add(inverseSines);
    add(roots);
    add(weights);
    add(mixed);
    add(polarMixed);
    add(batchPairs);
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
    std::vector<double2> table;
    for (const auto& [north, south] : pairs)
        table.push_back(make_double2(given[static_cast<size_t>(north)],
                                     south < 0 ? 0.0 : given[static_cast<size_t>(south)]));
    check(cudaMemcpyAsync(weights.data(), table.data(), table.size() * sizeof(double2),
                          cudaMemcpyHostToDevice, stream.get()),
          "copying weights to the device");
    stream.synchronize();
}

}  // namespace armilla
