// SPDX-License-Identifier: GPL-3.0-or-later
// Areas and borders of credible regions, where they are known in closed form.
#include <QtTest>
#include <cmath>

#include "core/pixel_geometry.h"
#include "session/credible_regions.h"

using namespace armilla;

namespace {

// exp(-(1 - cos t) / s^2) around a center: within t lies 1 - exp(-(1 - cos t) / s^2) of it.
constexpr double kSigma = 6.0 * kDegree;
const Vec3 kCenter = normalized(Vec3{0.3, -0.5, 0.7});

HealpixMap bell(int64_t nside, Ordering ordering, bool isSingle) {
    Field field{"PROB", "pix-1", isSingle ? DiskType::Float32 : DiskType::Float64, {}};
    std::vector<double> values;
    for (int64_t p = 0; p < pixelCount(nside); ++p) {
        const Vec3 v = ordering == Ordering::Ring ? directionFromRing(nside, p)
                                                  : directionFromNested(nside, p);
        values.push_back(1e-4 * std::exp(-(1.0 - dot(v, kCenter)) / (kSigma * kSigma)));
    }
    if (isSingle)
        field.values = std::vector<float>(values.begin(), values.end());
    else
        field.values = std::move(values);
    return HealpixMap(nside, ordering, Frame::Equatorial, {std::move(field)});
}

}  // namespace

class TestCredibleRegions : public QObject {
    Q_OBJECT
private slots:
    void areasAreThoseOfTheFormula_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("ring");
        QTest::addColumn<bool>("single");
        QTest::newRow("256 ring") << 256 << true << true;
        QTest::newRow("256 nested, double") << 256 << false << false;
        // Finer than the borders.
        QTest::newRow("1024 nested") << 1024 << false << true;
    }
    void areasAreThoseOfTheFormula() {
        QFETCH(int, nside);
        QFETCH(bool, ring);
        QFETCH(bool, single);
        const HealpixMap map = bell(nside, ring ? Ordering::Ring : Ordering::Nested, single);
        const double levels[] = {0.5, 0.9};
        JobContext job;
        const auto regions = credibleRegions(map, 0, levels, job);
        QCOMPARE(regions.size(), size_t{2});
        for (size_t i = 0; i < 2; ++i) {
            const double share = -kSigma * kSigma * std::log(1.0 - levels[i]);
            const double wanted = kTwoPi * share;
            // Pixels at the border are in or out as a whole; the sum of some hundred signs along a
            // circle: a hundredth of the area at nside 256 is far above it.
            QVERIFY2(std::abs(regions[i].area - wanted) < 0.01 * wanted,
                     qPrintable(QString::number(regions[i].area / wanted)));
            // The border runs along the circle, within a pixel of it (of the coarser map), and all
            // around: its length is at least that of the circle.
            const double radius = std::acos(1.0 - share);
            const double pixel =
                std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(std::min(nside, 512))));
            double length = 0.0;
            for (const auto& [from, to] : regions[i].border) {
                QVERIFY(std::abs(angularDistance(from, kCenter) - radius) < 2.0 * pixel);
                length += angularDistance(from, to);
            }
            QVERIFY(length > kTwoPi * std::sin(radius));
        }
    }
    void whatIsNoProbabilityHasNone() {
        JobContext job;
        const double levels[] = {0.5};
        const HealpixMap nothing(4, Ordering::Ring, Frame::Galactic,
                                 {{"PROB", "", DiskType::Float32, std::vector<float>(192, -1.0F)}});
        QVERIFY(credibleRegions(nothing, 0, levels, job).empty());
        QVERIFY(isProbability({"PROBDENSITY", "sr-1", DiskType::Float32, {}}));
        QVERIFY(isProbability({"prob", " pix**-1 ", DiskType::Float32, {}}));
        QVERIFY(!isProbability({"PROB", "K", DiskType::Float32, {}}));
        QVERIFY(!isProbability({"DISTMU", "pix-1", DiskType::Float32, {}}));
    }
};

QTEST_GUILESS_MAIN(TestCredibleRegions)
#include "tst_credible_regions.moc"
