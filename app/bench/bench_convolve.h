// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla bench convolve`: radial convolution by each of its methods.
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// Rows convolve.direct, convolve.ring and convolve.harmonic for a Gaussian beam on one map in
// single precision. The map is white noise up to l = 3 nside - 1. `error` is measured against the
// map of the same coefficients times B_l; `estimate` is the error estimated by the program. A
// method that would take too long, or for which the kernel is too narrow, is left out with a note.
// On a CUDA device also convolve.live and convolve.live.direct: from the request to the picture.
void benchConvolve(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
