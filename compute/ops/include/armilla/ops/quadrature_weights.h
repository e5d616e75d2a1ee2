// SPDX-License-Identifier: GPL-3.0-or-later
// Quadrature weights of HEALPix maps: computed, and stored in the user's cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

// The degree l up to which the ring weights of `nside` make the quadrature of zonal functions
// exact. Up to nside 8192 it is that of the weight files of the HEALPix distribution, elsewhere the
// even number at or below 3 nside.
int ringWeightLmax(int64_t nside);

// Weights w_r of rings 1 .. 2 nside (north to equator; ring 4 nside - r has w_r), about 1:
//
//   sum_r w_r n_r P_l(z_r) = 12 nside^2 delta_l0   for even l <= ringWeightLmax(nside),
//
// n_r the pixels of ring r and its mirror. Among the solutions it is the one with the smallest
// sum_r (n_r (w_r - 1))^2. That is the choice of the files weight_ring_n*.fits of HEALPix (1 +
// their value), to 1e-11 (tests/compute/tst_weights.cpp). Odd l vanish by symmetry.
//
// Method: conjugate gradients (M. R. Hestenes & E. Stiefel 1952) on the normal equations of the
// second kind, rows scaled by sqrt(2l+1). It takes 50 to 200 steps of 2 nside lmax operations,
// about a second at nside 2048, once: the result is stored in $XDG_CACHE_HOME/armilla. Throws
// Unsupported if 2000 steps were not enough.
std::vector<double> ringWeights(int64_t nside, JobContext& job);

// The root sum of squares of the harmonics that pixelWeights() leaves, in units of the monopole
// (4e-14 if rounding leaves more). Up to nside 128 it is rounding, above it 1e-10. That leaves an
// error of 1e-10 in an analysis, far below the rounding of maps in single precision (6e-8), and its
// square after one iteration. (The distributed files have 2e-15 at nside 128, 2e-12 at 256, 2e-11
// at 512.)
//
// A smaller residual would take long. With growing nside, waves of l about 2.6 nside near the poles
// become more alike on the pixels, and the steps grow faster than nside. Measured:
// tests/compute/tst_weights.cpp.
double pixelWeightResidual(int64_t nside);
// The even number at or below 3 nside, two less at nside 2, 4 and 6. There the equations to 3 nside
// have no solution, or weights from -38 to 36 and from -2.5 to 4.6, which amplify noise.
int pixelWeightLmax(int64_t nside);
// The origin of the pixel weights after their computation: "installed in PATH", "kept in PATH", or
// the reason why they are "computed each time".
std::string pixelWeightOrigin(int64_t nside);
// Weights of the pixels in the compressed form of HEALPix (w_p - 1; apply with HEALPix C++
// `apply_fullweights`), the choice of the files healpix_full_weights_nside_*.fits. They are exact
// for all harmonics up to l = pixelWeightLmax(nside), so analysis is exact up to half of that l.
// Among the solutions it is the one with the smallest sum of (w_p - 1)^2.
//
// An installed file is used ($HEALPIX/data, /usr/share/healpix/data, /usr/share/healpy/data).
// Otherwise the weights are computed by conjugate gradients and stored in $XDG_CACHE_HOME/armilla.
// Throws InvalidArgument for an nside above kMaxShtNside, and IoError for a file that is damaged or
// holds other weights. Throws OutOfMemory before the first step if the 170 nside^2 bytes of the
// last step do not fit.
std::vector<double> pixelWeights(int64_t nside, JobContext& job);

}  // namespace armilla
