// SPDX-License-Identifier: GPL-3.0-or-later
// Radial kernels for polarization.
#pragma once

#include <span>
#include <vector>

namespace armilla {

// Convolution with B_l of E and B alike is a sum over pixels,
//   (Q + iU)(p) = sum_q w_q K2(beta) e^{2 i chi} (Q + iU)(q),
//   K2 = sum_{l >= 2} (2l+1)/(4 pi) B_l d^l_22(beta) = cos^4(beta / 2) G(beta),
// chi the angle from the meridian at p to that at q, carried along the great circle between them.
// Napier's analogies of the triangle with the pole give cos(beta / 2) e^{i chi / 2} = x + i y,
//   x = cos((theta_p - theta_q) / 2) cos(delta / 2), y = cos((theta_p + theta_q) / 2) sin(delta /
//   2),
// delta the longitude of q less that of p: no angle is divided by, and K2 e^{2 i chi} = G (x +
// iy)^4.
//
// G at `angles`: d^l_22 = cos^4(beta / 2) P_{l-2}^{(0,4)}(cos beta), by the recurrence of Jacobi
// polynomials for differences, which loses nothing near beta = 0. B_l beyond the last is zero.
std::vector<double> spinProfile(std::span<const double> bl, std::span<const double> angles);

// weights[i] = K[i] (x + iy)^4 of the taps of a row, real and imaginary parts; `theta` of the
// target.
struct WeightRow;
void turnWeights(const WeightRow& row, double theta, double otherTheta, const double* kernel,
                 double* real, double* imaginary);

}  // namespace armilla
