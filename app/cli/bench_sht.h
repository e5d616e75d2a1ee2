// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the transforms: one map, T, Q and U, batches.
#pragma once

#include "cli/bench_cases.h"

namespace armilla::cli {

// Spin 0: one map; spin 2: T, Q and U. `error` of a synthesis: the largest difference from direct
// sums at some pixels, relative to the rms of the map; of an analysis: that at some coefficients,
// relative to their rms; the larger one of spin 0 and 2 where there are both.
void benchSht(const BenchSettings& settings, BenchHost& host);
// 1, 2, 4 and 8 maps of spin 0 by one call, and copies in single precision.
void benchBatch(const BenchSettings& settings, BenchHost& host);

// Times what a plan may choose, keeps the fastest for plans to come and says so.
void tuneSht(const BenchSettings& settings, BenchHost& host);

// Floating-point operations of a transform that takes no short cut in latitude.
double transformFlops(int64_t nside, int lmax, int spin);
// What the device can do in a second.
double flopsOf(const BenchHost& host);

}  // namespace armilla::cli
