// SPDX-License-Identifier: GPL-3.0-or-later
// Fits of beams, Gaussians and a plane to a patch of the map.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/filter.h"
#include "sources/source_parts.h"

namespace armilla::sources {

// Radius of a patch around one source, in FWHM: a Gaussian is 2e-3 of its peak there, and the
// surroundings constrain the plane.
inline constexpr double kPatch = 1.5;
// The largest patch, in FWHM, for sources wider than the beam.
inline constexpr double kLargestPatch = 7.0;

// One component of a fit. Lengths in sigma of the beam, east and north of the center of the patch.
struct FitPart {
    double peak = 0.0, x = 0.0, y = 0.0;
    bool isGaussian = false;
    double xx = 1.0, xy = 0.0, yy = 1.0;  // covariance of the Gaussian
};

struct FitResult {
    Vec3 direction;
    double peak = 0.0, peakError = 0.0, positionError = 0.0;
    // FWHM, radians, and position angle; Gaussian only.
    double major = 0.0, minor = 0.0, angle = 0.0;
    double majorError = 0.0, minorError = 0.0, angleError = 0.0;
    double sizeError = 0.0;  // relative error of the geometric mean of the two
    // Rms of the residual in units of the covariance's prediction, and the number of values.
    double spread = 0.0;
    int64_t values = 0;
    SkyPart part() const { return {direction, peak, major, minor, angle}; }
};

// A converged fit.
struct PatchSolution {
    std::vector<FitPart> parts;
    std::vector<FitResult> results;
    double chi2 = 0.0;
    int64_t freedom = 0;  // values less parameters
};

// Common data of all fits of a map.
struct FitModel {
    SourcePixels pixels{1};
    double fwhm = 0.0;
    const RadialProfile* beam = nullptr;
    RadialProfile covariance;  // covariance of the correlated part
    double whiteLevel = 0.0;   // power of the white part, in steradians
    double whiteVariance(int64_t pixel) const { return whiteLevel / pixels.area(pixel); }
    static FitModel of(const FilteredSky& sky, double fwhm);
    double sigma() const;  // sigma of the beam, radians
};

// The patch around a position: values (of pixels, or means of pixels if there are many), and the
// Cholesky factor of their covariance.
class FitPatch {
public:
    struct Noise {
        double scale = 1.0;  // ratio of the noise to the spectrum's prediction
        double sign = 1.0;   // -1: all parts in the negated map
    };
    // `left`: the map without sources (RING, NaN bad); `parts` are added back.
    FitPatch(const FitModel& model, std::span<const double> left, Vec3 center, double radius,
             std::span<const SkyPart> parts, Noise noise);
    // A patch of these pixels (RING) and their values, with the source included.
    FitPatch(const FitModel& model, const std::vector<std::pair<int64_t, double>>& pixels,
             Vec3 center);
    static double radiusOf(const FitModel& model);  // radius of a patch around one source
    // None if the patch has too few good pixels, a part moves too far, or its peak changes sign.
    std::optional<PatchSolution> fit(const std::vector<FitPart>& start) const;
    // Fits one beam at the center.
    std::optional<PatchSolution> beam(double peak) const;
    std::optional<PatchSolution> gaussian(double peak) const;
    // chi^2 of fixed parts, with the plane fitted.
    double chi2Of(const std::vector<FitPart>& parts) const;
    FitPart partOf(const SkyPart& part) const;

private:
    struct Point {
        double x, y;
    };
    struct Columns;
    void build(const std::vector<std::pair<int64_t, double>>& pixels, double radius, double scale);
    void evaluate(const std::vector<FitPart>& parts, bool derivatives, Columns& columns) const;
    void addBeam(const FitPart& part, size_t column, Columns& columns) const;
    void addGaussian(const FitPart& part, size_t column, Columns& columns) const;
    void whiten(std::vector<double>& rows, size_t columns) const;
    std::vector<double> leftOf(const Columns& columns, const std::array<double, 3>& plane) const;
    void normalOf(const Columns& columns, const std::vector<double>& left,
                  std::vector<double>& normal, std::vector<double>& gradient) const;
    PatchSolution solved(const std::vector<FitPart>& parts, double chi2,
                         const std::vector<double>& covariance) const;

    const FitModel* model_;
    Vec3 center_;
    double sign_ = 1.0, unit_ = 1.0;
    std::vector<Point> points_;     // all pixels, group after group, in sigma of the beam
    std::vector<size_t> groupEnd_;  // end of each group; a value is the mean of a group
    std::vector<double> values_;    // whitened
    std::vector<double> factor_;    // lower triangle, row-major
    std::vector<double> plane_;     // whitened, three columns
};

}  // namespace armilla::sources
