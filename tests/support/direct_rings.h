// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms of any spin on any rings, term by term in long double, at positions independent of the
// program: the reference for RingTransform and its CUDA counterpart.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "armilla/ops/ring_grid.h"
#include "support/direct_sht.h"

namespace armilla::test {

// A grid of the program and the exact positions of its rings; phi is that of sample 0.
struct ExactGrid {
    RingGrid grid;
    std::vector<LongDirection> rings;
};

inline ExactGrid exactHealpix(int64_t nside) {
    ExactGrid exact{RingGrid::healpix(nside), {}};
    for (const Ring& ring : exact.grid.rings)
        exact.rings.push_back(pixelDirection(nside, ring.first));
    return exact;
}
inline ExactGrid exactClenshawCurtis(int64_t rows, int64_t columns) {
    ExactGrid exact{RingGrid::clenshawCurtis(rows, columns), {}};
    for (int64_t i = 0; i < rows; ++i) {
        const Real theta = kLongPi * static_cast<Real>(i) / static_cast<Real>(rows - 1);
        // The sine of the rounded pi is not zero.
        const Real sine = i == rows - 1 ? 0.0L : std::sin(theta);
        exact.rings.push_back({std::cos(theta), sine, 0.0L});
    }
    return exact;
}
inline ExactGrid exactFejer(int64_t rows, int64_t columns) {
    ExactGrid exact{RingGrid::fejer(rows, columns), {}};
    for (int64_t i = 0; i < rows; ++i) {
        const Real theta = kLongPi * (static_cast<Real>(i) + 0.5L) / static_cast<Real>(rows);
        exact.rings.push_back({std::cos(theta), std::sin(theta), 0.0L});
    }
    return exact;
}
// Zeros of P_n by Newton's method.
inline ExactGrid exactGaussLegendre(int64_t rows, int64_t columns) {
    ExactGrid exact{RingGrid::gaussLegendre(rows, columns), {}};
    const Real n = static_cast<Real>(rows);
    for (int64_t i = 0; i < rows; ++i) {
        Real z = std::cos(kLongPi * (static_cast<Real>(i) + 0.75L) / (n + 0.5L));
        for (int step = 0; step < 10; ++step) {
            Real before = 1.0L, here = z;  // P_{k-1}, P_k
            for (int64_t k = 1; k < rows; ++k) {
                const Real kk = static_cast<Real>(k);
                before = std::exchange(here, ((2 * kk + 1) * z * here - kk * before) / (kk + 1));
            }
            z -= here * (1 - z * z) / (n * (before - z * here));
        }
        exact.rings.push_back({z, std::sqrt((1 - z) * (1 + z)), 0.0L});
    }
    return exact;
}
// Every ring with its own longitude and number of samples, from 1 up, so that mirrored rings differ
// in both.
inline ExactGrid exactTurned(int64_t rows, int64_t most, unsigned seed) {
    ExactGrid exact = exactFejer(rows, 1);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> longitude(-kPi, kPi);
    int64_t first = 0;
    for (size_t i = 0; i < exact.rings.size(); ++i) {
        Ring& ring = exact.grid.rings[i];
        ring.first = first;
        ring.count = 1 + static_cast<int64_t>(i) * (most - 1) / (rows - 1);
        ring.phi0 = longitude(random);
        exact.rings[i].phi = ring.phi0;
        first += ring.count;
    }
    return exact;
}

// sY_lm(theta, 0) for l = 0 .. lmax, m of either sign, in the convention of spinFunction. The
// single term at l = max(|m|, s) is followed by the three-term recurrence in l (P. J. Kostelec & D.
// N. Rockmore 2008, J. Fourier Anal. Appl. 14, 145, eq. 2.11, with m' = -s). Powers that underflow,
// below 1e-4932, belong to values that are zero in double precision for l up to 16384.
inline std::vector<Real> spinFunctions(int spin, int lmax, int m, Real cosine, Real sine) {
    std::vector<Real> value(static_cast<size_t>(lmax) + 1, 0.0L);
    const int first = std::max(std::abs(m), spin), power = std::abs(m - spin);
    if (first > lmax) return value;
    const Real half = std::atan2(sine, cosine) / 2, s = std::sin(half), c = std::cos(half);
    Real binomial = 1.0L;
    for (int k = 1; k <= power; ++k) binomial *= static_cast<Real>(2 * first - power + k) / k;
    const int sign = m >= -spin ? m : spin;
    value[static_cast<size_t>(first)] = ((sign & 1) != 0 ? -1.0L : 1.0L) *
                                        std::sqrt((2 * first + 1) / (4 * kLongPi) * binomial) *
                                        std::pow(c, power) * std::pow(s, 2 * first - power);
    const Real mm = static_cast<Real>(m) * m, ss = static_cast<Real>(spin) * spin;
    Real alpha = 0.0L;  // coefficient of l; that of `first` is zero
    for (int l = first; l < lmax; ++l) {
        const Real ll = l, next = ll + 1, n2 = next * next;
        const Real alphaNext = std::sqrt((n2 - mm) * (n2 - ss) / (4 * n2 - 1)) / next;
        const Real tilt = l == 0 ? 0.0L : static_cast<Real>(m) * spin / (ll * next);
        const Real before = l == first ? 0.0L : value[static_cast<size_t>(l) - 1];
        value[static_cast<size_t>(l) + 1] =
            ((cosine + tilt) * value[static_cast<size_t>(l)] - alpha * before) / alphaNext;
        alpha = alphaNext;
    }
    return value;
}

using Maps = std::vector<std::vector<double>>;  // one component, or the two of a spin

inline std::vector<int> ordersUpTo(int mmax) {
    std::vector<int> orders(static_cast<size_t>(mmax) + 1);
    std::iota(orders.begin(), orders.end(), 0);
    return orders;
}

// Calls body(r, m, the sY_lm of ring r, e^{i m phi} of its samples) for every m of `orders`, of
// both signs.
template <typename Body>
void forEveryFunction(const ExactGrid& exact, int spin, int lmax, std::span<const int> orders,
                      const Body& body) {
    std::vector<std::complex<Real>> turns;
    for (size_t r = 0; r < exact.rings.size(); ++r) {
        const auto& [cosine, sine, phi] = exact.rings[r];
        const int64_t count = exact.grid.rings[r].count;
        for (const int order : orders)
            for (int m = -order; m <= order; m += std::max(2 * order, 1)) {
                turns.clear();
                for (int64_t j = 0; j < count; ++j)
                    turns.push_back(
                        std::polar(1.0L, m * (phi + 2 * kLongPi * static_cast<Real>(j) / count)));
                body(r, m, spinFunctions(spin, lmax, m, cosine, sine), turns);
            }
    }
}
// The sign before the sums of HEALPix's convention.
inline Real signOfSpin(int spin) {
    return spin == 0 ? 1.0L : -1.0L;
}
inline Real signOfOrder(int m) {
    return (m & 1) != 0 ? -1.0L : 1.0L;
}

// Sum of a_lm Y_lm for spin 0, else first + i second = -sum (E + i B)_lm sY_lm, of the m in
// `orders`.
inline Maps directRings(const ExactGrid& exact, int spin, const std::vector<Alm>& alm,
                        std::span<const int> orders) {
    using Complex = std::complex<Real>;
    const int lmax = alm[0].lmax();
    std::vector<Complex> sums(static_cast<size_t>(exact.grid.sampleCount()));
    forEveryFunction(exact, spin, lmax, orders,
                     [&](size_t r, int m, const std::vector<Real>& functions,
                         const std::vector<Complex>& turns) {
                         Complex sum = 0;
                         for (int l = std::max(std::abs(m), spin); l <= lmax; ++l) {
                             Complex e(alm[0](l, std::abs(m)));
                             Complex b(spin == 0 ? 0 : alm[1](l, std::abs(m)));
                             if (m < 0) {
                                 e = signOfOrder(m) * std::conj(e);
                                 b = signOfOrder(m) * std::conj(b);
                             }
                             sum += (e + Complex(0, 1) * b) * functions[static_cast<size_t>(l)];
                         }
                         const auto first = static_cast<size_t>(exact.grid.rings[r].first);
                         for (size_t j = 0; j < turns.size(); ++j)
                             sums[first + j] += signOfSpin(spin) * sum * turns[j];
                     });
    Maps maps(alm.size());
    for (const Complex& sum : sums) {
        maps[0].push_back(static_cast<double>(sum.real()));
        if (spin > 0) maps[1].push_back(static_cast<double>(sum.imag()));
    }
    return maps;
}

// The transpose, with a weight for each ring. From the sums g_lm of w (first + i second)
// conj(sY_lm) with the sign of the convention: E_lm = (g_lm + (-1)^m conj(g_l,-m)) / 2 and i B_lm =
// (g_lm - (-1)^m conj(g_l,-m)) / 2. Returns the columns of the m in `orders`, one after another;
// for all m these are the values of an Alm.
inline std::vector<std::vector<std::complex<double>>> directRingsAdjoint(
    const ExactGrid& exact, int spin, const Maps& maps, std::span<const double> weights, int lmax,
    std::span<const int> orders) {
    using Complex = std::complex<Real>;
    std::vector<size_t> columns;  // position of l = 0 of each order
    size_t size = 0;
    for (const int m : orders) {
        columns.push_back(size - static_cast<size_t>(m));
        size += static_cast<size_t>(lmax - m) + 1;
    }
    std::vector<Complex> e(size), b(size);
    forEveryFunction(exact, spin, lmax, orders,
                     [&](size_t r, int m, const std::vector<Real>& functions,
                         const std::vector<Complex>& turns) {
                         Complex sum = 0;
                         for (size_t j = 0; j < turns.size(); ++j) {
                             const size_t p = static_cast<size_t>(exact.grid.rings[r].first) + j;
                             const Complex value(maps[0][p], spin == 0 ? 0.0 : maps[1][p]);
                             sum += value * std::conj(turns[j]);
                         }
                         sum *= signOfSpin(spin) * weights[r] / 2;
                         const auto order = std::find(orders.begin(), orders.end(), std::abs(m));
                         const size_t column = columns[static_cast<size_t>(order - orders.begin())];
                         for (int l = std::max(std::abs(m), spin); l <= lmax; ++l) {
                             const size_t i = column + static_cast<size_t>(l);
                             const Complex g = sum * functions[static_cast<size_t>(l)];
                             const Complex mirrored = signOfOrder(m) * std::conj(g);
                             // m = 0 is its own mirror image.
                             if (m >= 0) e[i] += g, b[i] -= Complex(0, 1) * g;
                             if (m <= 0) e[i] += mirrored, b[i] += Complex(0, 1) * mirrored;
                         }
                     });
    std::vector<std::vector<std::complex<double>>> result(maps.size());
    result[0].assign(e.begin(), e.end());
    if (spin > 0) result[1].assign(b.begin(), b.end());
    return result;
}

// d/dtheta and 1/sin(theta) d/dphi, by sin(theta) d lambda_lm / d theta = l cos(theta) lambda_lm -
// sqrt((2l+1)/(2l-1) (l^2 - m^2)) lambda_{l-1,m}.
inline Maps directRingsGradient(const ExactGrid& exact, const Alm& alm) {
    using Complex = std::complex<Real>;
    Maps maps(2, std::vector<double>(static_cast<size_t>(exact.grid.sampleCount())));
    for (size_t r = 0; r < exact.rings.size(); ++r) {
        const auto& [cosine, sine, phi] = exact.rings[r];
        const Ring& ring = exact.grid.rings[r];
        // sums over m: d/dtheta, and d/dphi over sin(theta)
        std::vector<std::array<Complex, 2>> sums;
        for (int m = 0; m <= alm.mmax(); ++m) {
            const std::vector<Real> lam = lambda(alm.lmax(), m, cosine, sine);
            auto& [theta, longitude] = sums.emplace_back();
            for (int l = std::max(m, 1); l <= alm.lmax(); ++l) {
                const Real ll = l, here = lam[static_cast<size_t>(l)];
                const Real below = std::sqrt((2 * ll + 1) / (2 * ll - 1) * (ll - m) * (ll + m)) *
                                   lam[static_cast<size_t>(l) - 1];
                const Complex a(alm(l, m));
                theta += (ll * cosine * here - below) / sine * a;
                longitude += Complex(0, m) * here / sine * a;
            }
        }
        for (int64_t j = 0; j < ring.count; ++j) {
            const Real at = phi + 2 * kLongPi * static_cast<Real>(j) / ring.count;
            Real theta = 0, longitude = 0;
            for (int m = 0; m <= alm.mmax(); ++m) {
                const Complex turn = std::polar(m == 0 ? 1.0L : 2.0L, m * at);
                theta += (sums[static_cast<size_t>(m)][0] * turn).real();
                longitude += (sums[static_cast<size_t>(m)][1] * turn).real();
            }
            maps[0][static_cast<size_t>(ring.first + j)] = static_cast<double>(theta);
            maps[1][static_cast<size_t>(ring.first + j)] = static_cast<double>(longitude);
        }
    }
    return maps;
}

}  // namespace armilla::test
