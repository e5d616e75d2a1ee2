// SPDX-License-Identifier: GPL-3.0-or-later
// The harmonic method of smoothing: analysis once, then for each kernel a product and a synthesis.
#pragma once

#include <vector>

#include "convolve/sky_values.h"
#include "ops/convolve.h"

namespace armilla {

// Which analysis of the map is at hand.
struct AnalysisKey {
    int64_t nside = 0;
    int lmax = 0;
    int iterations = 0;
    Weights weights = Weights::Ring;
    bool polarization = false;
};

// Coefficients of the fields (T, E, B with polarization) with bad pixels set to zero, and of the
// masks, 1 where good, that smoothing divides by; none for fields without a bad pixel. Those are
// analyzed about their mean (ops/monopole.h), which is in a_00 of `alm` and in nothing else here.
struct Analysis {
    AnalysisKey key;
    std::vector<int> exponent;  // of each field: what follows is in units of 2^exponent
    std::vector<Alm> alm;
    std::vector<double> meanSquare;       // of what is analyzed, over the whole sky
    std::vector<std::vector<double>> cl;  // likewise, of each alm
    std::vector<Alm> mask;
    std::vector<int> maskOfField;  // index into `mask`, -1: no bad pixel
    bool masksMade = false;        // false: made for Masked::Ignore
};

// The values of the fields on the grid of the analysis, zero where bad. Preview: sums over the good
// pixels of a coarse pixel, divided by the number of all its pixels: the mean times the share.
struct SkyFields {
    std::vector<std::vector<double>> values;
    std::vector<std::vector<float>> good;  // share of good pixels, exact; empty: all good
};

// With polarization Q and U count as bad where either is, with masks or without.
Analysis analyze(SkyFields sky, const AnalysisKey& key, bool withMasks, const Device& device,
                 JobContext& job);

// The band of the tables that serve l up to `reach`, for maps of `nside`. On the CPU in 64ths of
// the whole one. On a CUDA device, where they are kept for live pictures, in eighths of an octave
// below it: a few dozen serve every width.
int tableBand(int64_t nside, int reach, DeviceKind kind);

// The smoothed fields on the RING grid of `plan`, with l up to `lmax`, at most those of the
// analysis and the plan. Masked::Normalize divides by the smoothed masks.
std::vector<std::vector<double>> smoothed(const Analysis& analysis, const Beam& beam, int lmax,
                                          Masked masked, const ShtPlan& plan, JobContext& job);

// SmoothReport::estimatedError of such a smoothing. `band` is the last l of the analysis that it
// asks for: one made before, for a narrower beam, tells the same of it.
double harmonicError(const Analysis& analysis, const Beam& beam, int band, int lmax,
                     JobContext& job);

}  // namespace armilla
