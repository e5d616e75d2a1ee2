// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/bench_cases.h"

namespace armilla::cli {

// FFTs of rows of one length: own code beside FFTW on the CPU and cuFFT on a CUDA device.
void benchFft(const BenchSettings& settings, BenchHost& host);

}  // namespace armilla::cli
