// SPDX-License-Identifier: GPL-3.0-or-later
// Cells that gather samples.
#pragma once

#include <optional>
#include <vector>

#include "armilla/io/image_file.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/operation.h"
#include "grid_options.h"
#include "grid_samples.h"

namespace armilla {

struct GridTarget {
    Frame frame = Frame::Unknown;
    double cellSize = 0.0;    // radians; 0 for sight lines
    std::vector<Vec3> cells;  // NaN off the sky
    ImageGrid image;          // for an image
    int64_t nside = 0;        // for a map, whose cells are the RING pixels listed here
    std::vector<int64_t> pixels;
};

// Target of an image or sight lines; for a map, all but the cells. Throws InvalidArgument, IoError.
GridTarget gridTarget(const GridOptions& options, const Input* sightlines,
                      const NamedFrame& samples, std::optional<StatedFrame> statedFrame,
                      JobContext& job);
// Fills in the pixels of a map that samples may reach.
void fillPixelsNear(GridTarget& target, const std::vector<GridTable>& tables, double radius,
                    JobContext& job);
// The centers of the listed pixels of a map as cells.
void placePixels(GridTarget& target, JobContext& job);

}  // namespace armilla
