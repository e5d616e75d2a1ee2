// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the search for sources.
#pragma once

#include "cli/bench_cases.h"

namespace armilla::cli {

// Of a sky of noise with a beam of --fwhm: `sources.noise`, its local noise; `sources.maxima`, all
// maxima above three times that; on devices both with a row "resident" without copies;
// `sources.filter`, another shape of the filter once the background is known. `error`: the largest
// relative difference of the noise, and the share of maxima that differ, from the CPU's.
void benchSources(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
