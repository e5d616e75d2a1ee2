// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for the CUDA files in builds without CUDA.
#include "cuda/device_cuda.h"

namespace armilla {

std::vector<Device> cudaDevices(CudaListing /*listing*/) {
    return {};
}

std::vector<std::string> cudaProblems() {
    return {"CUDA: this build has no CUDA code"};
}

}  // namespace armilla
