// SPDX-License-Identifier: GPL-3.0-or-later
// Steps from one base face of HEALPix to its neighbor. Host and device.
#pragma once

#include "armilla/core/pixel_geometry.h"

namespace armilla {

// Moves a pixel that lies at most one step beyond the edges of its face to the face that contains
// the pixel. Face -1 where only three faces meet. Rows of faces: 0..3 north, 4..7 equator, 8..11
// south (Gorski et al., figure 4). Test: tst_pixel_queries (neighbors against HEALPix C++).
ARMILLA_HD inline FacePixel onItsFace(int64_t nside, FacePixel at) {
    const int64_t last = nside - 1;
    const int stepX = at.x < 0 ? -1 : (at.x > last ? 1 : 0);
    const int stepY = at.y < 0 ? -1 : (at.y > last ? 1 : 0);
    if (stepX == 0 && stepY == 0) return at;
    const int row = at.face / 4, column = at.face & 3;
    const int east = (column + 1) & 3, west = (column + 3) & 3;
    if (stepX != 0 && stepY != 0) {
        if (stepX != stepY) {  // east and west corners: four faces meet on the equator only
            if (row != 1) return {-1, 0, 0};
            if (stepX > 0) return {4 + east, 0, last};
            return {4 + west, last, 0};
        }
        if (row == 1) return {-1, 0, 0};  // north and south corners of equatorial faces
        const bool north = stepX > 0;
        if (north == (row == 0)) {  // over the pole
            const int64_t corner = north ? last : 0;
            return {4 * row + ((column + 2) & 3), corner, corner};
        }
        const int64_t corner = north ? 0 : last;
        return {4 * (2 - row) + column, corner, corner};
    }
    if (row == 0 && stepX > 0) return {east, at.y, last};
    if (row == 0 && stepY > 0) return {west, last, at.x};
    if (row == 2 && stepX < 0) return {8 + west, at.y, 0};
    if (row == 2 && stepY < 0) return {8 + east, 0, at.x};
    // Across the other edges, x and y keep their directions.
    const int64_t x = stepX == 0 ? at.x : (stepX > 0 ? 0 : last);
    const int64_t y = stepY == 0 ? at.y : (stepY > 0 ? 0 : last);
    if (row == 0) return {4 + (stepX < 0 ? column : east), x, y};
    if (row == 2) return {4 + (stepX > 0 ? east : column), x, y};
    if (stepX > 0) return {column, x, y};
    if (stepY > 0) return {west, x, y};
    return {8 + (stepX < 0 ? west : column), x, y};
}

// The neighbor with index `number` in the order SW, W, NW, N, NE, E, SE, S, as in HEALPix C++.
ARMILLA_HD inline FacePixel neighborOf(int64_t nside, FacePixel at, int number) {
    const int stepX = number == 0 || number == 1 || number == 7 ? -1
                      : number == 2 || number == 6              ? 0
                                                                : 1;
    const int stepY = number == 0 || number == 4 ? 0 : number >= 1 && number <= 3 ? 1 : -1;
    return onItsFace(nside, {at.face, at.x + stepX, at.y + stepY});
}

}  // namespace armilla
