// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/credible.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/physical_unit.h"
#include "shared/number_text.h"

namespace armilla {

namespace {

constexpr int64_t kPollInterval = int64_t{1} << 16;
// Bits of positive doubles sort like their values; buckets use the exponent and nine bits of the
// mantissa.
constexpr int kBucketShift = 43;
constexpr size_t kBuckets = size_t{1} << (63 - kBucketShift);

struct Cell {
    double value = 0.0, area = 0.0;
};
struct Bucket {
    double sum = 0.0, area = 0.0;
};

size_t bucketOf(double value) {
    return std::bit_cast<uint64_t>(value) >> kBucketShift;
}

// Areas of the elements of a map, in sr.
class Areas {
public:
    explicit Areas(const HealpixMap& map)
        : orders_(map.cellOrders()), finest_(4.0 * kPi / static_cast<double>(map.pixelCount())) {
        if (!orders_.empty()) deepest_ = orderOf(map.nside());
    }
    double operator()(int64_t element) const {
        if (orders_.empty()) return finest_;
        return std::ldexp(finest_, 2 * (deepest_ - orders_[static_cast<size_t>(element)]));
    }

private:
    std::span<const uint8_t> orders_;
    double finest_;
    int deepest_ = 0;
};

// Calls `take(cell)` for each cell above 0.
template <typename Take>
void forEachCell(const HealpixMap& map, int field, JobContext& job, const Take& take) {
    const Field& values = map.field(field);
    const Areas areaOf(map);
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        if (i % kPollInterval == 0) job.poll();
        const double value = values.at(i);
        if (value < 0.0)
            throw InvalidArgument("expected a field of probabilities or counts, 0 or more, found " +
                                  numberText(value) + " in " + values.name);
        if (!(value > 0.0) || !std::isfinite(value)) continue;
        take(Cell{value, areaOf(i)});
    }
}

CredibleRegion regionOf(const HealpixMap& map, int field, const std::vector<Bucket>& buckets,
                        double share, double all, JobContext& job) {
    // The margin prevents rounding of the sums from adding one more cell.
    const double wanted = share * all * (1.0 - 1e-12);
    CredibleRegion region{share, 0.0, 0.0};
    double held = 0.0;
    size_t at = buckets.size() - 1;
    size_t lowest = 0;
    while (lowest < at && buckets[lowest].area == 0.0) ++lowest;
    for (; at > lowest && held + buckets[at].sum < wanted; --at) {
        held += buckets[at].sum;
        region.area += buckets[at].area;
    }
    // The bucket that reaches the fraction is sorted cell by cell.
    std::vector<Cell> within;
    forEachCell(map, field, job, [&](const Cell& cell) {
        if (bucketOf(cell.value) == at) within.push_back(cell);
    });
    std::sort(within.begin(), within.end(),
              [](const Cell& a, const Cell& b) { return a.value > b.value; });
    for (const Cell& cell : within) {
        held += cell.value * cell.area;
        region.area += cell.area;
        region.threshold = cell.value;
        if (held >= wanted) break;
    }
    return region;
}

}  // namespace

CredibleLevels credibleLevels(const HealpixMap& map, int field, JobContext& job) {
    const Field& values = map.field(field);
    const int64_t count = map.elementCount();
    const auto unit = parseUnit(values.unit);
    const bool isDensity =
        map.coverage() == Coverage::MultiOrder || (unit && unit->power(UnitBase::Angle) == -2.0);
    const Areas areaOf(map);
    const auto probability = [&](int64_t i) {
        return values.at(i) * (isDensity ? areaOf(i) : 1.0);
    };
    CredibleLevels result;
    result.levels = newVector<double>(count, job, kNan);
    std::vector<int64_t> order;
    order.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
        if (i % kPollInterval == 0) job.poll();
        const double value = values.at(i);
        if (value < 0.0)
            throw InvalidArgument("expected a field of probabilities, 0 or more, found " +
                                  numberText(value) + " in " + values.name);
        if (std::isfinite(value)) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        const double x = values.at(a), y = values.at(b);
        return x > y || (x == y && a < b);
    });
    job.poll();
    // Elements of one value have one level, so that the result does not depend on the ordering.
    double held = 0.0;
    for (size_t begin = 0; begin < order.size();) {
        size_t end = begin;
        for (; end < order.size() && values.at(order[end]) == values.at(order[begin]); ++end)
            held += probability(order[end]);
        for (; begin < end; ++begin) result.levels[static_cast<size_t>(order[begin])] = held;
    }
    if (!(held > 0.0))
        throw InvalidArgument("expected a pixel above 0 in the field " + values.name +
                              ", found none");
    result.sum = held;
    result.isNormalized = std::abs(held - 1.0) > 1e-3;
    // A sum within rounding of 1, or accepted as 1, is no probability above 1.
    for (double& level : result.levels)
        if (!std::isnan(level)) level = std::min(result.isNormalized ? level / held : level, 1.0);
    return result;
}

std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            const std::vector<double>& shares, JobContext& job) {
    for (const double share : shares)
        if (!(share > 0.0 && share <= 1.0))
            throw InvalidArgument("expected shares above 0 % and of at most 100 %, found " +
                                  numberText(100.0 * share) + " %");
    std::vector<Bucket> buckets(kBuckets);
    forEachCell(map, field, job, [&](const Cell& cell) {
        Bucket& bucket = buckets[bucketOf(cell.value)];
        bucket.sum += cell.value * cell.area;
        bucket.area += cell.area;
    });
    double all = 0.0;
    // From the smallest on, so that the sum keeps the many faint cells.
    for (const Bucket& bucket : buckets) all += bucket.sum;
    if (!(all > 0.0))
        throw InvalidArgument("expected a pixel above 0 in the field " + map.field(field).name +
                              ", found none");
    std::vector<CredibleRegion> regions;
    for (const double share : shares)
        regions.push_back(regionOf(map, field, buckets, share, all, job));
    return regions;
}

}  // namespace armilla
