// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of a map: its sum, and smoothing of a constant.
#include <QtTest>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/distributed_sht.h"
#include "armilla/ops/elliptical_beam.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/smooth_rows.h"
#include "compute/smooth_maps.h"
#include "support/direct_sht.h"
#include "support/local_ranks.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A constant and what else there is: sums of 12 nside^2 values of 2.7 have an error of some
// epsilon, kernels and transforms of some hundred.
constexpr double kConstant = 2.7255, kRounding = 1e-12;

double farthest(const HealpixMap& map, double from, int field = 0) {
    double most = 0.0;
    for (int64_t e = 0; e < map.elementCount(); ++e)
        most = std::max(most, std::abs(map.field(field).at(e) - from));
    return most;
}

}  // namespace

class MeanTest : public QObject {
    Q_OBJECT
private slots:
    // The bits depend only on the values.
    void theSumHasOneOrder() {
        constexpr int64_t nside = 32;
        std::vector<double> map = whiteMap(nside, 3);
        for (double& value : map) value += 1e6;
        JobContext one({}, {}, 1), five({}, {}, 5);
        const double mean = *meanOfWhole(std::span<const double>(map), one);
        QCOMPARE(*meanOfWhole(std::span<const double>(map), five), mean);
        long double sum = 0.0L;
        for (const double value : map) sum += value;
        // Half an epsilon of the mean, and eight sums of 16 values in a ring before.
        QVERIFY(std::abs(mean - static_cast<double>(sum / static_cast<long double>(map.size()))) <
                8.0 * 2.3e-16 * mean);
        std::vector<double> whole = map;
        const TakenOut taken = takeOut(Remove::None, std::span<double>(whole), one);
        QCOMPARE(taken.back, mean);
        for (const int size : {2, 3}) {
            std::mutex guard;
            runRanks(size, [&](Ranks& ranks) {
                JobContext job({}, {}, 2);
                const DistributedSht plan({.nside = nside, .lmax = 8}, ranks, job);
                std::vector<double> own;
                for (const SampleRun& run : plan.runs())
                    own.insert(own.end(), map.begin() + run.first,
                               map.begin() + run.first + run.count);
                const TakenOut here =
                    takeOut(Remove::None, nside, std::span<double>(own), plan.runs(), ranks, job);
                bool same = here.back == mean && here.isWhole;
                size_t at = 0;
                for (const SampleRun& run : plan.runs())
                    for (int64_t i = run.first; i < run.first + run.count; ++i)
                        same = same && own[at++] == whole[static_cast<size_t>(i)];
                const std::lock_guard lock(guard);
                QVERIFY(same);
            });
        }
        map[77] = std::nan("");
        QVERIFY(!meanOfWhole(std::span<const double>(map), one));
        std::vector<double> kept = map;
        QCOMPARE(takeOut(Remove::None, std::span<double>(kept), one).back, 0.0);
        QVERIFY(std::memcmp(kept.data(), map.data(), map.size() * sizeof(double)) == 0);
    }

    void aConstantStays_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<int>("weights");
        QTest::addColumn<bool>("polarized");
        for (const bool polarized : {false, true})
            for (const Weights weights : {Weights::None, Weights::Ring})
                for (const auto& [name, method] : {std::pair{"harmonic", SmoothMethod::Harmonic},
                                                   std::pair{"ring", SmoothMethod::Ring},
                                                   std::pair{"direct", SmoothMethod::Direct}})
                    QTest::addRow("%s, weights %s%s", name,
                                  weights == Weights::None ? "none" : "ring",
                                  polarized ? ", T, Q, U" : "")
                        << static_cast<int>(method) << static_cast<int>(weights) << polarized;
    }
    void aConstantStays() {
        QFETCH(int, method);
        QFETCH(int, weights);
        QFETCH(bool, polarized);
        constexpr int64_t nside = 64;
        SmoothParameters p;
        p.fwhm = 4 * kDegree;
        p.method = static_cast<SmoothMethod>(method);
        p.weights = static_cast<Weights>(weights);
        p.polarization = polarized;
        const std::vector<double> flat(static_cast<size_t>(pixelCount(nside)), kConstant);
        const std::vector<double> none(flat.size(), 0.0);
        std::vector<Field> fields{field("TEMPERATURE", flat)};
        std::vector<int> which{0};
        if (polarized) {
            fields.push_back(field("Q_POLARISATION", none));
            fields.push_back(field("U_POLARISATION", none));
            which = {0, 1, 2};
        }
        const HealpixMap ring(nside, Ordering::Ring, Frame::Galactic, std::move(fields));
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const auto map = std::make_shared<const HealpixMap>(reordered(ring, ordering, job_));
            SmoothPlan plan(map, which, Device::cpu());
            ARMILLA_VERIFY_BELOW(farthest(plan.execute(p, job_), kConstant), kRounding * kConstant);
            // Single precision.
            ARMILLA_VERIFY_BELOW(farthest(plan.preview(p, 16, job_), kConstant), 1e-6);
            if (p.method == SmoothMethod::Harmonic || polarized) continue;
            const HealpixMap around =
                plan.executeAround(p, direction({1.0, 0.5}), 10 * kDegree, job_);
            QVERIFY(around.elementCount() > 100);
            ARMILLA_VERIFY_BELOW(farthest(around, kConstant), kRounding * kConstant);
        }
    }
    // The same for kernels of another integral; a kernel with zero integral removes the constant.
    void aConstantIsMultipliedByTheIntegral() {
        constexpr int64_t nside = 64;
        const auto map =
            ringMap(nside, std::vector<double>(static_cast<size_t>(pixelCount(nside)), kConstant));
        for (const SmoothMethod method : {SmoothMethod::Harmonic, SmoothMethod::Direct})
            for (const Kernel& kernel :
                 {Kernel::topHat(0.1).normalized(KernelNorm::Peak), Kernel::mexicanHat(1, 0.05)}) {
                SmoothParameters p;
                p.shape = kernel;
                p.norm = KernelNorm::None;
                p.method = method;
                const HealpixMap made = SmoothPlan(map, {0}, Device::cpu()).execute(p, job_);
                const double size = kernel.absoluteIntegral();
                // Sums over pixels omit 1e-10 of |K| for a kernel without an integral.
                ARMILLA_VERIFY_BELOW(farthest(made, kernel.integral() * kConstant),
                                     1.1e-10 * size * kConstant);
            }
    }
    void aConstantStaysInEllipsesAndRows() {
        constexpr int64_t nside = 64;
        const auto map =
            ringMap(nside, std::vector<double>(static_cast<size_t>(pixelCount(nside)), kConstant));
        SmoothReport report;
        const HealpixMap made =
            smoothElliptical(*map, std::vector<int>{0}, {8 * kDegree, 4 * kDegree, 0.3},
                             SmoothParameters(), Device::cpu(), report, job_);
        ARMILLA_VERIFY_BELOW(farthest(made, kConstant), kRounding * kConstant);
        const RingRows rows{90, 180, false, 0, 90};
        const std::vector<double> flat(static_cast<size_t>(rows.rows * rows.columns), kConstant);
        for (const SmoothMethod method :
             {SmoothMethod::Harmonic, SmoothMethod::Ring, SmoothMethod::Direct}) {
            SmoothParameters p;
            p.fwhm = 8 * kDegree;
            p.method = method;
            for (const double value :
                 RowSmoothPlan(rows, p, Device::cpu(), job_).execute(flat, job_))
                QVERIFY(std::abs(value - kConstant) < kRounding * kConstant);
        }
    }
    // One bad pixel counts as a mask, by which the result is divided.
    void aConstantStaysBesideBadPixels() {
        constexpr int64_t nside = 64;
        std::vector<double> values(static_cast<size_t>(pixelCount(nside)), kConstant);
        values[12345] = std::nan("");
        for (const SmoothMethod method :
             {SmoothMethod::Harmonic, SmoothMethod::Ring, SmoothMethod::Direct}) {
            SmoothParameters p;
            p.fwhm = 4 * kDegree;
            p.method = method;
            SmoothPlan plan(ringMap(nside, values), {0}, Device::cpu());
            const HealpixMap made = plan.execute(p, job_);
            for (int64_t e = 0; e < made.elementCount(); ++e) {
                QCOMPARE(std::isnan(made.field(0).at(e)), e == 12345);
                if (e != 12345)
                    QVERIFY(std::abs(made.field(0).at(e) - kConstant) < kRounding * kConstant);
            }
            if (method == SmoothMethod::Harmonic) continue;
            // Also far from the bad pixel: the same quotient as for the whole sky.
            const HealpixMap around =
                plan.executeAround(p, direction({1.0, 0.9}), 5 * kDegree, job_);
            ARMILLA_VERIFY_BELOW(farthest(around, kConstant), kRounding * kConstant);
        }
    }

    // Smoothed fluctuations do not depend on the level below them.
    void aLevelChangesNothing() {
        constexpr int64_t nside = 64;
        const std::vector<double> white = whiteMap(nside, 8);
        std::vector<double> high = white;
        for (double& value : high) value += 1e4;
        for (const SmoothMethod method :
             {SmoothMethod::Harmonic, SmoothMethod::Ring, SmoothMethod::Direct}) {
            SmoothParameters p;
            p.fwhm = 4 * kDegree;
            p.method = method;
            SmoothPlan plan(ringMap(nside, white), {0}, Device::cpu());
            SmoothPlan ofHigh(ringMap(nside, high), {0}, Device::cpu());
            const HealpixMap a = plan.execute(p, job_), b = ofHigh.execute(p, job_);
            double most = 0.0;
            for (int64_t e = 0; e < a.elementCount(); ++e)
                most = std::max(most, std::abs(b.field(0).at(e) - a.field(0).at(e) - 1e4));
            // Values of 1e4 have an ulp of 1.8e-12. Rounding occurs when they are made, and for the
            // level in each of the eight steps of a ring's FFT, and in sums: 20 ulps.
            ARMILLA_VERIFY_BELOW(most, 4e-11);
            const double estimate = plan.report().estimatedError;
            ARMILLA_VERIFY_BELOW(std::abs(ofHigh.report().estimatedError / estimate - 1.0), 1e-6);
        }
    }

    // FWHM in pixels, and the methods that refuse it.
    void narrowKernelsAreRefused_data() {
        QTest::addColumn<double>("pixels");
        QTest::addColumn<bool>("refused");
        QTest::addColumn<QString>("error");
        // A sum takes each pixel's own value times K(0) and its area; of this, l up to the end of
        // the band belongs to the sky. With s = sigma, w = the area of a pixel: w*(1/(2*pi*s*s) -
        // sum((2*l+1)/(4*pi)*exp(-l*(l+1)*s*s/2) for l in range(3*nside)))
        QTest::newRow("0.17") << 0.17 << true << "30 times";
        QTest::newRow("1.1") << 1.1 << true << "0.26 times";
        QTest::newRow("2.4") << 2.4 << true << "";
        QTest::newRow("2.6") << 2.6 << false << "";
    }
    void narrowKernelsAreRefused() {
        QFETCH(double, pixels);
        QFETCH(bool, refused);
        QFETCH(QString, error);
        constexpr int64_t nside = 64;
        const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
        SmoothParameters p;
        p.fwhm = pixels * pixel;
        QCOMPARE(isNarrowForPixels(p.fwhm, nside), refused);
        for (const SmoothMethod method : {SmoothMethod::Ring, SmoothMethod::Direct}) {
            p.method = method;
            SmoothPlan plan(ringMap(nside, whiteMap(nside, 2)), {0}, Device::cpu());
            QString line;
            try {
                plan.execute(p, job_);
            } catch (const NarrowKernel& narrow) {
                line = QString::fromUtf8(narrow.what());
            }
            QCOMPARE(!line.isEmpty(), refused);
            if (!refused) continue;
            QVERIFY2(line.contains(error), qPrintable(line));
            QVERIFY2(line.endsWith("times the map's rms; use --method harmonic"), qPrintable(line));
        }
        p.method = SmoothMethod::Auto;
        SmoothPlan plan(ringMap(nside, whiteMap(nside, 2)), {0}, Device::cpu());
        plan.execute(p, job_);
        QCOMPARE(plan.report().method, SmoothMethod::Harmonic);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_GUILESS_MAIN(MeanTest)
#include "tst_mean.moc"
