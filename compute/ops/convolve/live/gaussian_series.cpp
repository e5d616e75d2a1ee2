// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/live/gaussian_series.h"

#include <array>
#include <cmath>

#include "armilla/core/error.h"

namespace armilla {

namespace {

double nodeOf(int l, int lmax) {
    const double top = static_cast<double>(lmax) * (lmax + 1.0);
    return 2.0 * (static_cast<double>(l) * (l + 1.0) / top) - 1.0;
}

// Start of the downward recurrence of Bessel functions (Miller's algorithm; Abramowitz & Stegun
// 9.12). At this k, for arguments up to kLargestArgument, they are below exp(-k^2 / 2 x) = 1e-31 of
// the first.
constexpr int kBegin = 120;
// Above this argument more than kMostGaussianTerms terms are needed. Terms fall like exp(-k^2 / 2
// x), whose sum from 48 on is above kGaussianSeriesError for x >= 70.
constexpr double kLargestArgument = 100.0;
constexpr double kNoArgument = 1e-18;  // B_l is 1 to rounding

// exp(-x) I_k(x), k = 0..kBegin.
std::array<double, kBegin + 1> scaledBessel(double x) {
    std::array<double, kBegin + 1> value{};
    if (x < kNoArgument) {
        value[0] = 1.0;
        return value;
    }
    double above = 0.0, here = 1e-280, sum = 0.0;
    for (int k = kBegin; k >= 0; --k) {
        value[static_cast<size_t>(k)] = here;
        sum += k == 0 ? here : 2.0 * here;
        const double below = above + 2.0 * k / x * here;
        above = here;
        here = below;
        if (here > 1e200) {
            // Numbers that vanish by this scaling are below rounding of later ones.
            for (int i = k; i <= kBegin; ++i) value[static_cast<size_t>(i)] *= 1e-300;
            above *= 1e-300, here *= 1e-300, sum *= 1e-300;
        }
    }
    // exp(x) = I_0(x) + 2 sum I_k(x) (9.6.37).
    for (double& each : value) each /= sum;
    return value;
}

}  // namespace

std::vector<double> gaussianSeriesTerm(int k, int lmax) {
    ARMILLA_ASSERT(k >= 0 && lmax >= 1);
    std::vector<double> term(static_cast<size_t>(lmax) + 1);
    for (int l = 0; l <= lmax; ++l)
        term[static_cast<size_t>(l)] = std::cos(k * std::acos(nodeOf(l, lmax)));
    return term;
}

std::vector<double> gaussianSeries(double sigma, int lmax, int most) {
    ARMILLA_ASSERT(most <= kMostGaussianTerms && lmax >= 1);
    const double x = 0.25 * static_cast<double>(lmax) * (lmax + 1.0) * sigma * sigma;
    if (!(x <= kLargestArgument)) return {};
    const std::array<double, kBegin + 1> bessel = scaledBessel(x);
    // The error of the dropped terms is at most the sum of their weights.
    double beyond = 0.0;
    int count = kBegin + 1;
    while (count > 1 &&
           beyond + 2.0 * bessel[static_cast<size_t>(count) - 1] <= kGaussianSeriesError)
        beyond += 2.0 * bessel[static_cast<size_t>(--count)];
    if (count > most) return {};
    std::vector<double> weights(static_cast<size_t>(count));
    for (int k = 0; k < count; ++k)
        weights[static_cast<size_t>(k)] = (k == 0       ? 1.0
                                           : k % 2 == 0 ? 2.0
                                                        : -2.0) *
                                          bessel[static_cast<size_t>(k)];
    return weights;
}

}  // namespace armilla
