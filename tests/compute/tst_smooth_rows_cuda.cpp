// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing on rows and with elliptical beams on CUDA devices: compared with sums over all pairs,
// and with the CPU on larger grids.
#include <QtTest>
#include <cmath>

#include "armilla/ops/elliptical_beam.h"
#include "armilla/ops/smooth_rows.h"
#include "compute/convolution_cases.h"
#include "compute/ellipse_truth.h"
#include "compute/pair_sums.h"
#include "compute/row_sums_truth.h"
#include "compute/smooth_maps.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class SmoothRowsCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void isTheSumOverAllPairs_data() {
        QTest::addColumn<int>("grid");
        QTest::addColumn<int>("which");
        QTest::addColumn<bool>("rings");
        for (size_t g = 0; g < rowCases().size(); ++g)
            for (const bool rings : {false, true})
                for (size_t i = 0; i <= kernelCases(0.317).size(); ++i)
                    QTest::addRow("%s, kernel %d%s", rowCases()[g].name, static_cast<int>(i),
                                  rings ? ", by rings" : "")
                        << static_cast<int>(g) << static_cast<int>(i) << rings;
    }
    void isTheSumOverAllPairs() {
        QFETCH(int, grid);
        QFETCH(int, which);
        QFETCH(bool, rings);
        const RingRows rows = rowCases()[static_cast<size_t>(grid)].rows;
        const std::vector<KernelCase> cases = kernelCases(0.317);
        const bool isEllipse = static_cast<size_t>(which) == cases.size();
        SmoothParameters p;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        const std::vector<double> values = noiseRows(rows, 7, true);
        const std::vector<RowSample> all = rowSamples(rows);
        const std::vector<RowSample> held(all.begin() + rows.first * rows.columns,
                                          all.begin() + (rows.first + rows.count) * rows.columns);
        if (isEllipse) {
            const EllipticalBeam beam{0.6, 0.25, 0.7};
            auto made = unlessNarrow([&] { return RowSmoothPlan(rows, beam, p, device(), job_); });
            if (!made) return;
            RowSmoothPlan& plan = *made;
            // A sum of n samples rounds by n machine epsilons at most, and 1e-12 is 4500.
            ARMILLA_VERIFY_BELOW(
                rowError(held, ellipseTruth(beam), 1.0, values, plan.execute(values, job_), true),
                1e-12);
            return;
        }
        const KernelCase& c = cases[static_cast<size_t>(which)];
        p.shape = c.kernel;
        p.norm = c.norm;
        p.masked = c.kernel.compensated() ? Masked::Ignore : Masked::Normalize;
        auto made = unlessNarrow([&] { return RowSmoothPlan(rows, p, device(), job_); });
        if (!made) return;
        RowSmoothPlan& plan = *made;
        const Kernel truth = truthKernel(c.kernel, plan.report().radius, c.norm);
        // Same limit as on the CPU.
        ARMILLA_VERIFY_BELOW(rowError(held, radialTruth(truth), truth.integral(), values,
                                      plan.execute(values, job_), p.masked == Masked::Normalize),
                             1e-12);
    }

    // Larger grids, whose work is divided into many pieces.
    void isWhatTheCpuMakes_data() { addWaysToSmooth(); }
    void isWhatTheCpuMakes() {
        QFETCH(int, method);
        QFETCH(bool, poles);
        const RingRows rows{541, 1083, poles, 0, 541};
        SmoothParameters p;
        p.fwhm = 2.3 * kDegree;
        p.method = static_cast<SmoothMethod>(method);
        const std::vector<double> values = noiseRows(rows, 9, true);
        RowSmoothPlan onCpu(rows, p, Device::cpu(), job_), onDevice(rows, p, device(), job_);
        const std::vector<double> truth = onCpu.execute(values, job_);
        const std::vector<double> found = onDevice.execute(values, job_);
        // Values are about 1; where little of the kernel falls on good samples, a thousandth at
        // the least, errors grow by as much.
        ARMILLA_VERIFY_BELOW(worstOf(found, truth), 1e-10);
    }

    void ellipsesOnHealpix_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("single");
        QTest::newRow("nside 16") << 16 << false;
        QTest::newRow("nside 100") << 100 << false;
        QTest::newRow("nside 128, single") << 128 << true;
    }
    void ellipsesOnHealpix() {
        QFETCH(int, nside);
        QFETCH(bool, single);
        std::vector<double> ring = noiseMap(nside, 5);
        spoilPixels(ring);
        Field made = field("T", ring);
        if (single) {
            made.diskType = DiskType::Float32;
            made.values = std::vector<float>(ring.begin(), ring.end());
        }
        const HealpixMap map(nside, Ordering::Ring, Frame::Galactic, {made});
        const EllipticalBeam beam{400.0 / nside * kDegree, 160.0 / nside * kDegree, 1.0};
        SmoothReport report;
        const std::vector<int> fields{0};
        const HealpixMap truth =
            smoothElliptical(map, fields, beam, SmoothParameters{}, Device::cpu(), report, job_);
        const HealpixMap found =
            smoothElliptical(map, fields, beam, SmoothParameters{}, device(), report, job_);
        double worst = 0.0;
        for (int64_t k = 0; k < map.pixelCount(); ++k) {
            const double a = truth.value(0, k), b = found.value(0, k);
            QCOMPARE(std::isnan(b), std::isnan(a));
            if (!std::isnan(a)) worst = std::max(worst, std::abs(a - b));
        }
        // Same limit as in isWhatTheCpuMakes(). Results of single precision may be rounded to
        // either side: an ulp, 4.8e-7 below 8, which noise of unit variance does not reach.
        ARMILLA_VERIFY_BELOW(worst, single ? 1e-6 : 1e-10);
    }

private:
    static Device device() { return firstCudaDevice(); }
    JobContext job_;
};

QTEST_GUILESS_MAIN(SmoothRowsCudaTest)
#include "tst_smooth_rows_cuda.moc"
