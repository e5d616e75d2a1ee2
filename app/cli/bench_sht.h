// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the transforms: one map, T, Q and U, batches.
#pragma once

#include <vector>

#include "cli/bench_cases.h"
#include "cli/bench_roundtrip.h"

namespace armilla::cli {

// `error`: of a synthesis of spin 0, the largest difference from direct sums; else the defect of
// <map, S a> = <A map, a>, relative to the norms.
std::vector<BenchRow> benchSht(const BenchSettings& settings, BenchHost& host,
                               const Measure& measure);
// 1, 2, 4 and 8 maps of spin 0 by one call, and copies in single precision.
std::vector<BenchRow> benchBatch(const BenchSettings& settings, BenchHost& host,
                                 const Measure& measure);

// Times what a plan may choose, keeps the fastest for plans to come and says so.
std::vector<BenchRow> tuneSht(const BenchSettings& settings, BenchHost& host,
                              const Measure& measure);

// Floating-point operations of a transform that takes no short cut in latitude.
double transformFlops(int64_t nside, int lmax, int spin);
// What the device can do in a second.
double flopsOf(const BenchHost& host);

}  // namespace armilla::cli
