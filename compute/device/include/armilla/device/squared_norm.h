// SPDX-License-Identifier: GPL-3.0-or-later
// The squared norm of an array in device memory. Two implementations: squared_norm.cu, and
// device_absent.cpp for builds without CUDA.
#pragma once

#include "armilla/device/cuda_array.h"

namespace armilla {

// The sum of the squares of all values. Bit-identical in every run on one device. Waits for the
// result. Throws DeviceError.
double squaredNorm(const CudaArray& array, int device);

}  // namespace armilla
