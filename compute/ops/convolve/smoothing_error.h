// SPDX-License-Identifier: GPL-3.0-or-later
// How wrong a harmonic smoothing is expected to be.
#pragma once

#include <span>

#include "core/job_context.h"
#include "ops/sht.h"
#include "ops/smooth_rows.h"

namespace armilla {

struct SmoothingErrorInput {
    std::span<const double> cl;      // of the map, l up to the transform's lmax
    std::span<const double> bl;      // of the kernel, from l = 0, zero beyond
    double meanSquare = 0.0;         // of the map
    ShtParameters transform;         // nside, lmax, weights, iterations
    const RingRows* rows = nullptr;  // the grid, where it is not HEALPix
    // The l whose B_l stands for those that the transform leaves out; -1: its last one, where no
    // more is known of them.
    int edge = -1;
};

// The estimate that SmoothReport describes; 0 for an empty map.
double smoothingError(const SmoothingErrorInput& input, JobContext& job);

}  // namespace armilla
