// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of maps with bad pixels.
#include <QtTest>
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/spectrum.h"
#include "compute/smooth_maps.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class SmoothMasksTest : public QObject {
    Q_OBJECT
private slots:
    // Bad pixels: zeros, or the quotient of two convolutions, both by brute force.
    void maskedPixels_data() {
        QTest::addColumn<int>("masked");
        QTest::newRow("ignore") << static_cast<int>(Masked::Ignore);
        QTest::newRow("normalize") << static_cast<int>(Masked::Normalize);
    }
    void maskedPixels() {
        QFETCH(int, masked);
        constexpr int nside = 8;
        std::vector<double> map = whiteMap(nside, 4);
        for (size_t p = 100; p < 250; ++p) map[p] = std::nan("");
        map[400] = std::numeric_limits<double>::infinity();
        std::vector<double> zeroed = map, mask(map.size(), 1.0);
        for (size_t p = 0; p < map.size(); ++p)
            if (!std::isfinite(map[p])) zeroed[p] = mask[p] = 0.0;
        SmoothParameters p;
        p.fwhm = 25 * kDegree;
        p.masked = static_cast<Masked>(masked);
        const HealpixMap result =
            SmoothPlan(ringMap(nside, map), {0}, Device::cpu()).execute(p, job_);
        const Beam beam = gaussianBeam(p.fwhm, 3 * nside - 1);
        const std::vector<double> over = bruteForce(nside, zeroed, beam.bl[0], true, job_);
        const std::vector<double> under = bruteForce(nside, mask, beam.bl[0], true, job_);
        std::vector<double> truth, found;
        for (size_t k = 0; k < map.size(); ++k) {
            QCOMPARE(std::isnan(values(result)[k]), mask[k] == 0.0);
            if (mask[k] == 0.0) continue;
            truth.push_back(p.masked == Masked::Ignore ? over[k] : over[k] / under[k]);
            found.push_back(values(result)[k]);
        }
        // Rounding of transforms of lmax 23 is 6e-15; division by the smoothed mask amplifies it
        // near its edge.
        ARMILLA_VERIFY_BELOW(relativeError(found, truth), 1e-12);
    }
    // A constant on part of the sky stays that constant; a plan made for Ignore serves Normalize.
    void normalizedConstantStays() {
        constexpr int nside = 32;
        std::vector<double> map(12 * nside * nside, std::nan(""));
        for (size_t p = 0; p < map.size(); ++p)
            if (directionFromRing(nside, static_cast<int64_t>(p)).x > 0.2) map[p] = 7.5;
        SmoothPlan plan(ringMap(nside, map), {0}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 8 * kDegree;
        p.masked = Masked::Ignore;
        plan.execute(p, job_);
        p.masked = Masked::Normalize;
        const HealpixMap result = plan.execute(p, job_);
        for (size_t k = 0; k < map.size(); ++k) {
            QCOMPARE(std::isnan(values(result)[k]), std::isnan(map[k]));
            // A quotient of two smoothed maps with the same rounding; the mask's edge amplifies it.
            if (!std::isnan(map[k])) QVERIFY(std::abs(values(result)[k] - 7.5) < 1e-11);
        }
    }
    // An isolated good pixel holds less than a thousandth of a wide kernel.
    void tooLittleKernelIsBad() {
        constexpr int nside = 32;
        std::vector<double> map(12 * nside * nside, std::nan(""));
        map[6000] = 1.0;
        SmoothParameters p;
        p.fwhm = 100 * kDegree;
        const HealpixMap result =
            SmoothPlan(ringMap(nside, map), {0}, Device::cpu()).execute(p, job_);
        QVERIFY(std::isnan(values(result)[6000]));
        p.beam = Beam{};
        p.beam->bl[0] = {0.0, 1.0};
        SmoothPlan plan(ringMap(nside, map), {0}, Device::cpu());
        QVERIFY_EXCEPTION_THROWN(plan.execute(p, job_), InvalidArgument);
        p.masked = Masked::Ignore;
        QVERIFY(std::isfinite(values(plan.execute(p, job_))[6000]));
    }

    void polarizedMasks() {
        constexpr int nside = 16;
        std::array<std::vector<double>, 3> maps{whiteMap(nside, 1), whiteMap(nside, 2),
                                                whiteMap(nside, 3)};
        maps[1][40] = maps[2][900] = std::nan("");
        const auto make = [&] {
            return std::make_shared<const HealpixMap>(
                nside, Ordering::Ring, Frame::Galactic,
                std::vector<Field>{field("T", maps[0]), field("Q", maps[1]), field("U", maps[2])});
        };
        SmoothParameters p;
        p.fwhm = 20 * kDegree;
        p.polarization = true;
        const HealpixMap found = SmoothPlan(make(), {0, 1, 2}, Device::cpu()).execute(p, job_);
        // Q and U are masked together: the same as with both bad at both pixels, except there.
        maps[2][40] = maps[1][900] = std::nan("");
        const HealpixMap truth = SmoothPlan(make(), {0, 1, 2}, Device::cpu()).execute(p, job_);
        for (size_t k = 0; k < maps[0].size(); ++k) {
            if (k == 40 || k == 900) continue;
            for (int i = 0; i < 3; ++i) QCOMPARE(values(found, i)[k], values(truth, i)[k]);
        }
        QVERIFY(std::isnan(values(found, 1)[40]) && std::isfinite(values(found, 2)[40]));
    }

    // With Masked::Ignore the result does not depend on earlier requests to the plan.
    void ignoredPolarizedMasks() {
        constexpr int nside = 16;
        std::array<std::vector<double>, 3> maps{whiteMap(nside, 1), whiteMap(nside, 2),
                                                whiteMap(nside, 3)};
        for (size_t k = 0; k < 300; ++k) maps[1][k] = std::nan("");
        const auto map = std::make_shared<const HealpixMap>(
            nside, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{field("T", maps[0]), field("Q", maps[1]), field("U", maps[2])});
        SmoothParameters p;
        p.fwhm = 20 * kDegree;
        p.polarization = true;
        SmoothPlan plan(map, {0, 1, 2}, Device::cpu());
        plan.execute(p, job_);
        p.masked = Masked::Ignore;
        const HealpixMap again = plan.execute(p, job_);
        const HealpixMap fresh = SmoothPlan(map, {0, 1, 2}, Device::cpu()).execute(p, job_);
        for (size_t k = 300; k < maps[0].size(); ++k)
            for (int i = 0; i < 3; ++i) QCOMPARE(values(again, i)[k], values(fresh, i)[k]);
    }
    // Q has every fourth pixel bad. U is constant within a coarse pixel, and must give the result
    // of the same mask.
    void polarizedPreviewOfDifferentMasks() {
        constexpr int nside = 32, coarse = 8, each = 16;
        std::vector<double> t(12 * nside * nside, 1.0), q(t), u(t);
        for (size_t k = 0; k < t.size(); ++k) {
            const Vec3 v = directionFromNested(coarse, static_cast<int64_t>(k / each));
            q[k] = k % 4 == 1 ? std::nan("") : v.z * v.x;
            u[k] = v.y;
        }
        const auto preview = [&] {
            const auto map = std::make_shared<const HealpixMap>(
                nside, Ordering::Nested, Frame::Galactic,
                std::vector<Field>{field("T", t), field("Q", q), field("U", u)});
            SmoothParameters p;
            p.fwhm = 20 * kDegree;
            p.polarization = true;
            return SmoothPlan(map, {0, 1, 2}, Device::cpu()).preview(p, coarse, job_);
        };
        const HealpixMap found = preview();
        for (size_t k = 1; k < u.size(); k += 4) u[k] = std::nan("");
        const HealpixMap truth = preview();
        // Single precision of values below 1.
        for (int i = 0; i < 3; ++i)
            for (int64_t k = 0; k < found.pixelCount(); ++k)
                QVERIFY(std::abs(found.value(i, k) - truth.value(i, k)) < 2e-7);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(SmoothMasksTest)
#include "tst_smooth_masks.moc"
