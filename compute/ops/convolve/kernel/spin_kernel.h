// SPDX-License-Identifier: GPL-3.0-or-later
// Radial kernels for polarization. Host and device.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "armilla/core/hd.h"

namespace armilla {

// Convolution with one B_l for E and B is a sum over pixels,
//   (Q + iU)(p) = sum_q w_q K2(beta) e^{2 i chi} (Q + iU)(q),
//   K2 = sum_{l >= 2} (2l+1)/(4 pi) B_l d^l_22(beta) = cos^4(beta / 2) G(beta).
// Here chi is the angle from the meridian at p to that at q, carried along the great circle between
// them. Napier's analogies of the triangle with the pole give cos(beta / 2) e^{i chi / 2} = x + i
// y,
//   x = cos((theta_p - theta_q) / 2) cos(delta / 2),
//   y = cos((theta_p + theta_q) / 2) sin(delta / 2),
// with delta the longitude of q minus that of p. So no division by an angle is needed, and K2 e^{2
// i chi} = G (x + iy)^4.
//
// spinProfile(): G at `angles` (radians). d^l_22 = cos^4(beta / 2) P_{l-2}^{(0,4)}(cos beta), by
// the recurrence of Jacobi polynomials for differences, which loses nothing near beta = 0. B_l
// beyond the last is zero.
std::vector<double> spinProfile(std::span<const double> bl, std::span<const double> angles);

// The factors of cosine and sine of delta / 2 for a target ring and a source ring.
struct SpinPair {
    double along = 0.0, across = 0.0;
    ARMILLA_HD SpinPair(double theta, double otherTheta)
        : along(std::cos(0.5 * (theta - otherTheta))),
          across(std::cos(0.5 * (theta + otherTheta))) {}
};
// (x + iy)^4 from the cosine and sine of delta / 2.
struct SpinTurn {
    double real = 0.0, imaginary = 0.0;
    ARMILLA_HD SpinTurn(const SpinPair& pair, double cosine, double sine) {
        const double x = pair.along * cosine, y = pair.across * sine;
        const double re2 = x * x - y * y, im2 = 2.0 * x * y;
        real = re2 * re2 - im2 * im2;
        imaginary = 2.0 * re2 * im2;
    }
};

// weights[i] = K[i] (x + iy)^4 for the taps of a row, real and imaginary parts; `theta` of the
// target.
struct WeightRow;
void turnWeights(const WeightRow& row, double theta, double otherTheta, const double* kernel,
                 double* real, double* imaginary);

}  // namespace armilla
