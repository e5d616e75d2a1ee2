// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/legendre/legendre.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "shared/legendre_recurrence.h"
#include "sht/legendre/legendre_kernels.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

void splitWide(long double value, double& high, double& low) {
    high = static_cast<double>(value);
    low = static_cast<double>(value - static_cast<long double>(high));
}

void keepWorkspace(int rings, int doublesEach, AlignedArray<double>& states,
                   std::vector<int>& begins) {
    if (begins.size() >= static_cast<size_t>(rings)) return;
    states = AlignedArray<double>(static_cast<size_t>(rings) * static_cast<size_t>(doublesEach));
    begins.resize(static_cast<size_t>(rings));
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
        const WideLatitude wide = wideLatitude(ring);
        z[i] = static_cast<double>(wide.z);
        const size_t group = i / kRingGroup;
        if (i % kRingGroup == 0) {
            // A group takes form 1 if all of its rings are in the northern cap; the last ring is
            // the nearest to the equator.
            const Ring& last = northern[std::min(i + kRingGroup, northern.size()) - 1];
            form.push_back(std::min(ring.z, last.z) > kPolarCap ? 1 : 0);
            if (std::min(ring.sinTheta, last.sinTheta) < kSpinCapSine)
                spinCap = static_cast<int>(i) + kRingGroup;
        }
        sinHigh[i] = ring.sinTheta;
        sinLow[i] = ring.sinThetaLow;
        scalarArgument[i] = armilla::scalarArgument(wide, form[group]);
        spinArgument[i] = armilla::spinArgument(wide, form[group]);
        const long double root2 = std::sqrt(2.0L);
        splitWide(root2 * wide.sinHalf, sinHalfHigh[i], sinHalfLow[i]);
        splitWide(root2 * wide.cosHalf, cosHalfHigh[i], cosHalfLow[i]);
    }
    for (int i = 0; i < spinCap; ++i)
        spinCapSine = std::max(spinCapSine, sinHigh[static_cast<size_t>(i)]);
}

int usefulModes(int lmax, int mmax, int spin, double sinTheta, double z) {
    // Once false, the condition stays false: m minus its reach grows from m = 8 on, and is negative
    // before.
    int low = 0, high = mmax + 1;  // useful: low; not useful: high
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (middle <= usefulOrder(lmax, middle, spin, sinTheta, z) ? low : high) = middle;
    }
    return low + 1;
}

UsefulRings::UsefulRings(const RingLatitudes& rings, int lmax, int mmax, int spin) {
    for (int i = 0; i < rings.count; ++i) {
        if (i % kRingGroup == 0) modes_.push_back(0);
        const auto at = static_cast<size_t>(i);
        modes_.back() =
            std::max(modes_.back(), usefulModes(lmax, mmax, spin, rings.sinHigh[at], rings.z[at]));
    }
}

int UsefulRings::first(int m) const {
    size_t group = 0;
    while (group < modes_.size() && m >= modes_[group]) ++group;
    return static_cast<int>(group) * kRingGroup;
}

long double SectoralSquare::of(int m) {
    if (m < at_) *this = SectoralSquare();
    while (at_ < m) value_ *= sectoralStep(++at_);
    return value_;
}

// ---- spin 0 -------------------------------------------------------------------------------------

ScalarSeries::ScalarSeries(int lmax, int series)
    : lmax_(lmax),
      series_(series),
      epsilon_(static_cast<size_t>(lmax) + 6),
      scale_(static_cast<size_t>(lmax) / 2 + 3),
      recurrence_(static_cast<size_t>(lmax) / 2 + 2),
      terms_(static_cast<size_t>(series) * recurrence_.size()),
      sums_(terms_.size() * 4 * simdLanes()) {}

void ScalarSeries::prepare(int m) {
    m_ = m;
    steps_ = (lmax_ - m) / 2 + 1;
    // epsilon_[i] is eps_{m+i}.
    double* const e = epsilon_.data();
    e[0] = 0.0;
    for (int i = 1; i < 2 * steps_ + 4; ++i) e[i] = scalarEpsilonAbove(m + i, m);
    const auto coupling = [e](int k) { return e[2 * k] * e[2 * k + 1]; };
    scale_[0] = scale_[1] = 1.0;
    for (int k = 1; k < steps_; ++k)
        scale_[static_cast<size_t>(k) + 1] =
            scale_[static_cast<size_t>(k) - 1] * (coupling(k) / coupling(k + 1));
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const ScalarRecurrence step =
            scalarRecurrence(e[2 * k + 1], e[2 * k + 2], e[2 * k + 3], scale_[i], scale_[i + 1]);
        recurrence_[i].a = step.a;
        recurrence_[i].b[0] = step.b[0];
        recurrence_[i].b[1] = step.b[1];
    }
    start_ = ((m & 1) != 0 ? -1.0 : 1.0) * static_cast<double>(std::sqrt(sectoral_.of(m))) / e[1];
}

std::span<const double> ScalarSeries::epsilon() const {
    return {epsilon_.data(), static_cast<size_t>(lmax_ - m_) + 2};
}

void ScalarSeries::setCoefficients(std::span<const Complex> alm, int series) {
    ARMILLA_ASSERT(static_cast<int>(alm.size()) == lmax_ - m_ + 1);
    const int count = static_cast<int>(alm.size());
    const auto at = [&](int i) { return i < count ? alm[static_cast<size_t>(i)] : Complex(0.0); };
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const Complex even =
            scale_[i] * (epsilon_[2 * i + 1] * at(2 * k) + epsilon_[2 * i + 2] * at(2 * k + 2));
        const Complex odd = scale_[i] * at(2 * k + 1);
        terms_[static_cast<size_t>(series * steps_) + i] = {even.real(), even.imag(), odd.real(),
                                                            odd.imag()};
    }
}

void ScalarSeries::addCoefficients(std::span<Complex> alm, int series) {
    ARMILLA_ASSERT(static_cast<int>(alm.size()) == lmax_ - m_ + 1);
    takeSums(sums_.data() + static_cast<size_t>(series * steps_) * 4 * simdLanes(), steps_,
             terms_.data());
    Complex before(0.0);
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const ScalarTerms& sum = terms_[i];
        const Complex even(scale_[i] * sum.evenRe, scale_[i] * sum.evenIm);
        const Complex odd(scale_[i] * sum.oddRe, scale_[i] * sum.oddIm);
        alm[2 * i] += epsilon_[2 * i + 1] * even + epsilon_[2 * i] * before;
        if (2 * i + 1 < alm.size()) alm[2 * i + 1] += odd;
        before = even;
    }
}

ScalarKernelArguments ScalarSeries::arguments(const RingLatitudes& rings, int first, int count,
                                              ptrdiff_t stride, int sinPower) {
    if (powersFor_ != &rings) {
        powersFor_ = &rings;
        powers_ = AlignedArray<double>(static_cast<size_t>(rings.count * kPowerState));
        powerOf_.assign(static_cast<size_t>(rings.count), -1);
    }
    return {recurrence_.data(),
            steps_,
            m_,
            start_,
            &rings,
            first,
            count,
            stride,
            series_,
            sinPower,
            powers_.data(),
            powerOf_.data()};
}

void ScalarSeries::synthesize(const RingLatitudes& rings, int first, int count, double* planes,
                              ptrdiff_t stride, int sinPower) {
    scalarSynthesis(arguments(rings, first, count, stride, sinPower), terms_.data(), planes);
}

void ScalarSeries::accumulate(const RingLatitudes& rings, int first, int count,
                              const double* planes, ptrdiff_t stride, int sinPower) {
    keepWorkspace(count, scalarState(series_), states_, begins_);
    scalarAccumulate(arguments(rings, first, count, stride, sinPower), planes, sums_.data(),
                     states_.data(), begins_.data());
}

// ---- spin s -------------------------------------------------------------------------------------

SpinSeries::SpinSeries(int lmax, int spin, const RingLatitudes& rings)
    : lmax_(lmax),
      spin_(spin),
      capSine_(rings.spinCapSine),
      mixing_(lmax, spin),
      belt_(lmax + spin, 2),
      scale_(static_cast<size_t>(lmax) + 3),
      recurrence_(static_cast<size_t>(lmax) + 2),
      sums_((static_cast<size_t>(lmax) + 2) * 4 * simdLanes()),
      capSums_(static_cast<size_t>(lmax) + 2) {}

void SpinSeries::prepare(int m) {
    m_ = m;
    belt_.prepare(m);
    mixing_.prepare(m, belt_.epsilon());
    q_.resize(static_cast<size_t>(lmax_ + spin_ - m + 1));
    u_.resize(q_.size());
    inCap_ = m <= usefulOrder(lmax_, m, spin_, capSine_, 1.0);
    if (inCap_) prepareCap();
}

void SpinSeries::prepareCap() {
    const int m = m_;
    firstDegree_ = std::max(m, spin_);
    steps_ = std::max(0, lmax_ - firstDegree_ + 1);
    scale_[0] = scale_[1] = 1.0;
    double present = spinAlpha(firstDegree_ + 1, m, spin_);
    for (int k = 0; k < steps_; ++k) {
        const auto i = static_cast<size_t>(k);
        const double l = firstDegree_ + k;
        const SpinRecurrence step = spinRecurrence(l, m, spin_, present, scale_[i], scale_[i + 1]);
        recurrence_[i].a = step.a;
        for (int form = 0; form < 2; ++form) {
            recurrence_[i].gPlus[form] = step.gPlus[form];
            recurrence_[i].gMinus[form] = step.gMinus[form];
        }
        const double next = spinAlpha(l + 2.0, m, spin_);
        scale_[i + 2] = scale_[i] * (present / next);
        present = next;
    }
    const double norm =
        static_cast<double>(std::sqrt(spinStartSquare(sectoral_.of(firstDegree_), m, spin_)));
    const double sign = (m & 1) != 0 ? -1.0 : 1.0;
    startPlus_ = sign * norm;
    startMinus_ = m >= spin_ ? sign * norm : ((spin_ & 1) != 0 ? -norm : norm);
    sinPower_ = m + spin_;
    cosPower_ = std::abs(m - spin_);
}

void SpinSeries::setCoefficients(std::span<const Complex> e, std::span<const Complex> b) {
    ARMILLA_ASSERT(static_cast<int>(e.size()) == lmax_ - m_ + 1 && b.size() == e.size());
    mixing_.toScalar(e, b, q_, u_);
    belt_.setCoefficients(q_, 0);
    belt_.setCoefficients(u_, 1);
    if (!inCap_) return;
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
    std::fill(q_.begin(), q_.end(), Complex(0.0));
    std::fill(u_.begin(), u_.end(), Complex(0.0));
    belt_.addCoefficients(q_, 0);
    belt_.addCoefficients(u_, 1);
    mixing_.fromScalar(q_, u_, e, b);
    if (!inCap_) return;
    takeSums(sums_.data(), steps_, capSums_.data());
    const double parity = (spin_ & 1) != 0 ? -1.0 : 1.0;
    for (int k = 0; k < steps_; ++k) {
        const ScalarTerms& s = capSums_[static_cast<size_t>(k)];
        const double scale = -0.5 * scale_[static_cast<size_t>(k)];
        const Complex plus(scale * s.evenRe, scale * s.evenIm);
        const Complex minus(parity * scale * s.oddRe, parity * scale * s.oddIm);
        const auto l = static_cast<size_t>(firstDegree_ - m_ + k);
        e[l] += plus + minus;
        b[l] += Complex(0.0, -1.0) * (plus - minus);
    }
}

void SpinSeries::synthesize(const RingLatitudes& rings, int first, int count, double* planes,
                            ptrdiff_t stride) {
    const int cap = std::clamp(rings.spinCap - first, 0, count);
    if (cap > 0 && inCap_)
        spinSynthesis({recurrence_.data(), steps_, m_, firstDegree_, startPlus_, startMinus_,
                       sinPower_, cosPower_, &rings, first, cap, stride},
                      planes);
    else
        for (int plane = 0; plane < 2 * kPlanes; ++plane)
            std::fill_n(planes + plane * stride, cap, 0.0);
    if (cap < count) belt_.synthesize(rings, first + cap, count - cap, planes + cap, stride, spin_);
}

void SpinSeries::accumulate(const RingLatitudes& rings, int first, int count, const double* planes,
                            ptrdiff_t stride) {
    const int cap = std::clamp(rings.spinCap - first, 0, count);
    if (cap > 0 && inCap_) {
        keepWorkspace(cap, kSpinState, states_, begins_);
        spinAccumulate({recurrence_.data(), steps_, m_, firstDegree_, startPlus_, startMinus_,
                        sinPower_, cosPower_, &rings, first, cap, stride},
                       planes, sums_.data(), states_.data(), begins_.data());
    }
    if (cap < count) belt_.accumulate(rings, first + cap, count - cap, planes + cap, stride, spin_);
}

}  // namespace armilla
