// SPDX-License-Identifier: GPL-3.0-or-later
// Times of pair counts, in the configuration of a report on counts with CUDA, at any size.
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// Counts DD, DR and RR of `points` data and `sets` sets of as many random points on the whole
// sphere. The row "correlate" has 30 bins from 0.01 to 10000 arcmin, five per decade;
// "correlate.narrow" ends at 100 arcmin. Times include making the cells. `error`: largest relative
// difference from a double loop over 2000 of the points. `limit`: a multiplication and an addition
// for each of three coordinates of every pair; pairs that cells count as a whole need none. Up to
// 16000 points and one set, "correlate.loop" is a simple double loop on one thread.
void benchCorrelate(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
