// SPDX-License-Identifier: GPL-3.0-or-later
// Expected error of a harmonic smoothing.
#pragma once

#include <span>

#include "armilla/core/job_context.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/smooth_rows.h"

namespace armilla {

struct SmoothingErrorInput {
    std::span<const double> cl;      // spectrum of the map, l up to the transform's lmax
    std::span<const double> bl;      // B_l of the kernel, from l = 0, zero beyond
    double meanSquare = 0.0;         // mean square of the map
    ShtParameters transform;         // nside, lmax, weights, iterations
    const RingRows* rows = nullptr;  // the grid, if it is not HEALPix
    // The l whose B_l represents the degrees beyond the transform; -1: the transform's last one, if
    // nothing more is known.
    int edge = -1;
};

// The estimate described at SmoothReport; 0 for an empty map.
double smoothingError(const SmoothingErrorInput& input, JobContext& job);

}  // namespace armilla
