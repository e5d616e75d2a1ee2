// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of rings in windows, for transforms that do not hold a complete map.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sample_run.h"

namespace armilla {

// Some rings of a grid, as a separate grid: its samples are those of some runs of the complete map,
// stored contiguously.
struct RingWindow {
    RingGrid grid;
    std::vector<int> rings;  // ring numbers in the complete grid
    std::vector<SampleRun> runs;
};

// Rings begin .. end - 1 of the northern half of a grid, which includes the equator.
struct RingRange {
    int begin = 0, end = 0;
};

// A set of numbers, of pairs of rings or of latitudes, as ascending runs. No run is empty or
// adjacent to another. Each number has a place in the set, from 0 on.
class RingRuns {
public:
    struct Run {
        int begin = 0, end = 0;
        int place = 0;  // place of `begin`
    };
    RingRuns() = default;
    // Empty ranges are dropped; ranges that touch or overlap are merged. A range must not begin
    // before an earlier one that it does not touch.
    explicit RingRuns(std::span<const RingRange> ranges);

    auto begin() const { return runs_.begin(); }
    auto end() const { return runs_.end(); }
    int count() const {
        return runs_.empty() ? 0 : runs_.back().place + runs_.back().end - runs_.back().begin;
    }
    // Count of the set's numbers below `number`: its place, if it is in the set.
    int before(int number) const {
        int sum = 0;
        for (const Run& run : runs_) sum += std::clamp(number, run.begin, run.end) - run.begin;
        return sum;
    }
    bool has(int number) const { return before(number + 1) > before(number); }
    // The number at a place.
    int at(int place) const {
        size_t i = runs_.size() - 1;
        while (runs_[i].place > place) --i;
        return runs_[i].begin + place - runs_[i].place;
    }
    // The numbers at places begin .. end - 1.
    RingRuns part(RingRange places) const;

private:
    std::vector<Run> runs_;
};

RingRange northernHalf(const RingGrid& grid);
// Divides `range` into contiguous ranges of cost proportional to `shares`, where a ring costs
// `cost(ring)`. There are fewer ranges than shares if there are few rings; no range is empty.
std::vector<RingRange> dividedRings(RingRange range, std::span<const double> shares,
                                    const std::function<double(int ring)>& cost);
// The rings of `range` and their mirror images.
RingWindow ringWindow(const RingGrid& grid, RingRange range);
// Pairs of rings that mirror each other about the equator, from the poles on; -1 for a ring without
// an image.
std::vector<std::pair<int, int>> mirroredPairs(const RingGrid& grid);
// From pairs of rings (-1: no southern one) the pairs with these numbers: the northern rings, then
// the southern ones, from north to south.
RingWindow ringWindow(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                      const RingRuns& numbers);
int64_t samplesOf(const RingGrid& grid, RingRange range);
// At most `count` windows that together are the range, none empty, with about equal numbers of
// samples.
std::vector<RingWindow> ringWindows(const RingGrid& grid, RingRange range, int count);

}  // namespace armilla
