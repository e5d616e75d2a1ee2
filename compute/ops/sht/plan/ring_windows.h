// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of rings in windows, for transforms that do not hold a whole map.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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

// Rings begin .. end - 1 of the northern half of a grid, to which the equator belongs.
struct RingRange {
    int begin = 0, end = 0;
};
RingRange northernHalf(const RingGrid& grid);
// What `range` costs in proportions of `shares`, ring by ring `cost(ring)`: as many ranges one
// after the other, or fewer if there are few rings; none empty.
std::vector<RingRange> dividedRings(RingRange range, std::span<const double> shares,
                                    const std::function<double(int ring)>& cost);
// With the mirror images.
RingWindow ringWindow(const RingGrid& grid, RingRange range);
// Rings that mirror each other about the equator, from the poles on; others stand alone: -1.
std::vector<std::pair<int, int>> mirroredPairs(const RingGrid& grid);
// Of pairs of rings, -1: no southern one, some that follow each other.
RingWindow ringWindow(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                      RingRange range);
int64_t samplesOf(const RingGrid& grid, RingRange range);
// `count` windows at most, none empty, of about equal numbers of samples; together the range.
std::vector<RingWindow> ringWindows(const RingGrid& grid, RingRange range, int count);

}  // namespace armilla
