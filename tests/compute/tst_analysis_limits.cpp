// SPDX-License-Identifier: GPL-3.0-or-later
// Analyses at their limits: values of any magnitude, band limits without convergence, pixel
// weights.
#include <healpix_map.h>
#include <weight_utils.h>

#include <QtTest>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/sht.h"
#include "sht/weights/analysis_weights.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class AnalysisLimitsTest : public QObject {
    Q_OBJECT

    static ShtPlan solving(int nside, int lmax, double tolerance) {
        ShtParameters parameters{.nside = nside, .lmax = lmax};
        parameters.tolerance = tolerance;
        return {parameters, Device::cpu()};
    }
    // The message of the exception of type Failure; empty if none is thrown.
    template <typename Failure, typename Body>
    static std::string refusal(const Body& body) {
        try {
            body();
        } catch (const Failure& failure) {
            return failure.what();
        }
        return {};
    }
    static double norm(const armilla::Alm& alm) {
        double sum = 0.0;
        for (int m = 0; m <= alm.mmax(); ++m)
            for (int l = m; l <= alm.lmax(); ++l) sum += (m > 0 ? 2 : 1) * std::norm(alm(l, m));
        return std::sqrt(sum);
    }

private slots:
    // An analysis is linear: powers of two pass through every product and sum unchanged, within the
    // range of doubles; 2^-570 is 3e-172.
    void solutionsOfAnyScale_data() {
        QTest::addColumn<int>("exponent");
        QTest::newRow("small") << -570;
        QTest::newRow("large") << 570;
    }
    void solutionsOfAnyScale() {
        QFETCH(int, exponent);
        constexpr int nside = 8, lmax = 16;
        const ShtPlan plan = solving(nside, lmax, 1e-9);
        std::vector<double> map = whiteMap(nside, 3);
        const armilla::Alm truth = plan.analysis(map, job_);
        QVERIFY(norm(truth) > 0.1);
        for (double& value : map) value = std::scalbn(value, exponent);
        armilla::Alm found = plan.analysis(map, job_);
        for (auto& a : found.values())
            a = {std::scalbn(a.real(), -exponent), std::scalbn(a.imag(), -exponent)};
        QVERIFY(found.values() == truth.values());
    }
    // One pixel of 1e308 among zeros: its square overflows, its coefficients do not.
    void onePixelOfTheLargest() {
        constexpr int nside = 8, lmax = 16;
        const ShtPlan plan = solving(nside, lmax, 1e-9);
        std::vector<double> map(12 * nside * nside, 0.0);
        map[77] = 1.0;
        const armilla::Alm unit = plan.analysis(map, job_);
        map[77] = 1e308;
        armilla::Alm found = plan.analysis(map, job_);
        for (auto& a : found.values()) a = {a.real() / 1e308, a.imag() / 1e308};
        // The iterations differ by rounding; both are within the tolerance.
        ARMILLA_VERIFY_BELOW(relativeError(found.values(), unit.values()), 1e-8);
        std::fill(map.begin(), map.end(), 1e308);
        const std::string line = refusal<InvalidArgument>([&] { return plan.analysis(map, job_); });
        QVERIFY2(line.find("finite") != std::string::npos, line.c_str());
    }
    void zerosHaveZeros() {
        const ShtPlan plan = solving(4, 8, 1e-9);
        QCOMPARE(norm(plan.analysis(std::vector<double>(192, 0.0), job_)), 0.0);
        QCOMPARE(plan.convergence().steps, 0);
    }
    // The reported residual is that of the normal equations, A (map - S a) against A map.
    void saysTheResidual() {
        constexpr int nside = 16, lmax = 32;
        const std::vector<double> map = whiteMap(nside, 4);
        const ShtPlan plain({.nside = nside, .lmax = lmax}, Device::cpu());
        QCOMPARE(plain.convergence().steps, 0);
        const armilla::Alm right = plain.analysis(map, job_);
        for (const double tolerance : {1e-3, 1e-8, 1e-14}) {
            const ShtPlan plan = solving(nside, lmax, tolerance);
            std::vector<double> rest(map.size());
            plain.synthesis(plan.analysis(map, job_), rest, job_);
            for (size_t p = 0; p < map.size(); ++p) rest[p] = map[p] - rest[p];
            const double left = norm(plain.analysis(rest, job_)) / norm(right);
            // Rounding of two transforms: lmax epsilon.
            QVERIFY(left <= tolerance + 1e-14);
            QVERIFY(std::abs(plan.convergence().residual - left) <= 1e-14);
            QVERIFY(plan.convergence().residual <= tolerance);
            QVERIFY(plan.convergence().steps > 0 && plan.convergence().steps < 20);
        }
    }
    void refusesTolerances() {
        for (const double bad : {1e-300, 1e-16, -1e-9, 1.0, kNan})
            QVERIFY_EXCEPTION_THROWN(solving(8, 16, bad), InvalidArgument);
        const std::string line = refusal<InvalidArgument>([&] { solving(8, 16, -1e-9); });
        QVERIFY2(line.find("found -1e-09") != std::string::npos, line.c_str());
    }
    // At 3 nside - 1 the smallest eigenvalues are far below 1. For nside 16 and 32 some hundred
    // iterations suffice; for 64 they do not converge.
    void theWholeBandOfSmallMaps() {
        constexpr int nside = 16, lmax = 3 * nside - 1;
        const ShtPlan plan = solving(nside, lmax, 1e-9);
        plan.analysis(whiteMap(nside, 5), job_);
        QVERIFY(plan.convergence().steps > 20 && plan.convergence().residual <= 1e-9);
    }
    void refusesWhatDoesNotConverge() {
        const ShtPlan plan = solving(64, 191, 1e-9);
        const std::string line =
            refusal<Unsupported>([&] { return plan.analysis(whiteMap(64, 6), job_); });
        for (const char* part : {"lmax 191", "residual of 1e-09, found", "after ", "160"})
            QVERIFY2(line.find(part) != std::string::npos, line.c_str());
        QVERIFY(line.find("000000") == std::string::npos);
        // The residual at the end: below that of the start, 1, and above the goal.
        const double found = std::stod(line.substr(line.find("found ") + 6));
        QVERIFY2(found > 1e-9 && found < 0.1, line.c_str());
    }

    void iterationsThatDivergeAreRefused_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("spin");
        QTest::newRow("none") << static_cast<int>(Weights::None) << 0;
        QTest::newRow("ring") << static_cast<int>(Weights::Ring) << 0;
        QTest::newRow("pixel") << static_cast<int>(Weights::Pixel) << 0;
        QTest::newRow("spin 2") << static_cast<int>(Weights::None) << 2;
    }
    // Beyond the band of the pixels eigenvalues of synthesis and analysis exceed 2.
    void iterationsThatDivergeAreRefused() {
        QFETCH(int, weights);
        QFETCH(int, spin);
        constexpr int nside = 16;
        const std::vector<double> map = whiteMap(nside, 7), other = whiteMap(nside, 8);
        const auto analyze = [&](int lmax, int iterations) {
            ShtParameters parameters{.nside = nside, .lmax = lmax, .weights = Weights(weights)};
            parameters.iterations = iterations;
            const ShtPlan plan(parameters, Device::cpu());
            return spin == 0 ? plan.analysis(map, job_)
                             : plan.analysisSpin(spin, map, other, job_)[0];
        };
        const std::string line = refusal<Unsupported>([&] { return analyze(4 * nside, 100); });
        QVERIFY2(line.find("a growing residual at lmax 64 after ") != std::string::npos,
                 line.c_str());
        QVERIFY2(line.find("= 47") != std::string::npos, line.c_str());
        // The default band, and a smaller one down to rounding, converge.
        QVERIFY(norm(analyze(3 * nside - 1, 60)) > 1.0);
        QVERIFY(norm(analyze(2 * nside, 60)) > 1.0);
    }
    // The remainder of a map within the band is rounding, which does not grow.
    void iterationsDownToRounding() {
        constexpr int nside = 16, lmax = 24;
        for (const Weights weights : {Weights::None, Weights::Pixel}) {
            ShtParameters parameters{.nside = nside, .lmax = lmax, .weights = weights};
            parameters.iterations = 60;
            const ShtPlan plan(parameters, Device::cpu());
            const armilla::Alm alm = whiteAlm(lmax, lmax, 0, 9);
            std::vector<double> map(12 * nside * nside);
            plan.synthesis(alm, map, job_);
            // The iterations end at rounding. The limit is 450 machine epsilons, 15 times the
            // rounding of one transform of lmax 24.
            ARMILLA_VERIFY_BELOW(relativeError(plan.analysis(map, job_).values(), alm.values()),
                                 1e-13);
        }
    }
    // A diverging map beside one that is a million times as large, in one batch.
    void smallMapsOfABatchAreWatched() {
        constexpr int nside = 16;
        ShtParameters parameters{.nside = nside, .lmax = 4 * nside, .iterations = 20};
        const ShtPlan plan(parameters, Device::cpu());
        std::vector<double> large(12 * nside * nside, 1e6), small = whiteMap(nside, 10);
        const std::vector<ConstMapSamples> both{large, small};
        QVERIFY_EXCEPTION_THROWN(plan.analysis(both, job_), Unsupported);
    }

    void levels_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("plain") << static_cast<int>(Weights::None) << 0 << 0.0;
        QTest::newRow("ring weights") << static_cast<int>(Weights::Ring) << 0 << 0.0;
        QTest::newRow("pixel weights") << static_cast<int>(Weights::Pixel) << 0 << 0.0;
        QTest::newRow("iterations") << static_cast<int>(Weights::None) << 2 << 0.0;
        QTest::newRow("solution") << static_cast<int>(Weights::Ring) << 0 << 1e-11;
    }
    // The same bits as an analysis of samples less the level, and the next call has no level. At
    // lmax 40 rings have whole and half FFTs.
    void levels() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        QFETCH(double, tolerance);
        constexpr int kNside = 16;
        constexpr double kLevel = 2.725;
        ShtParameters parameters{.nside = kNside, .lmax = 40};
        parameters.weights = static_cast<Weights>(weights);
        parameters.iterations = iterations;
        parameters.tolerance = tolerance;
        const ShtPlan plan(parameters, Device::cpu());
        const auto compare = [&]<typename Sample>(Sample /*kind*/) {
            std::vector<std::vector<Sample>> maps;
            for (const int seed : {11, 12, 13}) {
                const std::vector<double> white = whiteMap(kNside, seed);
                maps.emplace_back(white.begin(), white.end());
            }
            std::vector<Sample> less = maps[0];
            for (Sample& value : less)
                value = static_cast<Sample>(static_cast<double>(value) - kLevel);
            QCOMPARE(plan.analysis(maps[0], job_, kLevel).values(),
                     plan.analysis(less, job_).values());
            QVERIFY(plan.analysis(maps[0], job_).values() != plan.analysis(less, job_).values());
            const auto teb = plan.analysisPolarized(maps[0], maps[1], maps[2], job_, kLevel);
            const auto expected = plan.analysisPolarized(less, maps[1], maps[2], job_);
            for (size_t i = 0; i < teb.size(); ++i) QCOMPARE(teb[i].values(), expected[i].values());
        };
        compare(0.0);
        compare(0.0F);
    }

    void weightsOfPixelsAsHealpix_data() {
        QTest::addColumn<int>("nside");
        for (const int nside : {1, 3, 4, 8, 10}) QTest::addRow("nside %d", nside) << nside;
    }
    void weightsOfPixelsAsHealpix() {
        QFETCH(int, nside);
        const std::vector<double> map = whiteMap(nside, 11);
        std::vector<double> compressed(static_cast<size_t>((3 * nside + 1) * (nside + 1) / 4));
        for (size_t i = 0; i < compressed.size(); ++i)
            compressed[i] = 0.01 * static_cast<double>(i);
        Healpix_Map<double> truth(nside, RING, SET_NSIDE);
        std::copy(map.begin(), map.end(), &truth[0]);
        apply_fullweights(truth, compressed);
        const std::vector<double> product = timesPixelWeights(map, nside, compressed, job_);
        const std::vector<double> weights = expandedPixelWeights(nside, compressed, job_);
        for (size_t p = 0; p < map.size(); ++p) {
            QCOMPARE(product[p] - truth[static_cast<int>(p)], 0.0);
            QCOMPARE(weights[p] * map[p] - product[p], 0.0);
        }
    }

private:
    static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(AnalysisLimitsTest)
#include "tst_analysis_limits.moc"
