// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of rings in windows, for transforms that do not hold a whole map.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ops/ring_grid.h"
#include "ops/sample_run.h"

namespace armilla {

// Some rings of a grid, as a grid of their own: its samples are those of some runs of the whole
// map, one after the other.
struct RingWindow {
    RingGrid grid;
    std::vector<int> rings;  // their numbers in the whole grid
    std::vector<SampleRun> runs;
};

// Rings begin .. end - 1 of the northern half of a grid, to which the equator belongs.
struct RingRange {
    int begin = 0, end = 0;
};

// Some numbers, of pairs of rings or of latitudes, as ascending runs, none empty and none next to
// another. Each has a place among them, from 0 on.
class RingRuns {
public:
    struct Run {
        int begin = 0, end = 0;
        int place = 0;  // of `begin`
    };
    RingRuns() = default;
    // Empty ones are left out; those that touch or overlap become one. None begins before one that
    // it does not touch.
    explicit RingRuns(std::span<const RingRange> ranges);

    auto begin() const { return runs_.begin(); }
    auto end() const { return runs_.end(); }
    int count() const {
        return runs_.empty() ? 0 : runs_.back().place + runs_.back().end - runs_.back().begin;
    }
    // How many are below `number`: the place of one of them.
    int before(int number) const {
        int sum = 0;
        for (const Run& run : runs_) sum += std::clamp(number, run.begin, run.end) - run.begin;
        return sum;
    }
    bool has(int number) const { return before(number + 1) > before(number); }
    // The one at a place.
    int at(int place) const {
        size_t i = runs_.size() - 1;
        while (runs_[i].place > place) --i;
        return runs_[i].begin + place - runs_[i].place;
    }
    // Those at places begin .. end - 1.
    RingRuns part(RingRange places) const;

private:
    std::vector<Run> runs_;
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
// Of pairs of rings, -1: no southern one, those of some numbers: the northern rings, then the
// southern ones, from north to south.
RingWindow ringWindow(const RingGrid& grid, std::span<const std::pair<int, int>> pairs,
                      const RingRuns& numbers);
int64_t samplesOf(const RingGrid& grid, RingRange range);
// `count` windows at most, none empty, of about equal numbers of samples; together the range.
std::vector<RingWindow> ringWindows(const RingGrid& grid, RingRange range, int count);

}  // namespace armilla
