// SPDX-License-Identifier: GPL-3.0-or-later
#include <alm.h>
#include <alm_healpix_tools.h>
#include <healpix_map.h>

#include <QtTest>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/ops/quadrature_weights.h"
#include "armilla/ops/sht.h"
#include "support/direct_sht.h"
#include "support/process_variable.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

// HEALPix C++ has its own Alm.
using HpxAlm = ::Alm<std::complex<double>>;

Q_DECLARE_METATYPE(RingGrid)

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class ShtTest : public QObject {
    Q_OBJECT

    static HpxAlm toHealpix(const armilla::Alm& alm) {
        HpxAlm result(alm.lmax(), alm.mmax());
        for (int m = 0; m <= alm.mmax(); ++m)
            for (int l = m; l <= alm.lmax(); ++l) result(l, m) = alm(l, m);
        return result;
    }
    static std::vector<std::complex<double>> fromHealpix(const HpxAlm& alm) {
        return {&alm.Alms()[0], &alm.Alms()[0] + alm.Alms().size()};
    }
    static Healpix_Map<double> toHealpix(const std::vector<double>& map, int nside) {
        Healpix_Map<double> result(nside, RING, SET_NSIDE);
        std::copy(map.begin(), map.end(), &result[0]);
        return result;
    }
    static std::vector<double> values(const Healpix_Map<double>& map) {
        return {&map[0], &map[0] + map.Npix()};
    }

private slots:
    void initTestCase() {
        QVERIFY(cache_.isValid());
        test::setVariable("XDG_CACHE_HOME", cache_.path().toLocal8Bit());
    }

    // lmax beyond 2 nside folds m onto the short rings of the caps.
    void shapes_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::newRow("nside 1") << 1 << 2 << 2;
        QTest::newRow("only the monopole") << 4 << 0 << 0;
        QTest::newRow("nside 2, beyond 4 nside") << 2 << 11 << 11;
        QTest::newRow("no power of two") << 5 << 14 << 14;
        QTest::newRow("band limit 3 nside - 1") << 8 << 23 << 23;
        QTest::newRow("few m") << 8 << 16 << 5;
    }
    void synthesisIsTheDirectSum_data() { shapes_data(); }
    void synthesisIsTheDirectSum() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        const ShtPlan plan({.nside = nside, .lmax = lmax, .mmax = mmax}, Device::cpu());
        const armilla::Alm alm = whiteAlm(lmax, mmax, 0, 1);
        // Poisoned: every pixel has to be written.
        std::vector<double> map(static_cast<size_t>(12 * nside * nside), std::nan(""));
        plan.synthesis(alm, map, job_);
        ARMILLA_VERIFY_BELOW(relativeError(map, directSynthesis(alm, nside)), roundingLimit(lmax));
    }
    void batches_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("plain") << static_cast<int>(Weights::None) << 0 << 0.0;
        QTest::newRow("iterations") << static_cast<int>(Weights::Ring) << 2 << 0.0;
        QTest::newRow("pixel weights") << static_cast<int>(Weights::Pixel) << 0 << 0.0;
        QTest::newRow("solution") << static_cast<int>(Weights::Ring) << 0 << 1e-11;
    }
    // Maps of a batch are processed in groups, which leave one over for an odd number.
    void batches() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        QFETCH(double, tolerance);
        constexpr int nside = 16, lmax = 30, count = 3;
        ShtParameters parameters{.nside = nside, .lmax = lmax, .weights = Weights(weights)};
        parameters.iterations = iterations;
        parameters.tolerance = tolerance;
        const ShtPlan plan(parameters, Device::cpu());
        std::vector<armilla::Alm> alm;
        std::vector<std::vector<double>> maps(count, std::vector<double>(12 * nside * nside, kNan));
        std::vector<std::vector<float>> singles(count, std::vector<float>(maps[0].size(), 1e30F));
        for (unsigned i = 0; i < count; ++i) alm.push_back(whiteAlm(lmax, lmax, 0, 50 + i));
        plan.synthesis(alm, std::vector<MapSamples>(maps.begin(), maps.end()), job_);
        plan.synthesis(alm, std::vector<MapSamples>(singles.begin(), singles.end()), job_);
        const std::vector<ConstMapSamples> views(maps.begin(), maps.end()),
            singleViews(singles.begin(), singles.end());
        const std::vector<armilla::Alm> back = plan.analysis(views, job_);
        // Previous content of the outputs does not matter.
        std::vector<armilla::Alm> fromSingle(back);
        plan.analysis(singleViews, fromSingle, job_);
        QCOMPARE(back.size(), size_t{count});
        std::vector<double> one(maps[0].size());
        for (size_t i = 0; i < count; ++i) {
            plan.synthesis(alm[i], one, job_);
            QVERIFY(maps[i] == one);
            QVERIFY(singles[i] == std::vector<float>(one.begin(), one.end()));
            // A group may add in another order than one map alone: 45 machine epsilons in the L2
            // norm.
            ARMILLA_VERIFY_BELOW(
                relativeError(back[i].values(), plan.analysis(maps[i], job_).values()), 1e-14);
            one.assign(singles[i].begin(), singles[i].end());
            // The same limit as above, with input in single precision, which converts exactly.
            ARMILLA_VERIFY_BELOW(
                relativeError(fromSingle[i].values(), plan.analysis(one, job_).values()), 1e-14);
        }
    }
    // Single precision differs from double by one rounding of each value.
    void singlePrecisionOfSpins() {
        constexpr int nside = 12, lmax = 30;
        const ShtPlan plan({.nside = nside, .lmax = lmax, .iterations = 1}, Device::cpu());
        const std::array<armilla::Alm, 3> teb{
            whiteAlm(lmax, lmax, 0, 61), whiteAlm(lmax, lmax, 2, 62), whiteAlm(lmax, lmax, 2, 63)};
        std::array<std::vector<double>, 3> maps, derivatives;
        std::array<std::vector<float>, 3> singles, singleDerivatives;
        for (size_t i = 0; i < 3; ++i) {
            maps[i] = derivatives[i] = std::vector<double>(12 * nside * nside, kNan);
            singles[i] = singleDerivatives[i] = std::vector<float>(12 * nside * nside, 1e30F);
        }
        plan.synthesisPolarized(teb, maps[0], maps[1], maps[2], job_);
        plan.synthesisPolarized(teb, singles[0], singles[1], singles[2], job_);
        plan.synthesisGradient(teb[0], derivatives[0], derivatives[1], derivatives[2], job_);
        plan.synthesisGradient(teb[0], singleDerivatives[0], singleDerivatives[1],
                               singleDerivatives[2], job_);
        for (size_t i = 0; i < 3; ++i) {
            QVERIFY(singles[i] == std::vector<float>(maps[i].begin(), maps[i].end()));
            QVERIFY(singleDerivatives[i] ==
                    std::vector<float>(derivatives[i].begin(), derivatives[i].end()));
        }
        for (size_t i = 0; i < 3; ++i) maps[i].assign(singles[i].begin(), singles[i].end());
        const auto fromSingle = plan.analysisPolarized(singles[0], singles[1], singles[2], job_);
        const auto fromDouble = plan.analysisPolarized(maps[0], maps[1], maps[2], job_);
        // The input is the same after exact conversion to double; only the order of sums may
        // differ.
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(fromSingle[i].values(), fromDouble[i].values()),
                                 1e-14);
    }
    // Up to lmax = 2 nside the coefficients are the only solution, and the condition of the normal
    // equations is near 1: the error is about the tolerance.
    void leastSquaresRecoverTheCoefficients() {
        constexpr int nside = 16, lmax = 32;
        for (const Weights weights : {Weights::None, Weights::Ring}) {
            ShtParameters parameters{.nside = nside, .lmax = lmax, .weights = weights};
            parameters.tolerance = 1e-11;
            const ShtPlan plan(parameters, Device::cpu());
            const std::array<armilla::Alm, 3> teb{whiteAlm(lmax, lmax, 0, 31),
                                                  whiteAlm(lmax, lmax, 2, 32),
                                                  whiteAlm(lmax, lmax, 2, 33)};
            std::vector<double> t(12 * nside * nside), q(t.size()), u(t.size());
            plan.synthesisPolarized(teb, t, q, u, job_);
            // Ten times the tolerance of 1e-11, as the condition is near 1.
            ARMILLA_VERIFY_BELOW(relativeError(plan.analysis(t, job_).values(), teb[0].values()),
                                 1e-10);
            const std::vector<armilla::Alm> back = plan.analysisPolarized(t, q, u, job_);
            for (size_t i = 0; i < 3; ++i)
                // Ten times the tolerance of 1e-11, as the condition is near 1.
                ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), teb[i].values()), 1e-10);
        }
        ShtParameters both{.nside = nside, .lmax = lmax, .iterations = 1};
        both.tolerance = 1e-9;
        QVERIFY_EXCEPTION_THROWN(ShtPlan(both, Device::cpu()), InvalidArgument);
    }
    // A plan that was cancelled while its weights were computed has them the next time.
    void stoppedPlansGoOn() {
        constexpr int nside = 20;  // its weights are used by no other test here
        const ShtParameters parameters{.nside = nside, .lmax = 40, .weights = Weights::Ring};
        const std::vector<double> map = whiteMap(nside, 41);
        const ShtPlan plan(parameters, Device::cpu());
        std::stop_source stop;
        JobContext stopped(
            stop.get_token(), [&](double, std::string_view) { stop.request_stop(); }, 2);
        QVERIFY_EXCEPTION_THROWN(plan.analysis(map, stopped), Cancelled);
        const ShtPlan fresh(parameters, Device::cpu());
        QVERIFY(plan.analysis(map, job_).values() == fresh.analysis(map, job_).values());
        QVERIFY(plan.analysis(map, job_).values() == fresh.analysis(map, job_).values());
    }
    void polarizedSynthesisIsTheDirectSum_data() { shapes_data(); }
    void polarizedSynthesisIsTheDirectSum() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        const ShtPlan plan({.nside = nside, .lmax = lmax, .mmax = mmax}, Device::cpu());
        const std::array<armilla::Alm, 3> teb{
            whiteAlm(lmax, mmax, 0, 1), whiteAlm(lmax, mmax, 2, 2), whiteAlm(lmax, mmax, 2, 3)};
        const std::vector<double> poison(static_cast<size_t>(12 * nside * nside), std::nan(""));
        std::vector<double> t = poison, q = poison, u = poison;
        plan.synthesisPolarized(teb, t, q, u, job_);
        const auto truth = directSpinTwo(teb[1], teb[2], nside);
        ARMILLA_VERIFY_BELOW(relativeError(t, directSynthesis(teb[0], nside)), roundingLimit(lmax));
        ARMILLA_VERIFY_BELOW(relativeError(q, truth[0]), roundingLimit(lmax));
        ARMILLA_VERIFY_BELOW(relativeError(u, truth[1]), roundingLimit(lmax));
    }
    void analysisIsTheWeightedSum_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("weighted");
        QTest::newRow("plain") << 4 << false;
        QTest::newRow("ring weights") << 4 << true;
        QTest::newRow("no power of two, ring weights") << 6 << true;
    }
    void analysisIsTheWeightedSum() {
        QFETCH(int, nside);
        QFETCH(bool, weighted);
        const ShtPlan plan({.nside = nside, .weights = weighted ? Weights::Ring : Weights::None},
                           Device::cpu());
        const std::vector<double> map = whiteMap(nside, 4);
        std::vector<double> weight;
        if (weighted) {
            const std::vector<double> ring = ringWeights(nside, job_);
            for (size_t p = 0; p < map.size(); ++p) {
                const int64_t r = ringPlaceFromRing(nside, static_cast<int64_t>(p)).ring;
                weight.push_back(
                    ring[static_cast<size_t>(std::min<int64_t>(r, 4 * nside - r) - 1)]);
            }
        }
        const int lmax = plan.parameters().lmax;
        const armilla::Alm truth = directAnalysis(map, weight, nside, lmax);
        ARMILLA_VERIFY_BELOW(relativeError(plan.analysis(map, job_).values(), truth.values()),
                             roundingLimit(lmax));
    }
    // <map, S a> 4 pi / Npix = <A map, a>: ties the spin-2 analysis to the synthesis checked above.
    void analysisIsTheAdjoint() {
        constexpr int nside = 7, lmax = 17;
        const ShtPlan plan({.nside = nside, .lmax = lmax}, Device::cpu());
        const std::array<armilla::Alm, 3> teb{
            whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2), whiteAlm(lmax, lmax, 2, 3)};
        std::array<std::vector<double>, 3> made,
            map{whiteMap(nside, 5), whiteMap(nside, 6), whiteMap(nside, 7)};
        for (auto& m : made) m.resize(map[0].size());
        plan.synthesisPolarized(teb, made[0], made[1], made[2], job_);
        const std::vector<armilla::Alm> back = plan.analysisPolarized(map[0], map[1], map[2], job_);
        const auto inner = [](const armilla::Alm& a, const armilla::Alm& b) {
            double sum = 0.0;
            for (int m = 0; m <= a.mmax(); ++m)
                for (int l = m; l <= a.lmax(); ++l)
                    sum += (m == 0 ? 1.0 : 2.0) * (a(l, m) * std::conj(b(l, m))).real();
            return sum;
        };
        const double area = 4.0 * kPi / static_cast<double>(map[0].size());
        const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
            return area * std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        };
        // The error of a side is at most that of its transform times the norms.
        const double limit = 2.0 * roundingLimit(lmax);
        const auto norm = [&](size_t i) {
            return std::sqrt(product(map[i], map[i]) * product(made[i], made[i]));
        };
        ARMILLA_VERIFY_BELOW(std::abs(product(map[0], made[0]) - inner(back[0], teb[0])),
                             limit * norm(0));
        ARMILLA_VERIFY_BELOW(std::abs(product(map[1], made[1]) + product(map[2], made[2]) -
                                      inner(back[1], teb[1]) - inner(back[2], teb[2])),
                             limit * (norm(1) + norm(2)));
    }
    void agreesWithHealpix_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("iterations");
        // 300: several blocks of rings, with borders that are no power of two.
        QTest::newRow("many blocks") << 300 << 600 << 0;
        QTest::newRow("iterations") << 32 << 64 << 3;
        // Modes beyond the Nyquist limits of the rings of the caps, and of all rings.
        for (const int nside : {64, 128}) {
            QTest::addRow("3 nside - 1, nside %d", nside) << nside << 3 * nside - 1 << 0;
            QTest::addRow("4 nside, nside %d", nside) << nside << 4 * nside << 0;
        }
    }
    void agreesWithHealpix() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        QFETCH(int, iterations);
        const ShtPlan plan({.nside = nside, .lmax = lmax, .iterations = iterations}, Device::cpu());
        const std::array<armilla::Alm, 3> teb{
            whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2), whiteAlm(lmax, lmax, 2, 3)};
        const std::vector<double> zero(static_cast<size_t>(12 * nside * nside));
        std::vector<double> t = zero, q = zero, u = zero;
        plan.synthesisPolarized(teb, t, q, u, job_);
        Healpix_Map<double> ht = toHealpix(zero, nside), hq = ht, hu = ht;
        alm2map_pol(toHealpix(teb[0]), toHealpix(teb[1]), toHealpix(teb[2]), ht, hq, hu);
        // The rounding of either, in each of the transforms of an analysis with iterations.
        const double limit = 2.0 * roundingLimit(lmax), limitBack = (1 + 2 * iterations) * limit;
        ARMILLA_VERIFY_BELOW(relativeError(t, values(ht)), limit);
        ARMILLA_VERIFY_BELOW(relativeError(q, values(hq)), limit);
        ARMILLA_VERIFY_BELOW(relativeError(u, values(hu)), limit);
        const std::vector<armilla::Alm> back = plan.analysisPolarized(t, q, u, job_);
        HpxAlm at(lmax, lmax), ae = at, ab = at;
        map2alm_pol_iter(toHealpix(t, nside), toHealpix(q, nside), toHealpix(u, nside), at, ae, ab,
                         iterations);
        ARMILLA_VERIFY_BELOW(relativeError(back[0].values(), fromHealpix(at)), limitBack);
        ARMILLA_VERIFY_BELOW(relativeError(back[1].values(), fromHealpix(ae)), limitBack);
        ARMILLA_VERIFY_BELOW(relativeError(back[2].values(), fromHealpix(ab)), limitBack);
    }
    void otherSpinsAsHealpix_data() {
        QTest::addColumn<int>("spin");
        for (int spin = 1; spin <= kMaxSpin; ++spin) QTest::addRow("spin %d", spin) << spin;
    }
    void otherSpinsAsHealpix() {
        QFETCH(int, spin);
        constexpr int nside = 48, lmax = 2 * nside;
        const std::array<armilla::Alm, 2> alm{whiteAlm(lmax, lmax, spin, 1),
                                              whiteAlm(lmax, lmax, spin, 2)};
        const ShtPlan plan({.nside = nside, .lmax = lmax}, Device::cpu());
        std::vector<double> first(12 * nside * nside), second(first.size());
        plan.synthesisSpin(spin, alm, first, second, job_);
        Healpix_Map<double> h1 = toHealpix(first, nside), h2 = h1;
        const double limit = 2.0 * roundingLimit(lmax);
        alm2map_spin(toHealpix(alm[0]), toHealpix(alm[1]), h1, h2, spin);
        ARMILLA_VERIFY_BELOW(relativeError(first, values(h1)), limit);
        ARMILLA_VERIFY_BELOW(relativeError(second, values(h2)), limit);
        const std::vector<armilla::Alm> back = plan.analysisSpin(spin, first, second, job_);
        HpxAlm a1(lmax, lmax), a2 = a1;
        map2alm_spin(toHealpix(first, nside), toHealpix(second, nside), a1, a2, spin,
                     arr<double>(2 * nside, 1.0), false);
        ARMILLA_VERIFY_BELOW(relativeError(back[0].values(), fromHealpix(a1)), limit);
        ARMILLA_VERIFY_BELOW(relativeError(back[1].values(), fromHealpix(a2)), limit);
    }

    // The quadratures of these grids are exact for products of two functions of degree lmax, so an
    // analysis reproduces the input.
    void analysisOnExactGrids_data() {
        constexpr int lmax = 40;
        QTest::addColumn<RingGrid>("grid");
        QTest::newRow("Gauss-Legendre") << RingGrid::gaussLegendre(lmax + 1, 2 * lmax + 1);
        QTest::newRow("Clenshaw-Curtis") << RingGrid::clenshawCurtis(2 * lmax + 1, 2 * lmax + 2);
        QTest::newRow("Fejer") << RingGrid::fejer(2 * lmax + 1, 2 * lmax + 1);
    }
    void analysisOnExactGrids() {
        QFETCH(RingGrid, grid);
        constexpr int lmax = 40, mmax = 33;
        const double limit = 2.0 * roundingLimit(lmax);
        const ShtPlan plan(grid, {.lmax = lmax, .mmax = mmax}, Device::cpu(), job_);
        std::vector<double> map(static_cast<size_t>(grid.sampleCount())), other = map;
        const armilla::Alm alm = whiteAlm(lmax, mmax, 0, 3);
        plan.synthesis(alm, map, job_);
        ARMILLA_VERIFY_BELOW(relativeError(plan.analysis(map, job_).values(), alm.values()), limit);
        for (int spin = 1; spin <= kMaxSpin; ++spin) {
            const std::array<armilla::Alm, 2> both{whiteAlm(lmax, mmax, spin, 4),
                                                   whiteAlm(lmax, mmax, spin, 5)};
            plan.synthesisSpin(spin, both, map, other, job_);
            const std::vector<armilla::Alm> back = plan.analysisSpin(spin, map, other, job_);
            ARMILLA_VERIFY_BELOW(relativeError(back[0].values(), both[0].values()), limit);
            ARMILLA_VERIFY_BELOW(relativeError(back[1].values(), both[1].values()), limit);
        }
    }
    // One ring less than required: weights alone fail, but the least-squares solution does not need
    // exact weights.
    void leastSquaresOnAnyGrid() {
        constexpr int lmax = 30;
        const RingGrid grid = RingGrid::fejer(lmax + 10, 2 * lmax + 1);
        std::vector<double> map(static_cast<size_t>(grid.sampleCount()));
        const armilla::Alm alm = whiteAlm(lmax, lmax, 0, 6);
        const ShtPlan direct(grid, {.lmax = lmax}, Device::cpu(), job_);
        direct.synthesis(alm, map, job_);
        QVERIFY(relativeError(direct.analysis(map, job_).values(), alm.values()) > 1e-4);
        const ShtPlan solving(grid, {.lmax = lmax, .tolerance = 1e-12}, Device::cpu(), job_);
        // A hundred times the tolerance: the test does not compute the condition of the equations
        // on this grid.
        ARMILLA_VERIFY_BELOW(relativeError(solving.analysis(map, job_).values(), alm.values()),
                             1e-10);
    }
    // The same for spins, and by iterations. The weights are almost exact, so each iteration gains
    // three decades. The error of the solution is about its tolerance.
    void spinsOnAnyGrid_data() {
        QTest::addColumn<int>("spin");
        for (int spin = 1; spin <= kMaxSpin; ++spin) QTest::addRow("spin %d", spin) << spin;
    }
    void spinsOnAnyGrid() {
        QFETCH(int, spin);
        constexpr int lmax = 30, mmax = 24;
        const RingGrid grid = RingGrid::fejer(2 * lmax - 8, 2 * lmax + 1);
        std::vector<double> q(static_cast<size_t>(grid.sampleCount())), u(q);
        const std::array<armilla::Alm, 2> alm{whiteAlm(lmax, mmax, spin, 7),
                                              whiteAlm(lmax, mmax, spin, 8)};
        ShtParameters parameters{.lmax = lmax, .mmax = mmax};
        const ShtPlan direct(grid, parameters, Device::cpu(), job_);
        direct.synthesisSpin(spin, alm, q, u, job_);
        parameters.iterations = 10;
        const ShtPlan iterating(grid, parameters, Device::cpu(), job_);
        parameters.iterations = 0;
        parameters.tolerance = 1e-12;
        const ShtPlan solving(grid, parameters, Device::cpu(), job_);
        for (const ShtPlan* const plan : {&direct, &iterating, &solving}) {
            const std::vector<armilla::Alm> back = plan->analysisSpin(spin, q, u, job_);
            for (size_t c = 0; c < 2; ++c) {
                const double error = relativeError(back[c].values(), alm[c].values());
                if (plan == &direct)
                    QVERIFY(error > 1e-5);
                else
                    ARMILLA_VERIFY_BELOW(error, plan == &iterating ? roundingLimit(lmax) : 1e-11);
            }
        }
    }
    // Up to lmax = 1.5 nside each iteration gains two decades; the solution is reached as in
    // leastSquaresRecoverTheCoefficients.
    void fewOrders_data() {
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("tolerance");
        QTest::addColumn<double>("limit");
        QTest::newRow("iterations") << 12 << 0.0 << roundingLimit(24);
        QTest::newRow("solution") << 0 << 1e-11 << 1e-10;
    }
    void fewOrders() {
        QFETCH(int, iterations);
        QFETCH(double, tolerance);
        QFETCH(double, limit);
        constexpr int nside = 16, lmax = 24, mmax = 13;
        ShtParameters parameters{
            .nside = nside, .lmax = lmax, .mmax = mmax, .iterations = iterations};
        parameters.tolerance = tolerance;
        const ShtPlan plan(parameters, Device::cpu());
        const std::array<armilla::Alm, 3> teb{
            whiteAlm(lmax, mmax, 0, 34), whiteAlm(lmax, mmax, 2, 35), whiteAlm(lmax, mmax, 2, 36)};
        std::vector<double> t(12 * nside * nside), q(t), u(t);
        plan.synthesisPolarized(teb, t, q, u, job_);
        const std::vector<armilla::Alm> back = plan.analysisPolarized(t, q, u, job_);
        for (size_t i = 0; i < 3; ++i) {
            ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), teb[i].values()), limit);
        }
    }
    // Errors of one pass are some 1e-4 here, and each iteration gains two decades.
    void iterationsConverge() {
        constexpr int nside = 32, lmax = 48;
        const armilla::Alm truth = whiteAlm(lmax, lmax, 0, 9);
        std::vector<double> map(12 * nside * nside);
        ShtPlan({.nside = nside, .lmax = lmax}, Device::cpu()).synthesis(truth, map, job_);
        const auto error = [&](int iterations, Weights weights) {
            const ShtPlan plan(
                {.nside = nside, .lmax = lmax, .weights = weights, .iterations = iterations},
                Device::cpu());
            return relativeError(plan.analysis(map, job_).values(), truth.values());
        };
        QVERIFY(error(0, Weights::None) > 1e-5);
        // One pass errs by 1e-4; three iterations of two decades each would give 1e-10, so 1e-6
        // leaves a margin for slower multipoles.
        QVERIFY(error(3, Weights::None) < 1e-6);
        QVERIFY(error(12, Weights::None) < 1e-13);
        // Pixel weights make the quadrature exact up to 1.5 nside.
        QVERIFY(error(0, Weights::Pixel) < 1e-12);
        QVERIFY(error(2, Weights::Pixel) < 1e-13);
    }
    void sameBitsForAnyNumberOfThreads() {
        constexpr int nside = 160;
        const ShtPlan plan({.nside = nside, .weights = Weights::Ring}, Device::cpu());
        const std::vector<double> map = whiteMap(nside, 11);
        JobContext one({}, {}, 1), three({}, {}, 3);
        QVERIFY(plan.analysis(map, one).values() == plan.analysis(map, three).values());
    }
    void stopsBetweenBlocks() {
        constexpr int nside = 512;
        std::stop_source source;
        int reports = 0;
        JobContext job(
            source.get_token(),
            [&](double, std::string_view) {
                if (++reports == 2) source.request_stop();
            },
            2);
        const ShtPlan plan({.nside = nside}, Device::cpu());
        std::vector<double> map(12 * nside * nside);
        const armilla::Alm alm(3 * nside - 1, 3 * nside - 1);
        QVERIFY_EXCEPTION_THROWN(plan.synthesis(alm, map, job), Cancelled);
        QCOMPARE(reports, 2);
        QVERIFY_EXCEPTION_THROWN(ShtPlan({.nside = nside}, Device::cpu(), job), Cancelled);
    }
    void progressIsMonotone() {
        std::vector<double> seen;
        JobContext job(
            {}, [&](double share, std::string_view) { seen.push_back(share); }, 2);
        const ShtPlan plan({.nside = 16, .weights = Weights::Ring, .iterations = 2}, Device::cpu());
        const std::vector<double> map = whiteMap(16, 1);
        plan.analysisPolarized(map, map, map, job);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.back(), 1.0);
    }
    void refusesBadShapes() {
        const Device cpu = Device::cpu();
        const auto plan = [&](ShtParameters p) { return ShtPlan(p, cpu); };
        QVERIFY_EXCEPTION_THROWN(plan({.nside = 0}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan({.nside = kMaxShtNside + 1}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan({.nside = 4, .lmax = -2}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan({.nside = 4, .lmax = 5, .mmax = 6}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan({.nside = 4, .iterations = -1}), InvalidArgument);
        const ShtPlan good = plan({.nside = 4});
        QCOMPARE(good.parameters().lmax, 11);
        QCOMPARE(good.parameters().mmax, 11);
        std::vector<double> map(191), whole(192);
        QVERIFY_EXCEPTION_THROWN(good.analysis(map, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(good.synthesis(armilla::Alm(11, 10), whole, job_),
                                 InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(good.synthesis(armilla::Alm(11, 11), map, job_), InvalidArgument);
        const std::vector<armilla::Alm> two(2, armilla::Alm(11, 11));
        const std::vector<MapSamples> none, wrong{whole, map}, three(3, whole);
        QVERIFY_EXCEPTION_THROWN(good.synthesis(two, wrong, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(good.synthesis(two, three, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(good.synthesis(std::vector<armilla::Alm>(), none, job_),
                                 InvalidArgument);
        std::vector<float> single(192);
        const std::vector<MapSamples> precisions{whole, single};
        QVERIFY_EXCEPTION_THROWN(good.synthesis(two, precisions, job_), InvalidArgument);
        const std::vector<ConstMapSamples> noMaps, mixed{whole, map};
        QVERIFY_EXCEPTION_THROWN(good.analysis(noMaps, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(good.analysis(mixed, job_), InvalidArgument);
        const std::vector<ConstMapSamples> right(2, whole);
        std::vector<armilla::Alm> one(1, armilla::Alm(11, 11)), small(2, armilla::Alm(10, 10));
        QVERIFY_EXCEPTION_THROWN(good.analysis(right, one, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(good.analysis(right, small, job_), InvalidArgument);
        for (const int spin : {0, kMaxSpin + 1})
            QVERIFY_EXCEPTION_THROWN(good.analysisSpin(spin, whole, whole, job_), InvalidArgument);
        const auto onGrid = [&](const RingGrid& grid, ShtParameters p) {
            return ShtPlan(grid, p, cpu, job_);
        };
        const RingGrid grid = RingGrid::fejer(5, 6);
        RingGrid gap = grid, upsideDown = grid;
        gap.rings[2].first += 1;
        std::swap(upsideDown.rings[0].z, upsideDown.rings[4].z);
        QVERIFY_EXCEPTION_THROWN(onGrid(gap, {.lmax = 2}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(onGrid(upsideDown, {.lmax = 2}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(onGrid({}, {.lmax = 2}), InvalidArgument);
        for (double Ring::*number : {&Ring::sinTheta, &Ring::weight, &Ring::phi0})
            for (const double value : {std::nan(""), HUGE_VAL}) {
                RingGrid damaged = grid;
                damaged.rings[1].*number = value;
                QVERIFY_EXCEPTION_THROWN(onGrid(damaged, {.lmax = 2}), InvalidArgument);
            }
        RingGrid contradiction = grid;
        contradiction.rings[1].sinTheta *= 0.5;
        QVERIFY_EXCEPTION_THROWN(onGrid(contradiction, {.lmax = 2}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(onGrid(grid, {}), InvalidArgument);  // no lmax
        QVERIFY_EXCEPTION_THROWN(onGrid(grid, {.nside = 4, .lmax = 2}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(onGrid(grid, {.lmax = 2, .weights = Weights::Ring}),
                                 InvalidArgument);
        Device cuda;
        cuda.kind = DeviceKind::Cuda;
        cuda.index = 99;
        QVERIFY_EXCEPTION_THROWN(ShtPlan({.nside = 4}, cuda), Unsupported);
    }

private:
    QTemporaryDir cache_;
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(ShtTest)
#include "tst_sht.moc"
