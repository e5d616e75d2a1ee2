// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/error.h"
#include "spectrum/quarter_turn_cuda.h"

namespace armilla {

void rotateAlmOnDevice(std::span<Alm>, const EulerAngles&, int, JobContext&) {
    throw Unsupported("CUDA: this build has no CUDA code");
}

}  // namespace armilla
