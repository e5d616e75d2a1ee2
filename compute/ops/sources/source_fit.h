// SPDX-License-Identifier: GPL-3.0-or-later
// Beam or Gaussian and a plane, fitted to a patch of the map.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/sky_vector.h"
#include "ops/filter.h"

namespace armilla::sources {

struct FitResult {
    Vec3 direction;
    double peak = 0.0, peakError = 0.0, positionError = 0.0;
    double major = 0.0, minor = 0.0, angle = 0.0;  // FWHM, radians; Gaussian only
    double sizeError = 0.0;                        // of the geometric mean of the two, relative
    // What is left, in units of what the covariance says; and of how many values.
    double spread = 0.0;
    int64_t values = 0;
};

// What all fits of a map share.
struct FitModel {
    int64_t nside = 0;
    double fwhm = 0.0;
    const RadialProfile* beam = nullptr;
    RadialProfile covariance;    // of what is not white
    double whiteVariance = 0.0;  // of a pixel
    static FitModel of(const FilteredSky& sky, double fwhm);
};

// The patch around a source: values (of pixels, or of means of pixels where there are many), and
// the Cholesky factor of their covariance.
class FitPatch {
public:
    // `left`: the map without sources (RING, NaN bad); the source with `peak` at `start` is added
    // back. `scale`: of the noise there relative to what the spectrum says.
    FitPatch(const FitModel& model, std::span<const double> left, Vec3 start, double peak,
             double scale);
    // Of these pixels (RING) and their values, with the source in them.
    FitPatch(const FitModel& model, const std::vector<std::pair<int64_t, double>>& pixels,
             Vec3 start, double peak, double scale);
    static double radiusOf(const FitModel& model);  // of a patch
    // None where the patch has too few good pixels or the fit leaves it.
    std::optional<FitResult> beam() const;
    std::optional<FitResult> gaussian() const;

private:
    struct Point {
        double x, y;
    };
    struct Shape;
    void build(const std::vector<std::pair<int64_t, double>>& pixels, double scale);
    std::optional<FitResult> fit(bool gaussian) const;
    void model(std::span<const double> parameters, std::vector<double>& values) const;
    void whiten(std::vector<double>& values) const;

    const FitModel* model_;
    Vec3 start_;
    double peak_;
    std::vector<Point> points_;     // of all pixels, group after group
    std::vector<size_t> groupEnd_;  // a value is the mean of a group
    std::vector<double> values_;
    std::vector<double> factor_;  // lower triangle, row after row
};

}  // namespace armilla::sources
