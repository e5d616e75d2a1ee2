// SPDX-License-Identifier: GPL-3.0-or-later
// Random coefficients of a real field.
#pragma once

#include <random>

#include "armilla/core/harmonics.h"

namespace armilla::test {

// Independent, normally distributed with unit variance in each part; a_l0 is real.
inline Alm randomCoefficients(int lmax, int mmax, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    Alm alm(lmax, mmax);
    for (int m = 0; m <= mmax; ++m)
        for (int l = m; l <= lmax; ++l)
            alm(l, m) = {normal(generator), m == 0 ? 0.0 : normal(generator)};
    return alm;
}

}  // namespace armilla::test
