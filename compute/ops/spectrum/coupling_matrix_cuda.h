// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "armilla/device/cuda_array.h"
#include "spectrum/coupling_on_device.h"

namespace armilla {

// `values`: (lmax + 1)^2 values in row order, in the memory of the device.
std::shared_ptr<const CouplingOnDevice> couplingOnDevice(int device, int lmax, CudaArray values);

}  // namespace armilla
