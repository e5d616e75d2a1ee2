// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing on rows of equidistant cylindrical grids compared with sums over all pairs, closed
// forms and each other.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/ops/smooth_rows.h"
#include "compute/convolution_cases.h"
#include "compute/pair_sums.h"
#include "compute/row_sums_truth.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

Q_DECLARE_METATYPE(RingRows)

class SmoothRowsTest : public QObject {
    Q_OBJECT
private slots:
    void isTheSumOverAllPairs_data() {
        QTest::addColumn<int>("grid");
        QTest::addColumn<int>("which");
        QTest::addColumn<double>("scale");
        QTest::addColumn<bool>("rings");
        for (size_t g = 0; g < rowCases().size(); ++g)
            for (const bool rings : {false, true})
                for (const double scale : {0.0931, 0.317})
                    for (size_t i = 0; i < kernelCases(scale).size(); ++i)
                        QTest::addRow("%s, %s, %g%s", rowCases()[g].name,
                                      kernelCases(scale)[i].name, scale, rings ? ", by rings" : "")
                            << static_cast<int>(g) << static_cast<int>(i) << scale << rings;
    }
    void isTheSumOverAllPairs() {
        QFETCH(int, grid);
        QFETCH(int, which);
        QFETCH(double, scale);
        QFETCH(bool, rings);
        const RingRows rows = rowCases()[static_cast<size_t>(grid)].rows;
        const KernelCase c = kernelCases(scale)[static_cast<size_t>(which)];
        SmoothParameters p;
        p.shape = c.kernel;
        p.norm = c.norm;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        // Narrow kernels without normalization, wide ones with it, if they have an integral.
        const bool normalize = scale > 0.1 && !c.kernel.compensated();
        p.masked = normalize ? Masked::Normalize : Masked::Ignore;
        auto made = unlessNarrow([&] { return RowSmoothPlan(rows, p, Device::cpu(), job_); });
        if (!made) return;
        RowSmoothPlan& plan = *made;
        const std::vector<double> values = noiseRows(rows, 7, true);
        const std::vector<double> found = plan.execute(values, job_);
        const Kernel truth = truthKernel(c.kernel, plan.report().radius, c.norm);
        const std::vector<RowSample> all = rowSamples(rows);
        const std::vector<RowSample> held(all.begin() + rows.first * rows.columns,
                                          all.begin() + (rows.first + rows.count) * rows.columns);
        // K in tables to 1e-14 of its peak, in closed forms to 1e-13; sums of some hundred terms,
        // FFTs of few.
        ARMILLA_VERIFY_BELOW(
            rowError(held, radialTruth(truth), truth.integral(), values, found, normalize), 1e-12);
    }

    // The harmonic sum over the same samples is the same sum, through the addition theorem.
    void isTheHarmonicSum_data() {
        QTest::addColumn<int>("grid");
        QTest::addColumn<bool>("spoilt");
        for (const int grid : {0, 1, 2})
            for (const bool spoilt : {false, true})
                QTest::addRow("grid %d%s", grid, spoilt ? ", bad samples" : "") << grid << spoilt;
    }
    void isTheHarmonicSum() {
        QFETCH(int, grid);
        QFETCH(bool, spoilt);
        const RingRows grids[] = {
            {90, 180, false, 0, 90}, {91, 175, true, 0, 91}, {120, 240, false, 50, 23}};
        const RingRows rows = grids[grid];
        const double fwhm = 4.0 * kPi / static_cast<double>(rows.rows);
        const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
        SmoothParameters p;
        p.fwhm = fwhm;
        p.method = SmoothMethod::Harmonic;
        p.lmax = static_cast<int>(std::ceil(7.8 / sigma));
        const std::vector<double> values = noiseRows(rows, 3, spoilt);
        RowSmoothPlan harmonic(rows, p, Device::cpu(), job_);
        const std::vector<double> truth = harmonic.execute(values, job_);
        p.truncate = 7.2 * sigma;
        for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Ring}) {
            p.method = method;
            RowSmoothPlan plan(rows, p, Device::cpu(), job_);
            const std::vector<double> found = plan.execute(values, job_);
            // Beyond 7.2 sigma lies 6e-12 of the kernel, beyond that l 1e-13 of B_l on each of some
            // hundred l; values are about 1, near the poles weights per solid angle up to 2.
            ARMILLA_VERIFY_BELOW(worstOf(found, truth), 2e-10);
        }
    }

    // A harmonic is multiplied by B_l: with exact quadrature there is no other error.
    void harmonicsAreEigenfunctions_data() { addWaysToSmooth(); }
    void harmonicsAreEigenfunctions() {
        QFETCH(int, method);
        QFETCH(bool, poles);
        const RingRows rows{64, 120, poles, 0, 64};
        // B_l falls to 1e-15 at l = 45.
        const double sigma = 0.18;
        SmoothParameters p;
        p.fwhm = sigma * std::sqrt(8 * std::log(2.0));
        p.method = static_cast<SmoothMethod>(method);
        if (p.method != SmoothMethod::Harmonic) p.truncate = 8.5 * sigma;
        RowSmoothPlan plan(rows, p, Device::cpu(), job_);
        const std::vector<RowSample> samples = rowSamples(rows);
        for (const auto& [l, m] : {std::pair(0, 0), {1, 0}, {3, 2}, {10, 7}, {12, 12}}) {
            std::vector<double> values, truth;
            const double bl = std::exp(-0.5 * l * (l + 1) * sigma * sigma);
            for (const RowSample& s : samples) {
                values.push_back(static_cast<double>(
                    std::sph_legendre(static_cast<unsigned>(l), static_cast<unsigned>(m), s.theta) *
                    std::cos(m * s.phi + 0.3L)));
                truth.push_back(bl * values.back());
            }
            // 2e-16 of the kernel lies beyond 8.5 sigma; sums of 7680 terms.
            ARMILLA_VERIFY_BELOW(largestError(plan.execute(values, job_), truth), 2e-13);
        }
    }

    // Any number of threads gives the same bits.
    void threadsAgree() {
        const RingRows rows{40, 90, false, 0, 40};
        const std::vector<double> values = noiseRows(rows, 5, true);
        SmoothParameters p;
        p.fwhm = 12 * kDegree;
        for (const auto method :
             {SmoothMethod::Direct, SmoothMethod::Ring, SmoothMethod::Harmonic}) {
            p.method = method;
            std::vector<double> found[2];
            for (const int threads : {1, 5}) {
                JobContext job({}, {}, threads);
                RowSmoothPlan plan(rows, p, Device::cpu(), job);
                found[threads > 1] = plan.execute(values, job);
            }
            for (size_t i = 0; i < values.size(); ++i)
                QVERIFY(found[0][i] == found[1][i] ||
                        (std::isnan(found[0][i]) && std::isnan(found[1][i])));
        }
    }

    // The stated error compared with the true error, for a sky of power 1 / (l (l + 1)).
    void theErrorIsTruthful_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("poles");
        QTest::addColumn<double>("degrees");
        for (const auto method : {SmoothMethod::Direct, SmoothMethod::Ring, SmoothMethod::Harmonic})
            for (const bool poles : {false, true})
                for (const double degrees : {4.0, 12.0})
                    QTest::addRow("method %d%s, %g degrees", static_cast<int>(method),
                                  poles ? ", poles" : "", degrees)
                        << static_cast<int>(method) << poles << degrees;
    }
    void theErrorIsTruthful() {
        QFETCH(int, method);
        QFETCH(bool, poles);
        QFETCH(double, degrees);
        SmoothParameters p;
        p.method = static_cast<SmoothMethod>(method);
        p.fwhm = degrees * kDegree;
        const auto [error, estimate] =
            errorAndEstimate({120, 240, poles, 0, 120}, p, gaussianBeam(p.fwhm, 119));
        // One realization compared with another, and the rows of a smaller grid: a factor
        // (tst_smooth).
        QVERIFY2(estimate > 0.7 * error && estimate < 8.0 * error,
                 qPrintable(QString("error %1, estimate %2").arg(error).arg(estimate)));
    }

    // The stated error of sums on samples is at least the true error. This covers kernels with
    // edges and corners, for every normalization, whose power the samples alias, and samples with
    // equal or different spacing in both directions.
    void theErrorOnSamplesIsABound_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<double>("steps");
        QTest::addColumn<int>("norm");
        QTest::addColumn<RingRows>("rows");
        QTest::addColumn<bool>("rings");
        const char* const names[] = {"Gaussian", "top hat", "cone"};
        for (const RingRows& rows :
             {RingRows{120, 240, false, 0, 120}, {121, 240, true, 0, 121}, {90, 360, false, 0, 90}})
            for (const double steps : {3.0, 4.0, 9.0})
                for (int shape = 0; shape < 3; ++shape)
                    for (const KernelNorm norm : {KernelNorm::Integral, KernelNorm::Peak})
                        QTest::addRow("%s of %g rows, norm %d, %d x %d", names[shape], steps,
                                      static_cast<int>(norm), static_cast<int>(rows.columns),
                                      static_cast<int>(rows.rows))
                            << shape << steps << static_cast<int>(norm) << rows
                            << (norm == KernelNorm::Peak);
    }
    void theErrorOnSamplesIsABound() {
        QFETCH(int, shape);
        QFETCH(double, steps);
        QFETCH(int, norm);
        QFETCH(RingRows, rows);
        QFETCH(bool, rings);
        const double width = steps * kPi / static_cast<double>(rows.rows);
        SmoothParameters p;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        p.norm = static_cast<KernelNorm>(norm);
        p.shape = shape == 0   ? Kernel::gaussian(width)
                  : shape == 1 ? Kernel::topHat(width)
                               : Kernel::profile({{0.0, width}, {2.0, 0.0}});
        const Beam truth =
            p.shape->normalized(*p.norm).coefficients(static_cast<int>(rows.rows) - 1, job_);
        const auto [error, estimate] = errorAndEstimate(rows, p, truth);
        // For a Gaussian of several rows, only rounding and truncation remain.
        const bool isResolved = shape == 0;
        QVERIFY2(estimate > error && (isResolved || estimate < 30.0 * error),
                 qPrintable(QString("error %1, estimate %2").arg(error).arg(estimate)));
    }

    // The best method.
    void automaticIsOneOfThem() {
        const RingRows rows{360, 720, false, 0, 360};
        SmoothParameters p;
        for (const double fwhm : {1.0, 4.0, 40.0}) {
            p.fwhm = fwhm * kDegree;
            p.method = SmoothMethod::Auto;
            RowSmoothPlan plan(rows, p, Device::cpu(), job_);
            QVERIFY(plan.report().method != SmoothMethod::Auto);
            if (fwhm == 1.0) QCOMPARE(plan.report().method, SmoothMethod::Harmonic);  // two rows
            QVERIFY(plan.report().estimatedError > 0.0);
            const std::vector<double> flat(static_cast<size_t>(rows.rows * rows.columns), 3.0);
            std::vector<double> truth = flat;
            ARMILLA_VERIFY_BELOW(relativeError(plan.execute(flat, job_), truth), 1e-12);
        }
    }
    // Kernels of two rows, for which a sum over samples has too large an integral.
    void narrowKernelsAreRefused() {
        const RingRows rows{360, 720, false, 0, 360};
        SmoothParameters p;
        p.fwhm = 1.0 * kDegree;
        for (const SmoothMethod method : {SmoothMethod::Ring, SmoothMethod::Direct}) {
            p.method = method;
            QVERIFY_THROWS_EXCEPTION(NarrowKernel, RowSmoothPlan(rows, p, Device::cpu(), job_));
            QVERIFY_THROWS_EXCEPTION(NarrowKernel,
                                     RowSmoothPlan(rows, {4 * kDegree, 1 * kDegree, 0.0},
                                                   SmoothParameters(), Device::cpu(), job_));
        }
    }

    void whatItDoesNotDoIsSaid() {
        const RingRows rows{18, 36, false, 0, 18};
        SmoothParameters p;
        p.fwhm = 0.46;
        p.weights = Weights::Pixel;
        QVERIFY_THROWS_EXCEPTION(Unsupported, RowSmoothPlan(rows, p, Device::cpu(), job_));
        p.weights = Weights::Ring;
        p.polarization = true;
        p.method = SmoothMethod::Direct;
        QVERIFY_THROWS_EXCEPTION(Unsupported, RowSmoothPlan(rows, p, Device::cpu(), job_));
        p.polarization = false;
        p.iterations = 1;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, RowSmoothPlan(rows, p, Device::cpu(), job_));
        p.iterations = 0;
        RowSmoothPlan plan(rows, p, Device::cpu(), job_);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(std::vector<double>(7), job_));
        const std::vector<double> plane(18 * 36, 1.0);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.executePolarized(plane, plane, plane, job_));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 RowSmoothPlan({18, 36, false, 10, 9}, p, Device::cpu(), job_));
        // Bad samples cannot be compensated for a kernel without an integral.
        p.shape = Kernel::mexicanHat(1, 0.45);
        RowSmoothPlan hat(rows, p, Device::cpu(), job_);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, hat.execute(noiseRows(rows, 1, true), job_));
    }

private:
    // The rms error of smoothing a sky of power 1 / (l (l + 1)) relative to its rms, and the error
    // that the plan states.
    std::pair<double, double> errorAndEstimate(const RingRows& rows, const SmoothParameters& p,
                                               const Beam& beam) {
        const int band = static_cast<int>(rows.rows) - 1;
        Spectra spectra;
        for (int l = 0; l <= band; ++l)
            spectra[SpectrumKind::TT].push_back(l == 0 ? 0.0 : 1.0 / (l * (l + 1.0)));
        std::vector<Alm> alm = randomAlm(spectra, band, 5, job_);
        const ShtPlan sht(rows.grid(), {.lmax = band}, Device::cpu(), job_);
        std::vector<double> sky(static_cast<size_t>(rows.rows * rows.columns)), truth = sky;
        sht.synthesis(alm[0], std::span(sky), job_);
        applyBeam(alm, beam, job_);
        sht.synthesis(alm[0], std::span(truth), job_);
        RowSmoothPlan plan(rows, p, Device::cpu(), job_);
        const std::vector<double> found = plan.execute(sky, job_);
        double wrong = 0.0, size = 0.0;
        const std::vector<RowSample> samples = rowSamples(rows);
        for (size_t i = 0; i < sky.size(); ++i) {
            const auto weight = static_cast<double>(samples[i].weight);
            wrong += weight * (found[i] - truth[i]) * (found[i] - truth[i]);
            size += weight * sky[i] * sky[i];
        }
        return {std::sqrt(wrong / size), plan.report().estimatedError};
    }

    JobContext job_;
};

QTEST_GUILESS_MAIN(SmoothRowsTest)
#include "tst_smooth_rows.moc"
