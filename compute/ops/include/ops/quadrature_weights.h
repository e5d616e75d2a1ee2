// SPDX-License-Identifier: GPL-3.0-or-later
// Quadrature weights of HEALPix maps, computed, and kept in the user's cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/job_context.h"

namespace armilla {

// The multipole to which the ring weights of `nside` make the quadrature of zonal functions exact:
// that of the weight files of the HEALPix distribution up to nside 8192, the even number at or
// below 3 nside elsewhere.
int ringWeightLmax(int64_t nside);

// Weights w_r of rings 1 .. 2 nside (north to equator; ring 4 nside - r has w_r), about 1:
//   sum_r w_r n_r P_l(z_r) = 12 nside^2 delta_l0   for even l <= ringWeightLmax(nside),
// n_r the pixels of ring r and its mirror; among the solutions the one with the smallest
// sum_r (n_r (w_r - 1))^2. That is the choice of the files weight_ring_n*.fits of HEALPix (1 +
// their value), to 1e-11 (tests/compute/tst_weights.cpp). Odd l vanish by symmetry.
//
// Method: conjugate gradients (M. R. Hestenes & E. Stiefel 1952) on the normal equations of the
// second kind, rows scaled by sqrt(2l+1); 50 to 200 steps of 2 nside lmax operations, about a
// second at nside 2048, once: the result is kept in $XDG_CACHE_HOME/armilla. Throws Unsupported if
// 2000 steps were not enough.
std::vector<double> ringWeights(int64_t nside, JobContext& job);

// Weights of the pixels in the compressed form of HEALPix (w_p - 1; apply with HEALPix C++
// `apply_fullweights`), the choice of the files healpix_full_weights_nside_*.fits: exact for all
// harmonics up to l = pixelWeightLmax(nside), so that analysis is exact up to half of it; among the
// solutions the one with the smallest sum of (w_p - 1)^2. Such a file where it is installed
// ($HEALPIX/data, /usr/share/healpix/data, /usr/share/healpy/data), else computed by conjugate
// gradients and kept in $XDG_CACHE_HOME/armilla. Nside up to kMaxShtNside
// (throws InvalidArgument); throws IoError for a file that is damaged or of other weights,
// OutOfMemory before the first step if the 170 nside^2 bytes of its last step do not fit.
//
// What is left of the harmonics is pixelWeightResidual(nside) of the monopole, in the root of the
// sum of squares (where rounding leaves more, 4e-14): to nside 128 rounding, above 1e-10, which
// leaves 1e-10 of an analysis, far below the rounding of maps in single precision (6e-8), and its
// square after one iteration. (The distributed files: 2e-15 at nside 128, 2e-12 at 256, 2e-11 at
// 512.) More would take long: with growing nside waves of l about 2.6 nside near the poles become
// ever more alike on the pixels, and the steps grow faster than nside. Measured:
// tests/compute/tst_weights.cpp.
double pixelWeightResidual(int64_t nside);
// The even number at or below 3 nside; at nside 2, 4 and 6 two less, since there the equations to
// 3 nside have no solution, or weights from -38 to 36 and from -2.5 to 4.6, which amplify noise.
int pixelWeightLmax(int64_t nside);
// Where they are, once they were computed: "installed in PATH", "kept in PATH", or why they are
// "computed each time".
std::string pixelWeightOrigin(int64_t nside);
std::vector<double> pixelWeights(int64_t nside, JobContext& job);

}  // namespace armilla
