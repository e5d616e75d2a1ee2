// SPDX-License-Identifier: GPL-3.0-or-later
// Reference: fields given by formulas without coordinates, which are known in every frame.
#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"

using namespace armilla;

namespace {

// Intensity (a.v)(b.v); polarization the tensor a b projected on the sky: with the components along
// south and east, Q = a_s b_s - a_e b_e, U = a_s b_e + a_e b_s.
struct Pattern {
    Vec3 a, b;
    double intensity(Vec3 v) const { return dot(a, v) * dot(b, v); }
    std::pair<double, double> polarization(Vec3 v) const {
        const double s = std::sqrt(v.x * v.x + v.y * v.y);
        const Vec3 south{v.z * v.x / s, v.z * v.y / s, -s}, east{-v.y / s, v.x / s, 0.0};
        const double as = dot(a, south), ae = dot(a, east), bs = dot(b, south), be = dot(b, east);
        return {as * bs - ae * be, as * be + ae * bs};
    }
};
Pattern inFrame(const Pattern& pattern, Frame to, Frame from) {
    const Mat3 r = frameRotation(to, from);
    return {r * pattern.a, r * pattern.b};
}

const Pattern kPattern{normalized({0.3, -0.8, 0.5}), normalized({0.7, 0.2, 0.6})};

HealpixMap patternMap(int64_t nside, Ordering ordering, Frame frame, const Pattern& pattern) {
    std::vector<double> t, q, u;
    for (int64_t p = 0; p < pixelCount(nside); ++p) {
        const Vec3 v = directionFromPixel(nside, ordering, p);
        const auto [pq, pu] = pattern.polarization(v);
        t.push_back(pattern.intensity(v));
        q.push_back(pq);
        u.push_back(pu);
    }
    return {nside,
            ordering,
            frame,
            {{"TEMPERATURE", "K", DiskType::Float64, t},
             {"Q_POLARISATION", "K", DiskType::Float64, q},
             {"U_POLARISATION", "K", DiskType::Float64, u}}};
}

double largestError(const HealpixMap& a, const HealpixMap& b) {
    double error = 0.0;
    for (int f = 0; f < a.fieldCount(); ++f)
        for (int64_t i = 0; i < a.elementCount(); ++i) {
            const double e = std::fabs(a.field(f).at(i) - b.field(f).at(i));
            if (!(e <= error)) error = e;
        }
    return error;
}

}  // namespace

class RotatedFrameTest : public QObject {
    Q_OBJECT
private slots:
    void patterns_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<int>("ordering");
        const Frame frames[] = {Frame::Galactic, Frame::Ecliptic, Frame::Equatorial};
        for (const Frame from : frames)
            for (const Frame to : frames)
                for (const int ordering : {0, 1})
                    if (from != to)
                        QTest::addRow("%c to %c %s", frameLetter(from), frameLetter(to),
                                      ordering == 0 ? "ring" : "nested")
                            << static_cast<int>(from) << static_cast<int>(to) << ordering;
    }
    void patterns() {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(int, ordering);
        const auto source = static_cast<Frame>(from), target = static_cast<Frame>(to);
        const auto order = static_cast<Ordering>(ordering);
        JobContext job({}, {}, 2);
        double lastRms = 0.0;
        for (const int64_t nside : {16, 32, 64}) {
            const HealpixMap input = patternMap(nside, order, source, kPattern);
            const HealpixMap output = rotatedFrame(input, target, job);
            QVERIFY(output.frame() == target && output.ordering() == order);
            const HealpixMap truth =
                patternMap(nside, order, target, inFrame(kPattern, target, source));
            // Linear interpolation over steps of at most pi / (2 nside) in longitude and latitude.
            // Functions with second derivatives of at most 4 err by h^2 / 2 in each: h^2 in total.
            // Along the rings at the poles of the input the step is up to a quarter turn. A slope g
            // then errs by g times the sagitta, (1 - cos 45) 0.82 / nside; here g <= 1.
            const double h = kPi / (2.0 * static_cast<double>(nside));
            const double atPole = 0.293 * 0.8165 / static_cast<double>(nside);
            double squares = 0.0;
            const Mat3 inputFromOutput = frameRotation(source, target);
            for (int f = 0; f < 3; ++f)
                for (int64_t p = 0; p < output.pixelCount(); ++p) {
                    const double error = std::fabs(output.value(f, p) - truth.value(f, p));
                    const Vec3 v = inputFromOutput * directionFromPixel(nside, order, p);
                    // The poles of the output, where its meridians meet, are not special.
                    const double limit = std::fabs(v.z) < 0.9 ? h * h : h * h + atPole;
                    QVERIFY2(error < limit,
                             qPrintable(QString("%1 %2: %3").arg(f).arg(p).arg(error)));
                    squares += error * error;
                }
            const double rms =
                std::sqrt(squares / (3.0 * static_cast<double>(output.pixelCount())));
            // Second order overall: the error at the poles is first order on an area of second
            // order.
            if (lastRms > 0.0) QVERIFY2(rms < lastRms / 3.5, qPrintable(QString::number(rms)));
            lastRms = rms;
        }
    }
    // Q and U at the same pixels, relative to other meridians: equal to the pattern there.
    void polarizationOfAnotherFrame_data() { patterns_data(); }
    void polarizationOfAnotherFrame() {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(int, ordering);
        const auto source = static_cast<Frame>(from), target = static_cast<Frame>(to);
        JobContext job({}, {}, 2);
        const HealpixMap input = patternMap(16, static_cast<Ordering>(ordering), source, kPattern);
        const HealpixMap output = polarizationReferredTo(input, target, job);
        QVERIFY(output.frame() == source);
        const Pattern there = inFrame(kPattern, target, source);
        const Mat3 turn = frameRotation(target, source);
        for (int64_t p = 0; p < input.pixelCount(); ++p) {
            const auto [q, u] =
                there.polarization(turn * directionFromPixel(16, input.ordering(), p));
            QCOMPARE(output.value(0, p), input.value(0, p));
            // A dozen products of numbers up to 1; next to a pole 16 times the rounding of the
            // direction, because its distance from the pole is at least 1 / 16.
            QVERIFY(std::fabs(output.value(1, p) - q) < 2e-14);
            QVERIFY(std::fabs(output.value(2, p) - u) < 2e-14);
        }
        // Cells of several orders, by their own centers.
        const HealpixMap cells = HealpixMap::multiOrder(
            4, source, {0, 16, 20}, {0, 1, 2},
            {{"Q", "K", DiskType::Float64, std::vector<double>{1.0, 2.0, 3.0}},
             {"U", "K", DiskType::Float64, std::vector<double>{0.5, 0.0, -1.0}}});
        const HealpixMap turned = polarizationReferredTo(cells, target, job);
        for (int64_t i = 0; i < 3; ++i) {
            const double before = std::hypot(cells.field(0).at(i), cells.field(1).at(i));
            const double after = std::hypot(turned.field(0).at(i), turned.field(1).at(i));
            QVERIFY(std::fabs(before - after) < 1e-14);
            QVERIFY(std::fabs(cells.field(0).at(i) - turned.field(0).at(i)) > 1e-3);
        }
    }
    // A mask keeps its two values; each pixel has that of the pixel at its rotated center.
    void nearestKeepsMasks() {
        JobContext job({}, {}, 2);
        std::vector<float> mask(static_cast<size_t>(pixelCount(16)));
        for (size_t p = 0; p < mask.size(); ++p)
            mask[p] =
                std::fabs(directionFromRing(16, static_cast<int64_t>(p)).z) > 0.3 ? 1.0F : 0.0F;
        const HealpixMap input(16, Ordering::Ring, Frame::Galactic,
                               {{"MASK", "", DiskType::UInt8, mask}});
        const HealpixMap output = rotatedFrame(input, Frame::Equatorial, FrameTurn::Nearest, job);
        const Mat3 back = frameRotation(Frame::Galactic, Frame::Equatorial);
        QVERIFY(output.field(0).diskType == DiskType::UInt8);
        for (int64_t p = 0; p < output.pixelCount(); ++p)
            QCOMPARE(output.value(0, p),
                     input.value(0, input.pixelAt(back * directionFromRing(16, p))));
    }
    void sameFrameIsUnchanged() {
        JobContext job;
        const HealpixMap map = patternMap(4, Ordering::Ring, Frame::Ecliptic, kPattern);
        QCOMPARE(largestError(rotatedFrame(map, Frame::Ecliptic, job), map), 0.0);
    }
    void unknownFrameIsRefused() {
        JobContext job;
        const HealpixMap map = patternMap(1, Ordering::Ring, Frame::Unknown, kPattern);
        QVERIFY_EXCEPTION_THROWN(rotatedFrame(map, Frame::Galactic, job), InvalidArgument);
    }
    void badPixelsAreLeftOut() {
        // Constant fields with holes: good pixels stay constant, the good area is preserved within
        // the noise of counting pixels, and a hole in Q is one in U.
        const int64_t nside = 64;
        std::vector<float> t(static_cast<size_t>(pixelCount(nside)), 7.0F), q = t,
                                                                            u(t.size(), 0.0F);
        std::mt19937_64 random(3);
        for (size_t i = 0; i < t.size(); ++i) {
            if (random() % 3 == 0) t[i] = std::nanf("");
            if (random() % 4 == 0) q[i] = std::nanf("");
        }
        const HealpixMap map(nside, Ordering::Ring, Frame::Galactic,
                             {{"T", "", DiskType::Float32, t},
                              {"Q", "", DiskType::Float32, q},
                              {"U", "", DiskType::Float32, u}});
        JobContext job;
        const HealpixMap turned = rotatedFrame(map, Frame::Equatorial, job);
        for (int64_t p = 0; p < map.pixelCount(); ++p) {
            if (std::isfinite(turned.value(0, p))) QCOMPARE(turned.value(0, p), 7.0);
            QCOMPARE(std::isnan(turned.value(1, p)), std::isnan(turned.value(2, p)));
        }
        // 49152 pixels, a third or a quarter bad: sigma of the share about 0.002.
        QVERIFY(std::fabs(fieldStatistics(turned, 0, job).finite - 2.0 / 3.0) < 0.01);
        QVERIFY(std::fabs(fieldStatistics(turned, 1, job).finite - 3.0 / 4.0) < 0.01);
    }
    void partialAsFull_data() {
        QTest::addColumn<int>("ordering");
        QTest::addColumn<double>("share");
        for (const int ordering : {0, 1})
            for (const double share : {0.02, 0.3})  // by discs, and over the whole sky
                QTest::addRow("%s %g", ordering == 0 ? "ring" : "nested", share)
                    << ordering << share;
    }
    void partialAsFull() {
        QFETCH(int, ordering);
        QFETCH(double, share);
        const auto order = static_cast<Ordering>(ordering);
        JobContext job({}, {}, 3);
        HealpixMap map = patternMap(64, order, Frame::Equatorial, kPattern);
        std::mt19937_64 random(6);
        std::uniform_real_distribution<double> uniform;
        // Clusters and single pixels.
        for (int64_t p = 0; p < map.pixelCount(); ++p) {
            const Vec3 v = directionFromPixel(64, order, p);
            const bool keep =
                std::sin(9.0 * v.x) * std::sin(7.0 * v.z) > 1.0 - 2.0 * share * share ||
                uniform(random) < share;
            if (keep) continue;
            for (int f = 0; f < 3; ++f)
                std::get<1>(map.field(f).values)[static_cast<size_t>(p)] =
                    std::numeric_limits<double>::quiet_NaN();
        }
        const HealpixMap partial = toPartial(map, job);
        QCOMPARE(partial.elementCount() > map.pixelCount() / 16, share > 0.1);
        const HealpixMap turned = rotatedFrame(partial, Frame::Galactic, job);
        QVERIFY(turned.coverage() == Coverage::Partial);
        // Besides the pixels of the rotated full map, only those of isolated pixels.
        const HealpixMap expected = toPartial(rotatedFrame(map, Frame::Galactic, job), job);
        const Mat3 inputFromOutput = frameRotation(Frame::Equatorial, Frame::Galactic);
        int64_t more = 0;
        for (int64_t i = 0; i < turned.elementCount(); ++i) {
            const int64_t pixel = turned.pixels()[static_cast<size_t>(i)];
            const auto known = expected.elementOf(pixel);
            if (known) {
                for (int f = 0; f < 3; ++f)
                    QCOMPARE(turned.field(f).at(i), expected.field(f).at(*known));
                continue;
            }
            ++more;
            const Vec3 center = directionFromPixel(64, order, pixel);
            QVERIFY(!partial.elementOf(map.pixelAt(inputFromOutput * center)));
        }
        QVERIFY(more > 0);
        QCOMPARE(turned.elementCount(), expected.elementCount() + more);
    }
    void lonePixelsAreKept_data() {
        QTest::addColumn<int>("ordering");
        QTest::addColumn<int>("listedEach");
        for (const int ordering : {0, 1})
            for (const int each : {2, 9, 61})  // over the whole sky (twice), by discs
                QTest::addRow("%s %d", ordering == 0 ? "ring" : "nested", each) << ordering << each;
    }
    // Each pixel of a sparse map leaves one at its position and with its values. The reference is
    // the pattern, which changes by less than 2 per unit of angle.
    void lonePixelsAreKept() {
        QFETCH(int, ordering);
        QFETCH(int, listedEach);
        const auto order = static_cast<Ordering>(ordering);
        const int64_t nside = 64;
        JobContext job({}, {}, 3);
        HealpixMap map = patternMap(nside, order, Frame::Equatorial, kPattern);
        for (int64_t p = 0; p < map.pixelCount(); ++p)
            if (p % listedEach != 0)
                for (int f = 0; f < 3; ++f)
                    std::get<1>(map.field(f).values)[static_cast<size_t>(p)] =
                        std::numeric_limits<double>::quiet_NaN();
        const HealpixMap partial = toPartial(map, job);
        const HealpixMap turned = rotatedFrame(partial, Frame::Galactic, job);
        const Mat3 outputFromInput = frameRotation(Frame::Galactic, Frame::Equatorial);
        const double reach = maximumPixelRadius(nside);
        for (const int64_t pixel : partial.pixels()) {
            // A pixel of the result has its center in this one or a neighbor, or contains the
            // center of this one or of the preferred isolated pixel.
            const Vec3 center = outputFromInput * directionFromPixel(nside, order, pixel);
            bool left = false;
            for (const PixelRange& range : queryDisc(nside, order, center, 3.0 * reach))
                for (int64_t p = range.begin; p < range.end && !left; ++p)
                    left = turned.elementOf(p).has_value();
            QVERIFY2(left, qPrintable(QString::number(pixel)));
        }
        const Pattern pattern = inFrame(kPattern, Frame::Galactic, Frame::Equatorial);
        for (int64_t i = 0; i < turned.elementCount(); ++i) {
            const int64_t pixel = turned.pixels()[static_cast<size_t>(i)];
            const Vec3 v = directionFromPixel(nside, order, pixel);
            const auto [q, u] = pattern.polarization(v);
            QVERIFY(std::fabs(turned.field(0).at(i) - pattern.intensity(v)) < 2.0 * 2.0 * reach);
            QVERIFY(std::fabs(turned.field(1).at(i) - q) < 2.0 * 2.0 * reach);
            QVERIFY(std::fabs(turned.field(2).at(i) - u) < 2.0 * 2.0 * reach);
        }
    }
    void everyPairTurns() {
        JobContext job;
        HealpixMap map = patternMap(16, Ordering::Ring, Frame::Galactic, kPattern);
        std::vector<Field> fields = map.fields();
        fields.push_back({"Q_STOKES", "K", DiskType::Float64, map.field(1).values});
        fields.push_back({"U_STOKES", "K", DiskType::Float64, map.field(2).values});
        const HealpixMap two(16, Ordering::Ring, Frame::Galactic, std::move(fields));
        const HealpixMap turned = rotatedFrame(two, Frame::Ecliptic, job);
        QVERIFY(turned.field(1).values != two.field(1).values);
        QVERIFY(turned.field(3).values == turned.field(1).values);
        QVERIFY(turned.field(4).values == turned.field(2).values);
    }
};

QTEST_APPLESS_MAIN(RotatedFrameTest)
#include "tst_rotated_frame.moc"
