// SPDX-License-Identifier: GPL-3.0-or-later
// Times of transforms: one map; T, Q and U; batches.
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// Spin 0: one map; spin 2: T, Q and U. `error` of a synthesis: largest difference from direct sums
// at some pixels, relative to the rms of the map. `error` of an analysis: the same at some
// coefficients, relative to their rms. The larger one of spin 0 and 2 if both are computed.
void benchSht(const BenchSettings& settings, BenchHost& host);
// Batches of 1, 2, 4 and 8 maps of spin 0, and copies in single precision.
void benchBatch(const BenchSettings& settings, BenchHost& host);

// Times the choices of a plan, stores the fastest for later plans, and reports it.
void tuneSht(const BenchSettings& settings, BenchHost& host);

// Floating-point operations of a transform without interpolation in latitude.
double transformFlops(int64_t nside, int lmax, int spin);
// Peak floating-point operations per second of the device.
double flopsOf(const BenchHost& host);

}  // namespace armilla::cli
