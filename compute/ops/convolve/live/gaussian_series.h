// SPDX-License-Identifier: GPL-3.0-or-later
// Gaussians of all widths as sums of few polynomials in l(l+1). A map is multiplied by each
// polynomial once; sums of these maps are the map smoothed with any of those widths, without
// another synthesis.
#pragma once

#include <vector>

namespace armilla {

// A quarter of the error of rounding to single precision (2^-24).
inline constexpr double kGaussianSeriesError = 0x1p-26;
// From this many terms on a synthesis is as fast as their sum.
inline constexpr int kMostGaussianTerms = 48;

// T_k(2 l(l+1) / (lmax (lmax+1)) - 1) for l = 0..lmax (lmax >= 1), T_k Chebyshev's: at most 1.
std::vector<double> gaussianSeriesTerm(int k, int lmax);

// w_k, whose sum w_k T_k is exp(-l(l+1) sigma^2 / 2) to kGaussianSeriesError for all l up to lmax.
// There are as few w_k as possible, none if more than `most` <= kMostGaussianTerms are needed. With
// a = lmax (lmax+1) sigma^2 / 2: w_k = (2 - [k = 0]) (-1)^k exp(-a/2) I_k(a/2), I_k the modified
// Bessel functions (Abramowitz & Stegun 9.6.34). So sum |w_k| <= 1: errors of the summed maps do
// not add up.
std::vector<double> gaussianSeries(double sigma, int lmax, int most);

}  // namespace armilla
