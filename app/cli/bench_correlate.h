// SPDX-License-Identifier: GPL-3.0-or-later
// Times of pair counts: the experiment of a report on counts with CUDA, at any size.
#pragma once

#include "cli/bench_cases.h"

namespace armilla::cli {

// DD, DR and RR of `points` data and `sets` sets of as many random points on the whole sphere, in
// 30 bins from 0.01 to 10000 arcmin, five a decade ("correlate"), and in those up to 100 arcmin
// ("correlate.narrow"). Making the cells is part of the time. `error`: the largest relative
// difference from a double loop over 2000 of the points. The limit is that of a multiplication and
// an addition for each of three coordinates of every pair; pairs that whole cells count need none.
// Up to 16000 points and of one set "correlate.loop" is a plain double loop, one thread.
void benchCorrelate(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
