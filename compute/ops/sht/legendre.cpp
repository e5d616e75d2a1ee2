// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/legendre.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "sht/legendre_kernels.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

void splitWide(long double value, double& high, double& low) {
    high = static_cast<double>(value);
    low = static_cast<double>(value - static_cast<long double>(high));
}

// sqrt((2 m + 1)!! / (4 pi (2 m)!!)): lambda_mm / ((-1)^m sin^m(theta)).
double sectoralNorm(int m) {
    long double product = 1.0L / (4.0L * std::acos(-1.0L));
    for (int i = 1; i <= m; ++i) product *= (2.0L * i + 1.0L) / (2.0L * i);
    return static_cast<double>(std::sqrt(product));
}

// Sums of one vector, in the order of its lanes.
double laneSum(const double* lanes, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) sum += lanes[i];
    return sum;
}

}  // namespace

RingLatitudes::RingLatitudes(std::span<const Ring> northern) {
    const int rings = static_cast<int>(northern.size());
    count = (rings + kRingGroup - 1) / kRingGroup * kRingGroup;
    const auto size = static_cast<size_t>(count);
    for (AlignedArray<double>* array : {&z, &scalarArgument, &spinArgument, &sinHigh, &sinLow,
                                        &sinHalfHigh, &sinHalfLow, &cosHalfHigh, &cosHalfLow})
        *array = AlignedArray<double>(size);
    for (size_t i = 0; i < size; ++i) {
        const Ring& ring = northern[std::min(i, northern.size() - 1)];
        const long double s = static_cast<long double>(ring.sinTheta) + ring.sinThetaLow;
        // z and sin(theta) describe one angle; the larger of them is derived from the other one,
        // which is then the more accurate.
        const long double zWide =
            std::fabs(ring.z) > 0.7
                ? std::copysign(std::sqrt((1 - s) * (1 + s)), static_cast<long double>(ring.z))
                : static_cast<long double>(ring.z);
        z[i] = static_cast<double>(zWide);
        const size_t group = i / kRingGroup;
        if (i % kRingGroup == 0) {
            // A group takes form 1 if all of its rings are in the northern cap |z| > 0.7; the last
            // ring is the nearest to the equator.
            const Ring& last = northern[std::min(i + kRingGroup, northern.size()) - 1];
            form.push_back(std::min(ring.z, last.z) > 0.7 ? 1 : 0);
        }
        const bool polar = form[group] == 1;
        sinHigh[i] = ring.sinTheta;
        sinLow[i] = ring.sinThetaLow;
        const long double theta = std::atan2(s, zWide);
        const long double sinHalf = std::sin(theta / 2);
        scalarArgument[i] = static_cast<double>(polar ? -s * s : zWide * zWide);
        spinArgument[i] = static_cast<double>(polar ? -2 * sinHalf * sinHalf : zWide);
        const long double root2 = std::sqrt(2.0L);
        splitWide(root2 * sinHalf, sinHalfHigh[i], sinHalfLow[i]);
        splitWide(root2 * std::cos(theta / 2), cosHalfHigh[i], cosHalfLow[i]);
    }
}

// ---- spin 0 -------------------------------------------------------------------------------------

ScalarSeries::ScalarSeries(int lmax)
    : lmax_(lmax),
      epsilon_(static_cast<size_t>(lmax) + 6),
      scale_(static_cast<size_t>(lmax) / 2 + 3),
      recurrence_(static_cast<size_t>(lmax) / 2 + 2),
      sums_((static_cast<size_t>(lmax) / 2 + 2) * 4 * simdLanes()) {}

void ScalarSeries::prepare(int m) {
    m_ = m;
    steps_ = (lmax_ - m) / 2 + 1;
    // epsilon_[i] is eps_{m+i}.
    for (int i = 0; i < 2 * steps_ + 4; ++i) {
        const double l = m + i;
        epsilon_[static_cast<size_t>(i)] =
            i == 0 ? 0.0 : std::sqrt((l - m) * (l + m) / ((2.0 * l - 1.0) * (2.0 * l + 1.0)));
    }
    const double* const e = epsilon_.data();
    const auto coupling = [e](int k) { return e[2 * k] * e[2 * k + 1]; };
    scale_[0] = scale_[1] = 1.0;
    for (int k = 1; k < steps_; ++k)
        scale_[static_cast<size_t>(k) + 1] =
            scale_[static_cast<size_t>(k) - 1] * (coupling(k) / coupling(k + 1));
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const double a = scale_[i] / (coupling(k + 1) * scale_[i + 1]);
        const double diagonal = e[2 * k + 2] * e[2 * k + 2] + e[2 * k + 1] * e[2 * k + 1];
        recurrence_[i].a = a;
        recurrence_[i].b[0] = -diagonal * a;
        recurrence_[i].b[1] = (1.0 - diagonal) * a;
    }
    start_ = ((m & 1) != 0 ? -1.0 : 1.0) * sectoralNorm(m) / e[1];
}

void ScalarSeries::setCoefficients(std::span<const Complex> alm) {
    ARMILLA_ASSERT(static_cast<int>(alm.size()) == lmax_ - m_ + 1);
    const int count = static_cast<int>(alm.size());
    const auto at = [&](int i) { return i < count ? alm[static_cast<size_t>(i)] : Complex(0.0); };
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const Complex even =
            scale_[i] * (epsilon_[2 * i + 1] * at(2 * k) + epsilon_[2 * i + 2] * at(2 * k + 2));
        const Complex odd = scale_[i] * at(2 * k + 1);
        recurrence_[i].evenRe = even.real();
        recurrence_[i].evenIm = even.imag();
        recurrence_[i].oddRe = odd.real();
        recurrence_[i].oddIm = odd.imag();
    }
}

void ScalarSeries::addCoefficients(std::span<Complex> alm) {
    ARMILLA_ASSERT(static_cast<int>(alm.size()) == lmax_ - m_ + 1);
    const size_t lanes = simdLanes();
    Complex before(0.0);
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        double* const s = sums_.data() + i * 4 * lanes;
        const Complex even(scale_[i] * laneSum(s, lanes), scale_[i] * laneSum(s + lanes, lanes));
        const Complex odd(scale_[i] * laneSum(s + 2 * lanes, lanes),
                          scale_[i] * laneSum(s + 3 * lanes, lanes));
        std::fill(s, s + 4 * lanes, 0.0);
        alm[2 * i] += epsilon_[2 * i + 1] * even + epsilon_[2 * i] * before;
        if (2 * i + 1 < alm.size()) alm[2 * i + 1] += odd;
        before = even;
    }
}

void ScalarSeries::synthesize(const RingLatitudes& rings, int first, int count, double* planes,
                              ptrdiff_t stride) const {
    scalarSynthesis({recurrence_.data(), steps_, m_, start_, &rings, first, count, stride}, planes);
}

void ScalarSeries::accumulate(const RingLatitudes& rings, int first, int count,
                              const double* planes, ptrdiff_t stride) {
    scalarAccumulate({recurrence_.data(), steps_, m_, start_, &rings, first, count, stride}, planes,
                     sums_.data());
}

// ---- spin s -------------------------------------------------------------------------------------

SpinSeries::SpinSeries(int lmax, int spin)
    : lmax_(lmax),
      spin_(spin),
      scale_(static_cast<size_t>(lmax) + 3),
      recurrence_(static_cast<size_t>(lmax) + 2),
      sums_((static_cast<size_t>(lmax) + 2) * 4 * simdLanes()) {}

void SpinSeries::prepare(int m) {
    m_ = m;
    firstDegree_ = std::max(m, spin_);
    steps_ = std::max(0, lmax_ - firstDegree_ + 1);
    const double s = spin_, mm = m;
    const auto alpha = [s, mm](double l) {
        return std::sqrt((l - mm) * (l + mm) * (l - s) * (l + s) /
                         ((2.0 * l - 1.0) * (2.0 * l + 1.0))) /
               l;
    };
    scale_[0] = scale_[1] = 1.0;
    double present = alpha(firstDegree_ + 1);
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const double l = firstDegree_ + k;
        const double a = scale_[i] / (present * scale_[i + 1]);
        recurrence_[i].a = a;
        const double tilt = mm * s / (l * (l + 1.0));
        recurrence_[i].gPlus[0] = a * tilt;
        recurrence_[i].gMinus[0] = -a * tilt;
        recurrence_[i].gPlus[1] = a * (1.0 + tilt);
        recurrence_[i].gMinus[1] = a * (1.0 - tilt);
        const double next = alpha(l + 2.0);
        scale_[i + 2] = scale_[i] * (present / next);
        present = next;
    }
    // sqrt((2 L + 1)! / (4 pi (L + k)! (L - k)!)), L the larger and k the smaller of m and s.
    const int larger = firstDegree_, smaller = std::min(m, spin_);
    long double product = 1.0L / (4.0L * std::acos(-1.0L));
    // (2 L + 1)! / (L!)^2 is the product of 4 (1 + 1 / (2 i)); the powers of 4 are in the factors
    // sqrt(2) of the half-angle functions, of which there are 2 L.
    for (int i = 1; i <= larger; ++i) product *= 1.0L + 1.0L / (2.0L * i);
    for (int i = 0; i < smaller; ++i)
        product *= static_cast<long double>(larger - i) / (larger + i + 1);
    const double norm = static_cast<double>(std::sqrt(product));
    const double sign = (m & 1) != 0 ? -1.0 : 1.0;
    startPlus_ = sign * norm;
    startMinus_ = m >= spin_ ? sign * norm : ((spin_ & 1) != 0 ? -norm : norm);
    sinPower_ = m + spin_;
    cosPower_ = std::abs(m - spin_);
}

void SpinSeries::setCoefficients(std::span<const Complex> e, std::span<const Complex> b) {
    ARMILLA_ASSERT(static_cast<int>(e.size()) == lmax_ - m_ + 1 && b.size() == e.size());
    const Complex i(0.0, 1.0);
    const double parity = (spin_ & 1) != 0 ? -1.0 : 1.0;
    for (int k = 0; k < steps_; ++k) {
        const auto l = static_cast<size_t>(firstDegree_ - m_ + k);
        const double scale = -scale_[static_cast<size_t>(k)];
        const Complex plus = scale * (e[l] + i * b[l]);
        const Complex minus = parity * scale * (e[l] - i * b[l]);
        SpinStep& step = recurrence_[static_cast<size_t>(k)];
        step.plusRe = plus.real();
        step.plusIm = plus.imag();
        step.minusRe = minus.real();
        step.minusIm = minus.imag();
    }
}

void SpinSeries::addCoefficients(std::span<Complex> e, std::span<Complex> b) {
    ARMILLA_ASSERT(static_cast<int>(e.size()) == lmax_ - m_ + 1 && b.size() == e.size());
    const size_t lanes = simdLanes();
    const double parity = (spin_ & 1) != 0 ? -1.0 : 1.0;
    for (int k = 0; k < steps_; ++k) {
        double* const s = sums_.data() + static_cast<size_t>(k) * 4 * lanes;
        const double scale = -0.5 * scale_[static_cast<size_t>(k)];
        const Complex plus(scale * laneSum(s, lanes), scale * laneSum(s + lanes, lanes));
        const Complex minus(parity * scale * laneSum(s + 2 * lanes, lanes),
                            parity * scale * laneSum(s + 3 * lanes, lanes));
        std::fill(s, s + 4 * lanes, 0.0);
        const auto l = static_cast<size_t>(firstDegree_ - m_ + k);
        e[l] += plus + minus;
        b[l] += Complex(0.0, -1.0) * (plus - minus);
    }
}

void SpinSeries::synthesize(const RingLatitudes& rings, int first, int count, double* planes,
                            ptrdiff_t stride) const {
    spinSynthesis({recurrence_.data(), steps_, m_, firstDegree_, startPlus_, startMinus_, sinPower_,
                   cosPower_, &rings, first, count, stride},
                  planes);
}

void SpinSeries::accumulate(const RingLatitudes& rings, int first, int count, const double* planes,
                            ptrdiff_t stride) {
    spinAccumulate({recurrence_.data(), steps_, m_, firstDegree_, startPlus_, startMinus_,
                    sinPower_, cosPower_, &rings, first, count, stride},
                   planes, sums_.data());
}

}  // namespace armilla
