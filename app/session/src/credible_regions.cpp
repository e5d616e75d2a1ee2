// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/credible_regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "armilla/core/error.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

// Means at kBorderNside or coarser, NESTED.
struct Coarse {
    int64_t nside = 0;
    std::vector<float> values;
};
Coarse coarseOf(const HealpixMap& map, int field) {
    Coarse coarse;
    coarse.nside = std::min(map.nside(), kBorderNside);
    const int64_t children = (map.nside() / coarse.nside) * (map.nside() / coarse.nside);
    const bool isMultiOrder = map.coverage() == Coverage::MultiOrder;
    const int deepest = isMultiOrder ? orderOf(map.nside()) : 0;
    std::vector<double> sums(static_cast<size_t>(pixelCount(coarse.nside)));
    const auto pixels = map.pixels();
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        const double value = map.field(field).at(i);
        if (!std::isfinite(value)) continue;
        const auto at = static_cast<size_t>(i);
        const int64_t pixel = map.coverage() == Coverage::Full ? i : pixels[at];
        const int64_t nested =
            map.ordering() == Ordering::Ring ? nestedFromRing(map.nside(), pixel) : pixel;
        // The size in pixels of the finest order; a wide cell covers several coarse pixels.
        const int64_t size =
            isMultiOrder ? int64_t{1} << (2 * (deepest - map.cellOrders()[at])) : 1;
        const double share =
            static_cast<double>(std::min(size, children)) / static_cast<double>(children);
        for (int64_t k = nested / children; k * children < nested + size; ++k)
            sums[static_cast<size_t>(k)] += value * share;
    }
    coarse.values.assign(sums.begin(), sums.end());
    return coarse;
}

std::vector<std::pair<Vec3, Vec3>> borderOf(const Coarse& coarse, float least, JobContext& job) {
    // Each row lists three of the eight neighbors SW, W, NW, N, NE, E, SE, S. First comes the
    // neighbor across a side, then the ends of that side among the corners N, W, S, E.
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

std::vector<CredibleOutline> credibleOutlines(const HealpixMap& map, int field,
                                              const std::vector<double>& shares, JobContext& job) {
    std::vector<CredibleRegion> regions;
    try {
        regions = credibleRegions(map, field, shares, job);
    } catch (const InvalidArgument&) {
        return {};
    }
    const bool hasBorder = isPowerOfTwoNside(map.nside());
    const Coarse coarse = hasBorder ? coarseOf(map, field) : Coarse{};
    std::vector<CredibleOutline> outlines;
    for (const CredibleRegion& region : regions) {
        CredibleOutline outline{region, {}};
        if (hasBorder) outline.border = borderOf(coarse, static_cast<float>(region.threshold), job);
        outlines.push_back(std::move(outline));
    }
    return outlines;
}

}  // namespace armilla
