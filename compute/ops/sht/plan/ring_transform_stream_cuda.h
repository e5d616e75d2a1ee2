// SPDX-License-Identifier: GPL-3.0-or-later
// The stream of a transform, for CUDA code that enqueues work before and after it.
#pragma once

#include "armilla/device/cuda/stream.h"
#include "sht/plan/ring_transform_cuda.h"

namespace armilla::cuda {

// Synthesis begins and ends in this stream. Valid as long as the transform.
const Stream& streamOf(CudaRingTransform& transform);

}  // namespace armilla::cuda
