// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/ops/filter.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/spectrum.h"
#include "shared/shape_checks.h"

namespace armilla {

namespace {

// End of the window relative to its start: the rest adds 1e-12 to sums of b^2.
constexpr double kBeamEnd = 1e-6;

// Beams on a tangent plane are enlarged to this width: P_l differs there from the Bessel function
// of a plane by 1e-6, as theta^2 / 12 at 12 beams, and a window has 4e4 values.
constexpr double kLeastOnPlane = kArcmin;

double weight(size_t l) {
    return (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi);
}

// Kernels of few parameters, whose coefficients take too little time for cancellation.
std::vector<double> coefficientsOf(const Kernel& kernel, size_t count) {
    JobContext job({}, {}, 1);
    std::vector<double> f = kernel.coefficients(static_cast<int>(count) - 1, job).bl[0];
    f.resize(count, 0.0);
    f[0] = f[1] = 0.0;
    return f;
}

std::vector<double> unnormalized(const FilterShape& shape, const PointBeam& beam,
                                 std::span<const double> cl, double scale) {
    const double radius = scale * beam.sigma() * beam.enlargement;
    if (shape.type == FilterType::MexicanHat)
        return coefficientsOf(Kernel::mexicanHat(shape.order, radius), cl.size());
    if (shape.type == FilterType::TopHatDifference) {
        // The disc of twice the area consists of the disc itself and a ring of equal area.
        const double outer = 2.0 * std::asin(std::min(1.0, std::sqrt(2.0) * std::sin(radius / 2)));
        const Kernel in = Kernel::topHat(radius).normalized(KernelNorm::Integral);
        const Kernel out = Kernel::topHat(outer).normalized(KernelNorm::Integral);
        return coefficientsOf(Kernel::difference(in, out), cl.size());
    }
    std::vector<double> f(cl.size(), 0.0);
    for (size_t l = 2; l < std::min(f.size(), beam.bl.size()); ++l) f[l] = beam.bl[l] / cl[l];
    return f;
}

PointFilter normalized(const FilterShape& shape, const PointBeam& beam, std::span<const double> cl,
                       double scale) {
    PointFilter filter{.type = shape.type,
                       .order = shape.type == FilterType::MexicanHat ? shape.order : 0,
                       .scale = scale,
                       .fl = unnormalized(shape, beam, cl, scale),
                       .enlargement = beam.enlargement};
    double response = 0.0, variance = 0.0;
    for (size_t l = 2; l < std::min(filter.fl.size(), beam.bl.size()); ++l)
        response += weight(l) * beam.bl[l] * filter.fl[l];
    response *= beam.enlargedSolidAngle();
    if (!(std::isfinite(response) && response > 0.0))
        throw InvalidArgument("expected a filter that sees the beam, found a response of " +
                              std::to_string(response));
    for (size_t l = 0; l < filter.fl.size(); ++l) {
        filter.fl[l] /= response;
        variance += weight(l) * filter.fl[l] * filter.fl[l] * cl[l];
    }
    filter.noise = std::sqrt(variance);
    return filter;
}

void check(const FilterShape& shape, std::span<const double> cl) {
    if (shape.type == FilterType::MexicanHat &&
        (shape.order < 1 || shape.order > kMaxMexicanHatOrder))
        throw InvalidArgument("expected a Mexican hat of order 1 to " +
                              std::to_string(kMaxMexicanHatOrder) + ", found " +
                              std::to_string(shape.order));
    if (shape.scale != 0.0 && !(shape.scale >= kMinFilterScale && shape.scale <= kMaxFilterScale))
        throw InvalidArgument("expected a scale from 0.2 to 20 of the beam's sigma, found " +
                              std::to_string(shape.scale));
    if (cl.size() < 3)
        throw InvalidArgument("expected a spectrum to l = 2 or beyond for a filter, found " +
                              std::to_string(cl.size()) + " values");
    for (size_t l = 2; l < cl.size(); ++l)
        if (!(std::isfinite(cl[l]) && cl[l] > 0.0))
            throw InvalidArgument("expected C_l above 0 for a filter, found " +
                                  std::to_string(cl[l]) + " at l = " + std::to_string(l));
}

// Coarse steps, because top hats have several minima, then golden-section search around the best.
double scaleOfLeastNoise(const FilterShape& shape, const PointBeam& beam,
                         std::span<const double> cl) {
    const auto noise = [&](double logScale) {
        return normalized(shape, beam, cl, std::exp(logScale)).noise;
    };
    constexpr double kLow = 0.3, kHigh = 5.0;
    constexpr int kSteps = 24;
    const double step = std::log(kHigh / kLow) / kSteps;
    double best = std::log(kLow), least = noise(best);
    for (int i = 1; i <= kSteps; ++i) {
        const double at = std::log(kLow) + i * step, value = noise(at);
        if (value < least) {
            least = value;
            best = at;
        }
    }
    double low = best - step, high = best + step;
    constexpr double kGolden = 0.6180339887498949;
    // To 1e-4: near the minimum the noise is flat to 1e-8.
    while (high - low > 1e-4) {
        const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
        (noise(a) < noise(b) ? high : low) = noise(a) < noise(b) ? b : a;
    }
    return std::exp(0.5 * (low + high));
}

}  // namespace

double PointBeam::sigma() const {
    return std::sqrt(solidAngle / kTwoPi);
}

double PointBeam::fwhm() const {
    return sigma() / kSigmaOfFwhm;
}

PointBeam PointBeam::gaussian(double fwhm) {
    if (!(fwhm >= kLeastFwhm && fwhm <= kMostFwhm))
        throw InvalidArgument("expected a beam of 1 arcsec to 60 degrees, found " +
                              std::to_string(fwhm / kDegree) + " degrees");
    const double end = std::sqrt(-2.0 * std::log(kBeamEnd)) / (fwhm * kSigmaOfFwhm);
    const int lmax = std::clamp(static_cast<int>(std::ceil(end)), 16, kMaxWindowLmax);
    return fromWindow(gaussianBeam(fwhm, lmax).bl[0], {});
}

PointBeam PointBeam::onPlane(double fwhm, double enlargement) {
    return fromWindow(gaussian(fwhm * enlargement).bl, {}, enlargement);
}

double PointBeam::enlargementOnPlane(double fwhm) {
    if (!(fwhm >= kLeastPlaneFwhm))
        throw InvalidArgument("expected a beam of 1 milliarcsecond or more, found " +
                              std::to_string(fwhm / kArcsec) + " arcsec");
    return std::max(1.0, kLeastOnPlane / fwhm);
}

PointBeam PointBeam::fromWindow(std::span<const double> bl, std::span<const double> pixelWindow,
                                double enlargement) {
    if (bl.size() < 3)
        throw InvalidArgument("expected a beam B_l to l = 2 or beyond, found " +
                              std::to_string(bl.size()) + " values");
    for (const double value : bl)
        if (!std::isfinite(value))
            throw InvalidArgument("expected finite values in a beam, found NaN or infinity");
    if (bl[0] == 0.0) throw InvalidArgument("expected a beam with B_0 above 0, found 0");
    PointBeam beam;
    for (size_t l = 0; l < bl.size(); ++l) {
        if (!pixelWindow.empty() && l >= pixelWindow.size()) break;
        beam.bl.push_back(bl[l] / bl[0] *
                          (pixelWindow.empty() ? 1.0 : pixelWindow[l] / pixelWindow[0]));
    }
    while (beam.bl.size() > 3 && std::abs(beam.bl.back()) < kBeamEnd) beam.bl.pop_back();
    double peak = 0.0;
    for (size_t l = 0; l < beam.bl.size(); ++l) peak += weight(l) * beam.bl[l];
    if (!(peak > 0.0))
        throw InvalidArgument("expected a beam with a peak at its center, found " +
                              std::to_string(peak));
    beam.enlargement = enlargement;
    beam.solidAngle = 1.0 / (peak * enlargement * enlargement);
    return beam;
}

PointFilter pointFilter(const FilterShape& shape, const PointBeam& beam,
                        std::span<const double> cl) {
    check(shape, cl);
    const double scale = shape.type == FilterType::Matched ? 0.0
                         : shape.scale > 0.0               ? shape.scale
                                                           : scaleOfLeastNoise(shape, beam, cl);
    return normalized(shape, beam, cl, scale);
}

RadialProfile::RadialProfile(std::span<const double> gl, double reach, double step,
                             double enlargement)
    : step_(step), reach_(std::min(reach, kPi / enlargement)) {
    const auto count = static_cast<size_t>(std::ceil(reach_ / step)) + 3;
    std::vector<double> angles(count);
    for (size_t i = 0; i < count; ++i)
        angles[i] = std::min(kPi, static_cast<double>(i) * step * enlargement);
    values_ = kernelProfile(gl, angles);
    envelope_ = values_;
    double largest = 0.0;
    for (size_t i = count; i-- > 0;) {
        largest = std::max(largest, std::abs(values_[i]));
        envelope_[i] = largest;
    }
}

namespace {

// Cubic through four neighbors (error 3/128 step^4 of the fourth derivative); even about 0.
struct Neighbors {
    double t, a, b, c, d;  // t: position between b and c
};
Neighbors around(const std::vector<double>& values, double place) {
    const auto i = std::min(static_cast<size_t>(place), values.size() - 3);
    return {place - static_cast<double>(i), values[i == 0 ? 1 : i - 1], values[i], values[i + 1],
            values[i + 2]};
}

}  // namespace

double RadialProfile::operator()(double theta) const {
    if (theta > reach_ || values_.empty()) return 0.0;
    const auto [t, a, b, c, d] = around(values_, theta / step_);
    return -a * t * (t - 1) * (t - 2) / 6 + b * (t + 1) * (t - 1) * (t - 2) / 2 -
           c * (t + 1) * t * (t - 2) / 2 + d * (t + 1) * t * (t - 1) / 6;
}

double RadialProfile::slope(double theta) const {
    if (theta > reach_ || values_.empty()) return 0.0;
    const auto [t, a, b, c, d] = around(values_, theta / step_);
    return (-a * (3 * t * t - 6 * t + 2) / 6 + b * (3 * t * t - 4 * t - 1) / 2 -
            c * (3 * t * t - 2 * t - 2) / 2 + d * (3 * t * t - 1) / 6) /
           step_;
}

double RadialProfile::envelope(double theta) const {
    if (theta > reach_ || values_.empty()) return 0.0;
    return envelope_[std::min(static_cast<size_t>(theta / step_), envelope_.size() - 1)];
}

double RadialProfile::reachOf(double level) const {
    size_t i = 0;
    while (i < envelope_.size() && envelope_[i] > level) ++i;
    return std::min(reach_, static_cast<double>(i) * step_);
}

}  // namespace armilla
