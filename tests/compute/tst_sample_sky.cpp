// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
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
    void smallestAndRefused() {
        QCOMPARE(sampleSky(1, job_).pixelCount(), int64_t{12});
        QCOMPARE(sampleSky(5, job_).pixelCount(), int64_t{300});
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
