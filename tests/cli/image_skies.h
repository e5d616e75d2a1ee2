// SPDX-License-Identifier: GPL-3.0-or-later
// Images of several projections with noise and known sources, and the check of a catalog of them.
// Directions of pixels are the formulas of the projections, not wcslib's.
#pragma once

#include <QtTest>
#include <cmath>
#include <random>
#include <vector>

#include "armilla/core/nan.h"
#include "armilla/core/units.h"
#include "armilla/io/table_io.h"
#include "image_cli.h"
#include "support/image_cards.h"

namespace armilla::test {

struct Truth {
    Vec3 direction;
    double peak;
};

inline Vec3 directionOf(double lonDegrees, double latDegrees) {
    const double lon = lonDegrees * kDegree, lat = latDegrees * kDegree;
    return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

// Adds Gaussians of this FWHM to values at directions.
inline void addGaussians(const std::vector<Vec3>& centers, const std::vector<Truth>& truth,
                         double fwhm, std::vector<double>& values) {
    const double sigma = fwhm / std::sqrt(8.0 * std::log(2.0));
    for (const Truth& source : truth)
        for (size_t p = 0; p < values.size(); ++p) {
            const double theta = angularDistance(centers[p], source.direction);
            if (theta < 7.0 * sigma)
                values[p] += source.peak * std::exp(-0.5 * theta * theta / (sigma * sigma));
        }
}

struct Sky {
    Image image;
    std::vector<Vec3> centers;
};

// Gnomonic: x, y in degrees on the plane, rotated by `turn`.
inline Sky tangentImage(int64_t width, int64_t height, double stepX, double stepY, double lon,
                        double lat, double turn) {
    Sky sky;
    sky.image.width = width;
    sky.image.height = height;
    sky.image.frame = Frame::Equatorial;
    sky.image.unit = "K";
    sky.image.planes.resize(1);
    const double c = std::cos(turn * kDegree), s = std::sin(turn * kDegree);
    const double refX = 0.5 * static_cast<double>(width - 1),
                 refY = 0.5 * static_cast<double>(height - 1);
    sky.image.wcsCards = {imageCard("CTYPE1", "'RA---TAN'"), imageCard("CTYPE2", "'DEC--TAN'"),
                          imageCard("CUNIT1", "'deg     '"), imageCard("CUNIT2", "'deg     '"),
                          imageCard("CRPIX1", refX + 1.0),   imageCard("CRPIX2", refY + 1.0),
                          imageCard("CRVAL1", lon),          imageCard("CRVAL2", lat),
                          imageCard("CD1_1", -stepX * c),    imageCard("CD1_2", -stepY * s),
                          imageCard("CD2_1", -stepX * s),    imageCard("CD2_2", stepY * c),
                          imageCard("RADESYS", "'ICRS    '")};
    const Vec3 middle = directionOf(lon, lat), east = directionOf(lon + 90.0, 0.0),
               north = cross(middle, east);
    for (int64_t j = 0; j < height; ++j)
        for (int64_t i = 0; i < width; ++i) {
            const double u = static_cast<double>(i) - refX, v = static_cast<double>(j) - refY;
            const double x = (-stepX * c * u - stepY * s * v) * kDegree,
                         y = (-stepX * s * u + stepY * c * v) * kDegree;
            sky.centers.push_back(normalized(middle + x * east + y * north));
        }
    return sky;
}

// Sources between the pixels of an image of 320 x 240; each peak is 9 % above the one before.
inline std::vector<Truth> fortySources(const Sky& sky, double faintest) {
    std::vector<Truth> truth;
    for (int64_t k = 0; k < 40; ++k) {
        const int64_t x = 30 + 36 * (k % 8), y = 30 + 44 * (k / 8);
        const Vec3 a = sky.centers[static_cast<size_t>(y * 320 + x)],
                   b = sky.centers[static_cast<size_t>((y + 1) * 320 + x + 1)];
        const double part = 0.0237 * static_cast<double>(k);
        truth.push_back({normalized((1.0 - part) * a + part * b), faintest * std::pow(1.09, k)});
    }
    return truth;
}

// Plate carree from 180 degrees rightward to smaller right ascensions; rows at half steps.
inline Sky carSky(double step) {
    Sky sky;
    sky.image.width = std::llround(360.0 / step);
    sky.image.height = std::llround(180.0 / step);
    sky.image.frame = Frame::Equatorial;
    sky.image.unit = "K";
    sky.image.planes.resize(1);
    const double refX = 0.5 * static_cast<double>(sky.image.width - 1),
                 refY = 0.5 * static_cast<double>(sky.image.height - 1);
    sky.image.wcsCards = {imageCard("CTYPE1", "'RA---CAR'"), imageCard("CTYPE2", "'DEC--CAR'"),
                          imageCard("CUNIT1", "'deg     '"), imageCard("CUNIT2", "'deg     '"),
                          imageCard("CRPIX1", refX + 1.0),   imageCard("CRPIX2", refY + 1.0),
                          imageCard("CRVAL1", 0.0),          imageCard("CRVAL2", 0.0),
                          imageCard("CDELT1", -step),        imageCard("CDELT2", step),
                          imageCard("RADESYS", "'ICRS    '")};
    for (int64_t j = 0; j < sky.image.height; ++j)
        for (int64_t i = 0; i < sky.image.width; ++i)
            sky.centers.push_back(directionOf(-step * (static_cast<double>(i) - refX),
                                              step * (static_cast<double>(j) - refY)));
    return sky;
}

inline std::vector<double> noise(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> values(count);
    for (double& value : values) {
        // Twelve uniform numbers: the same deviates with every library.
        value = -6.0;
        for (int i = 0; i < 12; ++i) value += (static_cast<double>(random()) + 0.5) / 4294967296.0;
    }
    return values;
}

class ImageSkies : protected ImageCli {
protected:
    Catalog catalogOf(const QString& name) {
        return readCatalog(cli_.path(name).toStdString(), job_);
    }
    // Each source has a row whose place and peak agree within the row's errors, and no row but
    // `mostFalse` has no source.
    void checkRows(const QString& name, const std::vector<Truth>& truth, double fwhm,
                   int64_t mostFalse) {
        const Catalog catalog = catalogOf(name);
        const auto column = [&](const char* which) {
            const auto place = catalog.table.find(which);
            return place ? std::get<std::vector<double>>(
                               catalog.table.columns[static_cast<size_t>(*place)].values)
                         : std::vector<double>();
        };
        const std::vector<double> ra = column("RA"), dec = column("DEC"), peak = column("PEAK"),
                                  peakError = column("PEAK_ERR"), error = column("POS_ERR");
        QVERIFY(catalog.rows() >= std::ssize(truth));
        QVERIFY2(catalog.rows() <= std::ssize(truth) + mostFalse,
                 qPrintable(QString::number(catalog.rows())));
        double peaks = 0.0, places = 0.0;
        for (const Truth& source : truth) {
            size_t nearest = 0;
            double least = kPi;
            for (size_t i = 0; i < ra.size(); ++i) {
                const double away = angularDistance(source.direction, directionOf(ra[i], dec[i]));
                if (away < least) {
                    least = away;
                    nearest = i;
                }
            }
            QVERIFY2(least < 0.5 * fwhm, qPrintable(QString::number(source.peak)));
            const double peakPull = (peak[nearest] - source.peak) / peakError[nearest],
                         placePull = least / (error[nearest] * kArcsec) / std::sqrt(2.0);
            QVERIFY2(std::abs(peakPull) < 4.5 && placePull < 4.0,
                     qPrintable(QString("peak %1: %2, %3 errors")
                                    .arg(source.peak)
                                    .arg(peakPull)
                                    .arg(placePull)));
            peaks += peakPull * peakPull / static_cast<double>(truth.size());
            places += placePull * placePull / static_cast<double>(truth.size());
        }
        // Mean squares of 40 deviates of variance 1: 1 +- 0.22; of two axes 1 +- 0.16.
        QVERIFY2(peaks > 0.4 && peaks < 2.0, qPrintable(QString::number(peaks)));
        QVERIFY2(places > 0.4 && places < 1.8, qPrintable(QString::number(places)));
    }
};

}  // namespace armilla::test
