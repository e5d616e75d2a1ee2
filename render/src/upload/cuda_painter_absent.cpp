// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces map_texture_cuda.cpp in builds without CUDA.
#include "upload/cuda_painter.h"

namespace armilla {

std::unique_ptr<CudaPainter> CudaPainter::create(std::string& whyNot) {
    whyNot = "this build has no CUDA code";
    return nullptr;
}

}  // namespace armilla
