// SPDX-License-Identifier: GPL-3.0-or-later
// Maps and pictures for tests of drawing.
#pragma once

#include <QDir>
#include <QImage>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/draw/color_scale.h"

namespace armilla::test {

// Independent uniform values in [0, 1), with a share of bad pixels.
inline HealpixMap noiseMap(int64_t nside, Ordering ordering, double badShare = 0.0,
                           unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (float& value : values) {
        value = uniform(random);
        if (badShare > 0.0 && static_cast<double>(uniform(random)) < badShare)
            value = std::numeric_limits<float>::quiet_NaN();
    }
    Field field;
    field.name = "SIGNAL";
    field.values = std::move(values);
    return HealpixMap(nside, ordering, Frame::Galactic, {std::move(field)});
}

// A scale between its ends 0.1 and 0.9 with distinct parts: a middle, a linear part, a cumulative
// distribution, a separate color below.
inline ColorScale tellingScale(Scale scale) {
    ColorScale colors;
    colors.mapping = {scale, 0.1F, 0.9F, 0.4F, 0.2F};
    colors.ownBelow = true;
    colors.below = {0, 255, 0, 255};
    for (size_t i = 0; i < 256; ++i)
        colors.cumulative[i] = 0.1F + 0.8F * std::pow(static_cast<float>(i) / 255.0F, 1.5F);
    return colors;
}

// A smooth function of direction, different at every position, with a bad disc around `hole`.
inline HealpixMap smoothMap(int64_t nside, Vec3 hole, double holeRadius) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (int64_t i = 0; i < pixelCount(nside); ++i) {
        const Vec3 d = directionFromRing(nside, i);
        const double value = std::sin(3.0 * d.x + 1.0) + std::cos(4.0 * d.y) * d.z + 0.5 * d.z;
        values[static_cast<size_t>(i)] = angularDistance(d, hole) < holeRadius
                                             ? std::numeric_limits<float>::quiet_NaN()
                                             : static_cast<float>(value);
    }
    Field field;
    field.name = "SIGNAL";
    field.values = std::move(values);
    return HealpixMap(nside, Ordering::Ring, Frame::Galactic, {std::move(field)});
}

inline QImage imageOf(const std::vector<Rgba>& picture, int width, int height) {
    QImage image(width, height, QImage::Format_RGBA8888);
    for (int y = 0; y < height; ++y)
        std::copy_n(reinterpret_cast<const uchar*>(picture.data() + static_cast<size_t>(y) * width),
                    4 * static_cast<size_t>(width), image.scanLine(y));
    return image;
}

// Largest difference of the four channels.
inline int colorDistance(Rgba a, Rgba b) {
    return std::max(
        {std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b), std::abs(a.a - b.a)});
}

// The number of pixels that differ by more than `tolerance` in a channel; -1 if the sizes differ.
// If more than `allowed` differ, writes <name>-actual.png, -expected.png and -difference.png to the
// working folder.
inline long comparePictures(const std::vector<Rgba>& actual, const std::vector<Rgba>& expected,
                            int width, int height, int tolerance, long allowed, const char* name) {
    if (actual.size() != expected.size()) return -1;
    long different = 0;
    std::vector<Rgba> difference(actual.size(), Rgba{0, 0, 0, 255});
    for (size_t i = 0; i < actual.size(); ++i) {
        const int distance = colorDistance(actual[i], expected[i]);
        if (distance <= tolerance) continue;
        ++different;
        difference[i] = {255, static_cast<uint8_t>(std::min(255, distance)), 0, 255};
    }
    if (different > allowed) {
        const QString stem = QDir::current().filePath(QString::fromLatin1(name));
        imageOf(actual, width, height).save(stem + "-actual.png");
        imageOf(expected, width, height).save(stem + "-expected.png");
        imageOf(difference, width, height).save(stem + "-difference.png");
    }
    return different;
}

}  // namespace armilla::test
