// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges to which colors are fitted.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "armilla/core/units.h"
#include "counting_map.h"
#include "models/color_ranges.h"

using namespace armilla;
using namespace armilla::test;

class TestColorRanges : public QObject {
    Q_OBJECT
private slots:
    void ranges_data();
    void ranges();
    void rangeOfNothing();
    void fittedScales();
    void logNeedsPositiveValues();
    void inViewSeesOnlyTheView();
};

void TestColorRanges::ranges_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("symmetric");
    QTest::addColumn<float>("expectedLow");
    QTest::addColumn<float>("expectedHigh");
    // Values -40, -39, ..., 60: the percentile p lies at p - 40.
    QTest::newRow("min-max") << 0.0 << 100.0 << false << -40.0F << 60.0F;
    QTest::newRow("1-99") << 1.0 << 99.0 << false << -39.0F << 59.0F;
    QTest::newRow("2.5-97.5") << 2.5 << 97.5 << false << -37.5F << 57.5F;
    QTest::newRow("symmetric") << 1.0 << 99.0 << true << -59.0F << 59.0F;
}

void TestColorRanges::ranges() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, symmetric);
    std::vector<float> values(101);
    std::iota(values.begin(), values.end(), -40.0F);
    const auto range = rangeOf(values, {low, high, symmetric});
    QVERIFY(range);
    QTEST(range->low, "expectedLow");
    QTEST(range->high, "expectedHigh");
}

void TestColorRanges::rangeOfNothing() {
    QVERIFY(!rangeOf({}, {}));
    const std::vector<float> constant(10, 4.0F);
    const auto range = rangeOf(constant, {});
    QVERIFY(range && range->low < 4.0F && range->high > 4.0F);
    QCOMPARE(0.5F * (range->low + range->high), 4.0F);
}

void TestColorRanges::fittedScales() {
    std::vector<float> values(1001);
    std::iota(values.begin(), values.end(), -500.0F);
    ColorScale scale;
    scale.mapping.scale = Scale::Asinh;
    scale.mapping.linear = 0.0F;
    auto fitted = fittedScale(scale, {-100.0F, 300.0F}, values);
    QVERIFY(fitted);
    QCOMPARE(fitted->mapping.linear, 30.0F);
    // A suitable linear width is the user's and stays.
    scale.mapping.linear = 7.0F;
    QCOMPARE(fittedScale(scale, {-100.0F, 300.0F}, values)->mapping.linear, 7.0F);

    scale.mapping.scale = Scale::Histogram;
    fitted = fittedScale(scale, {0.0F, 255.0F}, values);
    QVERIFY(fitted);
    for (size_t i = 0; i < 256; ++i) QCOMPARE(fitted->cumulative[i], static_cast<float>(i));
}

void TestColorRanges::logNeedsPositiveValues() {
    ColorScale scale;
    scale.mapping.scale = Scale::Log;
    const std::vector<float> negative{-3.0F, -2.0F, -1.0F};
    QVERIFY(!fittedScale(scale, {-3.0F, -1.0F}, negative));
    const std::vector<float> mixed{-1.0F, 0.5F, 2.0F, 8.0F};
    const auto fitted = fittedScale(scale, {-1.0F, 8.0F}, mixed);
    QVERIFY(fitted);
    QCOMPARE(fitted->mapping.low, 0.5F);
    QCOMPARE(fitted->mapping.high, 8.0F);
}

void TestColorRanges::inViewSeesOnlyTheView() {
    // RING pixels are numbered from north to south: the value is the number.
    const auto map = countingMap({"I"}, 64);
    Camera camera;
    camera.projection = Projection::Gnomonic;
    camera = camera.centeredOn({0.0, 80.0 * kDegree});
    camera.zoom = 10.0;
    const auto north = valuesInView(*map, {LayerId(1), 0, Quantity::Field}, camera, 300, 200, 600);
    QVERIFY(north.size() > 400 && north.size() < 900);
    QVERIFY(std::is_sorted(north.begin(), north.end()));
    // The whole view lies within 10 degrees of its center, north of latitude 70, which contains (1
    // - sin 70) / 2 of the pixels.
    QVERIFY(north.back() < 0.5 * (1.0 - std::sin(69.0 * kDegree)) * 12 * 64 * 64);
    QVERIFY(valuesInView(*map, {LayerId(1), 0, Quantity::Field}, camera, 0, 0, 600).empty());
}

QTEST_GUILESS_MAIN(TestColorRanges)
#include "tst_color_ranges.moc"
