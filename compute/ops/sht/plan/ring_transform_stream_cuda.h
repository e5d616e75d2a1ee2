// SPDX-License-Identifier: GPL-3.0-or-later
// Where a transform's work goes, for CUDA code that puts its own before and behind it.
#pragma once

#include "device/cuda/stream.h"
#include "sht/plan/ring_transform_cuda.h"

namespace armilla::cuda {

// Synthesis begins and ends in this stream. Lives as long as the transform.
const Stream& streamOf(CudaRingTransform& transform);

}  // namespace armilla::cuda
