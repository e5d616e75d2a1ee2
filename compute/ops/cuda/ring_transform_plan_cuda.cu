// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuda/ring_transform_plan_cuda.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "shared/legendre_recurrence.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::DeviceBuffer;
using cuda::DeviceScope;
using cuda::kMaxSlicePairs;
using cuda::kPairGroup;
using cuda::LegendreItem;
using cuda::PairLatitude;
using cuda::PairModes;
using cuda::PairRings;

// A length that so many pairs share gets a launch of its own; the lengths of others, powers of two
// or not, go through convolutions of few sizes.
constexpr int kPairsForDirect = 16;
constexpr int kLeastConvolution = 9, kMostConvolution = 12;  // log2

size_t roundedUp(size_t n, size_t step) {
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
    sharedBytes = static_cast<size_t>(shared);
    const auto fits = [&](int log, bool direct) {
        return cuda::ringFftSharedBytes(log, direct, false) <= sharedBytes;
    };
    mostDirect = cuda::kLogRoots;
    while (!fits(mostDirect, true)) --mostDirect;
    mostConvolution = kMostConvolution;
    while (!fits(mostConvolution, false)) --mostConvolution;
    cuda::allowRingFftSharedBytes(sharedBytes);
    // Rings pair up where the grid is symmetric about the equator; others stand alone.
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
    std::vector<PairLatitude> table(roundedUp(pairs.size(), kPairGroup));
    constexpr size_t kFormGroup = 8;
    for (size_t i = 0; i < table.size(); ++i) {
        const auto ringOf = [&](size_t pair) -> const Ring& {
            return grid.rings[static_cast<size_t>(pairs[std::min(pair, pairs.size() - 1)].first)];
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
        at.inverseSin = static_cast<double>(1.0L / wide.sinTheta);
        const long double root2 = std::sqrt(2.0L);
        at.logSin = splitLog2(wide.sinTheta);
        at.logSinHalf = splitLog2(root2 * wide.sinHalf);
        at.logCosHalf = splitLog2(root2 * wide.cosHalf);
    }
    latitudes = uploaded(device, table, stream);
    roots = DeviceBuffer<double2>(device, size_t{1} << (cuda::kLogRoots - 3));
    cuda::fillRoots(roots.data(), stream.get());
    weights = DeviceBuffer<double2>(device, pairs.size());
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

// The largest m that each ring pair sees, the same in a group of pairs, growing from pair to pair.
std::vector<int> CudaRingTransform::Plan::modeLimits(int spin) const {
    std::vector<int> limits(roundedUp(pairs.size(), kPairGroup));
    int most = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Ring& ring = grid.rings[static_cast<size_t>(pairs[i].first)];
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
        const size_t end = std::min(group + kPairGroup, pairs.size());
        std::fill(limits.begin() + static_cast<std::ptrdiff_t>(group),
                  limits.begin() + static_cast<std::ptrdiff_t>(group) + kPairGroup,
                  limits[end - 1]);
    }
    return limits;
}

void CudaRingTransform::Plan::makeRecurrences(SpinTables& tables, int spin) {
    const int top = seriesLmax(spin);
    std::vector<int64_t> at;
    std::vector<double> start(static_cast<size_t>((spin == 0 ? 1 : 2) * (mmax + 1)));
    long double sectoral = 1.0L / (4.0L * std::acos(-1.0L));  // of degree max(m, spin)
    for (int l = 1; l < std::max(1, spin); ++l) sectoral *= sectoralStep(l);
    for (int m = 0; m <= mmax; ++m) {
        const int degree = std::max(m, spin);
        if (degree > 0 && (m == 0 || m > spin)) sectoral *= sectoralStep(degree);
        const double sign = (m & 1) != 0 ? -1.0 : 1.0;
        at.push_back(tables.steps);
        if (spin == 0) {
            tables.steps += (top - m) / 2 + 1;
            start[static_cast<size_t>(m)] =
                sign * static_cast<double>(std::sqrt(sectoral)) / scalarEpsilon(m + 1.0, m);
        } else {
            tables.steps += std::max(0, top - degree + 1);
            const auto norm = static_cast<double>(std::sqrt(spinStartSquare(sectoral, m, spin)));
            start[static_cast<size_t>(m)] = sign * norm;
            start[static_cast<size_t>(mmax + 1 + m)] =
                m >= spin ? sign * norm : ((spin & 1) != 0 ? -norm : norm);
        }
    }
    tables.start = uploaded(device, start, stream);
    tables.stepsAt = uploaded(device, at, stream);
    tables.recurrence = DeviceBuffer<double2>(device, static_cast<size_t>(tables.steps));
    if (mixed.size() < 2 * tables.recurrence.size()) {
        mixed = {};
        mixed = DeviceBuffer<double2>(device, 2 * tables.recurrence.size());
    }
    if (spin == 0)
        cuda::scalarRecurrences(seriesOf(tables, spin, top), stream.get());
    else
        cuda::spinRecurrences(seriesOf(tables, spin, top), stream.get());
}

// Pairs of one transform size go together, the longest first: the last blocks of a launch are then
// short.
void CudaRingTransform::Plan::makeBatches(SliceTables& slice) const {
    std::map<std::pair<bool, int>, std::vector<int>> classes;
    for (int i = slice.firstPair + slice.pairs - 1; i >= slice.firstPair; --i) {
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
        classes[{direct, log}].push_back(i);
    }
    std::vector<int> all;
    for (const auto& [key, list] : classes) all.insert(all.end(), list.begin(), list.end());
    slice.batchPairs = uploaded(device, all, stream);
    const int* at = slice.batchPairs.data();
    for (const auto& [key, list] : classes) {
        const auto [direct, log] = key;
        const bool roomy = cuda::ringFftSharedBytes(log, direct, true) <= sharedBytes;
        slice.batches.push_back({log, direct, roomy, at, static_cast<int>(list.size())});
        at += list.size();
    }
}

// Makes room for the Fourier coefficients of a slice; returns its rows: as many as one block of an
// adjoint kernel holds, fewer where device memory is short.
int CudaRingTransform::Plan::reserveModes(int count) {
    size_t rows = std::min(roundedUp(pairs.size(), kPairGroup), size_t{kMaxSlicePairs});
    while (true) {
        try {
            for (int c = 0; c < count; ++c) {
                DeviceBuffer<PairModes>& buffer = modes[static_cast<size_t>(c)];
                const size_t size = rows * static_cast<size_t>(mmax + 1);
                if (buffer.size() >= size) continue;
                buffer = {};
                buffer = DeviceBuffer<PairModes>(device, size);
            }
            return static_cast<int>(rows);
        } catch (const OutOfMemory&) {
            if (rows == kPairGroup) throw;
            rows = roundedUp(rows / 2, kPairGroup);
        }
    }
}

void CudaRingTransform::Plan::makeSlices(SpinTables& tables, int spin,
                                         const std::vector<int>& limits) {
    const int rows = reserveModes(components(spin));
    const int count = static_cast<int>(pairs.size());
    const int synthesisPairs = spin == 0
                                   ? cuda::kScalarSynthesisPairs * cuda::kScalarSynthesisThreads
                                   : cuda::kSpinSynthesisPairs * cuda::kSpinSynthesisThreads;
    const auto items = [&](const SliceTables& slice, int pairsOfBlock) {
        std::vector<LegendreItem> list;
        for (int m = 0; m <= mmax; ++m) {
            const auto useful = std::lower_bound(limits.begin(), limits.end(), m);
            const int first = std::max(slice.firstPair, static_cast<int>(useful - limits.begin()));
            for (int at = first; at < slice.firstPair + slice.rows; at += pairsOfBlock)
                list.push_back({m, at});
        }
        return uploaded(device, list, stream);
    };
    for (int first = 0; first < count; first += rows) {
        SliceTables slice;
        slice.firstPair = first;
        slice.pairs = std::min(rows, count - first);
        slice.rows = static_cast<int>(roundedUp(static_cast<size_t>(slice.pairs), kPairGroup));
        slice.synthesisItems = items(slice, synthesisPairs);
        slice.adjointItems = items(slice, kMaxSlicePairs);
        makeBatches(slice);
        tables.slices.push_back(std::move(slice));
    }
}

SpinTables& CudaRingTransform::Plan::tablesFor(int spin) {
    const auto found = spins.find(spin);
    if (found != spins.end()) return found->second;
    SpinTables tables;
    makeRecurrences(tables, spin);
    const std::vector<int> limits = modeLimits(spin);
    std::vector<PairRings> rings;
    const long double pi = std::acos(-1.0L);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const Ring& north = grid.rings[static_cast<size_t>(pairs[i].first)];
        PairRings at;
        at.north = north.first;
        at.south =
            pairs[i].second < 0 ? -1 : grid.rings[static_cast<size_t>(pairs[i].second)].first;
        at.length = static_cast<int>(north.count);
        at.modeLimit = limits[i];
        at.turn = split(static_cast<long double>(north.phi0) / pi);
        rings.push_back(at);
    }
    tables.rings = uploaded(device, rings, stream);
    makeSlices(tables, spin, limits);
    return spins.emplace(spin, std::move(tables)).first->second;
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
