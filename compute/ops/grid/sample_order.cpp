// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid/sample_order.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/new_vector.h"
#include "grid/gather_kernels.h"

namespace armilla {

namespace {

// Samples in a block: some milliseconds in the slowest pass (one CPU core).
constexpr int64_t kBlock = int64_t{1} << 17;
// Bits of a digit: 2^11 simultaneous output runs fit the caches and the TLB.
constexpr int kDigitBits = 11;

struct Packed {
    uint32_t key, row;
};

int64_t blocksOf(int64_t count) {
    return (count + kBlock - 1) / kBlock;
}

class RadixSort {
public:
    RadixSort(int64_t count, uint64_t keys) : blocks_(blocksOf(count)) {
        const int width = std::max(1, static_cast<int>(std::bit_width(keys)));
        passes_ = (width + kDigitBits - 1) / kDigitBits;
        bits_ = (width + passes_ - 1) / passes_;
        counts_.resize(static_cast<size_t>(blocks_) << bits_);
    }

    int passes() const { return passes_; }
    uint32_t digit(uint32_t key, int pass) const {
        return (key >> (pass * bits_)) & ((uint32_t{1} << bits_) - 1);
    }
    // Counters of the digits of block `block`; later their next positions.
    uint32_t* counts(int64_t block) { return counts_.data() + (block << bits_); }
    // Turns counts into positions, digit after digit and block after block. Returns the sum.
    int64_t place() {
        int64_t sum = 0;
        for (int64_t d = 0; d < int64_t{1} << bits_; ++d)
            for (int64_t b = 0; b < blocks_; ++b) {
                uint32_t& count = counts_[static_cast<size_t>((b << bits_) + d)];
                const uint32_t here = count;
                count = static_cast<uint32_t>(sum);
                sum += here;
            }
        return sum;
    }
    void clear() { std::fill(counts_.begin(), counts_.end(), 0); }

private:
    int64_t blocks_;
    int passes_ = 1, bits_ = 1;
    std::vector<uint32_t> counts_;
};

enum class Place { Used, Bad, Outside, Refused };

// Bin and direction of a row, if valid.
Place binOf(const GridSamples& samples, const SampleBins& bins, int64_t row, uint32_t& key,
            Vec3& at) {
    const auto i = static_cast<size_t>(row);
    const double lon = samples.lon[i] * samples.lonUnit, lat = samples.lat[i] * samples.latUnit;
    const double weight = samples.weights.empty() ? 1.0 : samples.weights[i];
    if (!std::isfinite(lon) || !std::isfinite(lat) || !std::isfinite(weight)) return Place::Bad;
    if (positionOutOfRange(lon, lat) || weight < 0.0) return Place::Refused;
    at = samples.targetFromSamples * direction({lon, lat});
    key = binKey(bins, at);
    return key == kNoKey ? Place::Outside : Place::Used;
}

// Ensures `count` elements, and keeps a buffer that is large enough, because the first touch of new
// memory takes as long as much of the computation. Contents are not preserved.
template <class T>
void growBuffer(std::vector<T>& array, int64_t count, const JobContext& job) {
    const auto size = static_cast<size_t>(count);
    if (array.capacity() >= size) {
        array.resize(size);
        return;
    }
    std::vector<T>().swap(array);  // `= {}` would keep the memory
    array = newVector<T>(count, job);
}

// Keys and directions in the order of the table; counts of the first digit.
std::vector<uint32_t> binSamples(const GridSamples& samples, OrderedSamples& result,
                                 RadixSort& sort, JobContext& job) {
    const int64_t count = samples.count();
    const auto blocks = static_cast<size_t>(blocksOf(count));
    std::vector<uint32_t> keys = newVector<uint32_t>(count, job);
    for (auto* axis : {&result.x, &result.y, &result.z})
        growBuffer(*axis, count + kGatherPadding, job);
    std::vector<int64_t> bad(blocks), outside(blocks);
    std::atomic<int64_t> refused{std::numeric_limits<int64_t>::max()};
    parallelFor(
        job, count, kBlock,
        [&](long long begin, long long end) {
            const auto block = static_cast<size_t>(begin / kBlock);
            uint32_t* const counts = sort.counts(begin / kBlock);
            for (long long i = begin; i < end; ++i) {
                const auto row = static_cast<size_t>(i);
                uint32_t key = kNoKey;
                Vec3 at;
                switch (binOf(samples, result.bins, i, key, at)) {
                    case Place::Used: ++counts[sort.digit(key, 0)]; break;
                    case Place::Bad: ++bad[block]; break;
                    case Place::Outside: ++outside[block]; break;
                    case Place::Refused: {
                        int64_t first = refused.load();
                        while (i < first && !refused.compare_exchange_weak(first, i)) {
                        }
                        break;
                    }
                }
                keys[row] = key;
                result.x[row] = at.x;
                result.y[row] = at.y;
                result.z[row] = at.z;
            }
        },
        "ordering the samples");
    if (refused < count) refusePosition(samples, refused);
    for (const int64_t n : bad) result.bad += n;
    for (const int64_t n : outside) result.outside += n;
    return keys;
}

// Keys with their rows, ascending, without rows that have no bin.
std::vector<Packed> sortKeys(std::vector<uint32_t> keys, OrderedSamples& result, RadixSort& sort,
                             JobContext& job) {
    result.used = sort.place();
    std::vector<Packed> now = newVector<Packed>(result.used, job);
    parallelFor(job, static_cast<long long>(keys.size()), kBlock,
                [&](long long begin, long long end) {
                    uint32_t* const places = sort.counts(begin / kBlock);
                    for (long long i = begin; i < end; ++i) {
                        const uint32_t key = keys[static_cast<size_t>(i)];
                        if (key != kNoKey)
                            now[places[sort.digit(key, 0)]++] = {key, static_cast<uint32_t>(i)};
                    }
                });
    decltype(keys)().swap(keys);
    std::vector<Packed> next;
    if (sort.passes() > 1) next = newVector<Packed>(result.used, job);
    for (int pass = 1; pass < sort.passes(); ++pass) {
        sort.clear();
        parallelFor(job, result.used, kBlock, [&](long long begin, long long end) {
            uint32_t* const counts = sort.counts(begin / kBlock);
            for (long long i = begin; i < end; ++i)
                ++counts[sort.digit(now[static_cast<size_t>(i)].key, pass)];
        });
        sort.place();
        parallelFor(job, result.used, kBlock, [&](long long begin, long long end) {
            uint32_t* const places = sort.counts(begin / kBlock);
            for (long long i = begin; i < end; ++i) {
                const Packed item = now[static_cast<size_t>(i)];
                next[places[sort.digit(item.key, pass)]++] = item;
            }
        });
        now.swap(next);
    }
    return now;
}

void makeTables(const std::vector<Packed>& sorted, OrderedSamples& result, JobContext& job) {
    growBuffer(result.keys, result.used, job);
    growBuffer(result.rows, result.used, job);
    parallelFor(job, result.used, kBlock, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            result.keys[static_cast<size_t>(i)] = sorted[static_cast<size_t>(i)].key;
            result.rows[static_cast<size_t>(i)] = sorted[static_cast<size_t>(i)].row;
        }
    });
    const SampleBins& bins = result.bins;
    result.ringStart.assign(static_cast<size_t>(bins.rings()) + 1, result.used);
    result.binStart.clear();
    if (bins.keys() <= result.used / 4) {
        growBuffer(result.binStart, bins.keys() + 1, job);
        size_t bin = 0;
        for (int64_t i = 0; i < result.used; ++i)
            for (; bin <= result.keys[static_cast<size_t>(i)]; ++bin)
                result.binStart[bin] = static_cast<uint32_t>(i);
        for (; bin < result.binStart.size(); ++bin)
            result.binStart[bin] = static_cast<uint32_t>(result.used);
    }
    int64_t start = 0;
    for (int64_t r = 0; r < bins.rings(); ++r) {
        start = firstNotBelow(result.keys.data(), start, result.used, r * bins.stride);
        result.ringStart[static_cast<size_t>(r)] = start;
    }
}

}  // namespace

void OrderedSamples::sortInto(std::span<const double> values, std::vector<double>& sorted,
                              JobContext& job) const {
    growBuffer(sorted, used + kGatherPadding, job);
    parallelFor(job, used, kBlock, [&](long long begin, long long end) {
        // Prefetch distance: rows are scattered over the table.
        constexpr long long kAhead = 32;
        for (long long i = begin; i < end; ++i) {
            __builtin_prefetch(&values[rows[static_cast<size_t>(std::min(i + kAhead, end - 1))]]);
            sorted[static_cast<size_t>(i)] = values[rows[static_cast<size_t>(i)]];
        }
    });
}

void refusePosition(const GridSamples& samples, int64_t row) {
    const auto i = static_cast<size_t>(row);
    const double lon = samples.lon[i] * samples.lonUnit / kDegree;
    const double lat = samples.lat[i] * samples.latUnit / kDegree;
    const std::string where = " in row " + std::to_string(samples.firstRow + row + 1);
    if (std::abs(lat) > 90.0 + kAngleSlack)
        throw InvalidArgument("expected latitudes from -90 to 90 degrees, found " +
                              std::to_string(lat) + where);
    if (!samples.weights.empty() && samples.weights[i] < 0.0)
        throw InvalidArgument("expected weights of 0 or more, found " +
                              std::to_string(samples.weights[i]) + where);
    throw InvalidArgument("expected longitudes from -360 to 720 degrees, found " +
                          std::to_string(lon) + where);
}

std::optional<CellCap> capOfCells(std::span<const Vec3> cells, JobContext& job) {
    const auto count = static_cast<int64_t>(cells.size());
    const auto blocks = static_cast<size_t>(blocksOf(count));
    std::vector<Vec3> sums(blocks, Vec3{0.0, 0.0, 0.0});
    std::vector<double> farthest(blocks, 0.0);
    const auto forEach = [&](const auto& body) {
        parallelFor(job, count, kBlock, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                if (std::isfinite(cells[static_cast<size_t>(i)].z))
                    body(static_cast<size_t>(begin / kBlock), cells[static_cast<size_t>(i)]);
        });
    };
    forEach([&](size_t block, Vec3 cell) { sums[block] = sums[block] + cell; });
    Vec3 middle{0.0, 0.0, 0.0};
    for (const Vec3& sum : sums) middle = middle + sum;
    if (!(norm(middle) > 1e-6 * static_cast<double>(count))) return std::nullopt;
    middle = normalized(middle);
    forEach([&](size_t block, Vec3 cell) {
        farthest[block] = std::max(farthest[block], norm(cell - middle));
    });
    const double chord = *std::max_element(farthest.begin(), farthest.end());
    return CellCap{middle, 2.0 * std::asin(std::min(1.0, 0.5 * chord))};
}

namespace {

// Longitudes in quarter turns eastward from `start` that contain everything in reach of cells; a
// width of 4 is a full turn.
struct Window {
    double start = 0.0, width = 4.0;
};
// The window of the cap around all cells, widened by the radius.
Window windowAround(std::span<const Vec3> cells, double radius, JobContext& job) {
    const std::optional<CellCap> cap = capOfCells(cells, job);
    if (!cap) return {};
    const Vec3 middle = cap->middle;
    // Widened by a margin for rounding, as discs are.
    const double reach = (cap->reach + radius) * (1.0 + 1e-6) + 1e-12;
    const double sine = std::sin(reach), aside = std::hypot(middle.x, middle.y);
    // A cap that contains a pole, or more than half of the sphere, needs all longitudes.
    if (reach >= 0.5 * kHalfPi || sine >= 0.999 * aside) return {};
    const double half = std::asin(sine / aside) / kHalfPi;
    const detail::Longitude at = detail::longitudeOf(middle.x, middle.y);
    Window window{at.quarter + at.share - half, 2.0 * half};
    if (window.start < 0.0) window.start += 4.0;
    return window;
}

}  // namespace

SampleBins sampleBins(std::span<const Vec3> cells, double radius, JobContext& job,
                      double binsInRadius) {
    const auto count = static_cast<int64_t>(cells.size());
    const int64_t blocks = blocksOf(count);
    std::vector<double> lowest(static_cast<size_t>(blocks), 2.0),
        highest(static_cast<size_t>(blocks), -2.0);
    parallelFor(job, count, kBlock, [&](long long begin, long long end) {
        const auto block = static_cast<size_t>(begin / kBlock);
        for (long long i = begin; i < end; ++i) {
            const double z = cells[static_cast<size_t>(i)].z;
            if (z < lowest[block]) lowest[block] = z;
            if (z > highest[block]) highest[block] = z;
        }
    });
    double low = 2.0, high = -2.0;
    for (const double z : lowest) low = std::min(low, z);
    for (const double z : highest) high = std::max(high, z);
    SampleBins bins;
    if (low > high) {
        bins.firstRing = 1;
        bins.lastRing = 0;
        return bins;
    }
    const Window window = windowAround(cells, radius, job);
    // Pixels are 1.02 / nside wide.
    bins.nside = std::clamp<int64_t>(std::llround(1.02 * binsInRadius / radius), 1, kMaxBinNside);
    for (;; bins.nside = std::max<int64_t>(1, bins.nside / 2)) {
        const int64_t last = 4 * bins.nside - 1;
        const SampleBins all{bins.nside, 1, last, 4 * bins.nside, 0.0};
        const auto at = [](double z) {
            return Vec3{std::sqrt(std::max(0.0, (1.0 - z) * (1.0 + z))), 0.0, z};
        };
        bins.firstRing = std::max<int64_t>(1, binDisc(all, at(high), radius).firstRing - 1);
        bins.lastRing = std::min(last, binDisc(all, at(low), radius).lastRing + 1);
        bins.stride = 4 * bins.nside;
        if (window.width < 3.0) {
            bins.start = window.start;
            // Positions from two before the start to two after the end, and one for rounding.
            bins.stride = std::min(
                bins.stride,
                static_cast<int64_t>(std::ceil(window.width * static_cast<double>(bins.nside))) +
                    5);
        }
        const int64_t keys = bins.keys();
        if (keys < static_cast<int64_t>(kNoKey)) return bins;
    }
}

void orderSamples(const GridSamples& samples, const SampleBins& bins, OrderedSamples& result,
                  JobContext& job) {
    result.bins = bins;
    result.used = result.bad = result.outside = 0;
    RadixSort sort(samples.count(), static_cast<uint64_t>(std::max<int64_t>(1, bins.keys())));
    makeTables(sortKeys(binSamples(samples, result, sort, job), result, sort, job), result, job);
    // Each axis is sorted into the spare array; then the arrays are exchanged.
    for (auto* axis : {&result.x, &result.y, &result.z}) {
        result.sortInto(*axis, result.spare, job);
        axis->swap(result.spare);
    }
    if (samples.weights.empty())
        result.weights = {};
    else
        result.sortInto(samples.weights, result.weights, job);
    job.report(1.0, "ordering the samples");
}

}  // namespace armilla
