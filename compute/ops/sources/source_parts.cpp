// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/source_parts.h"

#include <algorithm>
#include <cmath>

#include "sources/extraction.h"
#include "sources/tangent_plane.h"

namespace armilla::sources {

namespace {

constexpr double kSigmaPerFwhm = 0.42466090014400953;
// The integrand over the spread is a Gaussian of 1 / s^2 = 1 / spread^2 + 1 / beam^2. Its sum over
// a grid of step h has an error of 2 exp(-2 pi^2 s^2 / h^2): 6e-6 for h = 1.25 s.
constexpr double kStep = 1.25;
// The part of the spread beyond this many sigma is 1e-5.
constexpr double kEnd = 4.5;

struct Axis {
    double sigma = 0.0, step = 0.0;
    int64_t most = 0;
};
Axis axisOf(double fwhm, double beam) {
    Axis axis;
    axis.sigma = kSigmaPerFwhm * std::sqrt(std::max(0.0, fwhm * fwhm - beam * beam));
    const double sigmaBeam = kSigmaPerFwhm * beam;
    if (axis.sigma < 1e-3 * sigmaBeam) return {};
    axis.step = kStep * axis.sigma * sigmaBeam / std::hypot(axis.sigma, sigmaBeam);
    axis.most = static_cast<int64_t>(std::ceil(kEnd * axis.sigma / axis.step));
    return axis;
}
// Weight of grid point i; 1 at the middle.
double weightOf(const Axis& axis, int64_t i) {
    if (axis.most == 0) return 1.0;
    const double at = static_cast<double>(i) * axis.step / axis.sigma;
    return std::exp(-0.5 * at * at);
}
double sumOf(const Axis& axis) {
    double sum = 0.0;
    for (int64_t i = -axis.most; i <= axis.most; ++i) sum += weightOf(axis, i);
    return sum;
}

}  // namespace

std::vector<PointSource> pointsOf(const SkyPart& part, double fwhm) {
    if (!part.isGaussian()) return {{part.direction, part.peak}};
    const Axis major = axisOf(part.major, fwhm), minor = axisOf(part.minor, fwhm);
    const double total = part.peak * std::max(1.0, part.major / fwhm) *
                         std::max(1.0, part.minor / fwhm) / (sumOf(major) * sumOf(minor));
    const TangentPlane plane(part.direction);
    const double east = std::sin(part.angle), north = std::cos(part.angle);
    const double least = std::exp(-0.5 * kEnd * kEnd);
    std::vector<PointSource> points;
    for (int64_t i = -major.most; i <= major.most; ++i)
        for (int64_t j = -minor.most; j <= minor.most; ++j) {
            const double weight = weightOf(major, i) * weightOf(minor, j);
            if (weight < least) continue;
            const double along = static_cast<double>(i) * major.step,
                         across = static_cast<double>(j) * minor.step;
            points.push_back(
                {plane.direction(along * east + across * north, along * north - across * east),
                 total * weight});
        }
    return points;
}

void addPart(const SourcePixels& pixels, std::span<double> ring, const SkyPart& part, double scale,
             const RadialProfile& profile, double fwhm, double end) {
    const std::vector<PointSource> points = pointsOf(part, fwhm);
    for (const PointSource& point : points)
        addProfile(pixels, ring, point.direction, scale * point.peak, profile,
                   profile.reachOf(end / std::max(std::abs(part.peak), end)));
}

}  // namespace armilla::sources
