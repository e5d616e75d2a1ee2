// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/pixel_geometry.h"
#include "ops/correlation.h"
#include "shared/philox.h"

namespace armilla {

namespace {

// A pixel of the mask, as one of nside * 4^-shift on its face.
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

}  // namespace

SkyPoints randomPoints(const HealpixMap& mask, int field, int64_t count, uint64_t seed, int set,
                       JobContext& job) {
    // Areas add up in units of the smallest cell, which are integers: no pixel is favored.
    std::vector<int64_t> elements, areaUpTo;
    int64_t area = 0;
    const Field* const values = field < 0 ? nullptr : &mask.field(field);
    const int deepest = mask.coverage() == Coverage::MultiOrder ? orderOf(mask.nside()) : 0;
    for (int64_t i = 0; i < mask.elementCount(); ++i) {
        if (i % kPixelGrain == 0) job.poll();
        const double value = values ? values->at(i) : 1.0;
        if (value == 0.0 || std::isnan(value)) continue;
        area += mask.coverage() == Coverage::MultiOrder
                    ? int64_t{1} << 2 * (deepest - mask.cellOrders()[static_cast<size_t>(i)])
                    : 1;
        elements.push_back(i);
        areaUpTo.push_back(area);
    }
    if (elements.empty())
        throw InvalidArgument("expected a mask with pixels that are not 0, found none" +
                              (values ? " in field " + values->name : std::string()));
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
            // The upper half of a product of 64 bits and the area: even to 2^-64 of it. In two
            // steps of 32 bits, which 63 bits of area leave room for.
            const auto high = static_cast<uint64_t>(area) >> 32,
                       low = static_cast<uint64_t>(area) & 0xFFFFFFFF;
            const uint64_t chosen = high * r[0] +
                                    ((low * r[0] + ((high * r[1]) & 0xFFFFFFFF)) >> 32) +
                                    (high * r[1] >> 32);
            const auto at =
                std::upper_bound(areaUpTo.begin(), areaUpTo.end(), static_cast<int64_t>(chosen)) -
                areaUpTo.begin();
            const MaskCell cell =
                cellOf(mask, elements[std::min(static_cast<size_t>(at), elements.size() - 1)]);
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
