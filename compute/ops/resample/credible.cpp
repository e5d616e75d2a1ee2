// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/credible.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/number_text.h"
#include "armilla/core/physical_unit.h"

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
    double sum = 0.0, area = 0.0, least = 0.0;
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

// Whether the values are densities, and not probabilities of whole pixels.
bool isDensity(const HealpixMap& map, const Field& field) {
    const auto unit = parseUnit(field.unit);
    return map.coverage() == Coverage::MultiOrder || (unit && unit->power(UnitBase::Angle) == -2.0);
}

// A sum that differs from 1 by no more than rounding of the file is taken as 1.
bool isOffOne(double sum) {
    return std::abs(sum - 1.0) > 1e-3;
}

// Smoothing leaves small negative values around a region. They count as 0 if together they hold at
// most this share of the positive values, which changes no level by more. Larger ones are no
// probabilities.
constexpr double kMostNegative = 1e-6;

double negativeShare(const HealpixMap& map, const Field& field, JobContext& job) {
    const Areas areaOf(map);
    const bool isByArea = isDensity(map, field);
    double below = 0.0, above = 0.0, least = 0.0;
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        if (i % kPollInterval == 0) job.poll();
        const double value = field.at(i);
        if (!std::isfinite(value)) continue;
        least = std::min(least, value);
        (value < 0.0 ? below : above) += std::abs(value) * (isByArea ? areaOf(i) : 1.0);
    }
    if (below > kMostNegative * above)
        throw InvalidArgument("expected a field of probabilities or counts, 0 or more, found " +
                              numberText(least) + " in " + field.name);
    return below > 0.0 ? below / above : 0.0;
}
void requireAboveZero(double sum, const Field& field) {
    if (!(sum > 0.0))
        throw InvalidArgument("expected a pixel above 0 in the field " + field.name +
                              ", found none");
}

// Calls `take(cell)` for each cell above 0. Returns the area of all good cells.
template <typename Take>
double forEachCell(const HealpixMap& map, int field, JobContext& job, const Take& take) {
    const Field& values = map.field(field);
    const Areas areaOf(map);
    double good = 0.0;
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        if (i % kPollInterval == 0) job.poll();
        const double value = values.at(i);
        if (!std::isfinite(value)) continue;
        good += areaOf(i);
        if (value > 0.0) take(Cell{value, areaOf(i)});
    }
    return good;
}

// Values times areas of the cells above 0, sorted into buckets.
struct Cumulation {
    std::vector<Bucket> buckets;
    double all = 0.0;   // sum of values times areas
    double area = 0.0;  // sr of all good cells
    double sum = 0.0;   // `all` as a probability
};

Cumulation cumulate(const HealpixMap& map, int field, JobContext& job) {
    Cumulation found;
    found.buckets.resize(kBuckets);
    found.area = forEachCell(map, field, job, [&](const Cell& cell) {
        Bucket& bucket = found.buckets[bucketOf(cell.value)];
        bucket.least = bucket.area > 0.0 ? std::min(bucket.least, cell.value) : cell.value;
        bucket.sum += cell.value * cell.area;
        bucket.area += cell.area;
    });
    // From the smallest on, so that the sum keeps the many faint cells.
    for (const Bucket& bucket : found.buckets) found.all += bucket.sum;
    requireAboveZero(found.all, map.field(field));
    found.sum = found.all;
    if (!isDensity(map, map.field(field)))
        found.sum *= static_cast<double>(map.pixelCount()) / (4.0 * kPi);
    return found;
}

CredibleRegion regionOf(const HealpixMap& map, int field, const Cumulation& sums, double share,
                        JobContext& job) {
    constexpr double kAll = std::numeric_limits<double>::infinity();
    CredibleRegion region{share, kAll, 0.0};
    // Levels are 1 at most, so that 1 contains all cells.
    const double total = isOffOne(sums.sum) ? sums.all : sums.all / sums.sum;
    const double wanted = share < 1.0 ? share * total * (1.0 + kLevelMargin) : kAll;
    double held = 0.0;
    size_t at = sums.buckets.size();
    for (; at > 0; --at) {
        const Bucket& bucket = sums.buckets[at - 1];
        if (bucket.area == 0.0) continue;
        if (held + bucket.sum > wanted) break;
        held += bucket.sum;
        region.area += bucket.area;
        region.threshold = bucket.least;
    }
    if (at == 0) {  // cells of value 0 as well
        region.threshold = 0.0;
        region.area = sums.area;
        return region;
    }
    // The bucket that crosses the fraction is sorted cell by cell. Cells of one value have one
    // level.
    std::vector<Cell> within;
    forEachCell(map, field, job, [&](const Cell& cell) {
        if (bucketOf(cell.value) == at - 1) within.push_back(cell);
    });
    std::sort(within.begin(), within.end(),
              [](const Cell& a, const Cell& b) { return a.value > b.value; });
    for (size_t begin = 0, end = 0; begin < within.size(); begin = end) {
        double area = 0.0;
        for (; end < within.size() && within[end].value == within[begin].value; ++end)
            area += within[end].area;
        held += within[begin].value * area;
        if (held > wanted) break;
        region.area += area;
        region.threshold = within[begin].value;
    }
    return region;
}

}  // namespace

double cellArea(const HealpixMap& map, int64_t element) {
    return Areas(map)(element);
}

std::vector<double> cellProbabilities(const HealpixMap& map, int field, JobContext& job) {
    const Field& values = map.field(field);
    negativeShare(map, values, job);
    const Areas areaOf(map);
    const bool areDensities = isDensity(map, values);
    std::vector<double> result = newVector<double>(map.elementCount(), job, 0.0);
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        const double value = values.at(i);
        if (value > 0.0 && std::isfinite(value))
            result[static_cast<size_t>(i)] = value * (areDensities ? areaOf(i) : 1.0);
    }
    return result;
}

CredibleLevels credibleLevels(const HealpixMap& map, int field, JobContext& job) {
    const Field& values = map.field(field);
    const int64_t count = map.elementCount();
    const bool areDensities = isDensity(map, values);
    const Areas areaOf(map);
    const auto valueAt = [&](int64_t i) { return std::max(0.0, values.at(i)); };
    const auto probability = [&](int64_t i) {
        return valueAt(i) * (areDensities ? areaOf(i) : 1.0);
    };
    CredibleLevels result;
    result.negativeShare = negativeShare(map, values, job);
    result.levels = newVector<double>(count, job, kNan);
    std::vector<int64_t> order;
    order.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
        if (i % kPollInterval == 0) job.poll();
        if (std::isfinite(values.at(i))) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        const double x = valueAt(a), y = valueAt(b);
        return x > y || (x == y && a < b);
    });
    job.poll();
    // Elements of one value have one level, so that the result does not depend on the ordering.
    double held = 0.0;
    for (size_t begin = 0; begin < order.size();) {
        size_t end = begin;
        for (; end < order.size() && valueAt(order[end]) == valueAt(order[begin]); ++end)
            held += probability(order[end]);
        for (; begin < end; ++begin) result.levels[static_cast<size_t>(order[begin])] = held;
    }
    requireAboveZero(held, values);
    result.sum = held;
    result.isNormalized = isOffOne(held);
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
    negativeShare(map, map.field(field), job);
    const Cumulation sums = cumulate(map, field, job);
    std::vector<CredibleRegion> regions;
    for (const double share : shares) regions.push_back(regionOf(map, field, sums, share, job));
    return regions;
}

}  // namespace armilla
