// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid/field_bins.h"

#include <algorithm>
#include <vector>

#include "grid/sample_order.h"

namespace armilla {

namespace {

// Orthogonal axes with `middle` as the third; the first points east.
Mat3 frameAt(Vec3 middle) {
    const Vec3 pole = std::fabs(middle.z) < 0.99 ? Vec3{0.0, 0.0, 1.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 east = normalized(cross(pole, middle)), north = cross(middle, east);
    return {{east.x, east.y, east.z, north.x, north.y, north.z, middle.x, middle.y, middle.z}};
}

struct Rectangle {
    double left = 2.0, right = -2.0, bottom = 2.0, top = -2.0;
    int64_t cells = 0;

    void add(const Rectangle& other) {
        left = std::min(left, other.left);
        right = std::max(right, other.right);
        bottom = std::min(bottom, other.bottom);
        top = std::max(top, other.top);
        cells += other.cells;
    }
};
Rectangle around(std::span<const Vec3> cells, const Mat3& frame, JobContext& job) {
    constexpr int64_t kBlock = int64_t{1} << 14;
    const auto count = static_cast<int64_t>(cells.size());
    std::vector<Rectangle> found(static_cast<size_t>((count + kBlock - 1) / kBlock));
    parallelFor(job, count, kBlock, [&](long long begin, long long end) {
        Rectangle& own = found[static_cast<size_t>(begin / kBlock)];
        for (long long i = begin; i < end; ++i) {
            const Vec3 at = frame * cells[static_cast<size_t>(i)];
            if (std::isfinite(at.z)) own.add({at.x, at.x, at.y, at.y, 1});
        }
    });
    Rectangle all;
    for (const Rectangle& one : found) all.add(one);
    return all;
}

}  // namespace

std::optional<FieldBins> fieldBins(std::span<const Vec3> cells, double radius, JobContext& job) {
    constexpr double kFarthest = 50.0 * kDegree, kWidest = 2.0;
    const std::optional<CellCap> cap = capOfCells(cells, job);
    FieldBins bins;
    // Squares, like positions of cells, are exact to rounding of 1e-16.
    bins.radius = 2.0 * std::sin(0.5 * radius) * (1.0 + 1e-6) + 1e-14;
    // The middle of every square with samples for a cell lies within the radius plus half a
    // diagonal.
    if (!cap || cap->reach + (1.0 + kWidest / std::sqrt(2.0)) * bins.radius > kFarthest)
        return std::nullopt;
    bins.frame = frameAt(cap->middle);
    const Rectangle all = around(cells, bins.frame, job);
    bins.startX = all.left - bins.radius;
    bins.startY = all.bottom - bins.radius;
    const double right = all.right + bins.radius, top = all.top + bins.radius;
    for (bins.width = bins.radius; bins.width < kWidest * bins.radius; bins.width *= 1.05) {
        bins.perWidth = 1.0 / bins.width;
        const double across = std::floor((right - bins.startX) * bins.perWidth) + 1.0,
                     down = std::floor((top - bins.startY) * bins.perWidth) + 1.0;
        if (across * down > kMostSquares) continue;
        bins.across = static_cast<int>(across);
        bins.down = static_cast<int>(down);
        bins.cells = all.cells;
        return bins;
    }
    return std::nullopt;
}

bool squaresSuit(int64_t samples, int64_t squares, int64_t cellsInReach) {
    // With fewer samples per square, the sums that each square writes dominate the cost.
    constexpr int64_t kSamplesOfSquare = 32;
    // Gridding 1e7 samples by squares and by tiles takes 0.38 and 0.81 ms with 27 cells in reach,
    // 7.8 and 11.1 ms with 690, and 31 and 42 ms with 2700 (H200). The memory for sums grows with
    // the number of cells in reach. At this limit the sums take 27 bytes a sample (field_cuda.cuh),
    // the reserve of rowsOfPiece().
    constexpr int64_t kMostInReach = 1024;
    return samples >= kSamplesOfSquare * squares && cellsInReach <= kMostInReach;
}

}  // namespace armilla
