// SPDX-License-Identifier: GPL-3.0-or-later
// Differences of maps in any frame, ordering and resolution.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/ops/resample.h"
#include "armilla/session/operation_runner.h"
#include "map_work.h"
#include "session_bench.h"
#include "support/comparisons.h"

using namespace armilla;
using namespace armilla::test;

class DifferencesTest : public QObject {
    Q_OBJECT
private slots:
    void differences_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("ordering");
        QTest::addColumn<int>("frame");
        QTest::addColumn<double>("limit");
        QTest::addColumn<QString>("name");
        const int ring = static_cast<int>(Ordering::Ring);
        const int nested = static_cast<int>(Ordering::Nested);
        const int galactic = static_cast<int>(Frame::Galactic);
        // Values up to 3 in single precision: 2^-23 each.
        QTest::newRow("the same grid") << 64 << ring << galactic << 1e-6 << "a.fits − b.fits";
        QTest::newRow("other ordering") << 64 << nested << galactic << 1e-6 << "a.fits − b.fits";
        // The mean of four children differs from the value at the parent's center. One term is half
        // the second derivative (at most 2) times the mean square distance of the children (a
        // quarter pixel side, 1.8 degrees / 4, squared). The offset of the HEALPix centers, of the
        // same order, times the gradient (at most 2) adds to this: below 2e-3.
        QTest::newRow("finer") << 128 << ring << galactic << 2e-3 << "a.fits − b.fits (nside 64)";
        QTest::newRow("coarser") << 32 << nested << galactic << 4e-3
                                 << "a.fits − b.fits (nside 32)";
    }
    void differences() {
        QFETCH(int, nside);
        QFETCH(int, ordering);
        QFETCH(int, frame);
        QFETCH(double, limit);
        QFETCH(QString, name);
        Bench bench;
        bench.open({bench.write(*waveMap(64), "a.fits"),
                    bench.write(
                        *waveMap(nside, static_cast<Ordering>(ordering), static_cast<Frame>(frame)),
                        "b.fits")});
        const auto& entries = bench.document().entries();
        setComparison(bench.document(), Comparison::Swipe);
        bench.session.operations().showDifference({entries[0].id, 0}, {entries[1].id, 0});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        const Layer& made = bench.document().entries()[2];
        QCOMPARE(made.name, name);
        QCOMPARE(made.map->ordering(), Ordering::Ring);
        QCOMPARE(made.map->nside(), int64_t{std::min(64, nside)});
        QCOMPARE(made.map->field(0).unit, std::string("uK"));
        QCOMPARE(bench.document().view().comparison(), Comparison::Single);
        QCOMPARE(bench.document().view().shown().entry, made.id);
        for (int64_t i = 0; i < made.map->elementCount(); ++i)
            QVERIFY(std::abs(made.map->field(0).at(i)) < limit);
        // One step: the maps are back in the previous comparison.
        QCOMPARE(bench.document().history().stack()->undoText(), "Make " + name);
        bench.document().history().stack()->undo();
        QCOMPARE(bench.document().entries().size(), size_t{2});
        QCOMPARE(bench.document().view().comparison(), Comparison::Swipe);
    }
    void differencesAcrossFramesAndHoles() {
        JobContext job;
        // The same sky in two frames: x of the Galactic frame.
        const int64_t nside = 64;
        const auto galactic = waveMap(nside);
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        for (size_t i = 0; i < values.size(); ++i) {
            const Vec3 v = turn * directionFromRing(nside, static_cast<int64_t>(i));
            values[i] = static_cast<float>(1.0 + v.x + v.z * v.z);
        }
        const HealpixMap equatorial(nside, Ordering::Ring, Frame::Equatorial,
                                    {field("WAVE", values)});
        const auto made =
            mapDifference(*galactic, {LayerId(), 0}, equatorial, {LayerId(1), 0}, job);
        QCOMPARE(made.changes, QStringList{"rotated to Galactic"});
        // HEALPix interpolation is linear in longitude along rings. The first ring has four pixels,
        // so half way between two of these x falls short by 1 - cos(45 degrees) = 0.29 of the
        // ring's radius. With sin(theta) = sqrt(2/3) / nside = 0.0128 that is 3.7e-3. Elsewhere the
        // error is an eighth of the second derivative times the pixel side squared: 3e-4.
        double largest = 0.0;
        for (int64_t i = 0; i < made.map.elementCount(); ++i)
            largest = std::max(largest, std::abs(made.map.field(0).at(i)));
        QVERIFY2(largest < 4e-3, qPrintable(QString::number(largest)));
        // Pixels that one map lacks have no difference.
        const HealpixMap part = HealpixMap::partial(
            nside, Ordering::Ring, Frame::Galactic, {5, 7, 11},
            {field("WAVE", {galactic->field(0).isSingle() ? 1.0F : 0.0F, std::nanf(""), 2.0F})});
        const auto full = mapDifference(*galactic, {LayerId(), 0}, part, {LayerId(1), 0}, job);
        int finite = 0;
        for (int64_t i = 0; i < full.map.elementCount(); ++i)
            finite += std::isfinite(full.map.field(0).at(i)) ? 1 : 0;
        QCOMPARE(finite, 2);
        const auto partial = mapDifference(part, {LayerId(), 0}, *galactic, {LayerId(1), 0}, job);
        QCOMPARE(partial.map.elementCount(), int64_t{3});
        QVERIFY(std::abs(partial.map.field(0).at(0) - (1.0 - galactic->field(0).at(5))) < 1e-6);
    }
    void polarizationTurnsWithTheFrame() {
        // Amplitude does not depend on the frame; Q and U do. Smooth Q, U, away from the poles of
        // either frame, where the meridians rotate within a pixel.
        JobContext job;
        const int64_t nside = 128;
        std::vector<float> zero(static_cast<size_t>(pixelCount(nside))), q = zero, u = zero;
        for (size_t i = 0; i < q.size(); ++i) {
            const Vec3 v = directionFromRing(nside, static_cast<int64_t>(i));
            q[i] = static_cast<float>(1.0 - v.z * v.z);  // vanishes at the poles
        }
        const HealpixMap a(nside, Ordering::Ring, Frame::Galactic,
                           {field("T", zero), field("Q", q), field("U", u)});
        const HealpixMap b = rotatedFrame(a, Frame::Equatorial, job);
        const auto made = mapDifference(a, {LayerId(), 1}, b, {LayerId(1), 1}, job);
        // Two bilinear interpolations as above.
        for (int64_t i = 0; i < made.map.elementCount(); ++i) {
            const Vec3 v = directionFromRing(nside, i);
            const Vec3 w = frameRotation(Frame::Equatorial, Frame::Galactic) * v;
            if (std::abs(v.z) < 0.95 && std::abs(w.z) < 0.95)
                QVERIFY(std::abs(made.map.field(0).at(i)) < 5e-3);
        }
    }
    void refusedDifferences() {
        JobContext job;
        const auto a = waveMap(4);
        HealpixMap kelvin = *a;
        kelvin.field(0).unit = "K";
        QVERIFY_EXCEPTION_THROWN(mapDifference(*a, {LayerId(), 0}, kelvin, {LayerId(1), 0}, job),
                                 InvalidArgument);
        HealpixMap unknown = *a;
        unknown.setFrame(Frame::Unknown);
        QVERIFY_EXCEPTION_THROWN(mapDifference(*a, {LayerId(), 0}, unknown, {LayerId(1), 0}, job),
                                 InvalidArgument);
        const auto p = polarizedMap(4);
        QVERIFY_EXCEPTION_THROWN(mapDifference(*p, {LayerId(), 0, Quantity::PolarizationAngle}, *p,
                                               {LayerId(1), 0}, job),
                                 InvalidArgument);
        Bench bench;
        bench.session.operations().showDifference({LayerId(1), 0}, {LayerId(2), 0});
        QCOMPARE(bench.errors.size(), 1);
    }
};

QTEST_GUILESS_MAIN(DifferencesTest)
#include "tst_differences.moc"
