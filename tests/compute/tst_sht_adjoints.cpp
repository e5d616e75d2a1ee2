// SPDX-License-Identifier: GPL-3.0-or-later
// The transposes of a plan's transforms, and batches of fields with spin.
#include <QtTest>
#include <cmath>
#include <random>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/ops/sht.h"
#include "support/direct_sht.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kLmax = 15;
// Error of an inner product, relative to the norms of its factors.
constexpr double kAdjoint = 1e-12;

struct Maps {
    Maps(size_t count, int64_t samples, unsigned seed = 0)
        : values(count, std::vector<double>(static_cast<size_t>(samples))) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        for (auto& map : values)
            for (double& value : map) value = seed == 0 ? std::nan("") : normal(random);
        views.assign(values.begin(), values.end());
        constViews.assign(values.begin(), values.end());
    }
    std::vector<std::vector<double>> values;
    std::vector<MapSamples> views;
    std::vector<ConstMapSamples> constViews;
};

double product(const Maps& a, const Maps& b) {
    double sum = 0.0;
    for (size_t c = 0; c < a.values.size(); ++c)
        for (size_t p = 0; p < a.values[c].size(); ++p) sum += a.values[c][p] * b.values[c][p];
    return sum;
}
double product(const std::vector<Alm>& a, const std::vector<Alm>& b) {
    double sum = 0.0;
    for (size_t c = 0; c < a.size(); ++c)
        for (int m = 0; m <= a[c].mmax(); ++m)
            for (int l = m; l <= a[c].lmax(); ++l)
                sum += (m == 0 ? 1.0 : 2.0) * (std::conj(a[c](l, m)) * b[c](l, m)).real();
    return sum;
}
template <typename X, typename Y>
void compareProducts(const X& x, const X& sx, const Y& y, const Y& sy) {
    const double scale =
        std::sqrt(product(x, x) * product(sx, sx)) + std::sqrt(product(y, y) * product(sy, sy));
    const double difference = product(x, sx) - product(y, sy);
    QVERIFY2(std::abs(difference) <= kAdjoint * scale,
             qPrintable(QString("%1 of %2").arg(difference).arg(scale)));
}

std::vector<Alm> randomAlms(size_t count, int mmax, int lmin) {
    std::vector<Alm> alm;
    for (unsigned i = 0; i < count; ++i) alm.push_back(whiteAlm(kLmax, mmax, lmin, 7 + i));
    return alm;
}

struct Case {
    RingGrid grid;
    ShtParameters parameters;
};

ShtPlan planOf(const Case& at, JobContext& job) {
    return at.parameters.nside > 0 ? ShtPlan(at.parameters, Device{}, job)
                                   : ShtPlan(at.grid, at.parameters, Device{}, job);
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class ShtAdjointsTest : public QObject {
    Q_OBJECT

    static void grids(const std::function<void(const char*, const Case&)>& row) {
        const auto healpix = [](int64_t nside, Weights weights, int mmax) {
            return Case{RingGrid::healpix(nside),
                        {.nside = nside, .lmax = kLmax, .mmax = mmax, .weights = weights}};
        };
        const auto rings = [](RingGrid grid) {
            return Case{std::move(grid), {.lmax = kLmax, .mmax = kLmax}};
        };
        row("HEALPix", healpix(5, Weights::None, kLmax));
        row("HEALPix, mmax 6", healpix(6, Weights::None, 6));
        row("HEALPix, ring weights", healpix(8, Weights::Ring, kLmax));
        row("HEALPix, pixel weights", healpix(8, Weights::Pixel, kLmax));
        row("Gauss-Legendre", rings(RingGrid::gaussLegendre(kLmax + 1, 2 * kLmax + 1)));
        row("Clenshaw-Curtis", rings(RingGrid::clenshawCurtis(2 * kLmax + 1, 2 * kLmax + 2)));
        row("Fejer", rings(RingGrid::fejer(2 * kLmax + 1, 2 * kLmax + 1)));
    }

private slots:
    void transposes_data() {
        QTest::addColumn<Case>("at");
        QTest::addColumn<int>("spin");
        QTest::addColumn<int>("fields");
        grids([](const char* name, const Case& at) {
            for (const int spin : {0, 1, 2, 3})
                for (const int fields : {1, 3})
                    QTest::addRow("%s, spin %d, %d fields", name, spin, fields)
                        << at << spin << fields;
        });
    }
    void transposes() {
        QFETCH(const Case, at);
        QFETCH(const int, spin);
        QFETCH(const int, fields);
        JobContext job({}, {}, 2);
        const ShtPlan plan = planOf(at, job);
        const int mmax = plan.parameters().mmax;
        const auto count = static_cast<size_t>(spin == 0 ? fields : 2 * fields);
        const std::vector<Alm> a = randomAlms(count, mmax, spin);
        const int64_t samples = at.grid.sampleCount();
        const Maps x(count, samples, 5);
        Maps synthesis(count, samples), analysisAdjoint(count, samples);
        std::vector<Alm> adjoint(count, Alm(kLmax, mmax)), analysis(count, Alm(kLmax, mmax));
        if (spin == 0) {
            plan.synthesis(a, synthesis.views, job);
            plan.analysis(x.constViews, analysis, job);
        } else {
            plan.synthesisSpin(spin, a, synthesis.views, job);
            plan.analysisSpin(spin, x.constViews, analysis, job);
        }
        // Previous content does not matter.
        adjoint[0](kLmax, 0) = 1e3;
        plan.adjointSynthesis(spin, x.constViews, adjoint, job);
        compareProducts(x, synthesis, a, adjoint);
        plan.adjointAnalysis(spin, a, analysisAdjoint.views, job);
        compareProducts(x, analysisAdjoint, a, analysis);
    }

    // A batch of fields equals the individual fields within rounding.
    void spinBatches() {
        JobContext job({}, {}, 2);
        const ShtPlan plan({.nside = 8, .lmax = kLmax, .iterations = 2}, Device{}, job);
        const std::vector<Alm> alm = randomAlms(6, kLmax, 2);
        Maps batch(6, 768), one(2, 768);
        plan.synthesisSpin(2, alm, batch.views, job);
        std::vector<Alm> back(6, Alm(kLmax, kLmax));
        plan.analysisSpin(2, batch.constViews, back, job);
        for (size_t i = 0; i < 6; i += 2) {
            plan.synthesisSpin(2, std::span<const Alm, 2>(&alm[i], 2), one.views[0], one.views[1],
                               job);
            const std::vector<Alm> single =
                plan.analysisSpin(2, one.constViews[0], one.constViews[1], job);
            for (size_t c = 0; c < 2; ++c) {
                QVERIFY(batch.values[i + c] == one.values[c]);
                QVERIFY(back[i + c].values() == single[c].values());
            }
        }
    }

    void gradient_data() {
        QTest::addColumn<Case>("at");
        grids([](const char* name, const Case& at) { QTest::newRow(name) << at; });
    }
    void gradient() {
        QFETCH(const Case, at);
        JobContext job({}, {}, 2);
        const ShtPlan plan = planOf(at, job);
        const int64_t samples = at.grid.sampleCount();
        const std::vector<Alm> a = randomAlms(1, plan.parameters().mmax, 0);
        const Maps x(2, samples, 5);
        Maps map(1, samples), derivatives(2, samples);
        plan.synthesisGradient(a[0], map.views[0], derivatives.views[0], derivatives.views[1], job);
        const std::vector<Alm> adjoint{plan.adjointGradient(x.constViews[0], x.constViews[1], job)};
        compareProducts(x, derivatives, a, adjoint);

        // f = sin(theta) cos(phi), at the poles as well.
        Alm dipole(kLmax, plan.parameters().mmax);
        dipole(1, 1) = -std::sqrt(2.0 * M_PI / 3.0);
        plan.synthesisGradient(dipole, map.views[0], derivatives.views[0], derivatives.views[1],
                               job);
        for (const Ring& ring : at.grid.rings)
            for (int64_t j = 0; j < ring.count; ++j) {
                const auto p = static_cast<size_t>(ring.first + j);
                const double phi = ring.phi0 + 2.0 * M_PI * static_cast<double>(j) /
                                                   static_cast<double>(ring.count);
                // A sum over l <= lmax, each term rounded.
                const double limit = 4.0 * kLmax * 2.2e-16;
                QVERIFY(std::abs(map.values[0][p] - ring.sinTheta * std::cos(phi)) <= limit);
                QVERIFY(std::abs(derivatives.values[0][p] - ring.z * std::cos(phi)) <= limit);
                QVERIFY(std::abs(derivatives.values[1][p] + std::sin(phi)) <= limit);
            }
    }

    void refusals() {
        JobContext job;
        const ShtPlan plan({.nside = 4, .lmax = 8}, Device{}, job);
        std::vector<Alm> alm(3, Alm(8, 8));
        Maps maps(3, 192, 1);
        QVERIFY_EXCEPTION_THROWN(plan.adjointSynthesis(2, maps.constViews, alm, job),
                                 InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan.adjointAnalysis(4, alm, maps.views, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan.synthesisSpin(0, alm, maps.views, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan.analysisSpin(1, maps.constViews, alm, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan.adjointSynthesis(0, {}, {}, job), InvalidArgument);
        alm.pop_back();
        QVERIFY_EXCEPTION_THROWN(plan.adjointSynthesis(0, maps.constViews, alm, job),
                                 InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(ShtAdjointsTest)
#include "tst_sht_adjoints.moc"
