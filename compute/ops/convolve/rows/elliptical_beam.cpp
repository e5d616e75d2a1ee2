// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/elliptical_beam.h"

#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/units.h"
#include "convolve/kernel/smooth_request.h"
#include "convolve/method_choice.h"
#include "convolve/pixels/smooth_direct.h"
#include "convolve/rows/ellipse.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// The fraction of an elliptical Gaussian beyond the ellipse q is exp(-q).
constexpr double kBeyond = 3e-7;
constexpr double kWidest = 0.8;

double sigmaOf(double fwhm) {
    return fwhm / kFwhmOfSigma;
}

// Refuses parameters other than those of sums over pixels up to the beam's own end.
void checkElliptical(const SmoothParameters& p) {
    const bool direct = p.method == SmoothMethod::Auto || p.method == SmoothMethod::Direct;
    const std::string found = !direct            ? "method " + std::string(nameOf(p.method))
                              : p.lmax >= 0      ? "an lmax"
                              : p.iterations > 0 ? "iterations"
                              : p.truncate > 0.0 ? "a radius"
                              : p.polarization   ? "polarization"
                              : p.weights == Weights::Pixel ? "pixel weights"
                                                            : "";
    if (!found.empty())
        throw Unsupported(
            "elliptical beams: expected method direct, weights ring or none, and no parameters of "
            "radial kernels, found " +
            found);
}

}  // namespace

double ellipseRadius(double fwhm) {
    return 2.0 * std::asin(0.5 * sigmaOf(fwhm) * std::sqrt(-2.0 * std::log(kBeyond)));
}

RowKernel ellipseKernel(const EllipticalBeam& beam, KernelNorm norm) {
    if (!(beam.minor > 0.0) || !(beam.minor <= beam.major) || !(beam.major <= kWidest) ||
        !std::isfinite(beam.angle))
        throw InvalidArgument("expected FWHMs of an elliptical beam above 0 and up to " +
                              formatAngle(kWidest) + ", minor <= major, found minor " +
                              formatAngle(beam.minor) + " and major " + formatAngle(beam.major));
    const double major = sigmaOf(beam.major), minor = sigmaOf(beam.minor);
    const double last = -std::log(kBeyond);
    RowKernel kernel;
    kernel.taps.isElliptical = true;
    kernel.taps.end = major * major * last;
    EllipseView& view = kernel.taps.ellipse;
    const double c = std::cos(beam.angle), s = std::sin(beam.angle);
    const double along = 0.5 / (major * major), across = 0.5 / (minor * minor);
    view.north = c * c * along + s * s * across;
    view.east = s * s * along + c * c * across;
    view.both = 2.0 * c * s * (along - across);
    view.last = last;
    const double integral = kTwoPi * major * minor * (1.0 - kBeyond);
    view.height = norm == KernelNorm::Peak ? 1.0 : 1.0 / integral;
    kernel.integral = norm == KernelNorm::Peak ? integral : 1.0;
    kernel.radius = ellipseRadius(beam.major);
    return kernel;
}

HealpixMap smoothElliptical(const HealpixMap& map, std::span<const int> fields,
                            const EllipticalBeam& beam, const SmoothParameters& parameters,
                            const Device& device, SmoothReport& report, JobContext& job) {
    checkParameters(parameters);
    if (map.coverage() == Coverage::MultiOrder)
        throw Unsupported(
            "elliptical beams: expected a map of one order, found a multi-order map; flatten it "
            "first (armilla convert)");
    checkElliptical(parameters);
    const KernelNorm norm = parameters.norm.value_or(KernelNorm::None);
    const RowKernel kernel = ellipseKernel(beam, norm);
    const Kernel narrow = Kernel::gaussian(beam.minor);
    refuseNarrow(narrow, SampleLattice::healpix(map.nside()), "direct", kFinerInstead, job);
    HealpixMap result = mapLike(map, smoothOnRows(map, fields, kernel, parameters, device, job));
    report = {
        SmoothMethod::Direct, 0, kernel.radius, norm,
        errorOnPixels(narrow, ellipseRadius(beam.minor), map, fields, parameters.weights, job)};
    job.report(1.0, "smoothing");
    return result;
}

}  // namespace armilla
