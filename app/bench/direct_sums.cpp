// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/direct_sums.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_geometry.h"

namespace armilla::cli {

namespace {

using Real = long double;
using Complex = std::complex<Real>;
constexpr Real kPiLong = 3.14159265358979323846264338327950288L;

// z = side (1 - h): next to a pole, h keeps digits that 1 - |z| loses.
struct Latitude {
    Real h, side, sine;
};
// K. M. Gorski et al., ApJ 622 (2005) 759, eqs. 4 and 8; rings from 1 on.
Latitude latitudeOf(int64_t nside, int64_t ring) {
    const auto n = static_cast<Real>(nside);
    const int64_t fromPole = std::min(ring, 4 * nside - ring);
    const auto i = static_cast<Real>(fromPole);
    const Real h = fromPole < nside ? i * i / (3 * n * n) : (2 * i - n) / (3 * n);
    return {h, ring <= 2 * nside ? 1.0L : -1.0L, std::sqrt(h * (2 - h))};
}
// e^{-i m phi} of a pixel on a ring. The angle is a rational fraction of a turn, so the reduction
// is exact in integers.
template <typename T>
std::complex<T> turnBack(int m, int64_t nside, RingPlace at) {
    const int64_t whole = 8 * detail::quarterLength(nside, at.ring);
    const int64_t part = m * (2 * at.place + detail::ringShift(nside, at.ring)) % whole;
    return std::polar(
        T(1), static_cast<T>(-2 * kPiLong * static_cast<Real>(part) / static_cast<Real>(whole)));
}

// Functions of one order and degree at a latitude. Spin 2: X_1 and X_2, which are F_1 and F_2 times
// sqrt((2 l + 1) / 4 pi) of the HEALPix primer (appendix on polarization). Spin 0: -lambda_lm and
// 0, so that the sums are the same.
struct Functions {
    Real first, second;
};

// lambda_mm (-1)^m / sin^m(theta), m = 0 .. mmax.
std::vector<Real> sectoralFactors(int mmax) {
    std::vector<Real> factors{1 / std::sqrt(4 * kPiLong)};
    for (int m = 1; m <= mmax; ++m) factors.push_back(factors.back() * std::sqrt(1 + 0.5L / m));
    return factors;
}

// lambda_lm = a_l (z lambda_{l-1,m} - lambda_{l-2,m} / a_{l-1}), l from m on (W. H. Press et al.,
// Numerical Recipes, 3rd ed., section 6.7.1).
class Column {
public:
    Column(int spin, int m, int lmax, Real sectoralFactor)
        : spin_(spin),
          m_(m),
          lnStart_(std::log(sectoralFactor)),
          factor_(static_cast<size_t>(lmax - m) + 1) {
        for (int l = m + 1; l <= lmax; ++l) {
            const Real l2 = static_cast<Real>(l) * l, m2 = static_cast<Real>(m) * m;
            factorOf(l) = std::sqrt((4 * l2 - 1) / (l2 - m2));
        }
    }

    // Calls visit(l, Functions) for l from max(m, spin) to lmax, except for values below 1e-4000.
    template <typename Visit>
    void forEachDegree(const Latitude& at, const Visit& visit) const {
        const int lmax = m_ + static_cast<int>(factor_.size()) - 1;
        // The values are scaled by `scale`. The recurrence starts at 1, because sin^m(theta) may
        // underflow a long double.
        constexpr Real kLarge = 1e500L;
        Real lnScale = lnStart_ + static_cast<Real>(m_) * std::log(at.sine);
        Real scale = std::exp(lnScale), before = 0, now = m_ % 2 == 0 ? 1 : -1;
        for (int l = m_; l <= lmax; ++l) {
            if (l > m_) {
                const Real last = l > m_ + 1 ? before / factorOf(l - 1) : 0;
                before = now;
                now = factorOf(l) * (at.side * (now - at.h * now) - last);
                if (std::abs(now) > kLarge) {
                    now /= kLarge;
                    before /= kLarge;
                    lnScale += std::log(kLarge);
                    scale = std::exp(lnScale);
                }
            }
            if (scale > 0 && l >= spin_)
                visit(l, spin_ == 0 ? Functions{-scale * now, 0}
                                    : ofSpinTwo(l, at, scale * now, scale * before));
        }
    }

private:
    Real& factorOf(int l) { return factor_[static_cast<size_t>(l - m_)]; }
    Real factorOf(int l) const { return factor_[static_cast<size_t>(l - m_)]; }
    Functions ofSpinTwo(int l, const Latitude& at, Real here, Real before) const {
        const Real ll = l, m = m_, z = at.side * (1 - at.h), s2 = at.sine * at.sine;
        const Real norm = 2 / std::sqrt((ll + 2) * (ll + 1) * ll * (ll - 1));
        const Real below = l > m_ ? before * (2 * ll + 1) / factorOf(l) : 0;
        return {norm * (-((ll - m * m) / s2 + 0.5L * ll * (ll - 1)) * here + z / s2 * below),
                norm * m / s2 * (-(ll - 1) * z * here + below)};
    }

    int spin_, m_;
    Real lnStart_;
    std::vector<Real> factor_;  // a_l
};

// sum_j map(j) e^{-i m phi_j} over a ring. The phase advances by multiplication, from an exact
// value every 64 samples.
template <typename Value>
Complex ringSum(std::span<const Value> map, int64_t nside, int64_t ring, int m) {
    const int64_t first = detail::firstPixelOfRing(nside, ring);
    const int64_t count = 4 * detail::quarterLength(nside, ring);
    const auto step =
        std::polar(1.0, -2.0 * static_cast<double>(kPiLong) * static_cast<double>(m % count) /
                            static_cast<double>(count));
    constexpr int64_t kExact = 64;
    Complex sum = 0;
    for (int64_t begin = 0; begin < count; begin += kExact) {
        auto turn = turnBack<double>(m, nside, {ring, begin});
        double re = 0.0, im = 0.0;
        for (int64_t j = begin; j < std::min(count, begin + kExact); ++j) {
            const double value = map[static_cast<size_t>(first + j)];
            re += value * turn.real();
            im += value * turn.imag();
            turn = {turn.real() * step.real() - turn.imag() * step.imag(),
                    turn.real() * step.imag() + turn.imag() * step.real()};
        }
        sum += Complex(re, im);
    }
    return sum;
}

// Sums of every count-th term, from the first `count` terms on, in order, times `factor`.
template <typename Value, typename Term>
std::vector<std::array<Value, 2>> totals(const std::vector<std::array<Term, 2>>& terms,
                                         size_t count, Real factor) {
    std::vector<std::array<Value, 2>> values(count);
    for (size_t i = 0; i < count; ++i)
        for (size_t c = 0; c < 2; ++c) {
            Term sum = 0;
            for (size_t at = i; at < terms.size(); at += count) sum += terms[at][c];
            values[i][c] = static_cast<Value>(factor * sum);
        }
    return values;
}

constexpr Complex kI{0, 1};

}  // namespace

// Q = -sum (E X_1 + i B X_2), U = -sum (B X_1 - i E X_2), over both signs of m.
std::vector<std::array<double, 2>> directSynthesis(int spin, std::span<const Alm> alm,
                                                   int64_t nside, std::span<const int64_t> pixels,
                                                   JobContext& job) {
    const int lmax = alm[0].lmax(), mmax = alm[0].mmax();
    const size_t count = pixels.size();
    const std::vector<Real> sectoral = sectoralFactors(mmax);
    std::vector<std::array<Real, 2>> terms(count * sectoral.size());
    parallelFor(job, mmax + 1, 1, [&](long long order, long long) {
        const int m = static_cast<int>(order);
        const Column column(spin, m, lmax, sectoral[static_cast<size_t>(m)]);
        for (size_t i = 0; i < count; ++i) {
            const RingPlace at = ringPlaceFromRing(nside, pixels[i]);
            Complex q = 0, u = 0;
            column.forEachDegree(latitudeOf(nside, at.ring), [&](int l, const Functions& x) {
                const Complex e(alm[0](l, m));
                q -= e * x.first;
                if (spin == 0) return;
                const Complex b(alm[1](l, m));
                q -= kI * b * x.second;
                u -= b * x.first - kI * e * x.second;
            });
            const Complex turn = std::conj(turnBack<Real>(m, nside, at));
            const Real both = m == 0 ? 1 : 2;
            terms[static_cast<size_t>(m) * count + i] = {both * (q * turn).real(),
                                                         both * (u * turn).real()};
        }
    });
    return totals<double>(terms, count, 1);
}

// Transpose of the synthesis, times the area of a pixel.
std::vector<std::array<std::complex<double>, 2>> directAnalysis(
    int spin, std::span<const ConstMapSamples> maps, int64_t nside, int m,
    std::span<const int> degrees, JobContext& job) {
    const Column column(spin, m, *std::max_element(degrees.begin(), degrees.end()),
                        sectoralFactors(m).back());
    const size_t count = degrees.size();
    const int64_t rings = 4 * nside - 1;
    std::vector<std::array<Complex, 2>> terms(count * static_cast<size_t>(rings));
    parallelFor(job, rings, 1, [&](long long r, long long) {
        const auto sumOf = [&](const ConstMapSamples& map) {
            return std::visit([&](auto values) { return ringSum(values, nside, r + 1, m); }, map);
        };
        const Complex q = sumOf(maps[0]), u = spin == 0 ? Complex() : sumOf(maps[1]);
        column.forEachDegree(latitudeOf(nside, r + 1), [&](int l, const Functions& x) {
            for (size_t i = 0; i < count; ++i)
                if (degrees[i] == l)
                    terms[static_cast<size_t>(r) * count + i] = {-x.first * q - kI * x.second * u,
                                                                 kI * x.second * q - x.first * u};
        });
    });
    const auto n = static_cast<Real>(nside);
    const Real area = kPiLong / (3 * n * n);
    return totals<std::complex<double>>(terms, count, area);
}

}  // namespace armilla::cli
