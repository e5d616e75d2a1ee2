// SPDX-License-Identifier: GPL-3.0-or-later
#include "contour_image.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "armilla/core/new_vector.h"
#include "armilla/draw/contours.h"
#include "armilla/draw/markers.h"

namespace armilla {

namespace {

// How far dots of one radius cover the pixels of an image, 0 to 255.
class Dots {
public:
    Dots(QSize size, double radius, const JobContext& job)
        : width_(size.width()),
          height_(size.height()),
          reach_(static_cast<int>(std::ceil(radius + 0.5))),
          side_(2 * reach_ + 1),
          covered_(newVector<uint8_t>(int64_t{width_} * height_, job)) {
        for (int v = 0; v < kPlaces; ++v)
            for (int u = 0; u < kPlaces; ++u)
                for (int y = -reach_; y <= reach_; ++y)
                    for (int x = -reach_; x <= reach_; ++x) {
                        const double away = std::hypot(x + 0.5 - (u + 0.5) / kPlaces,
                                                       y + 0.5 - (v + 0.5) / kPlaces);
                        stamps_.push_back(static_cast<uint8_t>(
                            std::lround(255.0 * std::clamp(radius + 0.5 - away, 0.0, 1.0))));
                    }
    }
    // Pixel (0, 0) reaches from 0 to 1.
    void add(double column, double row) {
        const int x = static_cast<int>(std::floor(column)), y = static_cast<int>(std::floor(row));
        const int u = placeOf(column - x), v = placeOf(row - y);
        const uint8_t* stamp = stamps_.data() + (v * kPlaces + u) * side_ * side_;
        const int left = std::max(0, x - reach_), right = std::min(width_, x + reach_ + 1);
        for (int j = std::max(0, y - reach_); j < std::min(height_, y + reach_ + 1); ++j) {
            const uint8_t* from = stamp + (j - y + reach_) * side_ - (x - reach_);
            uint8_t* to = covered_.data() + int64_t{j} * width_;
            for (int i = left; i < right; ++i) to[i] = std::max(to[i], from[i]);
        }
    }
    int at(int x, int y) const { return covered_[static_cast<size_t>(int64_t{y} * width_ + x)]; }

private:
    static constexpr int kPlaces = 4;  // within a pixel, along each axis
    static int placeOf(double part) {
        return std::min(kPlaces - 1, static_cast<int>(part * kPlaces));
    }
    int width_, height_, reach_, side_;
    std::vector<uint8_t> covered_, stamps_;
};

Rgba rgbaOf(QRgb color) {
    const auto part = [](int value) { return static_cast<uint8_t>(value); };
    return {part(qRed(color)), part(qGreen(color)), part(qBlue(color)), part(qAlpha(color))};
}
Rgba inkOf(QRgb color, int covered) {
    const int alpha = (qAlpha(color) * covered + 127) / 255;
    return rgbaOf(qPremultiply(qRgba(qRed(color), qGreen(color), qBlue(color), alpha)));
}

}  // namespace

void drawContourPixels(std::span<const float> values, QSize size, double level,
                       const ContourPens& pens, QImage& image, JobContext& job) {
    Dots line(image.size(), pens.lineRadius, job), halo(image.size(), pens.haloRadius, job);
    const double across = static_cast<double>(image.width()) / size.width(),
                 down = static_cast<double>(image.height()) / size.height();
    forEachContourPiece(
        values, size.width(), size.height(), level,
        [&](ImagePoint from, ImagePoint to) {
            const double column = 0.5 * across * (from.column + to.column),
                         row = 0.5 * down * (from.row + to.row);
            halo.add(column, row);
            line.add(column, row);
        },
        job);
    for (int y = 0; y < image.height(); ++y) {
        if (y % 64 == 0) job.poll();
        auto* to = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            if (halo.at(x, y) == 0) continue;
            Rgba pixel = rgbaOf(to[x]);
            layOver(pixel, inkOf(pens.halo, halo.at(x, y)));
            layOver(pixel, inkOf(pens.line, line.at(x, y)));
            to[x] = qRgba(pixel.r, pixel.g, pixel.b, pixel.a);
        }
    }
}

}  // namespace armilla
