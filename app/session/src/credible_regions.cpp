// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/credible_regions.h"

#include <QString>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "core/pixel_geometry.h"
#include "core/pixel_queries.h"

namespace armilla {

namespace {

// Positive floats in the order of their bits, by exponent and the first bits of the mantissa.
constexpr int kBucketShift = 12;
constexpr size_t kBuckets = size_t{1} << (31 - kBucketShift);

float weightOf(const Field& field, int64_t element) {
    const auto value = static_cast<float>(field.at(element));
    return std::isfinite(value) && value > 0.0F ? value : 0.0F;
}
size_t bucketOf(float value) {
    return std::bit_cast<uint32_t>(value) >> kBucketShift;
}

struct Bucket {
    double sum = 0.0;
    int64_t count = 0;
};

// The least value of the region, and how many pixels it has.
struct Threshold {
    float value = 0.0F;
    int64_t pixels = 0;
};
Threshold thresholdFor(const Field& field, int64_t elements, const std::vector<Bucket>& buckets,
                       double wanted) {
    Threshold threshold;
    double held = 0.0;
    size_t at = buckets.size();
    while (at > 0 && held + buckets[at - 1].sum < wanted) {
        held += buckets[at - 1].sum;
        threshold.pixels += buckets[--at].count;
    }
    if (at == 0) return threshold;  // rounding: all of them
    std::vector<float> within;
    within.reserve(static_cast<size_t>(buckets[at - 1].count));
    for (int64_t i = 0; i < elements; ++i)
        if (const float value = weightOf(field, i); value > 0.0F && bucketOf(value) == at - 1)
            within.push_back(value);
    std::sort(within.begin(), within.end(), std::greater<>());
    for (const float value : within) {
        threshold.value = value;
        ++threshold.pixels;
        held += static_cast<double>(value);
        if (held >= wanted) break;
    }
    return threshold;
}

// Means over at most kBorderNside, NESTED.
struct Coarse {
    int64_t nside = 0;
    std::vector<float> values;
};
Coarse coarseOf(const HealpixMap& map, int field) {
    Coarse coarse;
    coarse.nside = std::min(map.nside(), kBorderNside);
    const int64_t children = (map.nside() / coarse.nside) * (map.nside() / coarse.nside);
    std::vector<double> sums(static_cast<size_t>(pixelCount(coarse.nside)));
    const auto pixels = map.pixels();
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        const int64_t pixel = map.coverage() == Coverage::Full ? i : pixels[static_cast<size_t>(i)];
        const int64_t nested =
            map.ordering() == Ordering::Ring ? nestedFromRing(map.nside(), pixel) : pixel;
        sums[static_cast<size_t>(nested / children)] +=
            static_cast<double>(weightOf(map.field(field), i));
    }
    for (const double sum : sums)
        coarse.values.push_back(static_cast<float>(sum / static_cast<double>(children)));
    return coarse;
}

std::vector<std::pair<Vec3, Vec3>> borderOf(const Coarse& coarse, float least, JobContext& job) {
    // Of the eight neighbors SW, W, NW, N, NE, E, SE, S those beyond a side, and the side's ends
    // among the corners N, W, S, E.
    constexpr int kSides[4][3] = {{0, 1, 2}, {2, 0, 1}, {4, 0, 3}, {6, 2, 3}};
    std::vector<std::pair<Vec3, Vec3>> border;
    const auto isInside = [&](int64_t pixel) {
        return pixel >= 0 && coarse.values[static_cast<size_t>(pixel)] >= least;
    };
    for (int64_t pixel = 0; pixel < std::ssize(coarse.values); ++pixel) {
        if ((pixel & 0xffff) == 0) job.poll();
        if (!isInside(pixel)) continue;
        const auto around = neighbors(coarse.nside, Ordering::Nested, pixel);
        std::array<Vec3, 4> corners{};
        bool hasCorners = false;
        for (const auto& side : kSides) {
            if (isInside(around[static_cast<size_t>(side[0])])) continue;
            if (!std::exchange(hasCorners, true))
                corners = pixelCorners(coarse.nside, Ordering::Nested, pixel);
            border.emplace_back(corners[static_cast<size_t>(side[1])],
                                corners[static_cast<size_t>(side[2])]);
        }
    }
    return border;
}

}  // namespace

bool isProbability(const Field& field) {
    const QString unit = QString::fromStdString(field.unit).remove(QLatin1Char(' ')).toLower();
    const bool perArea = unit == QLatin1String("pix-1") || unit == QLatin1String("pix^-1") ||
                         unit == QLatin1String("pix**-1") || unit == QLatin1String("1/pix") ||
                         unit == QLatin1String("sr-1") || unit == QLatin1String("sr^-1") ||
                         unit == QLatin1String("sr**-1") || unit == QLatin1String("1/sr");
    return (perArea || unit.isEmpty()) &&
           QString::fromStdString(field.name)
               .startsWith(QLatin1String("prob"), Qt::CaseInsensitive);
}

std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            std::span<const double> levels, JobContext& job) {
    const Field& values = map.field(field);
    const int64_t elements = map.elementCount();
    std::vector<Bucket> buckets(kBuckets);
    double all = 0.0;
    for (int64_t i = 0; i < elements; ++i) {
        if ((i & 0xfffff) == 0) job.poll();
        const float value = weightOf(values, i);
        if (value == 0.0F) continue;
        Bucket& bucket = buckets[bucketOf(value)];
        bucket.sum += static_cast<double>(value);
        ++bucket.count;
        all += static_cast<double>(value);
    }
    if (!(all > 0.0)) return {};
    const bool hasBorder = isPowerOfTwoNside(map.nside());
    const Coarse coarse = hasBorder ? coarseOf(map, field) : Coarse{};
    std::vector<CredibleRegion> regions;
    for (const double level : levels) {
        const Threshold threshold = thresholdFor(values, elements, buckets, level * all);
        CredibleRegion region;
        region.level = level;
        region.area = static_cast<double>(threshold.pixels) * 4.0 * kPi /
                      static_cast<double>(map.pixelCount());
        if (hasBorder && threshold.value > 0.0F)
            region.border = borderOf(coarse, threshold.value, job);
        regions.push_back(std::move(region));
    }
    return regions;
}

}  // namespace armilla
