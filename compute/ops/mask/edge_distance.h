// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of pixels to the nearest target pixel of a map.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla::mask {

struct DistanceRequest {
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;
    // Radians. Greater distances are given as pi.
    double limit = 0.0;
    // Whether a pixel is a target; thread-safe.
    std::function<bool(int64_t pixel)> isTarget;
};

// For each pixel the angle between its center and the nearest center of a target: 0 at targets, pi
// where no target lies within the limit. Only targets with another kind of neighbor can be nearest.
// Squares of pixels are divided in four, down to a few pixels, and each keeps the targets that may
// be nearest to one of its pixels: those within d + 2 r of its center, with d the distance of the
// nearest one and r the radius of the square. Rounding 1e-15 (tests/compute/tst_mask.cpp). Throws
// Cancelled, OutOfMemory.
std::vector<double> distancesToTargets(const DistanceRequest& request, JobContext& job);

}  // namespace armilla::mask
