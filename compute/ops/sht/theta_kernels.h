// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels of the interpolation in latitude (theta_resampling.h).
#pragma once

#include <cstddef>

namespace armilla {

// Window values at each target, and complex columns of the grids: kTileModes / 2.
inline constexpr int kThetaTaps = 16;
inline constexpr int kThetaColumns = 4;

struct ThetaTargets {
    const int* firstTap;  // of each pair: index of its first fine grid point
    const double* taps;   // kThetaTaps of each pair, halved
    int pairs;
    ptrdiff_t fineSize;  // even
    int oddFirst;        // 1: the first m of a column is odd in theta, 0: the second
};

// `fine`: fineSize rows of kThetaColumns complex numbers, with kThetaTaps more rows on either side
// that repeat those of the other end. For each pair and each of its rings, theta and pi - theta,
// the window sums at the place and at its mirror image -theta give the even part as half their sum
// and the odd part as half their difference. `modes`: for each pair north's first and second m of
// the columns, then the south's: four rows of kThetaColumns complex numbers.
void thetaGather(const ThetaTargets& targets, const double* fine, double* modes);
// The transpose: adds to `fine`, the rows on either side included.
void thetaScatter(const ThetaTargets& targets, const double* modes, double* fine);

}  // namespace armilla
