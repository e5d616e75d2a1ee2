// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of cells by the squares of a field (field_bins.h); used only by field_cuda.cuh.
#pragma once

#include "grid/field_sums_cuda.cuh"

namespace armilla::gridding {

// True if the position x, y relative to a square's or plot's corner is within the radius of the
// square or plot.
__device__ bool nearTo(const FieldBins& bins, double x, double y, double width) {
    const double dx = fmax(0.0, fmax(-x, x - width)), dy = fmax(0.0, fmax(-y, y - width));
    return dx * dx + dy * dy <= bins.radius * bins.radius;
}
// Calls body(square) for each square within the radius of a cell.
template <class Body>
__device__ void forSquaresOf(const FieldBins& bins, Vec3 cell, const Body& body) {
    if (!isfinite(cell.z)) return;
    const auto clamped = [&](double at, int most) {
        return static_cast<int>(fmin(fmax(floor(at * bins.perWidth), 0.0), most - 1.0));
    };
    const double x = cell.x - bins.startX, y = cell.y - bins.startY;
    const int right = clamped(x + bins.radius, bins.across),
              top = clamped(y + bins.radius, bins.down);
    for (int j = clamped(y - bins.radius, bins.down); j <= top; ++j)
        for (int i = clamped(x - bins.radius, bins.across); i <= right; ++i)
            if (nearTo(bins, x - i * bins.width, y - j * bins.width, bins.width))
                body(j * bins.across + i);
}
// `turned`: cells in the axes of the field.
__global__ void countSquaresKernel(const Vec3* cells, int64_t count, FieldBins bins, Vec3* turned,
                                   uint32_t* counts) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i <= count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        uint32_t found = 0;
        if (i < count) {
            turned[i] = bins.frame * cells[i];
            forSquaresOf(bins, turned[i], [&](int) { ++found; });
        }
        counts[i] = found;
    }
}
__global__ void listSquaresKernel(const Vec3* turned, int64_t count, FieldBins bins,
                                  const uint32_t* starts, uint16_t* squares, uint32_t* entries,
                                  uint32_t* cells) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        uint32_t at = starts[i];
        forSquaresOf(bins, turned[i], [&](int square) {
            squares[at] = static_cast<uint16_t>(square);
            cells[at] = static_cast<uint32_t>(i);
            entries[at] = at;
            ++at;
        });
    }
}
__device__ TileAxes axesOfSquare(const FieldBins& bins, int square) {
    const double x = bins.startX + (square % bins.across + 0.5) * bins.width,
                 y = bins.startY + (square / bins.across + 0.5) * bins.width;
    TileAxes axes{{x, y, FieldBins::heightOf(x, y)}, {}, {}};
    axesAt(axes.middle, axes.x, axes.y);
    return axes;
}
__global__ void axesKernel(FieldBins bins, TileAxes* axes) {
    const int b = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (b < bins.count()) axes[b] = axesOfSquare(bins, b);
}
// The plots of a square that may have samples for a cell, as bits.
__device__ uint16_t plotsNear(const FieldBins& bins, int square, Vec3 cell) {
    const double width = bins.width / kPlotsAcross;
    const double x = cell.x - bins.startX - square % bins.across * bins.width,
                 y = cell.y - bins.startY - square / bins.across * bins.width;
    unsigned near = 0;
    for (int p = 0; p < kPlots; ++p)
        if (nearTo(bins, x - p % kPlotsAcross * width, y - p / kPlotsAcross * width, width))
            near |= 1U << p;
    return static_cast<uint16_t>(near);
}
// `sorted`: the entries of cells, sorted by square.
__global__ void listCellsKernel(GridWeights kernel, FieldBins bins, const uint16_t* sortedSquares,
                                const uint32_t* sorted, int64_t count, const uint32_t* cells,
                                const Vec3* turned, const TileAxes* axes, TileCell<double>* listed,
                                uint16_t* plots, uint32_t* places, uint32_t* starts) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i <= count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const int before = i == 0 ? -1 : sortedSquares[i - 1];
        const int here = i == count ? bins.count() : sortedSquares[i];
        for (int b = before + 1; b <= here; ++b) starts[b] = static_cast<uint32_t>(i);
        if (i == count) continue;
        const Vec3 cell = turned[cells[sorted[i]]];
        listed[i] = tileCell(kernel, cell, axes[here]);
        plots[i] = plotsNear(bins, here, cell);
        places[sorted[i]] = static_cast<uint32_t>(i);
    }
}

}  // namespace armilla::gridding
