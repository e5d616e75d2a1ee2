// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic sums term by term in long double: the reference for transforms of small maps.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <random>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla::test {

using Real = long double;
inline constexpr Real kLongPi = 3.14159265358979323846264338327950288L;

// lambda_lm(theta), l = 0 .. lmax, with Y_lm = lambda_lm e^{i m phi}: sectoral start, then the
// three-term recursion (K. M. Gorski et al. 1999, HEALPix primer, appendix).
inline std::vector<Real> lambda(int lmax, int m, Real cosine, Real sine) {
    std::vector<Real> value(static_cast<size_t>(lmax) + 1, 0.0L);
    Real start = std::sqrt(1.0L / (4.0L * kLongPi));
    for (int k = 1; k <= m; ++k) start *= -sine * std::sqrt((2.0L * k + 1.0L) / (2.0L * k));
    value[static_cast<size_t>(m)] = start;
    if (m < lmax) value[static_cast<size_t>(m) + 1] = cosine * std::sqrt(2.0L * m + 3.0L) * start;
    for (int l = m + 2; l <= lmax; ++l) {
        const Real l2 = static_cast<Real>(l) * l, m2 = static_cast<Real>(m) * m;
        const Real a = std::sqrt((4.0L * l2 - 1.0L) / (l2 - m2));
        const Real p2 = static_cast<Real>(l - 1) * (l - 1);
        const Real b = std::sqrt((p2 - m2) / (4.0L * p2 - 1.0L));
        value[static_cast<size_t>(l)] = a * (cosine * value[static_cast<size_t>(l) - 1] -
                                             b * value[static_cast<size_t>(l) - 2]);
    }
    return value;
}

// F1 and F2 times sqrt((2l+1)/4pi) of the HEALPix primer (appendix on polarization), from lambda.
inline std::array<Real, 2> spinTwo(const std::vector<Real>& lam, int l, int m, Real cosine,
                                   Real sine) {
    if (l < 2) return {0.0L, 0.0L};
    const Real ll = l, mm = m, s2 = sine * sine;
    const Real norm = 2.0L / std::sqrt((ll + 2) * (ll + 1) * ll * (ll - 1));
    const Real here = lam[static_cast<size_t>(l)];
    // (l+m) P_{l-1}^m in the normalization of l.
    const Real below = l > m ? lam[static_cast<size_t>(l) - 1] *
                                   std::sqrt((2 * ll + 1) * (ll * ll - mm * mm) / (2 * ll - 1))
                             : 0.0L;
    const Real f1 =
        norm * (-((ll - mm * mm) / s2 + 0.5L * ll * (ll - 1)) * here + cosine / s2 * below);
    const Real f2 = norm * mm / s2 * (-(ll - 1) * cosine * here + below);
    return {f1, f2};
}

struct LongDirection {
    Real cosine, sine, phi;
};
inline LongDirection pixelDirection(int64_t nside, int64_t pixel) {
    const RingPlace at = ringPlaceFromRing(nside, pixel);
    const Real n = static_cast<Real>(nside);
    const Real quarter = static_cast<Real>(detail::quarterLength(nside, at.ring));
    const Real phi = kLongPi / (4 * quarter) *
                     static_cast<Real>(2 * at.place + detail::ringShift(nside, at.ring));
    Real z = (4 * n - 2 * static_cast<Real>(at.ring)) / (3 * n);
    if (at.ring < nside || at.ring > 3 * nside)
        z = std::copysign(1 - quarter * quarter / (3 * n * n),
                          static_cast<Real>(2 * nside - at.ring));
    return {z, std::sqrt((1 - z) * (1 + z)), phi};
}

inline std::vector<double> directSynthesis(const Alm& alm, int64_t nside) {
    std::vector<double> map(static_cast<size_t>(12 * nside * nside));
    for (size_t p = 0; p < map.size(); ++p) {
        const LongDirection d = pixelDirection(nside, static_cast<int64_t>(p));
        Real sum = 0;
        for (int m = 0; m <= alm.mmax(); ++m) {
            const std::vector<Real> lam = lambda(alm.lmax(), m, d.cosine, d.sine);
            const Real c = std::cos(m * d.phi), s = std::sin(m * d.phi);
            for (int l = m; l <= alm.lmax(); ++l)
                sum += (m == 0 ? 1 : 2) * lam[static_cast<size_t>(l)] *
                       (alm(l, m).real() * c - alm(l, m).imag() * s);
        }
        map[p] = static_cast<double>(sum);
    }
    return map;
}

// Q = -sum (E X1 + i B X2), U = -sum (B X1 - i E X2): COSMO convention.
inline std::array<std::vector<double>, 2> directSpinTwo(const Alm& e, const Alm& b, int64_t nside) {
    std::array<std::vector<double>, 2> maps;
    for (auto& map : maps) map.resize(static_cast<size_t>(12 * nside * nside));
    using Complex = std::complex<Real>;
    for (size_t p = 0; p < maps[0].size(); ++p) {
        const LongDirection d = pixelDirection(nside, static_cast<int64_t>(p));
        Real q = 0, u = 0;
        for (int m = 0; m <= e.mmax(); ++m) {
            const std::vector<Real> lam = lambda(e.lmax(), m, d.cosine, d.sine);
            const Complex turn = std::polar(1.0L, m * d.phi);
            for (int l = std::max(m, 2); l <= e.lmax(); ++l) {
                const auto [f1, f2] = spinTwo(lam, l, m, d.cosine, d.sine);
                const Complex el(e(l, m)), bl(b(l, m)), i(0, 1);
                const Real both = m == 0 ? 1 : 2;
                q -= both * ((el * f1 + i * bl * f2) * turn).real();
                u -= both * ((bl * f1 - i * el * f2) * turn).real();
            }
        }
        maps[0][p] = static_cast<double>(q);
        maps[1][p] = static_cast<double>(u);
    }
    return maps;
}

// sY_lm(theta, 0) by the sum of J. N. Goldberg et al., J. Math. Phys. 8 (1967) 2155: no recurrence,
// but terms of both signs up to 2^l, so for l up to 16 only.
inline Real spinFunction(int spin, int l, int m, Real cosine, Real sine) {
    const auto binomial = [](int n, int k) {
        Real value = 1;
        for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
        return value;
    };
    const auto factorial = [](int n) { return std::tgamma(static_cast<Real>(n) + 1); };
    const Real half = std::atan2(sine, cosine) / 2, s = std::sin(half), c = std::cos(half);
    const Real norm = std::sqrt(factorial(l + m) / factorial(l + spin) * factorial(l - m) /
                                factorial(l - spin) * (2 * l + 1) / (4 * kLongPi));
    Real sum = 0;
    for (int r = std::max(0, m - spin); r <= std::min(l - spin, l + m); ++r) {
        const int power = 2 * r + spin - m;
        const Real term = binomial(l - spin, r) * binomial(l + spin, r + spin - m) *
                          std::pow(c, power) * std::pow(s, 2 * l - power);
        sum += ((l - r - spin + m) & 1) != 0 ? -term : term;
    }
    return norm * sum;
}
// a_lm = sum_p weight_p map_p conj(Y_lm) 4 pi / Npix; no weights if `weight` is empty.
inline Alm directAnalysis(std::span<const double> map, std::span<const double> weight,
                          int64_t nside, int lmax) {
    std::vector<std::complex<Real>> sum(static_cast<size_t>(Alm::count(lmax, lmax)));
    Alm alm(lmax, lmax);
    for (size_t p = 0; p < map.size(); ++p) {
        const LongDirection d = pixelDirection(nside, static_cast<int64_t>(p));
        const Real value = static_cast<Real>(map[p]) * (weight.empty() ? 1.0L : weight[p]);
        for (int m = 0; m <= lmax; ++m) {
            const std::vector<Real> lam = lambda(lmax, m, d.cosine, d.sine);
            const std::complex<Real> turn = std::polar(value, -m * d.phi);
            for (int l = m; l <= lmax; ++l)
                sum[static_cast<size_t>(alm.index(l, m))] += lam[static_cast<size_t>(l)] * turn;
        }
    }
    const Real area = 4.0L * kLongPi / static_cast<Real>(12 * nside * nside);
    for (size_t i = 0; i < sum.size(); ++i)
        alm.values()[i] = std::complex<double>(static_cast<double>(area * sum[i].real()),
                                               static_cast<double>(area * sum[i].imag()));
    return alm;
}

// Coefficients of order one from `least` on, real for m = 0.
inline Alm whiteAlm(int lmax, int mmax, int least, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Alm alm(lmax, mmax);
    for (int m = 0; m <= mmax; ++m)
        for (int l = std::max(m, least); l <= lmax; ++l) {
            const double re = normal(random), im = normal(random);
            alm(l, m) = {re, m == 0 ? 0.0 : im};
        }
    return alm;
}

inline std::vector<double> whiteMap(int64_t nside, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> map(static_cast<size_t>(12 * nside * nside));
    for (double& value : map) value = normal(random);
    return map;
}

}  // namespace armilla::test
