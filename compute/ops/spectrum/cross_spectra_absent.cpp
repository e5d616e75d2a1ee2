// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of coefficients on a device, in builds without CUDA.
#include "armilla/core/error.h"
#include "spectrum/cross_spectra_cuda.h"

namespace armilla {

std::vector<std::vector<double>> crossSpectraOnDevice(std::span<const CudaArray* const> /*alm*/,
                                                      int /*lmax*/, int /*mmax*/, int /*device*/) {
    throw Unsupported("CUDA: expected a build with CUDA, found one without");
}

}  // namespace armilla
