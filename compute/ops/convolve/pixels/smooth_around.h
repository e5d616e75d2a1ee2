// SPDX-License-Identifier: GPL-3.0-or-later
// The smoothing methods on pixels for a disc of the sky alone.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/convolve.h"

namespace armilla {

// The disc: pixels with centers within `radius` (radians) of `center`.
struct SkyDisc {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = 0.0;
};
struct AroundRequest {
    const Kernel* kernel = nullptr;  // already truncated
    std::optional<int> lastL;        // for ring sums: the last l of its B_l
    Weights weights = Weights::Ring;
    Masked masked = Masked::Normalize;
    // The mean of each field over the whole sky, none if a pixel is bad.
    std::vector<std::optional<double>> means;
};
// The smoothed fields on the pixels of the disc that the map covers: a partial map. For full and
// partial maps, of which only the rings within reach of the disc are read.
HealpixMap smoothAround(const HealpixMap& map, std::span<const int> fields, const SkyDisc& disc,
                        const AroundRequest& request, JobContext& job);

}  // namespace armilla
