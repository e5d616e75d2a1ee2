// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of a picture's row in batches: the cell of the faces under each of them and the level of
// the pyramid that it is drawn from, by the vector instructions of the processor.
#pragma once

#include <cstdint>

#include "armilla/core/view_geometry.h"

namespace armilla {

// Structure of arrays. A batch stays in the first cache.
struct RowBatch {
    static constexpr int kMost = 128;

    int count = 0;
    int column[kMost];                                // column in the picture
    alignas(64) double x[kMost], y[kMost], z[kMost];  // direction in the view frame
    alignas(64) double footprint[kMost];              // radians
    // Results of cellsUnder.
    alignas(64) int32_t cell[kMost];  // (face * nside + y) * nside + x
    alignas(64) float level[kMost];   // as pyramidLevel computes it, before it is clamped
};

// Cells are counted in 32 bits.
constexpr int64_t kMostBatchNside = int64_t{1} << 13;

// Fills `cell` with the very cells that faceFromDirection gives for skyFromView * direction, and
// `level` with the binary logarithm that pyramidLevel takes, within 4e-7 (tst_image_renderer).
// Entries behind `count`, up to kMost, are overwritten.
void cellsUnder(const Mat3& skyFromView, int64_t nside, RowBatch& batch);

// Replaces the plane's x in `footprint` by radiansPerPixel * footprintScale() in a row of
// Mollweide's projection, with the same bits.
void mollweideFootprints(const PlaneRow& row, double radiansPerPixel, RowBatch& batch);

}  // namespace armilla
