// SPDX-License-Identifier: GPL-3.0-or-later
// Local noise and maxima on a CUDA device, compared with the CPU's and with a double loop.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/device.h"
#include "compute/point_skies.h"
#include "sources/extraction.h"
#include "sources/sky_cells.h"
#include "sources/sky_device.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;
using namespace armilla::sources;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

// Noise of varying depth, outliers, holes, and a plateau of equal values.
std::vector<double> unevenSky(int64_t nside) {
    std::vector<double> ring = whiteNoise(nside, 7);
    for (size_t p = 0; p < ring.size(); ++p) {
        const Vec3 d = directionFromRing(nside, static_cast<int64_t>(p));
        ring[p] *= 1.0 + 2.0 * d.z * d.z + 0.5 * d.x;
        if (p % 97 == 0) ring[p] += 50.0;
        if (dot(d, direction({0.4, 0.3})) > 0.9) ring[p] = kNan;
        if (dot(d, direction({2.4, -0.3})) > 0.995) ring[p] = 9.0;
    }
    return ring;
}

}  // namespace

class SourcesCudaTest : public QObject {
    Q_OBJECT
    JobContext job_;
    static Device cuda() { return Device::fromText("cuda:0", kShtSupport); }

private slots:
    void initTestCase() { requireCuda(); }

    void noise_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("degrees");
        QTest::newRow("16, small") << 16 << 20.0;
        QTest::newRow("64") << 64 << 8.0;
        QTest::newRow("96, no power of two") << 96 << 5.0;
        QTest::newRow("128, few cells") << 128 << 60.0;
        QTest::newRow("too few samples in a cell") << 16 << 1.0;
    }
    // The same samples, medians by rank and passes: sums of up to 1400 terms in another order, and
    // contracted products, differ by some epsilon.
    void noise() {
        QFETCH(int, nside);
        QFETCH(double, degrees);
        const std::vector<double> ring = unevenSky(nside);
        std::vector<double> cpu(ring.size());
        localRms(nside, degrees * kDegree, ring, cpu, job_);
        SkyDevice sky(cuda(), nside);
        sky.setValues(ring, job_);
        sky.measureRms(degrees * kDegree, job_);
        std::vector<double> found(ring.size(), -1.0), again(ring.size());
        sky.getRms(found, job_);
        for (size_t p = 0; p < ring.size(); ++p)
            // The same sums in another order: 1e-13 is 450 machine epsilons.
            QVERIFY2(std::abs(found[p] / cpu[p] - 1.0) < 1e-13,
                     qPrintable(QString("pixel %1: %2, not %3").arg(p).arg(found[p]).arg(cpu[p])));
        // The same bits each time.
        sky.measureRms(degrees * kDegree, job_);
        sky.getRms(again, job_);
        QVERIFY(again == found);
    }

    void alike() {
        const std::vector<double> ring(static_cast<size_t>(pixelCount(8)), 1.0);
        SkyDevice sky(cuda(), 8);
        sky.setValues(ring, job_);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, sky.measureRms(1e-3, job_));
    }

    void maxima_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("least");
        for (const int nside : {1, 2, 16, 63, 128})
            for (const double least : {-100.0, 0.0, 3.0, 1e9})
                QTest::newRow(qPrintable(QString("%1, %2").arg(nside).arg(least)))
                    << nside << least;
    }
    void maxima() {
        QFETCH(int, nside);
        QFETCH(double, least);
        const std::vector<double> ring = unevenSky(nside);
        std::vector<double> rms(ring.size());
        for (size_t p = 0; p < rms.size(); ++p) rms[p] = 1.0 + 0.1 * std::sin(0.01 * p);
        SkyDevice sky(cuda(), nside);
        sky.setValues(ring, job_);
        sky.setRms(rms, job_);
        const std::vector<int64_t> found = sky.maxima(least, job_);
        std::vector<int64_t> truth;
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            const double here = ring[static_cast<size_t>(p)];
            if (!(here >= least * rms[static_cast<size_t>(p)])) continue;
            bool highest = true;
            for (const int64_t q : neighbors(nside, Ordering::Ring, p)) {
                if (q < 0) continue;
                const double there = ring[static_cast<size_t>(q)];
                highest = highest && !(there > here || (there == here && q < p));
            }
            if (highest) truth.push_back(p);
        }
        QCOMPARE(found, truth);
        QCOMPARE(localMaxima(nside, ring, rms, least, job_), truth);
    }

    // More maxima than the initial buffer holds.
    void manyMaxima() {
        constexpr int64_t nside = 1024;
        const std::vector<double> ring = whiteNoise(nside, 3), rms(ring.size(), 1.0);
        SkyDevice sky(cuda(), nside);
        sky.setValues(ring, job_);
        sky.setRms(rms, job_);
        const std::vector<int64_t> found = sky.maxima(-100.0, job_);
        QVERIFY(found.size() > (size_t{1} << 20));
        QCOMPARE(found, localMaxima(nside, ring, rms, -100.0, job_));
    }
};

QTEST_GUILESS_MAIN(SourcesCudaTest)
#include "tst_sources_cuda.moc"
