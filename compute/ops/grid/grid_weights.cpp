// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid/grid_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/number_text.h"

namespace armilla {

namespace {

bool isGaussian(GridKernelKind kind) {
    return kind == GridKernelKind::Gaussian || kind == GridKernelKind::Gaussian2d;
}
bool hasBeam(GridKernelKind kind) {
    return factsOf(kind).width == GridKernelWidth::Beam;
}
double scaleA(const GridKernel& kernel) {
    return 1.55 / 3.0 * kernel.beam;
}
double scaleB(const GridKernel& kernel) {
    return 2.52 / 3.0 * kernel.beam;
}

// The factor of the kernel besides its Gaussian.
double factorAt(const GridKernel& kernel, double distance) {
    const double x = kPi * distance / scaleA(kernel);
    // Below this, the next terms of both series, x^2 / 6 and x^2 / 8, are under half an epsilon.
    if (x < 1e-8) return 1.0;
    return kernel.kind == GridKernelKind::TaperedSinc ? std::sin(x) / x
                                                      : std::cyl_bessel_j(1.0, x) / (0.5 * x);
}

// Coefficients of (2 asin(c/2))^2 / c^2 in powers of c^2: 2 / (n^2 C(2n, n)), from n = 1 on.
std::array<double, kGridSeries> angleSeries() {
    std::array<double, kGridSeries> series{};
    double binomial = 1.0;
    for (int n = 1; n <= kGridSeries; ++n) {
        binomial *= 2.0 * (2.0 * n - 1.0) / n;
        series[static_cast<size_t>(n - 1)] = 2.0 / (static_cast<double>(n) * n * binomial);
    }
    return series;
}

void fillSeries(GridWeights& weights) {
    // Both series decrease like (c/2)^(2n) or, divided by 1 - c^2/4, at most n times more slowly.
    const double quarter = 0.25 * weights.chord2Max;
    weights.terms = 1;
    for (double rest = quarter; rest * weights.terms > 1e-17 && weights.terms <= kGridSeries;
         rest *= quarter)
        ++weights.terms;
    weights.wide = weights.terms > kGridSeries;
    if (weights.wide) return;
    const auto angle = angleSeries();
    double over = 0.0;
    for (int n = 0; n < weights.terms; ++n) {
        over = 0.25 * over + angle[static_cast<size_t>(n)];
        weights.series[n] =
            weights.elliptical ? over : weights.exponent * angle[static_cast<size_t>(n)];
    }
}

// Interpolates in the Chebyshev nodes; coefficients below rounding are dropped.
void fillFactor(GridWeights& weights, const GridKernel& kernel) {
    constexpr int kNodes = kGridFactor + 1;
    std::array<double, kNodes> at{};
    for (int k = 0; k < kNodes; ++k) {
        const double u = std::cos(kPi * (k + 0.5) / kNodes);
        const double chord = std::sqrt(0.5 * (u + 1.0) * weights.chord2Max);
        at[static_cast<size_t>(k)] = factorAt(kernel, 2.0 * std::asin(0.5 * chord));
    }
    weights.factorScale = 2.0 / weights.chord2Max;
    weights.degree = 0;
    for (int n = 0; n < kNodes; ++n) {
        double sum = 0.0;
        for (int k = 0; k < kNodes; ++k)
            sum += at[static_cast<size_t>(k)] * std::cos(kPi * n * (k + 0.5) / kNodes);
        weights.factor[n] = (n == 0 ? 1.0 : 2.0) / kNodes * sum;
        if (std::abs(weights.factor[n]) > 1e-17) weights.degree = n;
    }
}

// Interpolates the root in the Chebyshev nodes, in extended precision, and measures the error.
void fillPlain(GridWeights& weights) {
    using Long = long double;
    constexpr int kNodes = kGridPlain + 1, kLooks = 101;
    const Long pi = std::acos(-1.0L), half = 0.5L * weights.chord2Max;
    const auto exponentAt = [&](Long u) {
        const Long angle = 2.0L * std::asin(0.5L * std::sqrt((u + 1.0L) * half));
        return weights.exponent * angle * angle;
    };
    constexpr Long kLargest = 0.6L;
    constexpr int kMostSquarings = 8;
    Long share = 1.0L;
    weights.squarings = 0;
    while (-share * exponentAt(1.0L) > kLargest && weights.squarings < kMostSquarings) {
        share *= 0.5L;
        ++weights.squarings;
    }
    // Divided differences (Newton), then powers of u.
    std::array<Long, kNodes> at{}, newton{}, power{};
    for (size_t k = 0; k < kNodes; ++k) {
        at[k] = std::cos(pi * (static_cast<Long>(k) + 0.5L) / kNodes);
        newton[k] = std::exp(share * exponentAt(at[k]));
    }
    for (size_t order = 1; order < kNodes; ++order)
        for (size_t k = kNodes - 1; k >= order; --k)
            newton[k] = (newton[k] - newton[k - 1]) / (at[k] - at[k - order]);
    for (size_t k = kNodes; k-- > 0;) {
        for (size_t n = kNodes - 1; n > 0; --n) power[n] = power[n - 1] - at[k] * power[n];
        power[0] = newton[k] - at[k] * power[0];
    }
    Long worst = 0.0L;
    for (int i = 0; i < kLooks; ++i) {
        const Long u = 2.0L * i / (kLooks - 1) - 1.0L;
        Long sum = 0.0L;
        for (size_t n = kNodes; n-- > 0;) sum = sum * u + power[n];
        worst = std::max(worst, std::abs(sum / std::exp(share * exponentAt(u)) - 1.0L));
    }
    constexpr Long kLimit = 2e-14L;
    weights.plain = worst / share < kLimit;
    weights.plainScale = static_cast<double>(1.0L / half);
    for (size_t n = 0; n < kNodes; ++n) weights.root[n] = static_cast<double>(power[n]);
}

void requirePositive(double width, std::string_view what) {
    if (!(width > 0.0) || !std::isfinite(width))
        throw InvalidArgument("expected " + std::string(what) + " above 0, found " +
                              numberText(width / kDegree) + " degrees");
}

}  // namespace

double defaultRadius(const GridKernel& kernel) {
    if (isGaussian(kernel.kind)) return 3.0 * kSigmaOfFwhm * kernel.fwhm;
    if (hasBeam(kernel.kind)) return kernel.beam;
    throw InvalidArgument("expected a radius for the kernel nearest, found none");
}

GridKernel checkedKernel(const GridKernel& kernel) {
    GridKernel checked = kernel;
    if (isGaussian(kernel.kind)) requirePositive(kernel.fwhm, "a width of the kernel");
    if (kernel.kind == GridKernelKind::Gaussian2d) {
        requirePositive(kernel.minorFwhm, "a minor axis of the kernel");
        if (kernel.minorFwhm > kernel.fwhm)
            throw InvalidArgument("expected a minor axis up to the major one (" +
                                  numberText(kernel.fwhm / kDegree) + " degrees), found " +
                                  numberText(kernel.minorFwhm / kDegree));
        if (!std::isfinite(kernel.angle))
            throw InvalidArgument(
                "expected a finite angle of the kernel's axes, found an infinite one");
    }
    if (hasBeam(kernel.kind)) requirePositive(kernel.beam, "a width of the beam");
    if (kernel.radius == 0.0) checked.radius = defaultRadius(kernel);
    requirePositive(checked.radius, "a radius of the kernel");
    if (hasBeam(kernel.kind) && checked.radius > kGridMaxBeams * kernel.beam)
        throw InvalidArgument("expected a radius up to " + numberText(kGridMaxBeams) +
                              " beams, beyond which this kernel is 0, found " +
                              numberText(checked.radius / kernel.beam));
    if (checked.radius > kHalfPi)
        throw InvalidArgument("expected a radius of the kernel up to 90 degrees, found " +
                              numberText(checked.radius / kDegree));
    return checked;
}

GridWeights gridWeights(const GridKernel& kernel) {
    GridWeights weights;
    const double chord = 2.0 * std::sin(0.5 * kernel.radius);
    weights.chord2Max = chord * chord;
    if (kernel.kind == GridKernelKind::Nearest) return weights;
    if (hasBeam(kernel.kind)) {
        weights.exponent = -1.0 / (scaleB(kernel) * scaleB(kernel));
        fillFactor(weights, kernel);
    } else {
        const double sigma = kSigmaOfFwhm * kernel.fwhm;
        weights.exponent = -0.5 / (sigma * sigma);
    }
    if (kernel.kind == GridKernelKind::Gaussian2d) {
        const double minor = kSigmaOfFwhm * kernel.minorFwhm;
        const double along = weights.exponent, across = -0.5 / (minor * minor);
        const double c = std::cos(kernel.angle), s = std::sin(kernel.angle);
        weights.elliptical = true;
        weights.northNorth = along * c * c + across * s * s;
        weights.eastEast = along * s * s + across * c * c;
        weights.northEast = (along - across) * s * c;
    }
    fillSeries(weights);
    if (kernel.kind == GridKernelKind::Gaussian) fillPlain(weights);
    return weights;
}

double kernelValue(const GridKernel& kernel, double distance, double bearing) {
    const auto gauss = [](double offset, double fwhm) {
        const double x = offset / (kSigmaOfFwhm * fwhm);
        return std::exp(-0.5 * x * x);
    };
    switch (kernel.kind) {
        case GridKernelKind::Gaussian: return gauss(distance, kernel.fwhm);
        case GridKernelKind::Gaussian2d:
            return gauss(distance * std::cos(bearing - kernel.angle), kernel.fwhm) *
                   gauss(distance * std::sin(bearing - kernel.angle), kernel.minorFwhm);
        case GridKernelKind::TaperedSinc:
        case GridKernelKind::BesselGauss: {
            const double x = distance / scaleB(kernel);
            return factorAt(kernel, distance) * std::exp(-x * x);
        }
        case GridKernelKind::Nearest: return 1.0;
    }
    return 0.0;
}

}  // namespace armilla
