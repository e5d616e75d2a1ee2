// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/probability.h"
#include "armilla/ops/sample_sky.h"

using namespace armilla;

class SampleSkyTest : public QObject {
    Q_OBJECT
private slots:
    void hasItsShape() {
        const HealpixMap sky = sampleSky(32, job_);
        QCOMPARE(sky.nside(), int64_t{32});
        QCOMPARE(sky.ordering(), Ordering::Ring);
        QCOMPARE(sky.frame(), Frame::Galactic);
        QCOMPARE(sky.fieldCount(), 1);
        QVERIFY(sky.field(0).isSingle());
        QVERIFY(!sky.metadata().history.empty());
        for (const float v : values(sky)) QVERIFY(std::isfinite(v));
    }
    void isTheSameEveryTime() {
        JobContext one({}, {}, 1), three({}, {}, 3);
        QVERIFY(values(sampleSky(64, one)) == values(sampleSky(64, three)));
    }
    // The same sky at any resolution: coarse pixels see the large scales of the fine map.
    void resolutionsShowTheSameSky() {
        const HealpixMap coarse = sampleSky(64, job_), fine = sampleSky(128, job_);
        double xy = 0, xx = 0, yy = 0;
        for (int64_t p = 0; p < coarse.pixelCount(); ++p) {
            const Vec3 v = directionFromRing(64, p);
            if (std::abs(v.z) < 0.3) continue;
            const double x = coarse.value(0, p), y = fine.value(0, fine.pixelAt(v));
            xy += x * y, xx += x * x, yy += y * y;
        }
        QVERIFY(xy / std::sqrt(xx * yy) > 0.7);
    }
    void looksLikeTheMicrowaveSky() {
        constexpr int nside = 128;
        const HealpixMap sky = sampleSky(nside, job_);
        // The plane is brighter than the poles, the center brighter than the anticenter.
        double plane = 0, poles = 0, center = 0, anticenter = 0;
        int planeCount = 0, poleCount = 0;
        for (int64_t p = 0; p < sky.pixelCount(); ++p) {
            const Vec3 v = directionFromRing(nside, p);
            const double value = sky.value(0, p);
            if (std::abs(v.z) < 0.03) {
                plane += value, ++planeCount;
                (v.x > 0 ? center : anticenter) += value;
            }
            if (std::abs(v.z) > 0.8) poles += value, ++poleCount;
        }
        QVERIFY(plane / planeCount > 10 * std::abs(poles / poleCount));
        QVERIFY(center > 2 * anticenter);
        // Away from the plane the fluctuations are the CMB's: 60 to 160 microkelvin.
        double square = 0;
        int count = 0;
        for (int64_t p = 0; p < sky.pixelCount(); ++p)
            if (std::abs(directionFromRing(nside, p).z) > 0.8)
                square += std::pow(sky.value(0, p) - poles / poleCount, 2), ++count;
        const double rms = std::sqrt(square / count);
        QVERIFY2(rms > 60 && rms < 160, qPrintable(QString::number(rms)));
        // Point sources stand out: some pixels beyond ten times that, off the plane.
        int bright = 0;
        for (int64_t p = 0; p < sky.pixelCount(); ++p)
            if (std::abs(directionFromRing(nside, p).z) > 0.4 && sky.value(0, p) > 6 * rms)
                ++bright;
        QVERIFY(bright > 5);
    }
    // Each listed source stands at its place: the peak, plus noise of 20 microkelvin and at most
    // the overlap of a neighbor; the pixel's center is up to a fifth of the beam away.
    void sourcesAreWhereTheirCatalogSays() {
        const HealpixMap sky = sampleSky(SampleKind::Sources, 256, job_);
        const Catalog sources = sampleSources(SampleKind::Sources);
        QCOMPARE(sources.rows(), int64_t{400});
        QCOMPARE(sources.frame(), Frame::Galactic);
        const auto peak = static_cast<size_t>(sources.table.columnIndex("PEAK"));
        int bright = 0, seen = 0;
        for (int64_t row = 0; row < sources.rows(); ++row) {
            const double expected = sources.table.columns[peak].number(row);
            QVERIFY(expected >= 60.0 && expected <= 6000.0);
            if (expected < 300.0) continue;
            ++bright;
            const double found = sky.value(0, sky.pixelAt(direction(sources.at(row))));
            if (found > 0.7 * expected && found < 1.4 * expected) ++seen;
        }
        // N(> 5 faintest peaks) / N = 5^-1.5 = 0.089, so about 36 of 400.
        QVERIFY2(bright > 18 && bright < 54, qPrintable(QString::number(bright)));
        QVERIFY2(seen >= bright - 3, qPrintable(QString::number(seen)));
        QVERIFY_EXCEPTION_THROWN(sampleSources(SampleKind::Probability), InvalidArgument);
    }
    void samplesFollowTheMap() {
        const HealpixMap sky = sampleSky(SampleKind::Radio, 128, job_);
        QCOMPARE(sky.frame(), Frame::Equatorial);
        const Catalog samples = sampleScans(sky, job_);
        QCOMPARE(samples.rows(), int64_t{2 * 81 * 161});
        QCOMPARE(samples.frame(), Frame::Equatorial);
        const auto value = static_cast<size_t>(samples.table.columnIndex("TB"));
        double xy = 0, xx = 0, yy = 0, mean = 0;
        for (int64_t row = 0; row < samples.rows(); ++row)
            mean += samples.table.columns[value].number(row) / static_cast<double>(samples.rows());
        for (int64_t row = 0; row < samples.rows(); ++row) {
            const double x = samples.table.columns[value].number(row) - mean;
            const double y = sky.value(0, sky.pixelAt(direction(samples.at(row)))) - mean;
            xy += x * y, xx += x * x, yy += y * y;
            QVERIFY(angularDistance(direction(samples.at(row)),
                                    direction({180 * kDegree, 30 * kDegree})) < 6 * kDegree);
        }
        QVERIFY2(xy / std::sqrt(xx * yy) > 0.95, qPrintable(QString::number(xy)));
    }
    void probabilitiesSumToOne() {
        for (const int64_t nside : {1, 64}) {
            const HealpixMap sky = sampleSky(SampleKind::Probability, nside, job_);
            double sum = 0, largest = 0;
            for (int64_t p = 0; p < sky.pixelCount(); ++p) {
                QVERIFY(sky.value(0, p) >= 0.0);
                sum += sky.value(0, p);
                largest = std::max(largest, sky.value(0, p));
            }
            // Single precision: 2^-24 for each value.
            QVERIFY2(std::abs(sum - 1.0) < 1e-6, qPrintable(QString::number(sum)));
            QVERIFY(largest > 2.0 / static_cast<double>(sky.pixelCount()));
            QVERIFY(isProbability(sky.field(0)));
        }
    }
    void smallestAndRefused() {
        QCOMPARE(sampleSky(1, job_).pixelCount(), int64_t{12});
        QCOMPARE(sampleSky(5, job_).pixelCount(), int64_t{300});
        QCOMPARE(sampleSky(SampleKind::Sources, 1, job_).pixelCount(), int64_t{12});
        QCOMPARE(sampleSky(SampleKind::Radio, 1, job_).pixelCount(), int64_t{12});
        QVERIFY_EXCEPTION_THROWN(sampleSky(SampleKind::Radio, 0, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(sampleSky(0, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(sampleSky(kMaxSampleSkyNside + 1, job_), InvalidArgument);
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token(), {}, 1);
        QVERIFY_EXCEPTION_THROWN(sampleSky(16, stopped), Cancelled);
    }

private:
    static const std::vector<float>& values(const HealpixMap& map) {
        return std::get<std::vector<float>>(map.field(0).values);
    }
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(SampleSkyTest)
#include "tst_sample_sky.moc"
