// SPDX-License-Identifier: GPL-3.0-or-later
// Areas and borders of credible regions with closed forms.
#include <QtTest>
#include <array>
#include <cmath>
#include <map>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/probability.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/session/credible_regions.h"

using namespace armilla;

namespace {

// exp(-(1 - cos t) / s^2) around a center: the fraction within t is 1 - exp(-(1 - cos t) / s^2).
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

// Limit for the area of a region at this radius. Its circle crosses 8 r / h cells of side h (4 / pi
// of its length over h), which are entirely in or out. Each has a uniform error within half of its
// area, of either sign. The limit is five standard deviations of their sum, plus the midpoint rule
// in a cell.
double areaLimit(double radius, double cell) {
    const double area = kTwoPi * (1.0 - std::cos(radius));
    return 5.0 * std::sqrt(8.0 * radius / cell / 12.0) * cell * cell +
           area * cell * cell / (24.0 * kSigma * kSigma);
}
double cellSide(int64_t nside) {
    return std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
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
        const std::vector<double> levels{0.5, 0.9};
        JobContext job;
        const auto regions = credibleOutlines(map, 0, levels, job);
        QCOMPARE(regions.size(), size_t{2});
        for (size_t i = 0; i < 2; ++i) {
            const double share = -kSigma * kSigma * std::log(1.0 - levels[i]);
            const double wanted = kTwoPi * share;
            QVERIFY2(std::abs(regions[i].area - wanted) <
                         areaLimit(std::acos(1.0 - share), cellSide(nside)),
                     qPrintable(QString::number(regions[i].area / wanted)));
            // The border follows the circle closely: its length is that of the circle, not 4 / pi
            // times that as for a line along the sides of pixels. Errors: a threshold off by
            // areaLimit(), and linear interpolation over a pixel.
            const double radius = std::acos(1.0 - share);
            const double pixel = cellSide(std::min(nside, 512));
            const double limit = areaLimit(radius, cellSide(nside)) / (kTwoPi * std::sin(radius)) +
                                 pixel * pixel / kSigma;
            double length = 0.0;
            for (const auto& [from, to] : regions[i].border) {
                QVERIFY(std::abs(angularDistance(from, kCenter) - radius) < limit);
                length += angularDistance(from, to);
            }
            const double circle = kTwoPi * std::sin(radius);
            // The length of a circle whose radius is off by the limit.
            QVERIFY2(std::abs(length - circle) < kTwoPi * limit,
                     qPrintable(QString::number(length / circle)));
        }
    }
    // Densities in cells of several sizes are weighted by area. The peak is finely divided, so that
    // an unweighted count would give far too small an area.
    void cellsCountByTheirArea() {
        std::vector<int64_t> first;
        std::vector<uint8_t> orders;
        std::vector<double> values;
        const int64_t nside = 1024;
        for (int64_t wide = 0; wide < pixelCount(128);) {
            const double away = angularDistance(directionFromNested(128, wide), kCenter);
            const int order = away > 60.0 * kDegree ? 5 : away > 15.0 * kDegree ? 7 : 10;
            const int64_t step = order == 5 && wide % 16 == 0 ? 16 : 1;
            const int used = step == 16 ? 5 : std::max(order, 7);
            const int64_t size = int64_t{1} << (2 * (10 - used));
            for (int64_t pixel = wide * 64; pixel < (wide + step) * 64; pixel += size) {
                const Vec3 v = directionFromNested(int64_t{1} << used, pixel / size);
                first.push_back(pixel);
                orders.push_back(static_cast<uint8_t>(used));
                values.push_back(std::exp(-(1.0 - dot(v, kCenter)) / (kSigma * kSigma)));
            }
            wide += step;
        }
        const HealpixMap map =
            HealpixMap::multiOrder(nside, Frame::Equatorial, std::move(first), std::move(orders),
                                   {{"PROBDENSITY", "sr-1", DiskType::Float64, std::move(values)}});
        JobContext job;
        const auto regions = credibleOutlines(map, 0, {0.5, 0.9}, job);
        QCOMPARE(regions.size(), size_t{2});
        for (const CredibleOutline& region : regions) {
            const double share = -kSigma * kSigma * std::log(1.0 - region.share);
            const double radius = std::acos(1.0 - share);
            QVERIFY2(std::abs(region.area - kTwoPi * share) < areaLimit(radius, cellSide(nside)),
                     qPrintable(QString::number(region.area / (kTwoPi * share))));
            const double pixel = cellSide(512);
            QVERIFY(!region.border.empty());
            for (const auto& [from, to] : region.border)
                QVERIFY(std::abs(angularDistance(from, kCenter) - radius) < 2.0 * pixel);
        }
    }
    // Pieces meet in pairs, so that lines are closed also where three pixels meet, at the poles and
    // at saddles. Irregular values give every kind of corner. Several lines pass through the center
    // of a pixel whose value is the threshold.
    void linesAreClosed() {
        const int64_t nside = 4;
        std::vector<float> values;
        for (int64_t p = 0; p < pixelCount(nside); ++p)
            values.push_back(static_cast<float>(1 + (p * 7919) % 13));
        const HealpixMap map(nside, Ordering::Nested, Frame::Equatorial,
                             {{"PROB", "pix-1", DiskType::Float32, values}});
        JobContext job;
        const auto regions = credibleOutlines(map, 0, {0.3, 0.5, 0.8}, job);
        QCOMPARE(regions.size(), size_t{3});
        for (const CredibleOutline& region : regions) {
            QVERIFY(!region.border.empty());
            std::map<std::array<int64_t, 3>, int> ends;
            for (const auto& [from, to] : region.border)
                for (const Vec3& end : {from, to})
                    ++ends[{std::llround(1e9 * end.x), std::llround(1e9 * end.y),
                            std::llround(1e9 * end.z)}];
            for (const auto& [end, count] : ends) QCOMPARE(count % 2, 0);
        }
    }
    void whatIsNoProbabilityHasNone() {
        JobContext job;
        const std::vector<double> levels{0.5};
        const HealpixMap nothing(4, Ordering::Ring, Frame::Galactic,
                                 {{"PROB", "", DiskType::Float32, std::vector<float>(192, -1.0F)}});
        QVERIFY(credibleOutlines(nothing, 0, levels, job).empty());
        QVERIFY(isProbability({"PROBDENSITY", "sr-1", DiskType::Float32, {}}));
        QVERIFY(isProbability({"prob", " pix**-1 ", DiskType::Float32, {}}));
        QVERIFY(!isProbability({"PROB", "K", DiskType::Float32, {}}));
        QVERIFY(!isProbability({"DISTMU", "pix-1", DiskType::Float32, {}}));
    }
};

QTEST_GUILESS_MAIN(TestCredibleRegions)
#include "tst_credible_regions.moc"
