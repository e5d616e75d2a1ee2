// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/cell_grid.h"

#include <algorithm>

#include "armilla/core/face_neighbors.h"

namespace armilla::sources {

std::vector<double> facesWithEdges(int64_t coarse, std::span<const double> cells) {
    const int64_t width = coarse + 2;
    std::vector<double> faces(static_cast<size_t>(12 * width * width));
    for (int face = 0; face < 12; ++face) {
        const auto place = [&](int64_t i, int64_t j) -> double& {
            return faces[static_cast<size_t>((face * width + j) * width + i)];
        };
        for (int64_t j = 0; j < width; ++j)
            for (int64_t i = 0; i < width; ++i) {
                const FacePixel at = onItsFace(coarse, {face, i - 1, j - 1});
                if (at.face >= 0)
                    place(i, j) = cells[static_cast<size_t>(nestedFromFace(coarse, at))];
            }
        for (const int64_t i : {int64_t{0}, width - 1})
            for (const int64_t j : {int64_t{0}, width - 1})
                if (onItsFace(coarse, {face, i - 1, j - 1}).face < 0) {
                    const int64_t inI = i == 0 ? 1 : i - 1, inJ = j == 0 ? 1 : j - 1;
                    place(i, j) = 0.5 * (place(inI, j) + place(i, inJ));
                }
    }
    return faces;
}

void interpolateRun(const CellGrid& grid, FacePixel first, int64_t count, double* values) {
    const double cells = static_cast<double>(grid.coarse) / static_cast<double>(grid.nside);
    for (int64_t k = 0; k < count;) {
        // A run crosses few cells; within one cell the four values are constant.
        const double u = placeAmongCells(grid, first.x + k), v = placeAmongCells(grid, first.y - k);
        const auto i = static_cast<int64_t>(u), j = static_cast<int64_t>(v);
        const double s = u - static_cast<double>(i), t = v - static_cast<double>(j);
        const auto toRight = static_cast<int64_t>((1.0 - s) / cells);
        const auto toLow = static_cast<int64_t>(t / cells);
        const int64_t length = std::min(count - k, std::min(toRight, toLow) + 1);
        const CellCorners corners = cornersAt(grid, first.face, i, j);
        for (int64_t n = 0; n < length; ++n) {
            const double step = static_cast<double>(n) * cells;
            values[k + n] = between(corners, s + step, t - step);
        }
        k += length;
    }
}

}  // namespace armilla::sources
