// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/map_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"

namespace armilla {

namespace {

// Elements per block of work. Sums are formed per block and joined in a fixed order, so the result
// does not depend on the number of threads. A block takes about 1 ms on one CPU core.
constexpr int64_t kBlock = int64_t{1} << 18;

const Field& checkedField(const HealpixMap& map, int field) {
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field from 0 to " + std::to_string(map.fieldCount() - 1) +
                              ", found " + std::to_string(field));
    return map.field(field);
}

// Weight of an element: the number of covered pixels.
class Weights {
public:
    Weights() = default;
    explicit Weights(const HealpixMap& map) : orders_(map.cellOrders()) {
        if (!orders_.empty()) deepest_ = orderOf(map.nside());
    }
    bool uniform() const { return orders_.empty(); }
    int64_t operator()(int64_t element) const {
        if (orders_.empty()) return 1;
        return int64_t{1} << (2 * (deepest_ - orders_[static_cast<size_t>(element)]));
    }

private:
    std::span<const uint8_t> orders_;
    int deepest_ = 0;
};

// Scales a value by a power of two, which is exact, and subtracts `value`.
struct Origin {
    double scale = 1.0, value = 0.0;  // `value` in scaled units
    double deviation(double x) const { return x * scale - value; }
};

// Weighted sums of one block.
struct Sums {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double first = 0.0, second = 0.0;  // sums of deviations and of their squares
    int64_t count = 0;
    void add(const Sums& other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        first += other.first;
        second += other.second;
        count += other.count;
    }
};

constexpr int kLanes = 8;

// The sums of up to 512 values: eight independent lanes of at most 64 additions each.
template <class T>
Sums chunkSums(const T* values, int64_t count, Origin origin) {
    double low[kLanes], high[kLanes], first[kLanes], second[kLanes];
    int64_t good[kLanes];
    const Sums none;
    std::fill_n(low, kLanes, none.min);
    std::fill_n(high, kLanes, none.max);
    std::fill_n(first, kLanes, 0.0);
    std::fill_n(second, kLanes, 0.0);
    std::fill_n(good, kLanes, 0);
    const auto add = [&](int64_t i, int lane) {
        const double value = static_cast<double>(values[i]);
        const bool take = isGood(values[i]);
        const double deviation = take ? origin.deviation(value) : 0.0;
        low[lane] = take && value < low[lane] ? value : low[lane];
        high[lane] = take && value > high[lane] ? value : high[lane];
        first[lane] += deviation;
        second[lane] += deviation * deviation;
        good[lane] += take ? 1 : 0;
    };
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane) add(i + lane, lane);
    for (int lane = 0; i < count; ++i, ++lane) add(i, lane);
    Sums sums;
    for (int lane = 0; lane < kLanes; ++lane)
        sums.add({low[lane], high[lane], first[lane], second[lane], good[lane]});
    return sums;
}

template <class T>
Sums weightedSums(const T* values, int64_t begin, int64_t end, const Weights& weights,
                  Origin origin) {
    Sums sums;
    for (int64_t i = begin; i < end; ++i) {
        if (!isGood(values[i])) continue;
        const double value = static_cast<double>(values[i]), deviation = origin.deviation(value);
        const int64_t weight = weights(i);
        const auto w = static_cast<double>(weight);
        sums.add({value, value, w * deviation, w * deviation * deviation, weight});
    }
    return sums;
}

// Pairwise sum: errors grow with the logarithm of the number of parts.
Sums joined(std::span<const Sums> parts) {
    if (parts.empty()) return {};
    if (parts.size() == 1) return parts.front();
    Sums left = joined(parts.first(parts.size() / 2));
    left.add(joined(parts.subspan(parts.size() / 2)));
    return left;
}

template <class T>
Sums blockSums(const T* values, int64_t begin, int64_t end, const Weights& weights, Origin origin) {
    constexpr int64_t kChunk = 512;
    std::vector<Sums> parts;
    parts.reserve(static_cast<size_t>((end - begin) / kChunk + 1));
    for (int64_t at = begin; at < end; at += kChunk) {
        const int64_t stop = std::min(end, at + kChunk);
        parts.push_back(weights.uniform() ? chunkSums(values + at, stop - at, origin)
                                          : weightedSums(values, at, stop, weights, origin));
    }
    return joined(parts);
}

Sums fieldSums(const Field& field, const Weights& weights, Origin origin, JobContext& job) {
    const int64_t count = field.size();
    std::vector<Sums> blocks(static_cast<size_t>((count + kBlock - 1) / kBlock));
    std::visit(
        [&](const auto& values) {
            parallelFor(
                job, count, kBlock,
                [&](long long begin, long long end) {
                    blocks[static_cast<size_t>(begin / kBlock)] =
                        blockSums(values.data(), begin, end, weights, origin);
                },
                "statistics");
        },
        field.values);
    return joined(blocks);
}

// A key whose unsigned order is the order of the finite numbers.
template <class T>
auto orderedKey(T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    const Bits bits = std::bit_cast<Bits>(value);
    return (bits & kSign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
}
template <class T, class Bits>
T valueOfKey(Bits key) {
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    return std::bit_cast<T>((key & kSign) != 0 ? static_cast<Bits>(key & ~kSign)
                                               : static_cast<Bits>(~key));
}

// Radix selection: finds the values of given ranks by counting keys digit by digit from the top.
// Exact, without a copy of the values, each pass in parallel. Ranks count weighted elements from 0.
template <class T>
class RankSelection {
    using Key = decltype(orderedKey(T{}));
    static constexpr int kKeyBits = 8 * sizeof(T);
    struct Wanted {
        int64_t rank;  // among the elements with this prefix
        Key prefix;    // the digits known so far
    };

public:
    RankSelection(const std::vector<T>& values, const Weights& weights, int64_t stride)
        : values_(values), weights_(weights), stride_(stride) {}

    int64_t countGood(JobContext& job) {
        begin(16);
        countDigits(job);
        int64_t total = 0;
        for (const int64_t count : counts_) total += count;
        return total;
    }

    // Must follow countGood. `ranks` ascending.
    std::vector<double> select(const std::vector<int64_t>& ranks, JobContext& job) {
        for (const int64_t rank : ranks) wanted_.push_back({rank, 0});
        resolveDigit();
        while (known_ < kKeyBits) {
            // 2^16 counts for each prefix while prefixes are few, 2^8 for many.
            begin(prefixes_.size() <= 4 ? 16 : 8);
            JobContext pass =
                job.part(static_cast<double>(known_ - 16) / (kKeyBits - 16),
                         static_cast<double>(known_ + digitBits_ - 16) / (kKeyBits - 16));
            countDigits(pass);
            resolveDigit();
        }
        std::vector<double> result;
        for (const Wanted& wanted : wanted_)
            result.push_back(static_cast<double>(valueOfKey<T>(wanted.prefix)));
        return result;
    }

private:
    void begin(int digitBits) {
        digitBits_ = std::min(digitBits, kKeyBits - known_);
        counts_.assign(prefixes_.size() << digitBits_, 0);
    }
    // Index of the table that counts `key`; none if no rank has its prefix. The top 16 bits select
    // the few prefixes that begin with these bits.
    int64_t tableOf(Key key) const {
        if (known_ == 0) return 0;
        const auto top = static_cast<size_t>(key >> (kKeyBits - 16));
        const Key prefix = static_cast<Key>(key >> (kKeyBits - known_));
        for (int32_t table = firstTable_[top]; table < firstTable_[top + 1]; ++table)
            if (prefixes_[static_cast<size_t>(table)] == prefix) return table;
        return -1;
    }
    void countDigits(JobContext& job) {
        const auto all = static_cast<int64_t>(values_.size());
        const int64_t sampled = (all + stride_ - 1) / stride_;
        const int shift = kKeyBits - known_ - digitBits_;
        const Key mask = static_cast<Key>((Key{1} << digitBits_) - 1);
        std::mutex lock;
        parallelFor(
            job, sampled, 4 * kBlock,
            [&](long long first, long long last) {
                std::vector<int64_t> counts(counts_.size(), 0);
                for (int64_t i = first; i < last; ++i) {
                    const T value = values_[static_cast<size_t>(i * stride_)];
                    if (!isGood(value)) continue;
                    const Key key = orderedKey(value);
                    const int64_t table = tableOf(key);
                    if (table < 0) continue;
                    const auto digit = static_cast<int64_t>((key >> shift) & mask);
                    counts[static_cast<size_t>((table << digitBits_) + digit)] +=
                        weights_(i * stride_);
                }
                const std::lock_guard guard(lock);
                for (size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
            },
            "percentiles");
    }
    void resolveDigit() {
        for (Wanted& wanted : wanted_) {
            const auto table = std::lower_bound(prefixes_.begin(), prefixes_.end(), wanted.prefix) -
                               prefixes_.begin();
            const int64_t* counts = counts_.data() + (table << digitBits_);
            Key digit = 0;
            while (wanted.rank >= counts[digit]) wanted.rank -= counts[digit++];
            wanted.prefix = static_cast<Key>((wanted.prefix << digitBits_) | digit);
        }
        known_ += digitBits_;
        prefixes_.clear();
        for (const Wanted& wanted : wanted_)
            if (prefixes_.empty() || prefixes_.back() != wanted.prefix)
                prefixes_.push_back(wanted.prefix);
        firstTable_.assign((size_t{1} << 16) + 1, 0);
        for (const Key prefix : prefixes_)
            ++firstTable_[static_cast<size_t>(prefix >> (known_ - 16)) + 1];
        for (size_t i = 1; i < firstTable_.size(); ++i) firstTable_[i] += firstTable_[i - 1];
    }

    const std::vector<T>& values_;
    const Weights& weights_;
    int64_t stride_;
    int known_ = 0, digitBits_ = 0;
    std::vector<Key> prefixes_{0};
    std::vector<int32_t> firstTable_;  // by the top 16 bits: the first index in prefixes_
    std::vector<Wanted> wanted_;
    std::vector<int64_t> counts_;
};

template <class T>
std::vector<double> percentilesOf(const std::vector<T>& values, const Weights& weights,
                                  int64_t stride, const std::vector<double>& percents,
                                  JobContext& job) {
    RankSelection<T> selection(values, weights, stride);
    JobContext counting = job.part(0.0, 0.4), selecting = job.part(0.4, 1.0);
    const int64_t count = selection.countGood(counting);
    if (count == 0) return std::vector<double>(percents.size(), kNan);
    // numpy's definition: the percentile p lies at position p / 100 (n - 1) among the sorted
    // values.
    std::vector<double> places;
    std::vector<int64_t> ranks;
    for (const double percent : percents) {
        const double place = static_cast<double>(count - 1) * (percent / 100.0);
        places.push_back(place);
        const int64_t rank = std::min(static_cast<int64_t>(place), count - 1);
        ranks.push_back(rank);
        ranks.push_back(std::min(rank + 1, count - 1));
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    const std::vector<double> found = selection.select(ranks, selecting);
    const auto atRank = [&](int64_t rank) {
        const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin();
        return found[static_cast<size_t>(at)];
    };
    std::vector<double> result;
    for (const double place : places) {
        const int64_t rank = std::min(static_cast<int64_t>(place), count - 1);
        const double below = atRank(rank), above = atRank(std::min(rank + 1, count - 1));
        const double share = place - static_cast<double>(rank), step = above - below;
        // Interpolates from the nearer end, so that 0 and 1 give the ends exactly.
        result.push_back(share < 0.5 ? below + step * share : above - step * (1.0 - share));
    }
    return result;
}

enum class Pass { Raw, Scaled, Deviations };

// `sumsAbout` returns the sums over all values about an origin; `elements` counts also bad values.
template <class SumsAbout>
FieldStatistics statisticsFrom(int64_t elements, const SumsAbout& sumsAbout) {
    const Sums raw = sumsAbout(Origin(), Pass::Raw);
    FieldStatistics result;
    result.finiteCount = raw.count;
    if (raw.count == 0) {
        result.min = result.max = result.mean = result.standardDeviation = kNan;
        return result;
    }
    result.finite = static_cast<double>(raw.count) / static_cast<double>(elements);
    const auto count = static_cast<double>(raw.count);
    result.min = raw.min;
    result.max = raw.max;
    // In units of the largest value, neither sums nor squares overflow or underflow.
    const int exponent = scalingExponent(std::max(std::abs(raw.min), std::abs(raw.max)));
    Origin origin{std::ldexp(1.0, -exponent), 0.0};
    origin.value = std::isfinite(raw.first) ? raw.first / count * origin.scale
                                            : sumsAbout(origin, Pass::Scaled).first / count;
    const Sums deviations = sumsAbout(origin, Pass::Deviations);
    // The second term removes the effect of the rounded mean on the first.
    const double variance =
        (deviations.second - deviations.first * deviations.first / count) / count;
    result.mean = std::ldexp(origin.value + deviations.first / count, exponent);
    result.standardDeviation = std::ldexp(std::sqrt(std::max(0.0, variance)), exponent);
    return result;
}

}  // namespace

int scalingExponent(double largest) {
    // The limits keep the unit and its inverse normal numbers.
    return largest > 0.0 ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
}

FieldStatistics fieldStatistics(const HealpixMap& map, int field, JobContext& job) {
    const Field& values = checkedField(map, field);
    const Weights weights(map);
    JobContext firstPass = job.part(0.0, 0.5), secondPass = job.part(0.5, 1.0);
    JobContext silent(job.stopToken(), {}, job.threads());
    return statisticsFrom(map.pixelCount(), [&](Origin origin, Pass pass) {
        JobContext& context = pass == Pass::Raw      ? firstPass
                              : pass == Pass::Scaled ? silent
                                                     : secondPass;
        return fieldSums(values, weights, origin, context);
    });
}

FieldStatistics valueStatistics(std::span<const double> values) {
    const auto count = static_cast<int64_t>(values.size());
    return statisticsFrom(count, [&](Origin origin, Pass) {
        return blockSums(values.data(), 0, count, Weights(), origin);
    });
}

Histogram histogram(const HealpixMap& map, int field, double low, double high, int bins,
                    JobContext& job) {
    const Field& source = checkedField(map, field);
    if (bins < 1) throw InvalidArgument("expected at least one bin, found " + std::to_string(bins));
    if (!(low <= high) || !std::isfinite(high - low))
        throw InvalidArgument("expected a finite range from low to high, found " +
                              std::to_string(low) + " to " + std::to_string(high));
    Histogram result{low, high, std::vector<int64_t>(static_cast<size_t>(bins), 0), 0, 0};
    const Weights weights(map);
    // In units of a power of two near the range, because the inverse of the range may overflow.
    const int exponent = scalingExponent(high - low);
    const double unit = std::ldexp(1.0, -exponent), range = (high - low) * unit;
    const double scale = high > low ? bins / range : 0.0;
    std::vector<double> begins(static_cast<size_t>(bins));
    for (int i = 0; i < bins; ++i)
        begins[static_cast<size_t>(i)] = low + std::ldexp(i * (range / bins), exponent);
    const auto binOf = [&](double value) {
        if (value == high) return begins.size() - 1;
        const auto bin =
            std::min(static_cast<size_t>((value - low) * unit * scale), begins.size() - 1);
        // A value on an edge belongs to the bin that begins there; rounding of the product may
        // violate this.
        if (value >= begins[bin] && (bin + 1 == begins.size() || value < begins[bin + 1]))
            return bin;
        return static_cast<size_t>(std::upper_bound(begins.begin(), begins.end(), value) -
                                   begins.begin()) -
               1;
    };
    std::mutex lock;
    std::visit(
        [&](const auto& values) {
            parallelFor(
                job, source.size(), 4 * kBlock,
                [&](long long begin, long long end) {
                    Histogram part{low, high, std::vector<int64_t>(result.counts.size(), 0), 0, 0};
                    for (int64_t i = begin; i < end; ++i) {
                        const auto raw = values[static_cast<size_t>(i)];
                        if (!isGood(raw)) continue;
                        const auto value = static_cast<double>(raw);
                        int64_t& count = value < low    ? part.below
                                         : value > high ? part.above
                                                        : part.counts[binOf(value)];
                        count += weights(i);
                    }
                    const std::lock_guard guard(lock);
                    result.below += part.below;
                    result.above += part.above;
                    for (size_t i = 0; i < part.counts.size(); ++i)
                        result.counts[i] += part.counts[i];
                },
                "histogram");
        },
        source.values);
    return result;
}

std::vector<double> percentiles(const HealpixMap& map, int field,
                                const std::vector<double>& percents, int64_t sampleLimit,
                                JobContext& job) {
    const Field& source = checkedField(map, field);
    for (const double percent : percents)
        if (!(percent >= 0.0 && percent <= 100.0))
            throw InvalidArgument("expected percentiles from 0 to 100, found " +
                                  std::to_string(percent));
    if (sampleLimit < 0)
        throw InvalidArgument("expected a sample limit of 0 or more, found " +
                              std::to_string(sampleLimit));
    const int64_t stride =
        sampleLimit > 0 ? std::max<int64_t>(1, (source.size() + sampleLimit - 1) / sampleLimit) : 1;
    const Weights weights(map);
    return std::visit(
        [&](const auto& values) { return percentilesOf(values, weights, stride, percents, job); },
        source.values);
}

}  // namespace armilla
