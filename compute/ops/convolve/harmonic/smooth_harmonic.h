// SPDX-License-Identifier: GPL-3.0-or-later
// The harmonic method of smoothing: analysis once, then for each kernel a product and a synthesis.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "armilla/core/map_samples.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/monopole.h"
#include "convolve/harmonic/spare_arrays.h"
#include "convolve/sky_values.h"

namespace armilla {

// The parameters of an analysis.
struct AnalysisKey {
    int64_t nside = 0;
    int lmax = 0;
    int iterations = 0;
    Weights weights = Weights::Ring;
    bool polarization = false;
};

// Coefficients of the fields (T, E, B with polarization) with bad pixels set to zero, and of the
// masks (1 where good) by which smoothing divides. A field without a bad pixel has no mask and is
// analyzed about its mean (armilla/ops/monopole.h). The mean is in a_00 of `alm` and in no other
// member.
struct Analysis {
    AnalysisKey key;
    std::vector<int> exponent;  // for each field: the members below are in units of 2^exponent
    std::vector<Alm> alm;
    std::vector<double> meanSquare;       // mean square of the analyzed values, over the whole sky
    std::vector<std::vector<double>> cl;  // the same for each alm
    std::vector<Alm> mask;
    std::vector<int> maskOfField;  // index into `mask`, -1: no bad pixel
    bool masksMade = false;        // false: made for Masked::Ignore
    bool isWhole = false;          // no field has a bad pixel
};

// The values of the fields on the grid of the analysis, zero where bad. Preview: sums over the good
// pixels of a coarse pixel, divided by the number of all its pixels, which is the mean times the
// good fraction.
struct SkyFields {
    std::vector<std::vector<double>> values;
    std::vector<std::vector<float>> good;  // exact fraction of good pixels; empty: all good
    // Known for a field whose mean, if it is to be subtracted, already is.
    struct Known {
        TakenOut mean;
        double meanSquare = 0.0;
    };
    std::vector<std::optional<Known>> known;
};

// Parameters of the transforms of an analysis.
inline ShtParameters transformOf(const AnalysisKey& key) {
    return {
        .nside = key.nside, .lmax = key.lmax, .weights = key.weights, .iterations = key.iterations};
}
// By a plan of these parameters. With polarization Q and U count as bad where either is bad, with
// masks or without.
Analysis analyze(SkyFields sky, const AnalysisKey& key, bool withMasks, const ShtPlan& plan,
                 SpareArrays& arrays, JobContext& job);

// The band of the tables for l up to `reach`, for maps of `nside`. On the CPU it is quantized in
// 64ths of the full band. On a CUDA device, where tables are kept for live pictures, it is
// quantized in eighths of an octave below the full band: a few dozen bands serve every width.
int tableBand(int64_t nside, int reach, DeviceKind kind);

// The smoothed fields on the RING grid of `plan`, with l up to `lmax`, at most that of the analysis
// and of the plan. Masked::Normalize divides by the smoothed masks.
std::vector<std::vector<double>> smoothed(const Analysis& analysis, const Beam& beam, int lmax,
                                          Masked masked, const ShtPlan& plan, SpareArrays& arrays,
                                          JobContext& job);
// The same into the samples of the result, for an analysis without bad pixels whose exponents are
// 0. Q and U have the precision of T.
void smooth(const Analysis& analysis, const Beam& beam, int lmax, const ShtPlan& plan,
            std::span<const MapSamples> results, SpareArrays& arrays, JobContext& job);

// SmoothReport::estimatedError of such a smoothing. `band` is the last l of the analysis that the
// smoothing requests: a wider analysis of an earlier request gives the same error.
double harmonicError(const Analysis& analysis, const Beam& beam, int band, int lmax,
                     JobContext& job);

}  // namespace armilla
