// SPDX-License-Identifier: GPL-3.0-or-later
// Ordering of samples for gridding on the CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/grid.h"
#include "shared/sample_bins.h"

namespace armilla {

// A cap that contains all cells on the sky; none if their mean is the middle of the sphere.
struct CellCap {
    Vec3 middle;
    double reach = 0.0;  // angle to the farthest cell
};
std::optional<CellCap> capOfCells(std::span<const Vec3> cells, JobContext& job);

// Bins of a third of the radius in size: smaller ones fit the disc better, but make shorter runs.
inline constexpr double kBinsInRadius = 3.0;
// Bins for cells with kernel radius `radius`: pixels of a fraction of the radius, rings from the
// northernmost cell's reach to the southernmost one's, keys below 2^32 - 1. Without cells on the
// sky there are no rings (lastRing before firstRing).
SampleBins sampleBins(std::span<const Vec3> cells, double radius, JobContext& job,
                      double binsInRadius = kBinsInRadius);

// Direction of a row of the table in the frame of the cells. Does not throw; positions that are not
// finite give such directions.
inline Vec3 sampleDirection(const GridSamples& samples, int64_t row) {
    const auto i = static_cast<size_t>(row);
    return samples.targetFromSamples *
           direction({samples.lon[i] * samples.lonUnit, samples.lat[i] * samples.latUnit});
}
// Throws InvalidArgument with the row and the reason why its position is invalid.
[[noreturn]] void refusePosition(const GridSamples& samples, int64_t row);

struct OrderedSamples {
    SampleBins bins;
    std::vector<uint32_t> keys, rows;      // (used): bin, and row in the table
    std::vector<int64_t> ringStart;        // (rings + 1)
    std::vector<uint32_t> binStart;        // (keys + 1); empty if there are many bins
    std::vector<double> x, y, z, weights;  // (used + padding, or more); empty weights are all 1
    // scratch of the same size; contents undefined between calls
    std::vector<double> spare;
    int64_t used = 0, bad = 0, outside = 0;

    BinnedSamples binned() const {
        return {bins, keys.data(), ringStart.data(), binStart.empty() ? nullptr : binStart.data()};
    }
    // Sorts values from the order of the table to the order of the samples, with padding for one
    // vector.
    void sortInto(std::span<const double> values, std::vector<double>& sorted,
                  JobContext& job) const;
};
// Sorts by key, equal keys by row: a radix sort from the lowest digit, in blocks whose borders do
// not depend on the number of threads. `result` keeps its allocated memory. Peak memory is 52 bytes
// a sample, plus 8 with weights.
void orderSamples(const GridSamples& samples, const SampleBins& bins, OrderedSamples& result,
                  JobContext& job);

}  // namespace armilla
