// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic sums term by term in long double at a few pixels, as a reference for benchmarks. They
// share only the pixel numbering with the transforms.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"

namespace armilla::cli {

// Map of `alm` at pixels (RING) of a HEALPix map. Spin 0: one set, the second value is 0. Spin 2: Q
// and U of E and B. Time: lmax^2 / 2 steps of a recurrence, and as many for each pixel.
std::vector<std::array<double, 2>> directSynthesis(int spin, std::span<const Alm> alm,
                                                   int64_t nside, std::span<const int64_t> pixels,
                                                   JobContext& job);

// sum_p map(p) conj(Y_lm(p)) 4 pi / Npix for one order m and some degrees from max(m, spin) on; E
// and B of Q and U for spin 2. Time: reading the maps, and 4 nside times the largest degree.
std::vector<std::array<std::complex<double>, 2>> directAnalysis(
    int spin, std::span<const ConstMapSamples> maps, int64_t nside, int m,
    std::span<const int> degrees, JobContext& job);

}  // namespace armilla::cli
