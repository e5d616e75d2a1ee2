// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/source_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "armilla/core/cholesky.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "sources/tangent_plane.h"

namespace armilla::sources {

namespace {

// Limit of values in a patch: a Cholesky factor of a Mflop. Larger patches use this many means
// within kInner FWHM, where a shape is visible, and beyond.
constexpr size_t kMostValues = 150;
constexpr double kInner = 1.25, kInnerValues = 90.0, kOuterValues = 60.0;
// Minimum white part of the covariance, so that maps without noise have a factor: below single
// precision of 1000 sigma.
constexpr double kLeastWhite = 1e-7;
constexpr double kSigmaPerFwhm = 0.42466090014400953;

// Cells of pixels that are averaged to one value.
class Cells {
public:
    Cells(const FitModel& model, Vec3 center, double radius, size_t pixels)
        : pixels_(model.pixels), center_(center), inner_(kInner * model.fwhm) {
        if (pixels <= kMostValues) return;
        double fine = std::sqrt(kPi / kInnerValues) * inner_;
        // Cells of an image are no pixels of it: those of its size hold one or two.
        if (pixels_.isImage()) fine = std::max(fine, pixels_.spacing());
        const double rest = kPi * std::max(0.0, radius * radius - inner_ * inner_);
        fine_ = nsideOf(fine);
        coarse_ = nsideOf(std::max(fine, std::sqrt(rest / kOuterValues)));
    }
    std::pair<bool, int64_t> operator()(int64_t pixel) const {
        if (coarse_ == 0) return {true, pixel};
        const Vec3 at = pixels_.center(pixel);
        const int64_t cell = ringFromDirection(coarse_, at);
        if (angularDistance(directionFromRing(coarse_, cell), center_) > inner_)
            return {false, cell};
        return {true, fine_ == pixels_.nside() ? pixel : ringFromDirection(fine_, at)};
    }

private:
    // The nside with pixels of that size, at most the map's own.
    int64_t nsideOf(double size) const {
        const int64_t most = pixels_.isImage() ? kMaxNside : pixels_.nside();
        return std::clamp<int64_t>(static_cast<int64_t>(std::sqrt(kPi / 3.0) / size), 1, most);
    }
    const SourcePixels& pixels_;
    int64_t fine_ = 0, coarse_ = 0;
    Vec3 center_;
    double inner_;
};

double dotOf(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// The first three parameters belong to the plane.
constexpr size_t kPlane = 3;
size_t countOf(const FitPart& part) {
    return part.isGaussian ? 6 : 3;
}
// Maximum distance of a part from its start, in sigma of the beam.
constexpr double kAway = 2.5;
// Least damping of a step, relative to the diagonal. Without damping, the step of a model whose
// parameters are degenerate, such as a wide Gaussian on the plane, follows the rounding of its
// input. With this one, rounding of 1e-16 moves a step by 1e-8 of itself.
constexpr double kLeastDamping = 1e-8;
// Models are refused as degenerate if a pivot of their normal equations is below this fraction of
// the diagonal. Rounding alone leaves pivots of about 1e-15.
constexpr double kLeastPivot = 1e-9;
// Limits of the variances of a Gaussian, in units of the beam's.
constexpr double kLeastVariance = 0.02, kMostVariance = 50.0;

bool isInside(const std::vector<FitPart>& parts, const std::vector<FitPart>& start) {
    for (size_t k = 0; k < parts.size(); ++k) {
        const FitPart& p = parts[k];
        const double away =
            p.isGaussian ? kAway * std::sqrt(std::max(1.0, std::max(p.xx, p.yy))) : kAway;
        if (!(std::hypot(p.x - start[k].x, p.y - start[k].y) < away)) return false;
        if (p.isGaussian && !(p.xx > kLeastVariance && p.yy > kLeastVariance &&
                              p.xx * p.yy > p.xy * p.xy && std::max(p.xx, p.yy) < kMostVariance))
            return false;
    }
    return true;
}

void addStep(std::vector<FitPart>& parts, std::array<double, kPlane>& plane,
             const std::vector<double>& step) {
    for (size_t j = 0; j < kPlane; ++j) plane[j] += step[j];
    size_t at = kPlane;
    for (FitPart& p : parts) {
        p.peak += step[at];
        p.x += step[at + 1];
        p.y += step[at + 2];
        if (p.isGaussian) {
            p.xx += step[at + 3];
            p.xy += step[at + 4];
            p.yy += step[at + 5];
        }
        at += countOf(p);
    }
}

// Widths and direction of a Gaussian with their errors, from its covariance and the errors of that.
void setShape(const FitPart& p, double fwhm, const std::array<double, 9>& variance,
              FitResult& result) {
    const auto errorOf = [&](double a, double b, double c) {
        const std::array<double, 3> d{a, b, c};
        double sum = 0.0;
        for (size_t j = 0; j < 3; ++j)
            for (size_t k = 0; k < 3; ++k) sum += d[j] * d[k] * variance[3 * j + k];
        return std::sqrt(std::max(0.0, sum));
    };
    const double mean = 0.5 * (p.xx + p.yy), half = 0.5 * (p.xx - p.yy);
    const double apart = std::hypot(half, p.xy);
    const double large = mean + apart, small = std::max(1e-12, mean - apart);
    result.major = std::sqrt(large) * fwhm;
    result.minor = std::sqrt(small) * fwhm;
    // x is east, y north; the angle is from north to east.
    const double fromEast = 0.5 * std::atan2(2.0 * p.xy, p.xx - p.yy);
    result.angle = 0.5 * kPi - fromEast;
    if (result.angle > 0.5 * kPi) result.angle -= kPi;
    const double c = apart > 0.0 ? half / apart : 1.0, s = apart > 0.0 ? p.xy / apart : 0.0;
    result.majorError = fwhm * errorOf(0.5 * (1 + c), s, 0.5 * (1 - c)) / (2 * std::sqrt(large));
    result.minorError = fwhm * errorOf(0.5 * (1 - c), -s, 0.5 * (1 + c)) / (2 * std::sqrt(small));
    // The largest possible error of an angle: uniform over half a turn.
    const double most = kPi / std::sqrt(12.0);
    const double error = apart > 0.0 ? errorOf(-0.5 * s, c, 0.5 * s) / (2.0 * apart) : most;
    result.angleError = std::min(error, most);
    // The error of ln det / 4, the logarithm of the mean width.
    const double det = 4.0 * (p.xx * p.yy - p.xy * p.xy);
    result.sizeError = errorOf(p.yy / det, -2 * p.xy / det, p.xx / det);
}

}  // namespace

// One row per value: derivatives by the parts' parameters, as far as requested, and the model in
// the last column. Row-major, so that all columns are whitened together.
struct FitPatch::Columns {
    size_t count = 1;
    std::vector<double> rows;
    bool hasSlopes() const { return count > 1; }
    double* row(size_t i) { return rows.data() + i * count; }
    const double* row(size_t i) const { return rows.data() + i * count; }
    double model(size_t i) const { return rows[i * count + count - 1]; }
};

double FitModel::sigma() const {
    return fwhm * kSigmaPerFwhm;
}

FitModel FitModel::of(const FilteredSky& sky, double fwhm) {
    FitModel model;
    model.pixels = pixelsOf(sky);
    model.fwhm = fwhm;
    model.beam = &sky.beamProfile;
    std::vector<double> smooth = sky.cl;
    for (double& c : smooth) c = std::max(0.0, c - sky.whiteLevel);
    // The largest scales belong to the plane.
    smooth[0] = smooth[1] = 0.0;
    const double enlargement = sky.filter.enlargement;
    model.covariance = RadialProfile(smooth, 2.2 * kLargestPatch * fwhm, fwhm / 50.0, enlargement);
    model.whiteLevel = std::max(sky.whiteLevel / (enlargement * enlargement),
                                kLeastWhite * model.covariance(0.0) * model.pixels.meanArea());
    return model;
}

double FitPatch::radiusOf(const FitModel& model) {
    return std::max(kPatch * model.fwhm, 2.6 * model.pixels.spacing());
}

FitPatch::FitPatch(const FitModel& model, std::span<const double> left, Vec3 center, double radius,
                   std::span<const SkyPart> parts, Noise noise)
    : model_(&model), center_(center), sign_(noise.sign) {
    std::vector<PointSource> points;
    for (const SkyPart& part : parts)
        for (const PointSource& point : pointsOf(part, model.fwhm)) points.push_back(point);
    std::vector<std::pair<int64_t, double>> pixels;
    model.pixels.around(center, radius, [&](int64_t p) {
        double value = left[static_cast<size_t>(p)];
        if (!std::isfinite(value)) return;
        const Vec3 at = model.pixels.center(p);
        for (const PointSource& point : points)
            value += point.peak * (*model.beam)(angularDistance(point.direction, at));
        pixels.emplace_back(p, sign_ * value);
    });
    build(pixels, radius, noise.scale);
}

FitPatch::FitPatch(const FitModel& model, const std::vector<std::pair<int64_t, double>>& pixels,
                   Vec3 center)
    : model_(&model), center_(center) {
    build(pixels, radiusOf(model), 1.0);
}

void FitPatch::build(const std::vector<std::pair<int64_t, double>>& pixels, double radius,
                     double scale) {
    const FitModel& model = *model_;
    unit_ = model.sigma();
    const TangentPlane plane(center_);
    const Cells cells(model, center_, radius, pixels.size());
    std::map<std::pair<bool, int64_t>, std::vector<size_t>> groups;
    for (size_t i = 0; i < pixels.size(); ++i) groups[cells(pixels[i].first)].push_back(i);
    std::vector<Point> centers;
    std::vector<double> white;
    for (const auto& [cell, members] : groups) {
        double sum = 0.0, x = 0.0, y = 0.0, variance = 0.0;
        for (const size_t i : members) {
            const Vec3 direction = model.pixels.center(pixels[i].first);
            const auto [px, py] = plane.from(direction);
            points_.push_back({px / unit_, py / unit_});
            sum += pixels[i].second;
            variance += model.whiteVariance(pixels[i].first);
            x += px;
            y += py;
        }
        const auto count = static_cast<double>(members.size());
        groupEnd_.push_back(points_.size());
        values_.push_back(sum / count);
        centers.push_back({x / count, y / count});
        white.push_back(variance / (count * count));
    }
    const size_t n = values_.size();
    factor_.assign(n * n, 0.0);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j)
            factor_[i * n + j] = scale * scale *
                                 (model.covariance(std::hypot(centers[i].x - centers[j].x,
                                                              centers[i].y - centers[j].y)) +
                                  (i == j ? white[i] : 0.0));
    if (n == 0 || !factorizeCholesky(factor_, n)) return values_.clear();
    plane_.assign(n * kPlane, 1.0);
    for (size_t i = 0; i < n; ++i) {
        plane_[i * kPlane + 1] = centers[i].x / unit_;
        plane_[i * kPlane + 2] = centers[i].y / unit_;
    }
    whiten(values_, 1);
    whiten(plane_, kPlane);
}

void FitPatch::whiten(std::vector<double>& rows, size_t columns) const {
    const size_t n = values_.size();
    for (size_t i = 0; i < n; ++i) {
        double* own = rows.data() + i * columns;
        for (size_t k = 0; k < i; ++k) {
            const double share = factor_[i * n + k];
            const double* other = rows.data() + k * columns;
            for (size_t c = 0; c < columns; ++c) own[c] -= share * other[c];
        }
        const double scale = 1.0 / factor_[i * n + i];
        for (size_t c = 0; c < columns; ++c) own[c] *= scale;
    }
}

void FitPatch::addBeam(const FitPart& part, size_t column, Columns& columns) const {
    const RadialProfile& beam = *model_->beam;
    size_t i = 0;
    for (size_t group = 0; group < groupEnd_.size(); ++group) {
        const size_t begin = i;
        double sum = 0.0, sumX = 0.0, sumY = 0.0;
        for (; i < groupEnd_[group]; ++i) {
            const double dx = points_[i].x - part.x, dy = points_[i].y - part.y;
            const double r = std::hypot(dx, dy);
            sum += beam(unit_ * r);
            if (!columns.hasSlopes() || !(r > 0.0)) continue;
            const double slope = -unit_ * beam.slope(unit_ * r) / r;
            sumX += slope * dx;
            sumY += slope * dy;
        }
        const double share = 1.0 / static_cast<double>(i - begin);
        double* row = columns.row(group);
        row[columns.count - 1] += part.peak * sum * share;
        if (!columns.hasSlopes()) continue;
        row[column] = sum * share;
        row[column + 1] = part.peak * sumX * share;
        row[column + 2] = part.peak * sumY * share;
    }
}

void FitPatch::addGaussian(const FitPart& part, size_t column, Columns& columns) const {
    const double determinant = part.xx * part.yy - part.xy * part.xy;
    size_t i = 0;
    for (size_t group = 0; group < groupEnd_.size(); ++group) {
        const size_t begin = i;
        std::array<double, 6> sum{};  // shape and its derivatives by x, y, xx, xy, yy
        for (; i < groupEnd_[group]; ++i) {
            const double dx = points_[i].x - part.x, dy = points_[i].y - part.y;
            const double u = (part.yy * dx - part.xy * dy) / determinant,
                         v = (part.xx * dy - part.xy * dx) / determinant;
            const double shape = std::exp(-0.5 * (u * dx + v * dy));
            sum[0] += shape;
            if (!columns.hasSlopes()) continue;
            sum[1] += shape * u;
            sum[2] += shape * v;
            sum[3] += 0.5 * shape * u * u;
            sum[4] += shape * u * v;
            sum[5] += 0.5 * shape * v * v;
        }
        const double share = 1.0 / static_cast<double>(i - begin);
        double* row = columns.row(group);
        row[columns.count - 1] += part.peak * sum[0] * share;
        if (!columns.hasSlopes()) continue;
        row[column] = sum[0] * share;
        for (size_t k = 1; k < sum.size(); ++k) row[column + k] = part.peak * sum[k] * share;
    }
}

void FitPatch::evaluate(const std::vector<FitPart>& parts, bool derivatives,
                        Columns& columns) const {
    columns.count = 1;
    if (derivatives)
        for (const FitPart& part : parts) columns.count += countOf(part);
    columns.rows.assign(values_.size() * columns.count, 0.0);
    size_t at = 0;
    for (const FitPart& part : parts) {
        if (part.isGaussian)
            addGaussian(part, at, columns);
        else
            addBeam(part, at, columns);
        at += countOf(part);
    }
    whiten(columns.rows, columns.count);
}

std::vector<double> FitPatch::leftOf(const Columns& columns,
                                     const std::array<double, 3>& plane) const {
    std::vector<double> left(values_.size());
    for (size_t i = 0; i < left.size(); ++i) {
        const double* p = plane_.data() + i * kPlane;
        left[i] =
            values_[i] - columns.model(i) - plane[0] * p[0] - plane[1] * p[1] - plane[2] * p[2];
    }
    return left;
}

// Lower triangle and mirror of the products of all columns, and of columns with the residual.
void FitPatch::normalOf(const Columns& columns, const std::vector<double>& left,
                        std::vector<double>& normal, std::vector<double>& gradient) const {
    const size_t count = kPlane + columns.count - 1;
    normal.assign(count * count, 0.0);
    gradient.assign(count, 0.0);
    std::vector<double> row(count);
    for (size_t i = 0; i < values_.size(); ++i) {
        std::copy_n(plane_.data() + i * kPlane, kPlane, row.begin());
        std::copy_n(columns.row(i), columns.count - 1, row.begin() + kPlane);
        for (size_t j = 0; j < count; ++j) {
            gradient[j] += row[j] * left[i];
            double* to = normal.data() + j * count;
            for (size_t k = 0; k < count; ++k) to[k] += row[j] * row[k];
        }
    }
}

std::optional<PatchSolution> FitPatch::fit(const std::vector<FitPart>& start) const {
    std::vector<FitPart> parts = start;
    size_t count = kPlane;
    for (const FitPart& part : parts) count += countOf(part);
    if (values_.size() < count + 2) return std::nullopt;
    std::array<double, kPlane> plane{};
    Columns columns;
    evaluate(parts, true, columns);
    std::vector<double> left = leftOf(columns, plane), normal, gradient;
    double chi = dotOf(left, left), damping = 1e-3;
    bool settled = false;
    for (int step = 0; step < 40 && !settled; ++step) {
        normalOf(columns, left, normal, gradient);
        bool better = false;
        for (int attempt = 0; attempt < 8 && !better; ++attempt) {
            std::vector<double> damped = normal;
            for (size_t j = 0; j < count; ++j) damped[j * count + j] *= 1.0 + damping;
            if (!factorizeCholesky(damped, count)) return std::nullopt;
            const std::vector<double> solve = inverseFromCholesky(damped, count);
            std::vector<double> by(count, 0.0);
            for (size_t j = 0; j < count; ++j)
                for (size_t k = 0; k < count; ++k) by[j] += solve[j * count + k] * gradient[k];
            std::vector<FitPart> next = parts;
            std::array<double, kPlane> nextPlane = plane;
            addStep(next, nextPlane, by);
            if (isInside(next, start)) {
                Columns there;
                evaluate(next, false, there);
                std::vector<double> fresh = leftOf(there, nextPlane);
                if (const double value = dotOf(fresh, fresh); value <= chi) {
                    settled = chi - value < 1e-6 * (1.0 + 1e-3 * chi);
                    parts = std::move(next);
                    plane = nextPlane;
                    left = std::move(fresh);
                    chi = value;
                    better = true;
                }
            }
            damping = std::max(kLeastDamping, damping * (better ? 0.1 : 10.0));
        }
        if (!better) break;
        if (!settled) evaluate(parts, true, columns);
    }
    for (size_t k = 0; k < parts.size(); ++k)
        if (!(parts[k].peak * start[k].peak > 0.0)) return std::nullopt;
    if (normal.empty() || !factorizeCholesky(normal, count, kLeastPivot)) return std::nullopt;
    return solved(parts, chi, inverseFromCholesky(normal, count));
}

PatchSolution FitPatch::solved(const std::vector<FitPart>& parts, double chi2,
                               const std::vector<double>& covariance) const {
    PatchSolution solution;
    solution.parts = parts;
    solution.chi2 = chi2;
    size_t count = kPlane;
    for (const FitPart& part : parts) count += countOf(part);
    solution.freedom = static_cast<int64_t>(values_.size()) - static_cast<int64_t>(count);
    size_t at = kPlane;
    for (const FitPart& p : parts) {
        const auto variance = [&](size_t j, size_t k) {
            return covariance[(at + j) * count + at + k];
        };
        FitResult result;
        result.values = static_cast<int64_t>(values_.size());
        result.spread = std::sqrt(chi2 / static_cast<double>(solution.freedom));
        result.direction = TangentPlane(center_).direction(p.x * unit_, p.y * unit_);
        result.peak = sign_ * p.peak;
        result.peakError = std::sqrt(variance(0, 0));
        result.positionError = unit_ * std::sqrt(0.5 * (variance(1, 1) + variance(2, 2)));
        if (p.isGaussian) {
            std::array<double, 9> widths{};
            for (size_t j = 0; j < 3; ++j)
                for (size_t k = 0; k < 3; ++k) widths[3 * j + k] = variance(3 + j, 3 + k);
            setShape(p, model_->fwhm, widths, result);
        }
        solution.results.push_back(result);
        at += countOf(p);
    }
    return solution;
}

std::optional<PatchSolution> FitPatch::beam(double peak) const {
    return fit({{.peak = sign_ * peak}});
}

std::optional<PatchSolution> FitPatch::gaussian(double peak) const {
    return fit({{.peak = sign_ * peak, .isGaussian = true}});
}

double FitPatch::chi2Of(const std::vector<FitPart>& parts) const {
    if (values_.empty()) return std::numeric_limits<double>::infinity();
    Columns columns;
    evaluate(parts, false, columns);
    const std::vector<double> left = leftOf(columns, {});
    std::vector<double> normal, gradient;
    normalOf(columns, left, normal, gradient);
    double chi = dotOf(left, left);
    if (!factorizeCholesky(normal, kPlane)) return chi;
    const std::vector<double> solve = inverseFromCholesky(normal, kPlane);
    for (size_t j = 0; j < kPlane; ++j)
        for (size_t k = 0; k < kPlane; ++k)
            chi -= gradient[j] * solve[j * kPlane + k] * gradient[k];
    return chi;
}

FitPart FitPatch::partOf(const SkyPart& part) const {
    const auto [x, y] = TangentPlane(center_).from(part.direction);
    FitPart result{.peak = sign_ * part.peak, .x = x / unit_, .y = y / unit_};
    if (!part.isGaussian()) return result;
    result.isGaussian = true;
    const double large = std::pow(part.major / model_->fwhm, 2),
                 small = std::pow(part.minor / model_->fwhm, 2);
    const double east = std::sin(part.angle), north = std::cos(part.angle);
    result.xx = large * east * east + small * north * north;
    result.yy = large * north * north + small * east * east;
    result.xy = (large - small) * east * north;
    return result;
}

}  // namespace armilla::sources
