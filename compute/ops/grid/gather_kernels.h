// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of gridding on the CPU, compiled for each instruction set (gather_simd.cpp).
#pragma once

#include <cstdint>
#include <span>

#include "core/sky_vector.h"
#include "shared/grid_weight.h"
#include "shared/sample_bins.h"

namespace armilla {

// Arrays of samples have so many elements behind their end, which are read and not used.
inline constexpr int64_t kGatherPadding = 8;

// Sorted samples.
struct GatherSamples {
    const double *x = nullptr, *y = nullptr, *z = nullptr;
    const double* weights = nullptr;  // all 1 if null
};
// A cell's center and, for elliptical kernels, the directions to the north and the east there.
struct GatherCell {
    Vec3 at, north, east;
};
inline GatherCell gatherCell(Vec3 at) {
    const double s = std::hypot(at.x, at.y);
    // At a pole the meridian is that of longitude 0.
    const double c = s > 0.0 ? at.x / s : 1.0, d = s > 0.0 ? at.y / s : 0.0;
    return {at, {-at.z * c, -at.z * d, s}, {-d, c, 0.0}};
}
struct GatherSum {
    double values = 0.0, weights = 0.0;
    int64_t count = 0;
};

// Sums over runs of samples; `values` in the order of the samples, with padding. Not finite: left
// out.
GatherSum gatherOne(const GridWeights& kernel, const GatherSamples& samples, const GatherCell& cell,
                    std::span<const SortedRun> runs, const double* values);
// The samples within the radius: their weights times kernel, and their places in the order.
// Returns how many; `weights` and `which` have room for all samples of the runs and padding.
int64_t gatherPairs(const GridWeights& kernel, const GatherSamples& samples, const GatherCell& cell,
                    std::span<const SortedRun> runs, double* weights, uint32_t* which);
// sums[c] += weights[i] * values[rows[i] * width + c] for c in [0, channels).
inline constexpr int kGatherChannels = 32;
void addChannels(const double* weights, const uint32_t* rows, int64_t count, const double* values,
                 int64_t width, int channels, double* sums);
void addChannels(const double* weights, const uint32_t* rows, int64_t count, const float* values,
                 int64_t width, int channels, double* sums);

}  // namespace armilla
