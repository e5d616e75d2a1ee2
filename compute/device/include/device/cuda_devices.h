// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA devices as values. Two implementations: devices_cuda.cpp, and device_absent.cpp for builds
// without CUDA.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"

namespace armilla {

// WithoutContext: names and total memory, by the driver alone. WithFreeMemory: the devices are put
// to use, so that those which cannot be are left out.
enum class CudaListing { WithoutContext, WithFreeMemory };
// The usable devices; empty without driver, device or CUDA in the build. Never throws.
std::vector<Device> cudaDevices(CudaListing listing);
// Why CUDA, or a device that is there, cannot be used: a line each; empty if all is well.
std::vector<std::string> cudaProblems();

}  // namespace armilla
