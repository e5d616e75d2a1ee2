// SPDX-License-Identifier: GPL-3.0-or-later
// Where FFTs of equal lengths go, for CUDA code that puts its own before and behind them.
#pragma once

#include "device/cuda/stream.h"
#include "ops/equal_fft.h"

namespace armilla::cuda {

// Lives as long as the plan.
const Stream& streamOf(const CudaEqualFft& fft);

}  // namespace armilla::cuda
