// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/tap_series.h"

#include <algorithm>

#include "armilla/core/sky_vector.h"
#include "convolve/pixels/direct_kernels.h"

namespace armilla {

SeriesBasis::SeriesBasis(int terms) : terms_(terms) {
    const auto n = static_cast<size_t>(terms);
    const double size = terms;
    for (size_t j = 0; j < n; ++j) {
        const double t = std::cos(kPi * (static_cast<double>(j) + 0.5) / size);
        fractions_.push_back(0.5 * std::sqrt(0.5 * (1.0 + t)));
    }
    for (size_t k = 0; k < n; ++k)
        for (size_t j = 0; j < n; ++j)
            chebyshev_.push_back(
                (k == 0 ? 1.0 : 2.0) / size *
                std::cos(kPi * static_cast<double>(k) * (static_cast<double>(j) + 0.5) / size));
    // T_k(2 v - 1) = (4 v - 2) T_{k-1} - T_{k-2}
    powers_.assign(n * n, 0.0);
    for (size_t k = 0; k < n; ++k) {
        double* const row = powers_.data() + k * n;
        if (k == 0) {
            row[0] = 1.0;
            continue;
        }
        const double* const last = row - n;
        const double two = k == 1 ? 1.0 : 2.0;
        for (size_t d = 0; d < n; ++d)
            row[d] =
                two * ((d > 0 ? 2.0 * last[d - 1] : 0.0) - last[d]) - (k > 1 ? (last - n)[d] : 0.0);
    }
}

SeriesBasis SeriesBasis::serving(const ProfileView& profile, double spacing, int most) {
    if (profile.rate <= 0.0 || spacing <= 0.0) return SeriesBasis(0);
    const ProfileView g = endless(profile);
    const auto at = [&](double u) { return g(0.5 * u * u * spacing * spacing); };
    const double radius = std::sqrt(2.0 * std::min(profile.end, 2.0)) / spacing;
    if (radius + 1.5 > most) return SeriesBasis(0);
    const auto taps = static_cast<size_t>(radius + 1.5);
    const size_t vectors = (taps + kSeriesLanes - 1) / kSeriesLanes;
    double peak = 0.0;
    for (size_t i = 0; i < 8 * taps; ++i)
        peak = std::max(peak, std::abs(at(static_cast<double>(i) / 8.0)));
    for (int terms = 4; terms <= kMostTerms; ++terms) {
        SeriesBasis basis(terms);
        const size_t stride = vectors * kSeriesLanes;
        std::vector<double> values, coefficients(2 * static_cast<size_t>(terms) * stride);
        for (const double f : basis.fractions())
            for (const double sign : {-1.0, 1.0})
                for (size_t i = 0; i < stride; ++i)
                    values.push_back(at(static_cast<double>(i) + sign * f));
        fitSeries(
            {terms, basis.fractions().data(), basis.chebyshev().data(), basis.powers().data()},
            values.data(), stride, vectors, coefficients.data());
        double worst = 0.0;
        for (size_t i = 0; i < taps; ++i)
            for (const double f : {-0.5, -0.31, -0.07, 0.18, 0.42, 0.5}) {
                const double* const c =
                    coefficients.data() +
                    i / kSeriesLanes * 2 * static_cast<size_t>(terms) * kSeriesLanes +
                    i % kSeriesLanes;
                double even = 0.0, odd = 0.0;
                for (auto k = static_cast<size_t>(terms); k-- > 0;) {
                    even = even * (4.0 * f * f) + c[k * kSeriesLanes];
                    odd = odd * (4.0 * f * f) + c[(static_cast<size_t>(terms) + k) * kSeriesLanes];
                }
                worst = std::max(worst, std::abs(even + f * odd - at(static_cast<double>(i) - f)));
            }
        if (worst <= 4e-15 * peak) return basis;
    }
    return SeriesBasis(0);
}

double widestSpacing(const HealpixRings& rings, int64_t last, double radius) {
    if (last < 1) return 0.0;
    const int64_t end =
        std::min(ringsAround(rings.theta.data(), rings.count, last, radius).last, 2 * rings.nside);
    double widest = 0.0;
    for (int64_t r = 1; r <= end; ++r) {
        const HealpixRing& ring = rings.ring[static_cast<size_t>(r)];
        widest = std::max(widest, ring.s * kHalfPi / static_cast<double>(ring.quarter));
    }
    return widest;
}

}  // namespace armilla
