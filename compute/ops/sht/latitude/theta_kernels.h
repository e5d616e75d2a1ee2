// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels of the interpolation in latitude (theta_resampling.h).
#pragma once

#include <cstddef>

namespace armilla {

// Window values for each target, and complex columns of the grids: kTileModes / 2.
inline constexpr int kThetaTaps = 16;
inline constexpr int kThetaColumns = 4;

struct ThetaTargets {
    const int* firstTap;  // for each pair: index of its first fine grid point
    const double* taps;   // kThetaTaps for each pair, halved
    int pairs;
    ptrdiff_t fineSize;  // even
    int oddFirst;        // 1: the first m of a column is odd in theta, 0: the second
};

// `fine`: fineSize rows of kThetaColumns complex numbers, with kThetaTaps more rows on either side
// that repeat the rows of the opposite end. Each pair has two rings, at theta and pi - theta. Each
// ring has window sums at the ring and at its mirror image -theta. Half their sum is the even part,
// half their difference the odd part. `modes`: for each pair north's first and second m of the
// columns, then south's: four rows of kThetaColumns complex numbers.
void thetaGather(const ThetaTargets& targets, const double* fine, double* modes);
// The transpose: adds to `fine`, where no row is repeated; additions to the rows on either side are
// not used. The first taps ascend.
void thetaScatter(const ThetaTargets& targets, const double* modes, double* fine);

// The m of a tile at the latitudes of the Legendre sums, and the rows of a circle with twice as
// many points as latitudes. The circle continues F_m over the poles: e + o, and e - o at the
// mirrored place, with e the part even in theta and o the odd part. One side, north or south.
struct ThetaPlanes {
    double* even[kThetaColumns];  // real parts; imaginary parts are `stride` further
    double* odd[kThetaColumns];
    ptrdiff_t stride;
    ptrdiff_t pairs;  // at least 4; the circle has 4 times as many points
    bool south;
};
void thetaRowsFromPlanes(const ThetaPlanes& planes, double* rows);
// The transpose: e as the sum of both places, o as their difference.
void thetaPlanesFromRows(const ThetaPlanes& planes, const double* rows);

}  // namespace armilla
