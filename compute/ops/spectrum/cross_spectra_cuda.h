// SPDX-License-Identifier: GPL-3.0-or-later
// Cross spectra of coefficients in the memory of a CUDA device. Builds without CUDA throw
// Unsupported.
#pragma once

#include <span>
#include <vector>

#include "armilla/device/cuda_array.h"

namespace armilla {

// C_l of T alone, or TT, EE, BB, TE, TB, EB of T, E and B, as crossSpectra() to rounding: `alm` has
// one or three arrays of coefficients to lmax and mmax. Sums in an order that lmax and mmax alone
// determine. Waits for the result.
std::vector<std::vector<double>> crossSpectraOnDevice(std::span<const CudaArray* const> alm,
                                                      int lmax, int mmax, int device);

}  // namespace armilla
