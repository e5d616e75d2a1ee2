// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/patch_fit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/order_statistics.h"
#include "armilla/core/pixel_queries.h"
#include "sources/source_fit.h"

namespace armilla {

namespace {

// Initial height of a source above its surroundings: the middle of the patch minus the median of
// the whole patch.
double heightOf(const HealpixMap& map, const std::vector<std::pair<int64_t, double>>& pixels,
                Vec3 start) {
    std::vector<double> values;
    double nearest = 10.0, middle = 0.0;
    for (const auto& [pixel, value] : pixels) {
        values.push_back(value);
        const double away = angularDistance(start, directionFromRing(map.nside(), pixel));
        if (away >= nearest) continue;
        nearest = away;
        middle = value;
    }
    return middle - upperMedian(values);
}

PatchFit taken(const sources::FitResult& fit, double sign) {
    PatchFit result;
    result.direction = fit.direction;
    result.peak = sign * fit.peak;
    result.peakError = fit.peakError * fit.spread;
    result.positionError = fit.positionError * fit.spread;
    result.major = fit.major;
    result.minor = fit.minor;
    result.angle = fit.angle;
    result.widthError = fit.sizeError * fit.spread;
    result.spread = fit.spread;
    return result;
}

}  // namespace

PatchFits fitPatch(const HealpixMap& map, int field, Vec3 start, double fwhm) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of one order, found cells of several");
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field below " + std::to_string(map.fieldCount()) +
                              ", found " + std::to_string(field));
    const PointBeam beam = PointBeam::gaussian(fwhm);
    sources::FitModel model;
    model.pixels = map.nside();
    model.fwhm = fwhm;
    // Up to three beams, because the source may move by one within its patch.
    std::vector<double> shape = beam.bl;
    for (double& b : shape) b *= beam.solidAngle;
    const RadialProfile profile(shape, 3.5 * fwhm, fwhm / 50.0);
    model.beam = &profile;
    model.covariance = RadialProfile(std::vector<double>{0.0, 0.0}, 4.0 * fwhm, fwhm / 50.0);
    model.whiteLevel = model.pixels.meanArea();  // a variance of 1
    std::vector<std::pair<int64_t, double>> pixels;
    const Vec3 at = normalized(start);
    for (const PixelRange& run :
         queryDisc(map.nside(), map.ordering(), at, sources::FitPatch::radiusOf(model)))
        for (int64_t p = run.begin; p < run.end; ++p)
            if (const double value = map.value(field, p); std::isfinite(value))
                pixels.emplace_back(map.ordering() == Ordering::Ring
                                        ? p
                                        : ringFromFace(map.nside(), faceFromNested(map.nside(), p)),
                                    value);
    PatchFits fits;
    fits.pixels = static_cast<int64_t>(pixels.size());
    if (pixels.empty()) return fits;
    // A hole is fitted as a source in the negated map.
    double height = heightOf(map, pixels, at);
    const double sign = height < 0.0 ? -1.0 : 1.0;
    height = std::abs(height);
    if (sign < 0.0)
        for (auto& [pixel, value] : pixels) value = -value;
    const sources::FitPatch patch(model, pixels, at);
    if (const auto fit = patch.beam(height)) {
        fits.beam = taken(fit->results[0], sign);
        fits.beam->major = fits.beam->minor = fwhm;
    }
    if (const auto fit = patch.gaussian(height)) fits.gaussian = taken(fit->results[0], sign);
    return fits;
}

}  // namespace armilla
