// SPDX-License-Identifier: GPL-3.0-or-later
// Inner loops of gridding on the CPU, compiled for each instruction set (gather_simd.cpp).
#pragma once

#include <cstdint>
#include <span>

#include "armilla/core/sky_vector.h"
#include "shared/grid_weight.h"
#include "shared/sample_bins.h"

namespace armilla {

// Padding elements at the end of sample arrays, which vector loads read and ignore.
inline constexpr int64_t kGatherPadding = 8;

// Sorted samples.
struct GatherSamples {
    const double *x = nullptr, *y = nullptr, *z = nullptr;
    const double* weights = nullptr;  // null: all 1
};
// A cell's center and, for elliptical kernels, the directions north and east at the center.
struct GatherCell {
    Vec3 at, north, east;
};
inline GatherCell gatherCell(Vec3 at) {
    const double s = std::hypot(at.x, at.y);
    // At a pole, the meridian of longitude 0 applies.
    const double c = s > 0.0 ? at.x / s : 1.0, d = s > 0.0 ? at.y / s : 0.0;
    return {at, {-at.z * c, -at.z * d, s}, {-d, c, 0.0}};
}
struct GatherSum {
    double values = 0.0, weights = 0.0;
    int64_t count = 0;
};

// Sums over runs of samples; `values` in the order of the samples, with padding. Values that are
// not finite are skipped.
GatherSum gatherOne(const GridWeights& kernel, const GatherSamples& samples, const GatherCell& cell,
                    std::span<const SortedRun> runs, const double* values);
// Finds the samples within the radius: products of sample weight and kernel, and positions in the
// order of samples. Returns their number. `weights` and `which` must hold all samples of the runs
// plus padding.
int64_t gatherPairs(const GridWeights& kernel, const GatherSamples& samples, const GatherCell& cell,
                    std::span<const SortedRun> runs, double* weights, uint32_t* which);
// sums[c] += weights[i] * values[rows[i] * width + c] for c in [0, channels).
inline constexpr int kGatherChannels = 32;
void addChannels(const double* weights, const uint32_t* rows, int64_t count, const double* values,
                 int64_t width, int channels, double* sums);
void addChannels(const double* weights, const uint32_t* rows, int64_t count, const float* values,
                 int64_t width, int channels, double* sums);

}  // namespace armilla
