// SPDX-License-Identifier: GPL-3.0-or-later
// The Legendre sums of the CPU transforms: compared with HEALPix C++ for every spin, with every
// available instruction set, on grids without symmetry, and at high degree.
#include <alm.h>
#include <alm_healpix_tools.h>
#include <healpix_map.h>
#include <hwy/highway.h>

#include <QtTest>
#include <numeric>

#include "sht/plan/ring_transform.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using HpxAlm = ::Alm<std::complex<double>>;

HpxAlm toHealpix(const armilla::Alm& alm) {
    HpxAlm result(alm.lmax(), alm.mmax());
    for (int m = 0; m <= alm.mmax(); ++m)
        for (int l = m; l <= alm.lmax(); ++l) result(l, m) = alm(l, m);
    return result;
}

// Maps and coefficients of a synthesis and of an adjoint: one of each for spin 0, else two.
struct Results {
    std::vector<std::vector<double>> maps;
    std::vector<armilla::Alm> alms;
};
Results bothWays(RingTransform& transform, int spin, const std::vector<armilla::Alm>& alm,
                 const std::vector<std::vector<double>>& maps) {
    JobContext job;
    const auto samples = static_cast<size_t>(transform.grid().sampleCount());
    const std::vector<double> ones(transform.grid().rings.size(), 1.0);
    Results results{{std::vector<double>(samples)}, {{alm[0].lmax(), alm[0].mmax()}}};
    if (spin == 0) {
        transform.synthesis(alm[0], results.maps[0], job);
        transform.adjoint(maps[0], ones, results.alms[0], job);
        return results;
    }
    results.maps.emplace_back(samples);
    results.alms.emplace_back(alm[0].lmax(), alm[0].mmax());
    transform.synthesisSpin(spin, alm[0], alm[1], results.maps[0], results.maps[1], job);
    transform.adjointSpin(spin, maps[0], maps[1], ones, results.alms[0], results.alms[1], job);
    return results;
}

// Restores the choice of the instruction set.
struct InstructionSets {
    static void choose(int64_t targets) {
        hwy::SetSupportedTargetsForTest(targets);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    ~InstructionSets() { choose(0); }
};

}  // namespace

class LegendreTest : public QObject {
    Q_OBJECT
private slots:
    void spins_data() {
        QTest::addColumn<int>("spin");
        for (int spin = 1; spin <= 3; ++spin) QTest::addRow("spin %d", spin) << spin;
    }
    // Polar caps and the rings between use two methods: nside is large enough for both.
    void spins() {
        QFETCH(int, spin);
        constexpr int nside = 128, lmax = 300;
        const std::vector<armilla::Alm> alm{whiteAlm(lmax, lmax, spin, 1),
                                            whiteAlm(lmax, lmax, spin, 2)};
        const std::vector<std::vector<double>> maps{whiteMap(nside, 3), whiteMap(nside, 4)};
        Healpix_Map<double> q(nside, RING, SET_NSIDE), u(nside, RING, SET_NSIDE);
        alm2map_spin(toHealpix(alm[0]), toHealpix(alm[1]), q, u, spin);
        JobContext job;
        for (const LatitudeSums sums : {LatitudeSums::WherePays, LatitudeSums::AtRings}) {
            RingTransform transform(RingGrid::healpix(nside), lmax, lmax, job, sums);
            const Results results = bothWays(transform, spin, alm, maps);
            // HEALPix's own error is of the order of lmax epsilon.
            ARMILLA_VERIFY_BELOW(
                relativeError(results.maps[0], std::vector<double>(&q[0], &q[0] + q.Npix())),
                2e-16 * lmax);
            ARMILLA_VERIFY_BELOW(
                relativeError(results.maps[1], std::vector<double>(&u[0], &u[0] + u.Npix())),
                2e-16 * lmax);
        }
    }

    void instructionSets_data() {
        QTest::addColumn<int>("spin");
        for (const int spin : {0, 2}) QTest::addRow("spin %d", spin) << spin;
    }
    // The instruction sets differ in the order of sums over rings, and in fused multiply-adds.
    void instructionSets() {
        QFETCH(int, spin);
        constexpr int nside = 128, lmax = 256;
        const std::vector<armilla::Alm> alm{whiteAlm(lmax, lmax, spin, 5),
                                            whiteAlm(lmax, lmax, spin, 6)};
        const std::vector<std::vector<double>> maps{whiteMap(nside, 7), whiteMap(nside, 8)};
        const InstructionSets restored;
        std::vector<Results> results;
        std::vector<std::string> names;
        for (int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
            InstructionSets::choose(targets & -targets);
            if (std::find(names.begin(), names.end(), simdName()) != names.end()) continue;
            names.emplace_back(simdName());
            JobContext job;
            RingTransform transform(RingGrid::healpix(nside), lmax, lmax, job);
            results.push_back(bothWays(transform, spin, alm, maps));
            for (size_t i = 0; i < results[0].maps.size(); ++i) {
                ARMILLA_VERIFY_BELOW(relativeError(results.back().maps[i], results[0].maps[i]),
                                     2.0 * roundingLimit(lmax));
                ARMILLA_VERIFY_BELOW(
                    relativeError(results.back().alms[i].values(), results[0].alms[i].values()),
                    2.0 * roundingLimit(lmax));
            }
        }
#if HWY_ARCH_X86
        QVERIFY(names.size() > 1);
#endif
    }

    void ringsWithoutMirrorImage_data() {
        instructionSets_data();
    }
    // The northern rings and every third southern ring. A synthesis gives the same rings of the
    // full map; an analysis equals that of the full map with zeros elsewhere.
    void ringsWithoutMirrorImage() {
        QFETCH(int, spin);
        constexpr int nside = 48, lmax = 110;
        const RingGrid whole = RingGrid::healpix(nside);
        RingGrid part;
        std::vector<int64_t> kept;
        for (size_t i = 0; i < whole.rings.size(); ++i) {
            if (whole.rings[i].z < 0.0 && i % 3 != 0) continue;
            Ring ring = whole.rings[i];
            for (int64_t j = 0; j < ring.count; ++j) kept.push_back(ring.first + j);
            ring.first = part.sampleCount();
            part.rings.push_back(ring);
        }
        const std::vector<armilla::Alm> alm{whiteAlm(lmax, lmax, spin, 9),
                                            whiteAlm(lmax, lmax, spin, 10)};
        const auto restricted = [&](const std::vector<double>& map) {
            std::vector<double> result;
            for (const int64_t p : kept) result.push_back(map[static_cast<size_t>(p)]);
            return result;
        };
        std::vector<std::vector<double>> maps, zeroed;
        for (const int seed : {11, 12}) {
            maps.push_back(restricted(whiteMap(nside, static_cast<unsigned>(seed))));
            zeroed.emplace_back(static_cast<size_t>(whole.sampleCount()));
            for (size_t i = 0; i < kept.size(); ++i)
                zeroed.back()[static_cast<size_t>(kept[i])] = maps.back()[i];
        }
        JobContext job;
        RingTransform onWhole(whole, lmax, lmax, job), onPart(part, lmax, lmax, job);
        const Results truth = bothWays(onWhole, spin, alm, zeroed);
        const Results found = bothWays(onPart, spin, alm, maps);
        for (size_t i = 0; i < found.maps.size(); ++i) {
            ARMILLA_VERIFY_BELOW(relativeError(found.maps[i], restricted(truth.maps[i])),
                                 2.0 * roundingLimit(lmax));
            ARMILLA_VERIFY_BELOW(relativeError(found.alms[i].values(), truth.alms[i].values()),
                                 2.0 * roundingLimit(lmax));
        }
    }

    // m = 0 shows the errors of the recurrence undiluted. Near the poles and the equator, its steps
    // rotate by little or by almost pi. These rings lose as many digits as they have steps.
    void zonalMapsAtHighDegree() {
        constexpr int nside = 64, lmax = 4096;
        JobContext job;
        RingTransform transform(RingGrid::healpix(nside), lmax, 0, job);
        const armilla::Alm alm = whiteAlm(lmax, 0, 0, 13);
        std::vector<double> map(12 * nside * nside), found, truth;
        transform.synthesis(alm, map, job);
        for (const Ring& ring : transform.grid().rings) {
            const LongDirection at = pixelDirection(nside, ring.first);
            const std::vector<Real> functions = lambda(lmax, 0, at.cosine, at.sine);
            Real sum = 0.0L;
            for (int l = 0; l <= lmax; ++l)
                sum += alm(l, 0).real() * functions[static_cast<size_t>(l)];
            truth.push_back(static_cast<double>(sum));
            found.push_back(map[static_cast<size_t>(ring.first)]);
        }
        // Errors of about nine machine epsilons in each of lmax steps.
        ARMILLA_VERIFY_BELOW(relativeError(found, truth), 2e-15 * lmax);
    }
};

QTEST_APPLESS_MAIN(LegendreTest)
#include "tst_legendre.moc"
