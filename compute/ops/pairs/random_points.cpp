// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/correlation.h"
#include "armilla/ops/resample.h"
#include "shared/philox.h"

namespace armilla {

namespace {

// An element of the mask as a pixel of its own nside on its face.
struct MaskCell {
    FacePixel pixel;
    int64_t nside;
};

MaskCell cellOf(const HealpixMap& mask, int64_t element) {
    const int64_t nside = mask.nside();
    if (mask.coverage() == Coverage::MultiOrder) {
        const auto at = static_cast<size_t>(element);
        const int order = mask.cellOrders()[at];
        const int64_t first = mask.pixels()[at] >> 2 * (orderOf(nside) - order);
        const int64_t cellNside = int64_t{1} << order;
        return {faceFromNested(cellNside, first), cellNside};
    }
    const int64_t pixel =
        mask.coverage() == Coverage::Full ? element : mask.pixels()[static_cast<size_t>(element)];
    return {mask.ordering() == Ordering::Nested ? faceFromNested(nside, pixel)
                                                : faceFromRing(nside, pixel),
            nside};
}

// Elements to draw points from, each with the cumulative sum of weights including its own.
struct WeightedElements {
    std::vector<int64_t> elements, sums;
    int64_t total = 0;
    void add(int64_t element, int64_t weight) {
        if (weight <= 0) return;
        total += weight;
        elements.push_back(element);
        sums.push_back(total);
    }
};

// The area of an element in smallest cells.
int64_t areaOf(const HealpixMap& mask, int64_t element) {
    if (mask.coverage() != Coverage::MultiOrder) return 1;
    const int deepest = orderOf(mask.nside());
    return int64_t{1} << 2 * (deepest - mask.cellOrders()[static_cast<size_t>(element)]);
}

// Weights are integers, which makes the draw exact. Equal values are weighted by area, an integer
// in units of the smallest cell. Other weights are scaled to a sum of 2^61; their rounding is too
// small to be detected with any number of points.
WeightedElements weightedElements(const HealpixMap& mask, int field, JobContext& job) {
    const Field* const values = field < 0 ? nullptr : &mask.field(field);
    const bool isPerArea = values == nullptr || degradeRule(*values) == Degrade::Mean;
    const auto weigh = [&](int64_t i) {
        const double value = values ? values->at(i) : 1.0;
        if (!std::isfinite(value)) return 0.0;
        if (value < 0.0)
            throw InvalidArgument(
                "expected values of 0 or more, to which random points are in "
                "proportion, found " +
                std::to_string(value) + " in field " + values->name);
        return isPerArea ? value * static_cast<double>(areaOf(mask, i)) : value;
    };
    double sum = 0.0, one = 0.0;
    bool areEqual = true;
    for (int64_t i = 0; i < mask.elementCount(); ++i) {
        if (i % kPixelGrain == 0) job.poll();
        const double weight = weigh(i);
        if (weight == 0.0) continue;
        sum += weight;
        const double value = values ? values->at(i) : 1.0;
        areEqual = areEqual && (one == 0.0 || value == one);
        one = value;
    }
    if (!(sum > 0.0))
        throw InvalidArgument("expected a mask with pixels that are not 0, found none" +
                              (values ? " in field " + values->name : std::string()));
    if (!std::isfinite(sum))
        throw InvalidArgument("expected values with a finite sum, found an infinite sum");
    const double scale = std::ldexp(1.0 / sum, 61);
    WeightedElements result;
    for (int64_t i = 0; i < mask.elementCount(); ++i) {
        if (i % kPixelGrain == 0) job.poll();
        const double weight = weigh(i);
        if (weight == 0.0) continue;
        if (areEqual)
            result.add(i, isPerArea ? areaOf(mask, i) : 1);
        else
            result.add(i, std::llround(weight * scale));
    }
    return result;
}

}  // namespace

SkyPoints randomPoints(const HealpixMap& mask, int field, int64_t count, uint64_t seed, int set,
                       JobContext& job) {
    const WeightedElements table = weightedElements(mask, field, job);
    SkyPoints points;
    points.lon.resize(static_cast<size_t>(count));
    points.lat.resize(static_cast<size_t>(count));
    parallelFor(job, count, 1 << 13, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const auto counter = static_cast<uint64_t>(i);
            const auto draw = [&](uint32_t which) {
                return philox({static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
                               static_cast<uint32_t>(set), which},
                              seed);
            };
            const std::array<uint32_t, 4> r = draw(0), place = draw(1);
            // The upper half of the product of 64 random bits and the sum of weights, uniform to
            // 2^-64. Two steps of 32 bits, which cannot overflow because the sum has 63 bits.
            const auto high = static_cast<uint64_t>(table.total) >> 32,
                       low = static_cast<uint64_t>(table.total) & 0xFFFFFFFF;
            const uint64_t chosen = high * r[0] +
                                    ((low * r[0] + ((high * r[1]) & 0xFFFFFFFF)) >> 32) +
                                    (high * r[1] >> 32);
            const auto at = std::upper_bound(table.sums.begin(), table.sums.end(),
                                             static_cast<int64_t>(chosen)) -
                            table.sums.begin();
            const MaskCell cell = cellOf(
                mask, table.elements[std::min(static_cast<size_t>(at), table.elements.size() - 1)]);
            int shift = 0;
            while (cell.nside << (shift + 1) <= kMaxNside) ++shift;
            const int64_t within = (int64_t{1} << shift) - 1;
            const FacePixel fine{cell.pixel.face, (cell.pixel.x << shift) | (place[0] & within),
                                 (cell.pixel.y << shift) | (place[1] & within)};
            const LonLat where = lonLat(directionFromFace(cell.nside << shift, fine));
            points.lon[static_cast<size_t>(i)] = where.lon / kDegree;
            points.lat[static_cast<size_t>(i)] = where.lat / kDegree;
        }
    });
    return points;
}

}  // namespace armilla
