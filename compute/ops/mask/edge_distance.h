// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of pixels to the nearest target pixel of a map.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

namespace armilla::mask {

struct DistanceRequest {
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;
    // Limit in radians; greater distances are returned as pi.
    double limit = 0.0;
    // True if a pixel is a target; must be thread-safe.
    std::function<bool(int64_t pixel)> isTarget;
};

// The angle between the center of each pixel and the nearest center of a target: 0 at targets, pi
// if no target lies within the limit. Radians, rounding 1e-15 (tests/compute/tst_mask.cpp). Throws
// Cancelled, OutOfMemory.
//
// Only targets with a neighbor of the other kind can be nearest. Squares of pixels are divided in
// four, down to a few pixels. Each square keeps the targets that may be nearest to one of its
// pixels: all within d + 2 r of its center, with d the distance of the nearest target and r the
// radius of the square.
std::vector<double> distancesToTargets(const DistanceRequest& request, JobContext& job);

}  // namespace armilla::mask
