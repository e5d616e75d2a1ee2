// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/credible_regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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

using Piece = std::pair<Vec3, Vec3>;

// Marching squares between the centers of the pixels around one corner: four, or three at eight
// corners of the sphere. The mean of the four resolves a saddle.
void crossCorner(const Coarse& coarse, std::span<const int64_t> around, float level,
                 std::vector<Piece>& border) {
    const auto valueOf = [&](size_t i) { return coarse.values[static_cast<size_t>(around[i])]; };
    std::array<Vec3, 4> crossings;
    size_t count = 0;
    for (size_t i = 0; i < around.size(); ++i) {
        const size_t next = (i + 1) % around.size();
        const float a = valueOf(i), b = valueOf(next);
        if ((a >= level) == (b >= level)) continue;
        const double t = (static_cast<double>(level) - a) / (static_cast<double>(b) - a);
        crossings[count++] = normalized((1.0 - t) * directionFromNested(coarse.nside, around[i]) +
                                        t * directionFromNested(coarse.nside, around[next]));
    }
    if (count == 2) border.emplace_back(crossings[0], crossings[1]);
    if (count != 4) return;
    // Each piece cuts off one pixel: those unlike the middle.
    const float middle = 0.25F * (valueOf(0) + valueOf(1) + valueOf(2) + valueOf(3));
    const bool isFirstCut = (valueOf(0) >= level) != (middle >= level);
    const size_t shift = isFirstCut ? 3 : 0;
    for (const size_t i : {size_t{0}, size_t{2}})
        border.emplace_back(crossings[(i + shift) % 4], crossings[(i + shift + 1) % 4]);
}

std::vector<Piece> borderOf(const Coarse& coarse, float level, JobContext& job) {
    // The neighbors SW, W, NW, N, NE, E, SE, S that meet at the corners N, W, S, E, in a circle.
    constexpr size_t kCorners[4][3] = {{4, 3, 2}, {2, 1, 0}, {0, 7, 6}, {6, 5, 4}};
    std::vector<Piece> border;
    const auto isInside = [&](int64_t pixel) {
        return coarse.values[static_cast<size_t>(pixel)] >= level;
    };
    for (int64_t pixel = 0; pixel < std::ssize(coarse.values); ++pixel) {
        if ((pixel & 0xffff) == 0) job.poll();
        if (!isInside(pixel)) continue;
        const auto neighbor = neighbors(coarse.nside, Ordering::Nested, pixel);
        for (const auto& corner : kCorners) {
            std::array<int64_t, 4> around{pixel};
            size_t count = 1;
            for (const size_t each : corner)
                if (neighbor[each] >= 0) around[count++] = neighbor[each];
            const std::span meeting(around.data(), count);
            // A corner belongs to the first of its pixels inside.
            const bool isFirst = std::all_of(meeting.begin(), meeting.end(), [&](int64_t other) {
                return other >= pixel || !isInside(other);
            });
            if (isFirst) crossCorner(coarse, meeting, level, border);
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
