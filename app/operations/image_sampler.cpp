// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"

namespace armilla {

namespace {

constexpr int64_t kRowsAtATime = 16;

// Directions at x0 + i, y0 + j for a grid of `width` x `height` points.
std::vector<Vec3> gridDirections(const ImageWcs& wcs, int64_t width, int64_t height, double x0,
                                 double y0, JobContext& job) {
    std::vector<Vec3> out = newVector<Vec3>(width * height, job);
    std::vector<double> columns(static_cast<size_t>(width));
    std::iota(columns.begin(), columns.end(), x0);
    parallelFor(job, height, kRowsAtATime, [&](long long begin, long long end) {
        const ImageWcs own = wcs.copy();
        std::vector<double> row(static_cast<size_t>(width));
        for (long long y = begin; y < end; ++y) {
            std::fill(row.begin(), row.end(), y0 + static_cast<double>(y));
            own.directions(columns, row,
                           std::span(out).subspan(static_cast<size_t>(y * width), row.size()));
        }
    });
    return out;
}

bool isDirection(Vec3 v) {
    return std::isfinite(v.z);
}

// Just inside the border of an image, in pixels: the border itself may round to the sky beyond.
constexpr double kInside = 1e-3;

Vec3 directionAt(const ImageWcs& wcs, double x, double y) {
    const std::array<double, 1> column{x}, row{y};
    std::array<Vec3, 1> at{};
    wcs.directions(column, row, at);
    return at[0];
}

// Whether two directions are less than `most` apart; false for places off the sky.
bool areClose(Vec3 a, Vec3 b, double most) {
    const Vec3 apart = a - b;
    return dot(apart, apart) < most * most;
}

// Whether the sky beyond the last column is that of the first one.
bool goesAround(const ImageWcs& wcs, const Image& image) {
    const double last = static_cast<double>(image.width) - 0.5;
    for (const double share : {0.25, 0.5, 0.75}) {
        const double y = std::floor(share * static_cast<double>(image.height));
        const Vec3 begin = directionAt(wcs, kInside - 0.5, y),
                   end = directionAt(wcs, last - kInside, y);
        if (!areClose(begin, end, 0.1 * wcs.pixelSize())) return false;
    }
    // Images of one column, or of a point, have no turn.
    const double y = std::floor(0.5 * static_cast<double>(image.height));
    return !areClose(directionAt(wcs, 0.0, y), directionAt(wcs, std::floor(0.5 * last), y),
                     wcs.pixelSize());
}

// Whether the border of a row is one point, a pole.
bool isPole(const ImageWcs& wcs, const Image& image, double y) {
    const double width = static_cast<double>(image.width);
    return areClose(directionAt(wcs, std::floor(0.25 * width), y),
                    directionAt(wcs, std::floor(0.75 * width), y), 0.1 * wcs.pixelSize());
}

}  // namespace

ImageSampler::ImageSampler(const Image& image, JobContext& job)
    : image_(image),
      wcs_(image),
      centers_(gridDirections(wcs_, image.width, image.height, 0.0, 0.0, job)),
      isFullTurn_(goesAround(wcs_, image)) {
    if (!isFullTurn_ || image.width % 2 != 0) return;
    hasLowPole_ = isPole(wcs_, image, kInside - 0.5);
    hasHighPole_ = isPole(wcs_, image, static_cast<double>(image.height) - 0.5 - kInside);
}

bool ImageSampler::isOnSky(int64_t x, int64_t y) const {
    return isDirection(centers_[static_cast<size_t>(y * image_.width + x)]);
}

std::optional<int64_t> ImageSampler::pixelOf(int64_t x, int64_t y) const {
    const int64_t width = image_.width, height = image_.height;
    if (isFullTurn_) x = (x + width) % width;
    if ((y < 0 && hasLowPole_) || (y >= height && hasHighPole_)) {
        x = (x + width / 2) % width;
        y = y < 0 ? 0 : height - 1;
    }
    if (x < 0 || x >= width || y < 0 || y >= height || !isOnSky(x, y)) return std::nullopt;
    return y * width + x;
}

void ImageSampler::cells(const ImageWcs& wcs, std::span<const Vec3> directions,
                         std::span<ImageCell> out) const {
    std::vector<double> x(directions.size()), y(directions.size());
    wcs.pixels(directions, x, y);
    for (size_t i = 0; i < directions.size(); ++i) {
        ImageCell& cell = out[i];
        cell = {};
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        const double width = static_cast<double>(image_.width),
                     height = static_cast<double>(image_.height);
        if (!(x[i] >= -0.5 && x[i] <= width - 0.5 && y[i] >= -0.5 && y[i] <= height - 0.5))
            continue;
        const auto nearX = std::min(static_cast<int64_t>(std::floor(x[i] + 0.5)), image_.width - 1),
                   nearY =
                       std::min(static_cast<int64_t>(std::floor(y[i] + 0.5)), image_.height - 1);
        if (!isOnSky(nearX, nearY)) continue;
        cell.nearest = nearY * image_.width + nearX;
        const auto left = static_cast<int64_t>(std::floor(x[i])),
                   low = static_cast<int64_t>(std::floor(y[i]));
        const double across = x[i] - static_cast<double>(left),
                     up = y[i] - static_cast<double>(low);
        for (int corner = 0; corner < 4; ++corner) {
            const bool right = (corner & 1) != 0, top = (corner & 2) != 0;
            const double weight = (right ? across : 1.0 - across) * (top ? up : 1.0 - up);
            if (!(weight > 0.0)) continue;
            const auto pixel = pixelOf(left + (right ? 1 : 0), low + (top ? 1 : 0));
            if (!pixel) continue;
            cell.pixels[static_cast<size_t>(corner)] = *pixel;
            cell.weights[static_cast<size_t>(corner)] = weight;
        }
    }
}

double ImageSampler::nearest(const ImageCell& cell, int64_t plane) const {
    if (cell.nearest < 0) return kNan;
    const int64_t at = plane * image_.planeSize() + cell.nearest;
    return std::visit(
        [at](const auto& all) { return static_cast<double>(all[static_cast<size_t>(at)]); },
        image_.values);
}

double ImageSampler::bilinear(const ImageCell& cell, int64_t plane) const {
    if (std::isnan(nearest(cell, plane))) return kNan;
    const int64_t first = plane * image_.planeSize();
    return std::visit(
        [&](const auto& all) {
            double sum = 0.0, weights = 0.0;
            for (size_t i = 0; i < cell.pixels.size(); ++i) {
                const auto value =
                    static_cast<double>(all[static_cast<size_t>(first + cell.pixels[i])]);
                if (cell.weights[i] == 0.0 || std::isnan(value)) continue;
                sum += cell.weights[i] * value;
                weights += cell.weights[i];
            }
            return weights > 0.0 ? sum / weights : kNan;
        },
        image_.values);
}

bool areSamePixels(const Image& a, const Image& b) {
    if (a.width != b.width || a.height != b.height || a.frame != b.frame) return false;
    const ImageWcs first(a), second(b);
    const auto right = static_cast<double>(a.width - 1), top = static_cast<double>(a.height - 1);
    for (const double x : {0.0, 0.5 * right, right})
        for (const double y : {0.0, 0.5 * top, top}) {
            const Vec3 here = directionAt(first, x, y), there = directionAt(second, x, y);
            if (isDirection(here) != isDirection(there)) return false;
            if (isDirection(here) && !areClose(here, there, 0.01 * first.pixelSize())) return false;
        }
    return true;
}

std::vector<double> pixelAreas(const Image& image, const std::vector<Vec3>& centers,
                               JobContext& job) {
    const int64_t width = image.width;
    const std::vector<Vec3> corners =
        gridDirections(ImageWcs(image), width + 1, image.height + 1, -0.5, -0.5, job);
    std::vector<double> areas = newVector<double>(image.planeSize(), job);
    for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < width; ++x) {
            const Vec3 center = centers[static_cast<size_t>(y * width + x)];
            // A pixel that reaches over a pole ends there: its center takes the place of the
            // corners beyond.
            const auto corner = [&](int64_t dx, int64_t dy) {
                const Vec3 v = corners[static_cast<size_t>((y + dy) * (width + 1) + x + dx)];
                return isDirection(v) ? v : center;
            };
            const Vec3 area = cross(corner(1, 1) - corner(0, 0), corner(0, 1) - corner(1, 0));
            areas[static_cast<size_t>(y * width + x)] = 0.5 * std::sqrt(dot(area, area));
        }
    return areas;
}

}  // namespace armilla
