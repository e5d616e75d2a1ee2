// SPDX-License-Identifier: GPL-3.0-or-later
// Filters whose transforms run on a CUDA device, against the CPU.
#include <QtTest>

#include "compute/point_skies.h"
#include "device/cuda_array.h"
#include "ops/sources.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class FilterCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        requireCuda();
        QVERIFY(cache_.isValid());
        qputenv("XDG_CACHE_HOME", cache_.path().toLocal8Bit());
    }

    void sameAsCpu_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("hole");
        QTest::addColumn<bool>("depth");
        QTest::newRow("matched") << 0 << true << false;
        QTest::newRow("mexican hat") << 1 << true << false;
        QTest::newRow("top hats") << 2 << true << false;
        QTest::newRow("whole sky") << 0 << false << false;
        QTest::newRow("noise map") << 0 << true << true;
        QTest::newRow("noise map, whole sky, mexican hat") << 1 << false << true;
    }
    // Noise, twenty sources and a hole. Transforms differ by rounding, lmax epsilon; the threshold
    // of the bright sources and the fits between them keep that to a hundred times as much.
    void sameAsCpu() {
        QFETCH(int, type);
        QFETCH(bool, hole);
        QFETCH(bool, depth);
        constexpr int64_t nside = 64;
        const double fwhm = 5 * std::sqrt(kPi / 3) / nside;
        std::vector<double> map = whiteNoise(nside, 5), noise(map.size());
        std::vector<PointSource> sources;
        for (const Vec3 d : randomDirections(20, 6 * fwhm, 2)) sources.push_back({d, 20.0});
        for (size_t p = 0; p < map.size(); ++p) {
            const Vec3 d = directionFromRing(nside, static_cast<int64_t>(p));
            noise[p] = 1.0 + 0.5 * d.z;
            if (depth) map[p] *= noise[p];
            if (hole && d.x > 0.95) map[p] = std::numeric_limits<double>::quiet_NaN();
        }
        addGaussians(map, nside, sources, fwhm);
        SourceParameters p;
        p.filter.beam = PointBeam::gaussian(fwhm);
        p.filter.shape.type = static_cast<FilterType>(type);
        if (depth) p.filter.noiseMap = pointMap(nside, noise);
        const auto from = pointMap(nside, map);
        const auto run = [&](const Device& device) {
            FilterPlan plan(from, 0, device);
            return findSources(plan, *from, p, job_);
        };
        const SourceSearch cpu = run(Device::cpu());
        const SourceSearch cuda = run(Device::fromText("cuda:0", kShtSupport));
        QCOMPARE(cuda.sources.size(), cpu.sources.size());
        double wrong = 0.0, size = 0.0;
        for (size_t q = 0; q < map.size(); ++q) {
            const double a = cpu.sky.filtered[q], b = cuda.sky.filtered[q];
            QCOMPARE(std::isnan(a), std::isnan(b));
            if (std::isnan(a)) continue;
            wrong += (a - b) * (a - b);
            size += a * a;
        }
        ARMILLA_VERIFY_BELOW(std::sqrt(wrong / size), 100 * roundingLimit(3 * nside));
        QCOMPARE(cuda.sky.refused, cpu.sky.refused);
        QCOMPARE(cuda.sky.share.size(), cpu.sky.share.size());
        for (size_t q = 0; q < map.size(); ++q) {
            ARMILLA_VERIFY_BELOW(std::abs(cuda.sky.rms[q] / cpu.sky.rms[q] - 1),
                                 1000 * roundingLimit(3 * nside));
            if (cpu.sky.share.empty()) continue;
            // Single precision of shares up to 1.
            ARMILLA_VERIFY_BELOW(std::abs(cuda.sky.share[q] - cpu.sky.share[q]), 1.2e-7);
        }
        for (size_t i = 0; i < cpu.sources.size(); ++i) {
            ARMILLA_VERIFY_BELOW(std::abs(cuda.sources[i].peak / cpu.sources[i].peak - 1), 1e-6);
            ARMILLA_VERIFY_BELOW(
                angularDistance(cuda.sources[i].direction, cpu.sources[i].direction), 1e-6 * fwhm);
        }
    }

    // Where the rest of the device's memory does not hold the sky, it comes and goes, and says so.
    void withoutRoom() {
        constexpr int64_t nside = 1024;
        FilterParameters p;
        p.beam = PointBeam::gaussian(5 * std::sqrt(kPi / 3) / nside);
        p.shape = {FilterType::MexicanHat, 2, 1.0};
        const auto from = pointMap(nside, whiteNoise(nside, 8));
        const FilteredSky cpu = FilterPlan(from, 0, Device::cpu()).execute(p, job_);
        // Whole maps would take the transforms 500 MB, and the sky 320 more.
        constexpr int64_t kLeft = 400'000'000;
        const int64_t taken = CudaArray::freeBytes(0) - kLeft;
        QVERIFY(taken > 0);
        const CudaArray others(0, static_cast<size_t>(taken) / sizeof(double));
        const FilteredSky sky =
            FilterPlan(from, 0, Device::fromText("cuda:0", kShtSupport)).execute(p, job_);
        QVERIFY(!sky.remark.empty());
        QVERIFY(cpu.remark.empty());
        ARMILLA_VERIFY_BELOW(relativeError(sky.filtered, cpu.filtered),
                             100 * roundingLimit(sky.filter.lmax()));
    }

    void forgetsWhatWasBefore() {
        const Device cuda = Device::fromText("cuda:0", kShtSupport);
        compareHistories(
            64, [&](const auto& map) { return FilterPlan(map, 0, cuda); }, job_);
    }

private:
    QTemporaryDir cache_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(FilterCudaTest)
#include "tst_filter_cuda.moc"
