// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the source search.
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// For a sky of noise with a beam of --fwhm:
// - `sources.filter`: another shape of the filter after the background is known, and
//   `sources.filter.width`: another beam, each with the local noise and into an existing sky;
// - `sources.noise`: the local noise alone;
// - `sources.maxima`: all maxima above three times the local noise.
// On devices the last two also have rows "resident", without copies. `error`: for the filter the
// largest difference from the CPU in units of the local noise, for the noise the largest relative
// difference, for maxima the share that differ.
void benchSources(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
