// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of smoothing on pixels for a disc of the sky alone.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/sky_vector.h"
#include "ops/convolve.h"

namespace armilla {

// What is asked of a disc: its pixels' centers, within `radius` of `center`.
struct SkyDisc {
    Vec3 center{0.0, 0.0, 1.0};
    double radius = 0.0;
};
struct AroundRequest {
    const Kernel* kernel = nullptr;  // which ends where it is to end
    std::optional<int> lastL;        // by rings: where its B_l end
    Weights weights = Weights::Ring;
    Masked masked = Masked::Normalize;
    // The mean of each field over the whole sky, none where a pixel is bad.
    std::vector<std::optional<double>> means;
};
// The fields smoothed, on the pixels of the disc that the map covers: a partial map. Full and
// partial maps, of which only the rings within reach of the disc are held.
HealpixMap smoothAround(const HealpixMap& map, std::span<const int> fields, const SkyDisc& disc,
                        const AroundRequest& request, JobContext& job);

}  // namespace armilla
