// SPDX-License-Identifier: GPL-3.0-or-later
// A small layer of each kind.
#pragma once

#include <random>

#include "armilla/session/layer.h"
#include "session_maps.h"
#include "support/image_cards.h"

namespace armilla::test {

// Even over the sphere, fixed seed.
inline Catalog randomCatalog(int64_t rows, Frame frame = Frame::Galactic, unsigned seed = 7) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    std::vector<double> lon, lat;
    std::vector<std::string> names;
    for (int64_t i = 0; i < rows; ++i) {
        lon.push_back(180.0 * (1.0 + even(random)));
        lat.push_back(std::asin(even(random)) / kDegree);
        names.push_back("star " + std::to_string(i));
    }
    const bool equatorial = frame == Frame::Equatorial;
    Catalog catalog;
    catalog.table.name = "stars";
    TableColumn first, second, third;
    first.name = equatorial ? "RA" : "GLON";
    second.name = equatorial ? "DEC" : "GLAT";
    first.unit = second.unit = "deg";
    first.values = std::move(lon);
    second.values = std::move(lat);
    third.name = "NAME";
    third.values = std::move(names);
    catalog.table.columns = {std::move(first), std::move(second), std::move(third)};
    catalog.position =
        positionsNamed(catalog.table, catalog.table.columns[0].name, catalog.table.columns[1].name);
    catalog.position.frame = frame;
    return catalog;
}

inline Curve smallCurve() {
    Curve curve;
    curve.kind = CurveKind::Correlation;
    curve.name = "w";
    curve.xName = "theta";
    curve.xUnit = "deg";
    curve.x = {0.1, 0.3, 1.0, 3.0};
    curve.series = {{"w", "", {1.0, 0.5, 0.2, -0.1}, {0.1, 0.05, 0.04, 0.03}}};
    curve.covariance.assign(16, 0.0);
    for (size_t i = 0; i < 4; ++i) curve.covariance[5 * i] = 0.01;
    return curve;
}

inline Image smallImage() {
    Image image;
    image.width = 3;
    image.height = 2;
    image.planes = {{"a", 1.0}, {"b", 2.0}};
    image.unit = "K";
    image.frame = Frame::Galactic;
    image.values = std::vector<float>(12, 1.0F);
    return image;
}

// With celestial coordinates, because image files require these.
inline Image placedImage() {
    Image image = smallImage();
    image.wcsCards = {imageCard("CTYPE1", "'GLON-TAN'"), imageCard("CTYPE2", "'GLAT-TAN'"),
                      imageCard("CRPIX1", 2.0),          imageCard("CRPIX2", 1.5),
                      imageCard("CRVAL1", 30.0),         imageCard("CRVAL2", 60.0),
                      imageCard("CDELT1", -1.0),         imageCard("CDELT2", 1.0),
                      imageCard("CUNIT1", "'deg'"),      imageCard("CUNIT2", "'deg'")};
    return image;
}

// A tangent plane of 2 degrees, pixels of 1 arcmin: white noise of deviation 1, and nine sources of
// peak 20 in a beam of 4 arcmin.
inline Image imageOfSources() {
    constexpr int kSide = 120;
    Image image;
    image.width = image.height = kSide;
    image.frame = Frame::Equatorial;
    image.unit = "K";
    image.planes.resize(1);
    image.wcsCards = {imageCard("CTYPE1", "'RA---TAN'"), imageCard("CTYPE2", "'DEC--TAN'"),
                      imageCard("CUNIT1", "'deg     '"), imageCard("CUNIT2", "'deg     '"),
                      imageCard("CRPIX1", 60.5),         imageCard("CRPIX2", 60.5),
                      imageCard("CRVAL1", 83.0),         imageCard("CRVAL2", 22.0),
                      imageCard("CDELT1", -1.0 / 60.0),  imageCard("CDELT2", 1.0 / 60.0),
                      imageCard("RADESYS", "'ICRS    '")};
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    const double sigma = 4.0 / std::sqrt(8.0 * std::log(2.0));  // pixels
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            values.push_back(normal(random));
            for (int source = 0; source < 9; ++source) {
                const double across = x - 25.3 - 33.0 * (source % 3),
                             up = y - 24.8 - 33.0 * (source / 3);
                values.back() +=
                    20.0 * std::exp(-0.5 * (across * across + up * up) / (sigma * sigma));
            }
        }
    image.values = std::move(values);
    return image;
}

inline LayerValue sampleLayer(LayerKind kind) {
    switch (kind) {
        case LayerKind::Map: return noiseMap(4);
        case LayerKind::Catalog: return std::make_shared<const Catalog>(randomCatalog(50));
        case LayerKind::Image: return std::make_shared<const Image>(smallImage());
        case LayerKind::Curve: return std::make_shared<const Curve>(smallCurve());
    }
    return {};
}

}  // namespace armilla::test
