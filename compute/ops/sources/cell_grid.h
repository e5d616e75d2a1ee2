// SPDX-License-Identifier: GPL-3.0-or-later
// Values on coarse cells, interpolated to pixels. Host and device.
//
// Cells are the pixels of a NESTED grid of a power of two. A pixel of any nside belongs to the cell
// that contains its center on the face, whether or not one nside divides the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/hd.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla::sources {

// Samples per cell for its rms: accuracy 2.7 %, better than the limit set by the hundred or so
// beams in a cell.
inline constexpr int64_t kSamplesPerCell = 700;
inline constexpr int kMostSamples = 2 * static_cast<int>(kSamplesPerCell);
inline constexpr int kLeastSamples = 24;
// Clipping limit in sigma, and the variance of clipped normal deviates; the median of their |x|.
inline constexpr double kClip = 3.0;
inline constexpr double kClippedVariance = 0.9733369246625415;
inline constexpr double kMedianDistance = 0.6744897501960817;
inline constexpr int kClipPasses = 10;
inline constexpr double kClipSettled = 1e-3;

// The first pixel along a side of a face whose center lies in cell `cell` of that side:
// x + 1/2 >= cell nside / coarse.
ARMILLA_HD inline int64_t firstOfCell(int64_t nside, int64_t coarse, int64_t cell) {
    return (2 * cell * nside + coarse - 1) / (2 * coarse);
}

// The pixels of a cell, and its samples: every `stride`-th pixel, row after row.
struct CellBox {
    int face = 0;
    int64_t x = 0, y = 0, width = 0, height = 0, stride = 1;
    ARMILLA_HD int64_t samples() const { return (width * height + stride - 1) / stride; }
    ARMILLA_HD FacePixel sample(int64_t number) const {
        const int64_t place = number * stride;
        return {face, x + place % width, y + place / width};
    }
};
ARMILLA_HD inline CellBox cellBox(int64_t nside, int64_t coarse, int64_t cell) {
    const FacePixel at = faceFromNested(coarse, cell);
    CellBox box;
    box.face = at.face;
    box.x = firstOfCell(nside, coarse, at.x);
    box.y = firstOfCell(nside, coarse, at.y);
    box.width = firstOfCell(nside, coarse, at.x + 1) - box.x;
    box.height = firstOfCell(nside, coarse, at.y + 1) - box.y;
    const int64_t stride = box.width * box.height / kSamplesPerCell;
    box.stride = stride > 1 ? stride : 1;
    return box;
}

// Face after face of (coarse + 2)^2 values: the cells of the face, surrounded by one row of
// adjacent cells.
struct CellGrid {
    int64_t nside = 1, coarse = 1;
    const double* values = nullptr;
};
// The four values around a position among the centers of cells.
struct CellCorners {
    double low, lowSlope, high, highSlope;
};
// The values at (i, j) and beyond, in cells of the bordered face.
ARMILLA_HD inline CellCorners cornersAt(const CellGrid& grid, int face, int64_t i, int64_t j) {
    const int64_t width = grid.coarse + 2;
    const double* row = grid.values + (face * width + j) * width + i;
    return {row[0], row[1] - row[0], row[width], row[width + 1] - row[width]};
}
// Bilinear interpolation: s to the right, t up, from 0 to 1.
ARMILLA_HD inline double between(const CellCorners& c, double s, double t) {
    const double low = c.low + s * c.lowSlope, high = c.high + s * c.highSlope;
    return low + t * (high - low);
}
// Position of a pixel's center among the centers of cells, along one side of a face.
ARMILLA_HD inline double placeAmongCells(const CellGrid& grid, int64_t x) {
    const double cells = static_cast<double>(grid.coarse) / static_cast<double>(grid.nside);
    return (static_cast<double>(x) + 0.5) * cells + 0.5;
}
// Bilinear interpolation between the centers of cells on the face; continuous across the edges of
// faces, whose cells are adjacent.
ARMILLA_HD inline double interpolated(const CellGrid& grid, FacePixel at) {
    const double u = placeAmongCells(grid, at.x), v = placeAmongCells(grid, at.y);
    const auto i = static_cast<int64_t>(u), j = static_cast<int64_t>(v);
    return between(cornersAt(grid, at.face, i, j), u - static_cast<double>(i),
                   v - static_cast<double>(j));
}
// interpolated() for `count` pixels of a ring, along which x increases and y decreases by one.
void interpolateRun(const CellGrid& grid, FacePixel first, int64_t count, double* values);

// Bordered faces from values in NESTED order. At points with only three faces, the missing cell is
// the mean of its two neighbors.
std::vector<double> facesWithEdges(int64_t coarse, std::span<const double> cells);

}  // namespace armilla::sources
