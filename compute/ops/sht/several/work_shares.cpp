// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/work_shares.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "sht/fft/ring_fft_strategy.h"
#include "sht/fft/row_fft.h"

namespace armilla {

namespace {

// The cost of a pair of rings on the CPU: one FFT of a row, reading and writing its samples and
// modes, and multiplying modes by phases. Units are those of ColumnFft::cost, in which a row of
// four complex numbers in and out costs 3.
double costOnCpu(const Ring& ring, int rings, int modes) {
    constexpr double kSample = 3.0 / 8.0, kMode = (3.0 + 1.0) / 4.0;
    return RowFft::cost(static_cast<size_t>(ring.count)) +
           rings * (kSample * static_cast<double>(ring.count) + kMode * modes);
}

// The cost on a device. Rings of one length by cuFFT all have the same cost, so its value does not
// matter.
double costOnDevice(const Ring& ring, int rings, int modes, int64_t longest, int64_t sharing) {
    // The limit of a block from Hopper on.
    constexpr size_t kSharedBytes = size_t{227} << 10;
    return cuda::ringFftCost({ring.count, longest, sharing, kSharedBytes}) +
           rings * static_cast<double>(ring.count + modes);
}

}  // namespace

std::vector<double> orderCosts(std::span<const int> modes, int lmax, int mmax) {
    std::vector<int> seen(modes.begin(), modes.end());
    std::sort(seen.begin(), seen.end());
    std::vector<double> costs;
    for (int m = 0; m <= mmax; ++m) {
        const auto latitudes = seen.end() - std::upper_bound(seen.begin(), seen.end(), m);
        // The preparation of a degree costs about as much as 32 latitudes.
        costs.push_back((static_cast<double>(latitudes) + 32.0) * (lmax - m + 1));
    }
    return costs;
}

std::vector<int> partitionedBlocks(std::span<const double> costs, std::span<const double> speeds) {
    std::vector<int> owners(costs.size());
    std::vector<size_t> costliest(costs.size());
    std::iota(costliest.begin(), costliest.end(), size_t{0});
    std::stable_sort(costliest.begin(), costliest.end(),
                     [&](size_t a, size_t b) { return costs[a] > costs[b]; });
    std::vector<double> load(speeds.size(), 0.0);
    for (const size_t block : costliest) {
        size_t owner = 0;
        const auto end = [&](size_t i) { return load[i] + costs[block] / speeds[i]; };
        for (size_t i = 1; i < load.size(); ++i)
            if (end(i) < end(owner)) owner = i;
        load[owner] = end(owner);
        owners[block] = static_cast<int>(owner);
    }
    return owners;
}

double PairCosts::of(const RingRuns& some) const {
    double sum = 0.0;
    for (const auto& [begin, end, place] : some)
        for (int i = begin / unit; i * unit < end; ++i) sum += ofUnits[static_cast<size_t>(i)];
    return sum;
}

PairCosts pairCosts(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                    std::span<const int> modes, RingsOn where, int unit) {
    const auto ringOf = [&](int pair) -> const Ring& {
        return grid.rings[static_cast<size_t>(pairs[static_cast<size_t>(pair)].first)];
    };
    PairCosts costs;
    costs.unit = unit;
    costs.pairs = static_cast<int>(pairs.size());
    int64_t longest = 0;
    std::map<int64_t, int64_t> sharing;
    for (int i = 0; i < costs.pairs; ++i) {
        longest = std::max(longest, ringOf(i).count);
        ++sharing[ringOf(i).count];
    }
    for (int i = 0; i < costs.pairs; ++i) {
        const Ring& ring = ringOf(i);
        const int rings = pairs[static_cast<size_t>(i)].second < 0 ? 1 : 2;
        const int seen = modes[static_cast<size_t>(i)];
        if (i % unit == 0) costs.ofUnits.push_back(0.0);
        costs.ofUnits.back() += where == RingsOn::Cpus ? costOnCpu(ring, rings, seen)
                                                       : costOnDevice(ring, rings, seen, longest,
                                                                      sharing.at(ring.count));
    }
    int first = costs.pairs;
    while (first > 0 && ringOf(first - 1).count == ringOf(costs.pairs - 1).count) --first;
    costs.belt = (first + unit - 1) / unit;
    return costs;
}

// The caps are divided from the pole on, and the belt from the equator on, so the two runs of the
// last owner meet. An owner with too much of one kind gets less of the other.
std::vector<RingRuns> partitionedPairs(const PairCosts& costs, std::span<const double> speeds) {
    const int units = static_cast<int>(costs.ofUnits.size());
    const auto costOf = [&](int unit) { return costs.ofUnits[static_cast<size_t>(unit)]; };
    const std::vector<double> fromEquator(speeds.rbegin(), speeds.rend());
    const std::vector<RingRange> caps = dividedRings({0, costs.belt}, speeds, costOf);
    const std::vector<RingRange> belt = dividedRings({costs.belt, units}, fromEquator, costOf);
    std::vector<RingRuns> partitioned;
    const auto inPairs = [&](const std::vector<RingRange>& parts, size_t i) {
        if (i >= parts.size()) return RingRange{};
        return RingRange{parts[i].begin * costs.unit,
                         std::min(costs.pairs, parts[i].end * costs.unit)};
    };
    for (size_t i = 0; i < speeds.size(); ++i) {
        const RingRange both[] = {inPairs(caps, i), inPairs(belt, speeds.size() - 1 - i)};
        partitioned.emplace_back(both);
    }
    return partitioned;
}

PairPlaces::PairPlaces(std::span<const RingRuns> partitioned) {
    int all = 0;
    for (const RingRuns& own : partitioned) all += own.count();
    owner.resize(static_cast<size_t>(all));
    place.resize(static_cast<size_t>(all));
    for (size_t i = 0; i < partitioned.size(); ++i)
        for (int at = 0; at < partitioned[i].count(); ++at) {
            const auto pair = static_cast<size_t>(partitioned[i].at(at));
            owner[pair] = static_cast<int>(i);
            place[pair] = at;
        }
}

}  // namespace armilla
