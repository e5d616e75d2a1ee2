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
// The transpose: adds to `fine`, of which no row is repeated; what it adds to the rows on either
// side is not needed. The first taps ascend.
void thetaScatter(const ThetaTargets& targets, const double* modes, double* fine);

// The m of a tile where the Legendre sums are formed, and the rows of a circle of twice as many
// points as there are latitudes: the continuation over the poles of its part even in theta, e + o,
// and at the mirrored place e - o. One side, north or south.
struct ThetaPlanes {
    double* even[kThetaColumns];  // real parts; imaginary parts are `stride` further
    double* odd[kThetaColumns];
    ptrdiff_t stride;
    ptrdiff_t pairs;  // at least 4; on the circle are 4 times as many points
    bool south;
};
void thetaRowsFromPlanes(const ThetaPlanes& planes, double* rows);
// e as the sum of both places, o as their difference.
void thetaPlanesFromRows(const ThetaPlanes& planes, const double* rows);

}  // namespace armilla
