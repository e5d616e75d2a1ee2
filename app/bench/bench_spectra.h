// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// Band powers outside a mask by `anafast`, bins of lmax / 8 and at most 30, decoupled, with
// Gaussian errors:
// - spectra.files: T, Q and U from files to a file;
// - spectra: the same from maps in memory;
// - spectra.mask, spectra.beam, spectra.bins: T alone with other settings after a first run, as the
//   window computes them. `spectra.mask` makes a mask by latitude.
// `error`: the largest difference from a run that keeps nothing, over the largest band power.
void benchSpectra(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
