// SPDX-License-Identifier: GPL-3.0-or-later
// Maps smoothed by the harmonic method, from the coefficients that a plan keeps.
#pragma once

#include "convolve/harmonic/kept_analyses.h"
#include "convolve/resolved_smoothing.h"
#include "convolve/smooth_input.h"

namespace armilla {

// SmoothPlan::execute by the harmonic method.
SmoothedMap smoothHarmonic(const SmoothInput& input, const ResolvedSmoothing& request,
                           KeptAnalyses& kept, JobContext& job);
// SmoothPlan::preview.
SmoothedMap smoothPreview(const SmoothInput& input, const SmoothParameters& parameters,
                          int64_t nside, KeptAnalyses& kept, JobContext& job);

}  // namespace armilla
