// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/cell_grid.h"

#include "core/face_neighbors.h"

namespace armilla::sources {

std::vector<double> facesWithRims(int64_t coarse, std::span<const double> cells) {
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

}  // namespace armilla::sources
