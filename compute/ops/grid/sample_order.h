// SPDX-License-Identifier: GPL-3.0-or-later
// The pre-ordering of gridding on the CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "ops/grid.h"
#include "shared/sample_bins.h"

namespace armilla {

// A cap that holds all cells that are on the sky; none where their center is in the middle of the
// sphere.
struct CellCap {
    Vec3 middle;
    double reach = 0.0;  // angle to the farthest cell
};
std::optional<CellCap> capOfCells(std::span<const Vec3> cells, JobContext& job);

// Bins a third of the radius in size: finer ones fit the disc better, but make shorter runs.
inline constexpr double kBinsInRadius = 3.0;
// Bins for cells that gather from within `radius`: pixels a fraction of it, rings from the
// northernmost cell's reach to the southernmost one's, keys below 2^32 - 1. No rings (lastRing
// before firstRing) if no cell is on the sky.
SampleBins sampleBins(std::span<const Vec3> cells, double radius, JobContext& job,
                      double binsInRadius = kBinsInRadius);

// Where a row of the table lies, in the frame of the cells. Throws nothing: positions that are not
// finite come out so.
inline Vec3 sampleDirection(const GridSamples& samples, int64_t row) {
    const auto i = static_cast<size_t>(row);
    return samples.targetFromSamples *
           direction({samples.lon[i] * samples.lonUnit, samples.lat[i] * samples.latUnit});
}
// What is wrong with a position: throws InvalidArgument with the row.
[[noreturn]] void refusePosition(const GridSamples& samples, int64_t row);

struct OrderedSamples {
    SampleBins bins;
    std::vector<uint32_t> keys, rows;      // (used): bin, and row in the table
    std::vector<int64_t> ringStart;        // (rings + 1)
    std::vector<uint32_t> binStart;        // (keys + 1), or empty where bins are many
    std::vector<double> x, y, z, weights;  // (used + padding, or more); weights empty: all 1
    std::vector<double> spare;             // room for as many; between calls anybody's
    int64_t used = 0, bad = 0, outside = 0;

    BinnedSamples binned() const {
        return {bins, keys.data(), ringStart.data(), binStart.empty() ? nullptr : binStart.data()};
    }
    // Values in the order of the table to that of the samples, with room for a vector behind.
    void sortInto(std::span<const double> values, std::vector<double>& sorted,
                  JobContext& job) const;
};
// Sorted by key, equal keys by row: a radix sort from the lowest digit, in blocks whose borders do
// not depend on the number of threads. `result` keeps the memory that it has. At most 52 bytes a
// sample at a time, and 8 more with weights.
void orderSamples(const GridSamples& samples, const SampleBins& bins, OrderedSamples& result,
                  JobContext& job);

}  // namespace armilla
