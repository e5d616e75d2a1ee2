// SPDX-License-Identifier: GPL-3.0-or-later
// Replacement of map pixels by values interpolated from their surroundings.
#pragma once

#include <cstdint>
#include <span>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Counts of pixels of one inpainting.
struct Inpainting {
    int64_t pixels = 0;  // pixels with a new value
    int64_t alone = 0;   // pixels without a good pixel around them, left unchanged
};
// Gives new values in a field to the pixels whose centers lie within `radius` radians of a center.
// The result is the smoothest continuation of the surroundings: each new value is the mean of its
// eight neighbors. It solves the graph's Laplace equation with the edge as boundary condition, by
// conjugate gradients, to 1e-9 of the spread of the edge values. Bad pixels stay bad and take no
// part. `centers` are in the map's frame.
//
// Throws InvalidArgument for a multi-order map, a field that does not exist, or a negative radius;
// Cancelled, which leaves the field partly replaced. Cost: some hundred visits of each pixel of the
// discs. Test: tst_inpaint (a plane through a hole; the double loop).
Inpainting inpaintDiscs(HealpixMap& map, int field, std::span<const Vec3> centers, double radius,
                        JobContext& job);

}  // namespace armilla
