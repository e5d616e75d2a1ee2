// SPDX-License-Identifier: GPL-3.0-or-later
// Widths of Gaussians, and the window of a Gaussian beam.
#pragma once

#include <cmath>

namespace armilla {

// The full width at half maximum of a Gaussian of sigma 1: sqrt(8 ln 2), to the last bit
// (tests/compute/tst_kernel.cpp).
inline constexpr double kFwhmOfSigma = 2.3548200450309493;
inline constexpr double kSigmaOfFwhm = 1.0 / kFwhmOfSigma;

// B_l = exp(-l(l+1) sigma^2 / 2), also between the multipoles; `variance` is sigma^2 in rad^2.
inline double gaussianBeamAt(double l, double variance) {
    return std::exp(-0.5 * l * (l + 1.0) * variance);
}

}  // namespace armilla
