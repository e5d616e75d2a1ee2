// SPDX-License-Identifier: GPL-3.0-or-later
// The cells that samples are gathered in.
#pragma once

#include <optional>
#include <vector>

#include "grid_options.h"
#include "grid_samples.h"
#include "io/image_file.h"
#include "operations/common_frame.h"
#include "operations/operation.h"

namespace armilla {

struct GridTarget {
    Frame frame = Frame::Unknown;
    double cellSize = 0.0;    // radians; 0: sight lines have none
    std::vector<Vec3> cells;  // NaN off the sky
    ImageGrid image;          // of an image
    int64_t nside = 0;        // of a map; its cells are the RING pixels listed here
    std::vector<int64_t> pixels;
};

// Images and sight lines; of a map all but the cells. Throws InvalidArgument, IoError.
GridTarget gridTarget(const GridOptions& options, const Input* sightlines,
                      const NamedFrame& samples, std::optional<StatedFrame> statedFrame,
                      JobContext& job);
// The pixels of a map that samples may reach.
void fillPixelsNear(GridTarget& target, const std::vector<GridTable>& tables, double radius,
                    JobContext& job);

}  // namespace armilla
