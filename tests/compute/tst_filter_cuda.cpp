// SPDX-License-Identifier: GPL-3.0-or-later
// Filters with transforms on a CUDA device, compared with the CPU.
#include <QtTest>

#include <stop_token>

#include "armilla/core/error.h"
#include "armilla/device/cuda_array.h"
#include "armilla/device/device_picture.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/ops/sources.h"
#include "compute/point_skies.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// For a beam of five pixels.
FilterParameters mexicanHat(int64_t nside) {
    FilterParameters p;
    p.beam = PointBeam::gaussian(5 * std::sqrt(kPi / 3) / static_cast<double>(nside));
    p.shape = {FilterType::MexicanHat, 2, 1.0};
    return p;
}

// Allocates all free device memory except `left` bytes.
CudaArray allBut(int64_t left) {
    const int64_t taken = CudaArray::freeBytes(0) - left;
    if (taken <= 0) throw OutOfMemory("expected more than " + std::to_string(left) + " bytes free");
    return {0, static_cast<size_t>(taken) / sizeof(double)};
}

}  // namespace

class FilterCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

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
    // of the bright sources and the fits keep the difference to a hundred times as much.
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
        ARMILLA_VERIFY_BELOW(relativeErrorOfGood(cuda.sky.filtered, cpu.sky.filtered),
                             100 * roundingLimit(3 * nside));
        QCOMPARE(cuda.sky.refused, cpu.sky.refused);
        QCOMPARE(cuda.sky.share.size(), cpu.sky.share.size());
        // A cell's rms changes by no more than the rms of the changes in it (Cauchy and Schwarz).
        // The worst case has all changes in one cell, a dozen beams wide. A noise map of depths
        // from 0.5 to 1.5 weights them up to three times.
        double square = 0.0;
        for (const double value : cpu.sky.filtered)
            if (!std::isnan(value)) square += value * value / static_cast<double>(map.size());
        const double cells = 4 * kPi / std::pow(12 * fwhm, 2);
        const double changed = 100 * roundingLimit(3 * nside) * std::sqrt(square * cells);
        // At edges the noise rises with the share. A rounding step of single precision in a missing
        // share of 1/1024 is a thousandth of an octave, over which noise may double. A pixel in
        // some hundred may also change its octave.
        const auto isEdge = [&](size_t q) {
            return !cpu.sky.share.empty() && cpu.sky.share[q] < 0.9991F;
        };
        for (size_t q = 0; q < map.size(); ++q) {
            ARMILLA_VERIFY_BELOW(
                std::abs(cuda.sky.rms[q] - cpu.sky.rms[q]),
                (depth ? 3 : 1) * changed + (isEdge(q) ? 0.01 * cpu.sky.rms[q] : 0.0));
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

    // If the remaining device memory does not hold the sky, the sky is transferred on demand, with
    // a message.
    void withoutRoom() {
        constexpr int64_t nside = 1024;
        const FilterParameters p = mexicanHat(nside);
        const auto from = pointMap(nside, whiteNoise(nside, 8));
        const FilteredSky cpu = FilterPlan(from, 0, Device::cpu()).execute(p, job_);
        // Full maps would take the transforms 500 MB, and the sky 320 more.
        const CudaArray others = allBut(400'000'000);
        const FilteredSky sky =
            FilterPlan(from, 0, Device::fromText("cuda:0", kShtSupport)).execute(p, job_);
        QVERIFY(!sky.remark.empty());
        QVERIFY(cpu.remark.empty());
        ARMILLA_VERIFY_BELOW(relativeError(sky.filtered, cpu.filtered),
                             100 * roundingLimit(sky.filter.lmax()));
    }

    // Memory that a picture has allocated serves the following filter, with its own sky.
    void roomThatAPictureFound() {
        constexpr int64_t nside = 1024;
        FilterParameters p = mexicanHat(nside);
        const auto from = pointMap(nside, whiteNoise(nside, 8));
        FilterPlan plan(from, 0, Device::fromText("cuda:0", kShtSupport), FilterPictures::Live);
        DevicePicture picture(0, plan.pictureNside());
        {
            const CudaArray others = allBut(400'000'000);
            QVERIFY(!plan.execute(p, job_).remark.empty());
        }
        plan.draw(p, picture, job_);
        p.shape.order = 1;
        const FilteredSky cpu = FilterPlan(from, 0, Device::cpu()).execute(p, job_);
        const FilteredSky sky = plan.execute(p, job_);
        ARMILLA_VERIFY_BELOW(relativeError(sky.filtered, cpu.filtered),
                             100 * roundingLimit(sky.filter.lmax()));
        ARMILLA_VERIFY_BELOW(relativeError(sky.rms, cpu.rms),
                             100 * roundingLimit(sky.filter.lmax()));
    }

    // A later mask must not exhaust the device memory if only the sky fits.
    void holesWithoutRoom() {
        constexpr int64_t nside = 1024;
        FilterParameters p = mexicanHat(nside);
        const auto from = pointMap(nside, whiteNoise(nside, 8));
        FilterPlan plan(from, 0, Device::fromText("cuda:0", kShtSupport));
        QVERIFY(plan.execute(p, job_).remark.empty());
        std::vector<double> mask(static_cast<size_t>(pixelCount(nside)));
        for (size_t q = 0; q < mask.size(); ++q)
            mask[q] = directionFromRing(nside, static_cast<int64_t>(q)).x > 0.95 ? 0.0 : 1.0;
        p.mask = pointMap(nside, mask);
        const FilteredSky cpu = FilterPlan(from, 0, Device::cpu()).execute(p, job_);
        // Holes take a map and coefficients more, 130 MB at the least; streams released with the
        // first filter's memory return some.
        const CudaArray others = allBut(40'000'000);
        const FilteredSky sky = plan.execute(p, job_);
        QVERIFY(!sky.remark.empty());
        QCOMPARE(sky.refused, cpu.refused);
        ARMILLA_VERIFY_BELOW(relativeErrorOfGood(sky.filtered, cpu.filtered),
                             100 * roundingLimit(sky.filter.lmax()));
    }

    // Pictures equal a preview of all pixels, of the same l.
    void picturesAreThePreview() {
        constexpr int64_t nside = 64;
        const double fwhm = 5 * std::sqrt(kPi / 3) / nside;
        std::vector<double> map = whiteNoise(nside, 5), mask(map.size());
        for (size_t q = 0; q < map.size(); ++q) {
            const Vec3 d = directionFromRing(nside, static_cast<int64_t>(q));
            if (d.x > 0.95) map[q] = std::nan("");
            mask[q] = d.y > 0.9 ? 0.0 : 1.0;
        }
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        p.lmax = 2 * nside;
        FilterPlan plan(pointMap(nside, map), 0, Device::fromText("cuda:0", kShtSupport),
                        FilterPictures::Live);
        DevicePicture picture(0, plan.pictureNside());
        QVERIFY_EXCEPTION_THROWN(plan.draw(p, picture, job_), InvalidArgument);
        const auto compare = [&] {
            plan.draw(p, picture, job_);
            const MapPyramid truth =
                MapPyramid::build(plan.preview(p, nside, job_), 0, int64_t{1} << 20, job_);
            QCOMPARE(picture.nside(), truth.nside());
            QCOMPARE(picture.levels(), truth.levels());
            for (int level = 0; level < truth.levels(); ++level) {
                const std::vector<float> found = picture.download(level);
                const auto expected = truth.level(level);
                // Half a unit of single precision: both round values that differ by much less.
                ARMILLA_VERIFY_BELOW(
                    relativeErrorOfGood(std::vector<double>(found.begin(), found.end()),
                                        std::vector<double>(expected.begin(), expected.end())),
                    6e-8);
            }
        };
        plan.execute(p, job_);
        compare();
        p.shape = {FilterType::MexicanHat, 2, 1.3};
        compare();
        p.mask = pointMap(nside, mask);
        QVERIFY(!plan.knows(p));
        plan.execute(p, job_);
        compare();
        // A cancelled change to other l keeps the existing statistics, and pictures continue.
        FilterParameters other = p;
        other.lmax = nside;
        std::stop_source stop;
        JobContext stopped(
            stop.get_token(),
            [&](double, std::string_view stage) {
                if (stage == "background") stop.request_stop();
            },
            2);
        QVERIFY_EXCEPTION_THROWN(plan.execute(other, stopped), Cancelled);
        compare();
        plan.execute(p, job_);
        compare();
        FilterPlan onCpu(pointMap(nside, map), 0, Device::cpu(), FilterPictures::Live);
        onCpu.execute(p, job_);
        QVERIFY_EXCEPTION_THROWN(onCpu.draw(p, picture, job_), Unsupported);
    }

    void forgetsWhatWasBefore() {
        const Device cuda = Device::fromText("cuda:0", kShtSupport);
        compareHistories(
            64, [&](const auto& map) { return FilterPlan(map, 0, cuda); }, job_);
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(FilterCudaTest)
#include "tst_filter_cuda.moc"
