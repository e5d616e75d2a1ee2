// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stop_token>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/sparse_pyramid.h"
#include "support/pictures.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float cell(const MapPyramid& pyramid, int level, FacePixel at) {
    const int64_t n = pyramid.nside() >> level;
    return pyramid.level(level)[static_cast<size_t>((at.face * n + at.y) * n + at.x)];
}

// Both NaN, or equal to a relative 1e-6: sums of four in single precision.
bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= 1e-6F * std::fabs(b) + 1e-30F;
}

Field fieldOf(std::vector<float> values) {
    Field field;
    field.name = "A";
    field.values = std::move(values);
    return field;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Ordering)

class MapPyramidTest : public QObject {
    Q_OBJECT
private slots:
    void everyPixelInItsPlace_data() {
        QTest::addColumn<qint64>("nside");
        QTest::addColumn<Ordering>("ordering");
        for (const qint64 nside : {1, 2, 16, 64, 128, 256}) {
            QTest::addRow("RING %d", static_cast<int>(nside)) << nside << Ordering::Ring;
            QTest::addRow("NESTED %d", static_cast<int>(nside)) << nside << Ordering::Nested;
        }
    }
    void everyPixelInItsPlace() {
        QFETCH(qint64, nside);
        QFETCH(Ordering, ordering);
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        std::iota(values.begin(), values.end(), 0.0F);  // exact below 2^24
        const HealpixMap map(nside, ordering, Frame::Ecliptic, {fieldOf(values)});
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(map, 0, 8192, job);
        QCOMPARE(pyramid.nside(), nside);
        QCOMPARE(pyramid.frame(), Frame::Ecliptic);
        QVERIFY(!pyramid.degraded());
        QCOMPARE(pyramid.levels(), orderOf(nside) + 1);
        for (int64_t pixel = 0; pixel < pixelCount(nside); ++pixel) {
            const FacePixel at = ordering == Ordering::Ring ? faceFromRing(nside, pixel)
                                                            : faceFromNested(nside, pixel);
            QCOMPARE(cell(pyramid, 0, at), static_cast<float>(pixel));
        }
    }

    // Each parent compared with its four children of the next finer level, without bad ones.
    void parentsAreMeansOfGoodChildren() {
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(noiseMap(64, Ordering::Ring, 0.4), 0, 64, job);
        for (int level = 1; level < pyramid.levels(); ++level) {
            const int64_t n = pyramid.nside() >> level;
            for (int face = 0; face < 12; ++face)
                for (int64_t y = 0; y < n; ++y)
                    for (int64_t x = 0; x < n; ++x) {
                        double sum = 0.0;
                        int good = 0;
                        for (int k = 0; k < 4; ++k) {
                            const float child =
                                cell(pyramid, level - 1, {face, 2 * x + k % 2, 2 * y + k / 2});
                            if (std::isnan(child)) continue;
                            sum += static_cast<double>(child);
                            ++good;
                        }
                        const float expected = good > 0 ? static_cast<float>(sum / good) : kNan;
                        QVERIFY(same(cell(pyramid, level, {face, x, y}), expected));
                    }
        }
    }

    // A map finer than the limit gives the same coarser levels.
    void coarserDropsTheFinestLevel() {
        JobContext job;
        const MapPyramid fine = MapPyramid::build(noiseMap(16, Ordering::Nested), 0, 16, job);
        MapPyramid part = fine.coarser();
        QCOMPARE(part.nside(), int64_t{8});
        QVERIFY(part.degraded());
        QVERIFY(std::ranges::equal(part.level(0), fine.level(1)));
        while (part.levels() > 1) part = part.coarser();
        QCOMPARE(part.nside(), int64_t{1});
        QVERIFY_EXCEPTION_THROWN(part.coarser(), InvalidArgument);
    }

    void degradedMapsKeepTheirMeans_data() {
        QTest::addColumn<Ordering>("ordering");
        QTest::newRow("RING") << Ordering::Ring;
        QTest::newRow("NESTED") << Ordering::Nested;
    }
    void degradedMapsKeepTheirMeans() {
        QFETCH(Ordering, ordering);
        JobContext job;
        const HealpixMap map = noiseMap(256, ordering, 0.3);
        const MapPyramid whole = MapPyramid::build(map, 0, 256, job);
        const MapPyramid small =
            MapPyramid::build(map, 0, 33, job);  // 32 is the power of two below
        QCOMPARE(small.nside(), int64_t{32});
        QVERIFY(small.degraded());
        for (int level = 0; level < small.levels(); ++level)
            for (size_t i = 0; i < small.level(level).size(); ++i)
                QVERIFY(same(small.level(level)[i], whole.level(level + 3)[i]));
    }

    void doublesAndExtremes() {
        std::vector<double> values(12 * 4, 1.0);
        values[0] = 1e300;
        values[1] = -1e300;
        values[2] = std::numeric_limits<double>::infinity();
        values[3] = std::numeric_limits<double>::quiet_NaN();
        Field field;
        field.name = "D";
        field.values = values;
        const HealpixMap map(2, Ordering::Nested, Frame::Galactic, {field});
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(map, 0, 2, job);
        QCOMPARE(cell(pyramid, 0, {0, 0, 0}), std::numeric_limits<float>::max());
        QCOMPARE(cell(pyramid, 0, {0, 1, 0}), -std::numeric_limits<float>::max());
        QVERIFY(std::isnan(cell(pyramid, 0, {0, 0, 1})));
        QVERIFY(std::isnan(cell(pyramid, 0, {0, 1, 1})));
        QCOMPARE(cell(pyramid, 1, {0, 0, 0}), 0.0F);  // no overflow in the mean
        QCOMPARE(cell(pyramid, 1, {1, 0, 0}), 1.0F);
    }

    void partialMaps_data() {
        QTest::addColumn<Ordering>("ordering");
        QTest::addColumn<qint64>("limit");
        for (const qint64 limit : {64, 8}) {
            QTest::addRow("RING to %d", static_cast<int>(limit)) << Ordering::Ring << limit;
            QTest::addRow("NESTED to %d", static_cast<int>(limit)) << Ordering::Nested << limit;
        }
    }
    // Every seventh pixel and a solid run, against a double loop.
    void partialMaps() {
        QFETCH(Ordering, ordering);
        QFETCH(qint64, limit);
        std::vector<int64_t> pixels;
        std::vector<float> values;
        std::mt19937 random(8);
        std::uniform_real_distribution<float> uniform(1.0F, 2.0F);
        for (int64_t p = 0; p < pixelCount(64); ++p)
            if (p % 7 == 0 || (p > 2000 && p < 3000)) {
                pixels.push_back(p);
                values.push_back(p % 5 == 0 ? kNan : uniform(random));
            }
        const HealpixMap map =
            HealpixMap::partial(64, ordering, Frame::Galactic, pixels, {fieldOf(values)});
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(map, 0, limit, job);
        std::vector<double> sum(static_cast<size_t>(pixelCount(limit)));
        std::vector<int> good(sum.size());
        for (size_t i = 0; i < pixels.size(); ++i) {
            if (std::isnan(values[i])) continue;
            const int64_t nested =
                ordering == Ordering::Ring ? nestedFromRing(64, pixels[i]) : pixels[i];
            const auto at = static_cast<size_t>(nested / ((64 / limit) * (64 / limit)));
            sum[at] += static_cast<double>(values[i]);
            ++good[at];
        }
        for (size_t i = 0; i < sum.size(); ++i) {
            const float expected = good[i] > 0 ? static_cast<float>(sum[i] / good[i]) : kNan;
            QVERIFY(
                same(cell(pyramid, 0, faceFromNested(limit, static_cast<int64_t>(i))), expected));
        }
    }

    // Cells of orders 0 to 4 on a grid of order 4, drawn at order 4 and 2, against their area
    // means.
    void multiOrderMaps_data() {
        QTest::addColumn<qint64>("limit");
        QTest::newRow("16") << qint64{16};
        QTest::newRow("4") << qint64{4};
        QTest::newRow("1") << qint64{1};
    }
    void multiOrderMaps() {
        QFETCH(qint64, limit);
        std::vector<int64_t> first;
        std::vector<uint8_t> orders;
        std::vector<float> values;
        std::mt19937 random(4);
        for (int64_t next = 0; next < pixelCount(16);) {
            int order = static_cast<int>(random() % 5);
            while (next % (int64_t{1} << (2 * (4 - order))) != 0) ++order;
            const int64_t size = int64_t{1} << (2 * (4 - order));
            if (random() % 6 != 0) {  // holes
                first.push_back(next);
                orders.push_back(static_cast<uint8_t>(order));
                values.push_back(static_cast<float>(random() % 1000));
            }
            next += size;
        }
        std::vector<float> dense(static_cast<size_t>(pixelCount(16)), kNan);
        for (size_t i = 0; i < first.size(); ++i)
            for (int64_t k = 0; k < int64_t{1} << (2 * (4 - orders[i])); ++k)
                dense[static_cast<size_t>(first[i] + k)] = values[i];
        const HealpixMap map =
            HealpixMap::multiOrder(16, Frame::Equatorial, first, orders, {fieldOf(values)});
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(map, 0, limit, job);
        const int64_t children = (16 / limit) * (16 / limit);
        for (int64_t i = 0; i < pixelCount(limit); ++i) {
            double sum = 0.0;
            int good = 0;
            for (int64_t k = 0; k < children; ++k) {
                const float value = dense[static_cast<size_t>(i * children + k)];
                if (std::isnan(value)) continue;
                sum += static_cast<double>(value);
                ++good;
            }
            const float expected = good > 0 ? static_cast<float>(sum / good) : kNan;
            QVERIFY(same(cell(pyramid, 0, faceFromNested(limit, i)), expected));
        }
    }

    // Cell by cell equal to the dense pyramid, bit for bit, on every level.
    void sparseIsDense_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("RING") << 0;
        QTest::newRow("NESTED") << 1;
        QTest::newRow("several orders") << 2;
    }
    void sparseIsDense() {
        QFETCH(int, kind);
        std::mt19937 random(12);
        std::vector<int64_t> pixels;
        std::vector<uint8_t> orders;
        std::vector<float> values;
        for (int64_t next = 0; next < pixelCount(32);) {
            int order = 5;
            if (kind == 2) {
                order = static_cast<int>(random() % 6);
                while (next % (int64_t{1} << (2 * (5 - order))) != 0) ++order;
            }
            if (random() % 3 == 0) {
                pixels.push_back(next);
                orders.push_back(static_cast<uint8_t>(order));
                values.push_back(random() % 9 == 0 ? kNan : static_cast<float>(random() % 1000));
            }
            next += int64_t{1} << (2 * (5 - order));
        }
        const HealpixMap map =
            kind == 2
                ? HealpixMap::multiOrder(32, Frame::Galactic, pixels, orders, {fieldOf(values)})
                : HealpixMap::partial(32, kind == 0 ? Ordering::Ring : Ordering::Nested,
                                      Frame::Galactic, pixels, {fieldOf(values)});
        JobContext job;
        QVERIFY(SparsePyramid::suits(map));
        const MapPyramid dense = MapPyramid::build(map, 0, 32, job);
        const SparsePyramid sparse = SparsePyramid::build(map, 0, job);
        QCOMPARE(sparse.levels(), dense.levels());
        const SparsePyramid twice = SparsePyramid::combined(
            sparse, sparse, [](float a, float b) { return a + b; }, job);
        for (int level = 0; level < dense.levels(); ++level)
            for (int64_t i = 0; i < pixelCount(32 >> level); ++i) {
                const float value = sparse.value(i << (2 * level), level);
                QVERIFY(same(cell(dense, level, faceFromNested(32 >> level, i)), value));
                QVERIFY(same(twice.value(i << (2 * level), level), 2.0F * value));
            }
    }

    // At a depth at which full faces do not fit in memory: 0.2 arcsec.
    void sparseIsDeep() {
        const int64_t nside = int64_t{1} << 20;
        const int64_t first =
            nestedFromDirection(nside, normalized({0.2, -0.5, 0.7})) & ~int64_t{3};
        const HealpixMap map = HealpixMap::partial(nside, Ordering::Nested, Frame::Galactic,
                                                   {first, first + 1, first + 2, first + 3},
                                                   {fieldOf({1.0F, 2.0F, 3.0F, 4.0F})});
        JobContext job;
        const SparsePyramid sparse = SparsePyramid::build(map, 0, job);
        QCOMPARE(sparse.value(first + 2, 0), 3.0F);
        QCOMPARE(sparse.value(first + 2, 1), 2.5F);
        QVERIFY(std::isnan(sparse.value(first + 4, 0)));
        QVERIFY(sparse.memoryBytes() < 2000);
    }

    // No power of two: each cell of the next level shows the pixel under its center.
    void anyRingNside_data() {
        QTest::addColumn<qint64>("nside");
        for (const qint64 nside : {3, 5, 24, 100})
            QTest::newRow(qPrintable(QString::number(nside))) << nside;
    }
    void anyRingNside() {
        QFETCH(qint64, nside);
        const HealpixMap map = noiseMap(nside, Ordering::Ring, 0.1);
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(map, 0, 8192, job);
        const int64_t grid = pyramid.nside();
        QVERIFY(grid >= nside && grid < 2 * nside && isPowerOfTwoNside(grid));
        QVERIFY(!pyramid.degraded());
        for (int64_t i = 0; i < pixelCount(grid); ++i) {
            const Vec3 d = directionFromNested(grid, i);
            QVERIFY(same(cell(pyramid, 0, faceFromNested(grid, i)),
                         static_cast<float>(map.value(0, ringFromDirection(nside, d)))));
        }
    }

    void stopsAndRefuses() {
        const HealpixMap map = noiseMap(256, Ordering::Ring);
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token(), {}, 2);
        QVERIFY_EXCEPTION_THROWN(MapPyramid::build(map, 0, 256, stopped), Cancelled);
        JobContext job;
        QVERIFY_EXCEPTION_THROWN(MapPyramid::build(map, 1, 256, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(MapPyramid::build(map, -1, 256, job), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(MapPyramidTest)
#include "tst_map_pyramid.moc"
