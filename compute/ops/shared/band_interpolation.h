// SPDX-License-Identifier: GPL-3.0-or-later
// Interpolation in latitude from neighbors only: F_m at any colatitude from a band of its values at
// equidistant colatitudes.
//
// Continued over the poles to a full circle, F_m(theta) is a trigonometric polynomial of degree
// lmax with the parity (-1)^{m+s}, s the spin. With samples denser than its degree requires, by a
// factor sigma, F_m at any theta is the sum of its kBandTaps nearest samples times sinc and a
// window. The error is near exp(-(pi / 2) kBandTaps (1 - 1 / sigma)) of the largest (L. Qian, Proc.
// Amer. Math. Soc. 131 (2003) 1169, for a Gaussian window). The window here is the "exponential of
// semicircle" of A. H. Barnett et al., SIAM J. Sci. Comput. 41 (2019) C479. The same weights apply
// to all m: a product with a band matrix, in place of the Fourier transforms of theta_resampling.h,
// which need fewer samples (sigma 1 in place of 1.19).
#pragma once

#include <cmath>
#include <vector>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/ring_grid.h"

namespace armilla {

inline constexpr int kBandTaps = 128;
// ln of the inverse error: 1.3e-14 of the largest, measured below 1.2e-14.
inline constexpr double kBandDecay = 32.0;

// Samples needed between north pole and equator for this degree.
inline int bandPairs(int degree) {
    const double sigma = 1.0 / (1.0 - 2.0 * kBandDecay / (kPi * kBandTaps));
    return static_cast<int>(std::ceil(0.5 * sigma * degree));
}

// The weight of a sample at a distance of whole + fraction spacings, |fraction| <= 1/2.
ARMILLA_HD inline double bandWeight(int whole, double fraction) {
    const double distance = whole + fraction;
    const double t = distance * (2.0 / kBandTaps);
    const double inside = (1.0 - t) * (1.0 + t);
    if (inside <= 0.0) return 0.0;
    // The window with the least error has a shape parameter slightly below the decay.
    const double window = std::exp(0.98 * kBandDecay * (std::sqrt(inside) - 1.0));
    if (distance == 0.0) return window;
    const double sine = std::sin(kPi * fraction);
    return window * ((whole & 1) != 0 ? -sine : sine) / (kPi * distance);
}

// Rings at the midpoints pi (j + 1/2) / (2 pairs), j < pairs, without longitudes.
inline std::vector<Ring> midpointRings(int pairs) {
    std::vector<Ring> rings(static_cast<size_t>(pairs));
    const long double pi = std::acos(-1.0L);
    for (size_t j = 0; j < rings.size(); ++j) {
        const long double theta = pi * (2 * static_cast<long double>(j) + 1) / (4.0L * pairs);
        const long double s = std::sin(theta);
        rings[j].z = static_cast<double>(std::cos(theta));
        rings[j].sinTheta = static_cast<double>(s);
        rings[j].sinThetaLow = static_cast<double>(s - static_cast<long double>(rings[j].sinTheta));
    }
    return rings;
}

}  // namespace armilla
