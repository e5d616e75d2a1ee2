// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA devices as values. Two implementations: devices_cuda.cpp, and device_absent.cpp for builds
// without CUDA.
#pragma once

#include <string>
#include <vector>

#include "armilla/device/device.h"

namespace armilla {

// WithoutContext: names and total memory, from the driver alone. WithFreeMemory: creates a context
// on each device, and omits devices that fail.
enum class CudaListing { WithoutContext, WithFreeMemory };
// The usable devices; empty without a driver, a device, or CUDA in the build. Never throws.
std::vector<Device> cudaDevices(CudaListing listing);
// Reasons why CUDA or a present device is unusable, one line each; empty if all devices work.
std::vector<std::string> cudaProblems();

}  // namespace armilla
