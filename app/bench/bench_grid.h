// SPDX-License-Identifier: GPL-3.0-or-later
// Times of gridding: the experiments of HCGrid (Wang et al. 2021, MNRAS 501, 2734, section 4).
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// Random samples in 5 x 5 degrees, 90 x 90 cells of 200 arcsec, a Gaussian kernel of 300 arcsec
// (--fwhm) cut at 3 sigma: 1e3 to 1e7 samples (3.6e8 on a device), or --samples. Then fields of
// other sizes with 1e5 samples per square degree, 25 and 50 sources, and many channels. On a device
// each has a row "resident" without copies, with its steps. Times include ordering, sorting and
// look-up. `error`: largest difference from exact sums in some cells (in all for sources), relative
// to the largest value of these.
void benchGrid(const BenchSettings& settings, BenchHost& host);
// 1e7 samples with every partition of the work on a device (GridTuning). Throws Unsupported on the
// CPU.
void benchGridShapes(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
