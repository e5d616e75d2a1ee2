// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters that the window suggests for a catalog.
#include <QtTest>
#include <cmath>

#include "armilla/core/sky_vector.h"
#include "armilla/core/units.h"
#include "armilla/session/catalog_suggestions.h"

using namespace armilla;

namespace {

TableColumn doubles(const char* name, const char* unit, std::vector<double> values) {
    TableColumn column;
    column.name = name;
    column.unit = unit;
    column.values = std::move(values);
    return column;
}

Catalog placed(const std::vector<LonLat>& places) {
    std::vector<double> lon, lat;
    for (const LonLat& at : places) {
        lon.push_back(at.lon / kDegree);
        lat.push_back(at.lat / kDegree);
    }
    Catalog catalog;
    catalog.table.columns = {doubles("RA", "deg", lon), doubles("DEC", "deg", lat)};
    catalog.position = *findPositions(catalog.table);
    return catalog;
}

// `side` times `side` points around the center, `step` apart on the tangent plane (radians).
Catalog square(LonLat center, int side, double step) {
    std::vector<LonLat> places;
    const Vec3 middle = direction(center);
    const Vec3 east{-std::sin(center.lon), std::cos(center.lon), 0.0};
    const Vec3 north{-std::sin(center.lat) * std::cos(center.lon),
                     -std::sin(center.lat) * std::sin(center.lon), std::cos(center.lat)};
    for (int i = 0; i < side; ++i)
        for (int k = 0; k < side; ++k) {
            const double x = (i - 0.5 * (side - 1)) * step, y = (k - 0.5 * (side - 1)) * step;
            places.push_back(lonLat(normalized(middle + x * east + y * north)));
        }
    return placed(places);
}

}  // namespace

class TestCatalogSuggestions : public QObject {
    Q_OBJECT
private slots:
    // 3 x 3 samples an arc minute apart: 4 square minutes for 9 samples, so the spacing is 40",
    // the kernel 2.5 times as wide and the pixel a third of the kernel, in two digits. The image
    // covers 1.04 times 2', and the kernel: 224.8" / 33".
    void anImageAroundSamples() {
        const LonLat center{10.0 * kDegree, 20.0 * kDegree};
        const auto target = suggestedTarget(square(center, 3, kArcmin));
        QVERIFY(target);
        // The box has the center of the square up to the cube of its half side (3e-4): 3e-11.
        QVERIFY(angularDistance(direction(target->center), direction(center)) < 1e-9);
        // The corner is sqrt(2)' away; tan(x) = x (1 + x^2 / 3), and x^2 / 3 = 6e-8 there.
        QVERIFY(std::abs(target->reach - std::sqrt(2.0) * kArcmin) < 1e-7 * kArcmin);
        QCOMPARE(target->kernelFwhm / kArcsec, 100.0);
        QCOMPARE(target->resolution / kArcsec, 33.0);
        QCOMPARE(target->width, 7);
        QCOMPARE(target->height, 7);
    }
    void noImageOfTheWholeSphere() {
        QVERIFY(!suggestedTarget(
            placed({{0, 0}, {kPi, 0}, {kHalfPi, 0}, {-kHalfPi, 0}, {0, kHalfPi}, {0, -kHalfPi}})));
        QVERIFY(!suggestedTarget(Catalog()));
    }
    // 16 points a degree apart reach atan(1.5 sqrt(2) deg) = 2.120 deg. A disc of that radius has
    // 14.13 deg^2, so the spacing is 0.940 deg. Bins go from 0.3 of it to a half of the reach, in
    // one digit each.
    void binsOfPairs() {
        QCOMPARE(suggestedBins(square({10.0 * kDegree, 20.0 * kDegree}, 4, kDegree)),
                 QStringLiteral("0.3deg,1deg,12"));
        QVERIFY(suggestedBins(square({0, 0}, 3, kDegree)).isEmpty());  // fewer than 10 rows
    }
    // 10 points over the whole sky are 64 deg apart: the first edge is 20 deg, and the last one is
    // above it.
    void binsOfFewPoints() {
        std::vector<LonLat> places;
        for (int i = 0; i < 10; ++i) places.push_back({0.2 * kPi * i, (i % 3 - 1) * 0.4 * kPi});
        QCOMPARE(suggestedBins(placed(places)), QStringLiteral("20deg,60deg,12"));
    }
    // The measured value, not the beam number, nor a position in another frame.
    void valuesAreFoundAmongColumns() {
        Catalog catalog = placed({{0.01, 0.01}, {0.02, 0.02}});
        TableColumn beam;
        beam.name = "BEAM";
        beam.values = std::vector<int64_t>{1, 2};
        auto& columns = catalog.table.columns;
        columns.push_back(beam);
        columns.push_back(doubles("TCAL", "K", {25.0, 25.0}));
        columns.push_back(doubles("DATA_A", "", {4e12, 4e12}));
        QCOMPARE(likelyValueColumn(catalog), std::optional<size_t>(4));
        columns.pop_back();
        QCOMPARE(likelyValueColumn(catalog), std::optional<size_t>(3));
        columns.pop_back();
        QCOMPARE(likelyValueColumn(catalog), std::optional<size_t>(2));
        columns.pop_back();
        QCOMPARE(likelyValueColumn(catalog), std::optional<size_t>());
        columns = {doubles("GLON", "deg", {1.0, 2.0}), doubles("GLAT", "deg", {1.0, 2.0}),
                   doubles("RA", "deg", {1.0, 2.0}), doubles("DEC", "deg", {1.0, 2.0}),
                   doubles("DETFLUX", "mJy", {1.0, 2.0})};
        catalog.position = *findPositions(catalog.table, Frame::Equatorial);
        QCOMPARE(likelyValueColumn(catalog), std::optional<size_t>(4));
    }
};

QTEST_GUILESS_MAIN(TestCatalogSuggestions)
#include "tst_catalog_suggestions.moc"
