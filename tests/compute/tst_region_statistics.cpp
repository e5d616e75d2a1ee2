// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/area_statistics.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

HealpixMap mapOf(int64_t nside, Ordering ordering, const std::function<double(Vec3)>& value) {
    std::vector<double> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t p = 0; p < values.size(); ++p)
        values[p] = value(directionFromPixel(nside, ordering, static_cast<int64_t>(p)));
    return {nside, ordering, Frame::Galactic, {{"T", "K", DiskType::Float64, std::move(values)}}};
}

Region circle(Frame frame, LonLat at, double radius) {
    Region region;
    region.frame = frame;
    region.points = {at};
    region.first = radius;
    return region;
}

}  // namespace

class RegionStatisticsTest : public QObject {
    Q_OBJECT
    // Pixels with given solid angles, here equal ones.
    void compareWithAreas(const HealpixMap& map, const SkyPart& part, const PartStatistics& s) {
        std::vector<Vec3> centers;
        std::vector<double> values;
        for (int64_t p = 0; p < map.pixelCount(); ++p) {
            centers.push_back(directionFromPixel(map.nside(), map.ordering(), p));
            values.push_back(map.value(0, p));
        }
        const std::vector<double> areas(values.size(), 0.25);
        const SkyPixels pixels{map.frame(), centers, areas};
        const AreaStatistics a = areaStatistics(pixels, areaValues(pixels, values, part, job_));
        QCOMPARE(a.pixels, s.pixels);
        QCOMPARE(a.good, s.good);
        QCOMPARE(a.area, 0.25 * static_cast<double>(s.pixels));
        QCOMPARE(a.least, s.least);
        QCOMPARE(a.largest, s.largest);
        // The same sums in another order: rounding of a few hundred values of order 3.
        constexpr double kRounding = 1e-12;
        for (const auto& [found, expected] :
             {std::pair{a.sum, s.sum}, std::pair{a.integral, 0.25 * s.sum},
              std::pair{a.mean, s.mean}, std::pair{a.standardDeviation, s.standardDeviation},
              std::pair{a.median, s.median}, std::pair{a.low, s.low}, std::pair{a.high, s.high}})
            ARMILLA_VERIFY_BELOW(std::abs(found - expected), kRounding);
    }

private slots:
    void figures_data() {
        QTest::addColumn<bool>("nested");
        QTest::newRow("ring") << false;
        QTest::newRow("nested") << true;
    }
    // Compared with a loop over all pixels; a circle in another frame minus another circle.
    void figures() {
        QFETCH(bool, nested);
        const Ordering ordering = nested ? Ordering::Nested : Ordering::Ring;
        const HealpixMap map = mapOf(32, ordering, [](Vec3 d) {
            return d.x > 0.9 && d.y > 0.1 ? kNan : std::sin(40 * d.x) + 3 * d.z;
        });
        const SkyPart part{.name = "a",
                           .region = circle(Frame::Equatorial, {4.5, -0.4}, 0.5),
                           .without = {circle(Frame::Galactic, {0.1, 0.1}, 0.2)}};
        const PartValues found = partValues(map, 0, part, job_);
        const RegionTest inside(*part.region, Frame::Galactic);
        const RegionTest outside(part.without[0], Frame::Galactic);
        std::vector<double> truth;
        int64_t all = 0;
        for (int64_t p = 0; p < map.pixelCount(); ++p) {
            const Vec3 d = directionFromPixel(32, ordering, p);
            if (!inside.contains(d) || outside.contains(d)) continue;
            ++all;
            if (std::isfinite(map.value(0, p))) truth.push_back(map.value(0, p));
        }
        QVERIFY(truth.size() > 200 && static_cast<int64_t>(truth.size()) < all);
        const PartStatistics s = partStatistics(map, found);
        compareWithAreas(map, part, s);
        QCOMPARE(s.pixels, all);
        QCOMPARE(s.good, static_cast<int64_t>(truth.size()));
        long double sum = 0, squares = 0;
        for (const double v : truth) sum += v;
        const long double mean = sum / static_cast<long double>(truth.size());
        for (const double v : truth) squares += (v - mean) * (v - mean);
        // A few hundred values of order 3: rounding of each sum below 1e-13.
        ARMILLA_VERIFY_BELOW(std::abs(s.mean - static_cast<double>(mean)), 1e-14);
        ARMILLA_VERIFY_BELOW(
            std::abs(s.standardDeviation - static_cast<double>(std::sqrt(
                                               squares / static_cast<long double>(truth.size())))),
            1e-14);
        std::sort(truth.begin(), truth.end());
        QCOMPARE(s.least, truth.front());
        QCOMPARE(s.largest, truth.back());
        QCOMPARE(map.value(0, map.pixelAt(*s.largestAt)), truth.back());
        const size_t n = truth.size();
        ARMILLA_VERIFY_BELOW(std::abs(s.median - 0.5 * (truth[n / 2] + truth[(n - 1) / 2])), 1e-15);
        QVERIFY(s.low < s.median && s.median < s.high);
    }

    // The whole sky, the good part of a mask of another pixelization, and a part without a pixel.
    void parts() {
        const HealpixMap map = mapOf(16, Ordering::Ring, [](Vec3 d) { return d.z; });
        QCOMPARE(partValues(map, 0, {}, job_).all, map.pixelCount());
        const HealpixMap mask =
            mapOf(8, Ordering::Nested, [](Vec3 d) { return d.z > 0 ? 1.0 : 0.0; });
        const PartValues half = partValues(map, 0, {.name = "", .mask = &mask}, job_);
        for (const int64_t p : half.pixels)
            QVERIFY(mask.value(0, mask.pixelAt(directionFromRing(16, p))) == 1.0);
        QVERIFY(half.all > 0 && half.all < map.pixelCount());
        const PartValues none =
            partValues(map, 0, {.region = circle(Frame::Galactic, {1.0, 0.3}, 1e-9)}, job_);
        QCOMPARE(none.all, int64_t{0});
        QVERIFY(std::isnan(partStatistics(map, none).mean));
        QVERIFY_THROWS_EXCEPTION(
            InvalidArgument,
            partValues(map, 0, {.region = circle(Frame::Unknown, {1.0, 0.3}, 0.1)}, job_));
    }

    // A map that is a function of the angle gives that function.
    void profile() {
        const Vec3 center = direction({1.1, 0.7});
        const HealpixMap map = mapOf(
            128, Ordering::Ring, [&](Vec3 d) { return 2.0 - 3.0 * angularDistance(d, center); });
        const PartValues found =
            partValues(map, 0, {.region = circle(Frame::Galactic, {1.1, 0.7}, 0.3)}, job_);
        const Curve curve = radialProfile(map, found, center, {0.02, 0.3}, "K");
        checkCurve(curve);
        QCOMPARE(curve.size(), int64_t{15});
        QCOMPARE(static_cast<int>(curve.kind), static_cast<int>(CurveKind::Profile));
        double counted = 0.0;
        for (size_t i = 0; i < curve.x.size(); ++i) {
            // Means of a ring belong to its mean angle, within a sixth of its width and the
            // pixelization: the slope is 3.
            const double truth = 2.0 - 3.0 * curve.x[i] * kDegree;
            ARMILLA_VERIFY_BELOW(std::abs(curve.series[0].values[i] - truth), 3.0 * 0.02 / 4);
            counted += curve.series[2].values[i];
        }
        QCOMPARE(counted, static_cast<double>(found.values.size()));
    }

    // A map in units of 1e200, whose squares overflow: all figures scale with the unit.
    void scaleDoesNotMatter() {
        const auto values = [](Vec3 d) { return 2.0 + d.x; };
        const HealpixMap map = mapOf(32, Ordering::Ring, values);
        const HealpixMap large =
            mapOf(32, Ordering::Ring, [&](Vec3 d) { return 1e200 * values(d); });
        const SkyPart part{.region = circle(Frame::Galactic, {1.1, 0.7}, 0.3)};
        const PartValues a = partValues(map, 0, part, job_), b = partValues(large, 0, part, job_);
        const PartStatistics s = partStatistics(map, a), t = partStatistics(large, b);
        // Each product by 1e200 rounds once, and sums of a few hundred numbers as in statistics().
        const auto same = [](double scaled, double x) {
            ARMILLA_VERIFY_BELOW(std::abs(scaled / 1e200 / x - 1.0), 1e-13);
        };
        same(t.sum, s.sum);
        same(t.mean, s.mean);
        same(t.standardDeviation, s.standardDeviation);
        same(t.median, s.median);
        const Vec3 center = direction({1.1, 0.7});
        const Curve c = radialProfile(map, a, center, {0.1, 0.3}, "K");
        const Curve d = radialProfile(large, b, center, {0.1, 0.3}, "K");
        for (size_t k = 0; k < c.x.size(); ++k)
            for (const size_t series : {size_t{0}, size_t{1}})
                same(d.series[series].values[k], c.series[series].values[k]);
    }

    void histogram() {
        PartValues part;
        part.values = {0.0, 0.1, 0.5, 0.99, 1.0, -3.0, 2.0};
        const std::vector<PartValues> parts{part};
        const std::vector<std::string> names{"a"};
        const Curve curve = partHistogram(parts, names, 0.0, 1.0, 4, "K");
        checkCurve(curve);
        QCOMPARE(curve.series[0].values, (std::vector<double>{2, 0, 1, 2}));
        QCOMPARE(curve.xHigh.back(), 1.0);
        // All values equal.
        QCOMPARE(partHistogram(parts, names, 0.5, 0.5, 1, "").series[0].values[0], 1.0);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, partHistogram(parts, names, 1.0, 0.0, 4, ""));
        // The difference of the ends exceeds a double, and bins narrower than neighboring doubles.
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 partHistogram(parts, names, -1e308, 1e308, 64, ""));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, partHistogram(parts, names, 0.0, 5e-324, 2, ""));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 partHistogram(parts, names, 1.0, std::nextafter(1.0, 2.0), 2, ""));
    }

    // A value on a stated edge lies in the bin that begins there, regardless of rounding.
    void histogramOnEdges() {
        const std::vector<std::string> names{"a"};
        for (const double low : {0.0, 0.1, -2.0, 1e-3})
            for (const double high : {0.7, 1.5, 3.3})
                for (const int bins : {3, 7, 37, 100}) {
                    const Curve edges = partHistogram({}, {}, low, high, bins, "");
                    PartValues part;
                    part.values = edges.xLow;
                    part.values.push_back(edges.xHigh.back());
                    const std::vector<PartValues> parts{part};
                    const Curve curve = partHistogram(parts, names, low, high, bins, "");
                    std::vector<double> truth(static_cast<size_t>(bins), 1.0);
                    truth.back() = 2.0;
                    QCOMPARE(curve.series[0].values, truth);
                }
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(RegionStatisticsTest)
#include "tst_region_statistics.moc"
