// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/error.h"
#include "spectrum/coupling_cuda.h"

namespace armilla {

void couplingSumsOnDevice(std::span<const CouplingSum>, int, int, JobContext&, int64_t) {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace armilla
