// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/source_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/pixel_geometry.h"
#include "core/pixel_queries.h"
#include "sources/sky_cells.h"
#include "sources/tangent_plane.h"

namespace armilla::sources {

namespace {

// Radius of the patch in FWHM: a Gaussian is 2e-3 of its peak there, and the plane is told from it.
constexpr double kPatch = 1.5;
// Values of a patch: a Cholesky factor of a Mflop.
constexpr size_t kMostValues = 150;
// Of the covariance, so that it has a factor where a map has no noise: below single precision of
// thousand sigma.
constexpr double kLeastWhite = 1e-7;
constexpr double kSigmaPerFwhm = 0.42466090014400953;

// In place, of an n x n matrix of which the lower triangle is given; false if not positive.
bool cholesky(std::vector<double>& a, size_t n) {
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j; i < n; ++i) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            if (i == j) {
                if (!(sum > 0.0)) return false;
                a[j * n + j] = std::sqrt(sum);
            } else {
                a[i * n + j] = sum / a[j * n + j];
            }
        }
    }
    return true;
}

// The inverse of a positive matrix from its factor.
std::vector<double> inverseOf(const std::vector<double>& factor, size_t n) {
    std::vector<double> inverse(n * n);
    for (size_t c = 0; c < n; ++c) {
        std::vector<double> x(n, 0.0);
        for (size_t i = 0; i < n; ++i) {
            double sum = i == c ? 1.0 : 0.0;
            for (size_t k = 0; k < i; ++k) sum -= factor[i * n + k] * x[k];
            x[i] = sum / factor[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            double sum = x[i];
            for (size_t k = i + 1; k < n; ++k) sum -= factor[k * n + i] * x[k];
            x[i] = sum / factor[i * n + i];
        }
        for (size_t i = 0; i < n; ++i) inverse[i * n + c] = x[i];
    }
    return inverse;
}

double dotOf(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Parameters of a model: peak, x, y, plane (3), and for a Gaussian the matrix xx, xy, yy of its
// widths, all but the peak and the plane in units of the beam's sigma.
enum Parameter : size_t { kPeak, kX, kY, kLevel, kSlopeX, kSlopeY, kXX, kXY, kYY, kMost };

}  // namespace

FitModel FitModel::of(const FilteredSky& sky, double fwhm) {
    FitModel model;
    model.nside = sky.nside;
    model.fwhm = fwhm;
    model.beam = &sky.beamProfile;
    std::vector<double> smooth = sky.cl;
    for (double& c : smooth) c = std::max(0.0, c - sky.whiteLevel);
    // What is of the largest scales is the plane's.
    smooth[0] = smooth[1] = 0.0;
    model.covariance = RadialProfile(smooth, 2.2 * kPatch * fwhm + 0.01 * fwhm, fwhm / 50.0);
    const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(sky.nside));
    model.whiteVariance = std::max(sky.whiteLevel / pixel, kLeastWhite * model.covariance(0.0));
    return model;
}

double FitPatch::radiusOf(const FitModel& model) {
    const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(model.nside)));
    return std::max(kPatch * model.fwhm, 2.6 * pixel);
}

FitPatch::FitPatch(const FitModel& model, std::span<const double> left, Vec3 start, double peak,
                   double scale)
    : model_(&model), start_(start), peak_(peak) {
    std::vector<std::pair<int64_t, double>> pixels;
    for (const PixelRange& range : queryDisc(model.nside, Ordering::Ring, start, radiusOf(model)))
        for (int64_t p = range.begin; p < range.end; ++p)
            if (const double value = left[static_cast<size_t>(p)]; std::isfinite(value)) {
                const double away = angularDistance(start, directionFromRing(model.nside, p));
                pixels.emplace_back(p, value + peak * (*model.beam)(away));
            }
    build(pixels, scale);
}

FitPatch::FitPatch(const FitModel& model, const std::vector<std::pair<int64_t, double>>& pixels,
                   Vec3 start, double peak, double scale)
    : model_(&model), start_(start), peak_(peak) {
    build(pixels, scale);
}

void FitPatch::build(const std::vector<std::pair<int64_t, double>>& pixels, double scale) {
    const FitModel& model = *model_;
    const double radius = radiusOf(model);
    const TangentPlane plane(start_);
    // Means of the pixels of larger ones, where they are too many.
    int64_t coarse = 0;
    if (pixels.size() > kMostValues) {
        const double cell = std::sqrt(kPi * radius * radius / static_cast<double>(kMostValues));
        coarse = coarseNside(cell, model.nside);
    }
    std::map<int64_t, std::vector<size_t>> groups;
    for (size_t i = 0; i < pixels.size(); ++i)
        groups[coarse > 0 ? cellOf(model.nside, pixels[i].first, coarse) : pixels[i].first]
            .push_back(i);
    std::vector<Point> centers;
    std::vector<double> white;
    for (const auto& [cell, members] : groups) {
        double sum = 0.0, x = 0.0, y = 0.0;
        for (const size_t i : members) {
            const Vec3 direction = directionFromRing(model.nside, pixels[i].first);
            const auto [px, py] = plane.from(direction);
            points_.push_back({px, py});
            sum += pixels[i].second;
            x += px;
            y += py;
        }
        const auto count = static_cast<double>(members.size());
        groupEnd_.push_back(points_.size());
        values_.push_back(sum / count);
        centers.push_back({x / count, y / count});
        white.push_back(model.whiteVariance / count);
    }
    const size_t n = values_.size();
    factor_.assign(n * n, 0.0);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j)
            factor_[i * n + j] = scale * scale *
                                 (model.covariance(std::hypot(centers[i].x - centers[j].x,
                                                              centers[i].y - centers[j].y)) +
                                  (i == j ? white[i] : 0.0));
    if (n == 0 || !cholesky(factor_, n)) values_.clear();
}

void FitPatch::whiten(std::vector<double>& values) const {
    const size_t n = values.size();
    for (size_t i = 0; i < n; ++i) {
        double sum = values[i];
        for (size_t k = 0; k < i; ++k) sum -= factor_[i * n + k] * values[k];
        values[i] = sum / factor_[i * n + i];
    }
}

void FitPatch::model(std::span<const double> p, std::vector<double>& values) const {
    const double unit = model_->fwhm * kSigmaPerFwhm;
    const bool gaussian = p.size() > kXX;
    const double determinant = gaussian ? p[kXX] * p[kYY] - p[kXY] * p[kXY] : 1.0;
    values.assign(values_.size(), 0.0);
    size_t i = 0;
    for (size_t group = 0; group < groupEnd_.size(); ++group) {
        const size_t begin = i;
        double sum = 0.0;
        for (; i < groupEnd_[group]; ++i) {
            const double dx = points_[i].x / unit - p[kX], dy = points_[i].y / unit - p[kY];
            const double shape =
                gaussian ? std::exp(-0.5 *
                                    (p[kYY] * dx * dx - 2.0 * p[kXY] * dx * dy + p[kXX] * dy * dy) /
                                    determinant)
                         : (*model_->beam)(unit * std::hypot(dx, dy));
            sum += p[kPeak] * shape + p[kLevel] + p[kSlopeX] * points_[i].x / unit +
                   p[kSlopeY] * points_[i].y / unit;
        }
        values[group] = sum / static_cast<double>(i - begin);
    }
}

std::optional<FitResult> FitPatch::fit(bool gaussian) const {
    const size_t count = gaussian ? kMost : kXX;
    if (values_.size() < count + 2) return std::nullopt;
    const double unit = model_->fwhm * kSigmaPerFwhm;
    std::vector<double> p(count, 0.0);
    p[kPeak] = peak_;
    if (gaussian) p[kXX] = p[kYY] = 1.0;
    std::vector<double> data = values_, at;
    whiten(data);
    const auto residualOf = [&](const std::vector<double>& parameters) {
        std::vector<double> left;
        model(parameters, left);
        whiten(left);
        for (size_t i = 0; i < left.size(); ++i) left[i] = data[i] - left[i];
        return left;
    };
    std::vector<double> left = residualOf(p), normal, gradient(count), inverse;
    double chi = dotOf(left, left), damping = 1e-3;
    bool settled = false;
    for (int step = 0; step < 40 && !settled; ++step) {
        // Derivatives by differences: smooth models, parameters of order 1 (or linear).
        std::vector<std::vector<double>> columns(count);
        for (size_t k = 0; k < count; ++k) {
            const bool linear = k == kPeak || (k >= kLevel && k <= kSlopeY);
            const double h = linear ? std::max(std::abs(peak_), 1e-300) * 1e-3 : 1e-4;
            std::vector<double> up = p, down = p;
            up[k] += h;
            down[k] -= h;
            std::vector<double> low;
            model(up, columns[k]);
            model(down, low);
            for (size_t i = 0; i < low.size(); ++i)
                columns[k][i] = (columns[k][i] - low[i]) / (2 * h);
            whiten(columns[k]);
        }
        normal.assign(count * count, 0.0);
        for (size_t j = 0; j < count; ++j) {
            gradient[j] = dotOf(columns[j], left);
            for (size_t k = 0; k <= j; ++k)
                normal[j * count + k] = normal[k * count + j] = dotOf(columns[j], columns[k]);
        }
        bool better = false;
        for (int attempt = 0; attempt < 8 && !better; ++attempt) {
            std::vector<double> damped = normal;
            for (size_t j = 0; j < count; ++j) damped[j * count + j] *= 1.0 + damping;
            if (!cholesky(damped, count)) return std::nullopt;
            const std::vector<double> solve = inverseOf(damped, count);
            std::vector<double> next = p;
            for (size_t j = 0; j < count; ++j)
                for (size_t k = 0; k < count; ++k) next[j] += solve[j * count + k] * gradient[k];
            const bool inside = std::hypot(next[kX], next[kY]) < 2.5 &&
                                (!gaussian || (next[kXX] > 0.02 && next[kYY] > 0.02 &&
                                               next[kXX] * next[kYY] > next[kXY] * next[kXY] &&
                                               std::max(next[kXX], next[kYY]) < 50.0));
            std::vector<double> fresh = inside ? residualOf(next) : std::vector<double>();
            const double value = inside ? dotOf(fresh, fresh) : chi;
            if (inside && value <= chi) {
                settled = chi - value < 1e-6 * (1.0 + 1e-3 * chi);
                p = std::move(next);
                left = std::move(fresh);
                chi = value;
                damping *= 0.1;
                better = true;
            } else {
                damping *= 10.0;
            }
        }
        if (!better) break;
    }
    if (!(p[kPeak] > 0.0) || normal.empty()) return std::nullopt;
    std::vector<double> factor = normal;
    if (!cholesky(factor, count)) return std::nullopt;
    const std::vector<double> covariance = inverseOf(factor, count);
    const auto variance = [&](size_t j, size_t k) { return covariance[j * count + k]; };
    FitResult result;
    result.values = static_cast<int64_t>(values_.size());
    result.spread = std::sqrt(chi / static_cast<double>(values_.size() - count));
    result.direction = TangentPlane(start_).direction(p[kX] * unit, p[kY] * unit);
    result.peak = p[kPeak];
    result.peakError = std::sqrt(variance(kPeak, kPeak));
    result.positionError = unit * std::sqrt(0.5 * (variance(kX, kX) + variance(kY, kY)));
    if (gaussian) {
        const double mean = 0.5 * (p[kXX] + p[kYY]);
        const double apart = std::hypot(0.5 * (p[kXX] - p[kYY]), p[kXY]);
        result.major = std::sqrt(mean + apart) * model_->fwhm;
        result.minor = std::sqrt(std::max(0.0, mean - apart)) * model_->fwhm;
        // x is east, y north; the angle is from north to east.
        const double fromEast = 0.5 * std::atan2(2.0 * p[kXY], p[kXX] - p[kYY]);
        result.angle = 0.5 * kPi - fromEast;
        if (result.angle > 0.5 * kPi) result.angle -= kPi;
        // Of ln det / 4, the logarithm of the mean width.
        const double det = p[kXX] * p[kYY] - p[kXY] * p[kXY];
        const std::array<double, 3> d{p[kYY] / det / 4, -2 * p[kXY] / det / 4, p[kXX] / det / 4};
        double sum = 0.0;
        for (size_t j = 0; j < 3; ++j)
            for (size_t k = 0; k < 3; ++k) sum += d[j] * d[k] * variance(kXX + j, kXX + k);
        result.sizeError = std::sqrt(std::max(0.0, sum));
    }
    return result;
}

std::optional<FitResult> FitPatch::beam() const {
    return fit(false);
}

std::optional<FitResult> FitPatch::gaussian() const {
    return fit(true);
}

}  // namespace armilla::sources
