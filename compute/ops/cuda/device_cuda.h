// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA devices as values. Two implementations: device_cuda.cu, and device_absent.cpp for builds
// without CUDA.
#pragma once

#include <string>
#include <vector>

#include "ops/device.h"

namespace armilla {

// The usable devices; empty without driver, device or CUDA in the build. Never throws.
std::vector<Device> cudaDevices();
// Why CUDA, or a device that is there, cannot be used: a line each; empty if all is well.
std::vector<std::string> cudaProblems();

}  // namespace armilla
