// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels of the interpolation in latitude (theta_resampling.h).
#pragma once

#include <cstddef>

namespace armilla {

// Window values at each target, and complex columns of the grids: kResampledModes / 2.
inline constexpr int kThetaTaps = 16;
inline constexpr int kThetaColumns = 4;

struct ThetaTargets {
    const int* firstTap;  // of each pair: index of its first fine grid point
    const double* taps;   // kThetaTaps of each pair
    int pairs;
    ptrdiff_t fineSize;  // even
};

// `fine`: fineSize rows of kThetaColumns complex numbers, with kThetaTaps more rows on either side
// that repeat those of the other end. Sums of the window over four places of each pair: theta,
// -theta, pi - theta, pi + theta; `sums`: for each pair four rows of kThetaColumns complex numbers.
void thetaGather(const ThetaTargets& targets, const double* fine, double* sums);
// The transpose: adds to `fine`, the rows on either side included.
void thetaScatter(const ThetaTargets& targets, const double* sums, double* fine);

}  // namespace armilla
