// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of rings in windows, for transforms that do not hold a whole map.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ops/ring_grid.h"

namespace armilla {

// Some northern rings and their mirror images, as a grid of their own: its samples are those of
// two runs of the whole map, one after the other (the second is empty if the runs meet).
struct RingWindow {
    struct Run {
        int64_t first = 0, count = 0;  // in the whole map
    };
    RingGrid grid;
    std::vector<int> rings;  // their numbers in the whole grid
    std::array<Run, 2> runs;
};

// `count` windows at most, none empty, of about equal numbers of samples; together the whole grid.
std::vector<RingWindow> ringWindows(const RingGrid& grid, int count);

}  // namespace armilla
