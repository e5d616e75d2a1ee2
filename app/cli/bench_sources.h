// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the search for sources.
#pragma once

#include "cli/bench_cases.h"

namespace armilla::cli {

// Of a sky of noise with a beam of --fwhm: `sources.filter`, another shape of the filter once the
// background is known, and `sources.filter.width`, another beam, each with the local noise and into
// a sky that is there; `sources.noise`, the local noise alone; `sources.maxima`, all maxima above
// three times that; on devices the last two also "resident", without copies. `error`: of the
// filter the largest difference from the CPU's in units of the local noise, of the noise the
// largest relative one, of maxima the share that differ.
void benchSources(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
