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
    double limit = 0.0;  // radians
    // One bit per pixel, set at targets: bit p % 64 of element p / 64.
    std::vector<uint64_t> targets;
};

// Calls body(pixel, angle) for each pixel that is no target and has a target within the limit. The
// angle is that between the center of the pixel and the nearest center of a target, in radians,
// rounding 1e-15 (tests/compute/tst_mask.cpp). Several threads call `body`, each for other pixels.
// Throws Cancelled, OutOfMemory.
//
// Only targets with a neighbor of the other kind can be nearest. Squares of pixels are divided in
// four, down to a few pixels. Each square keeps the targets that may be nearest to one of its
// pixels: all within d + 2 r of its center, with d the distance of the nearest target and r the
// radius of the square.
void visitNearTargets(const DistanceRequest& request, JobContext& job,
                      const std::function<void(int64_t pixel, double angle)>& body);

}  // namespace armilla::mask
