// SPDX-License-Identifier: GPL-3.0-or-later
// Widths of Gaussians.
#pragma once

namespace armilla {

// The full width at half maximum of a Gaussian of sigma 1: sqrt(8 ln 2), to the last bit
// (tests/compute/tst_kernel.cpp).
inline constexpr double kFwhmOfSigma = 2.3548200450309493;
inline constexpr double kSigmaOfFwhm = 1.0 / kFwhmOfSigma;

}  // namespace armilla
