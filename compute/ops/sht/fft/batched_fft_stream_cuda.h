// SPDX-License-Identifier: GPL-3.0-or-later
// The stream of a batched FFT, for CUDA code that enqueues its own work before and after it.
#pragma once

#include "armilla/device/cuda/stream.h"
#include "armilla/ops/batched_fft.h"

namespace armilla::cuda {

// Valid as long as the plan.
const Stream& streamOf(const CudaBatchedFft& fft);

}  // namespace armilla::cuda
