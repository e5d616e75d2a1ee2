// SPDX-License-Identifier: GPL-3.0-or-later
// Analysis of complete equidistant rows by resampling along meridians: coefficients of synthesized
// fields, and integrals in closed form.
#include <QtTest>

#include <cmath>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/meridian_rows.h"
#include "armilla/ops/sht.h"

using namespace armilla;

namespace {

RingRows wholeRows(bool hasPoles, int64_t rows, int64_t columns) {
    RingRows whole;
    whole.rows = whole.count = rows;
    whole.columns = columns;
    whole.hasPoles = hasPoles;
    return whole;
}

ShtPlan planOn(const RingGrid& grid, int lmax, JobContext& job) {
    ShtParameters parameters;
    parameters.lmax = lmax;
    return {grid, parameters, Device::cpu(), job};
}

}  // namespace

class tst_meridian_rows : public QObject {
    Q_OBJECT

    JobContext job_;

private slots:
    void everyDegreeOfTheRows_data() {
        QTest::addColumn<bool>("hasPoles");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("poles") << true << 34 << 66;
        QTest::newRow("no poles") << false << 33 << 70;
        QTest::newRow("few columns") << true << 40 << 42;
        QTest::newRow("three rows") << true << 3 << 4;
        QTest::newRow("two rows") << false << 2 << 4;
    }
    // Spins 0 to 3 up to the largest lmax. Rounding: an analysis and a synthesis of lmax epsilon
    // each, 1e-14 at lmax 32, in a worst coefficient of 600.
    void everyDegreeOfTheRows() {
        QFETCH(bool, hasPoles);
        QFETCH(int, rows);
        QFETCH(int, columns);
        const RingRows whole = wholeRows(hasPoles, rows, columns);
        const auto lmax = static_cast<int>(MeridianRows::mostLmax(whole));
        RingGrid grid = whole.grid();
        for (Ring& ring : grid.rings) ring.phi0 = 0.3;
        const ShtPlan synthesis = planOn(grid, lmax, job_);
        const MeridianRows meridians(whole, lmax, 0.3, job_);
        const ShtPlan analysis = planOn(meridians.grid(), lmax, job_);
        for (int spin = 0; spin <= std::min(lmax, kMaxSpin); ++spin) {
            std::vector<Alm> before;
            std::vector<std::vector<double>> samples;
            std::vector<MapSamples> maps;
            for (int i = 0; i < (spin > 0 ? 2 : 1); ++i) {
                before.emplace_back(lmax, lmax);
                for (int m = 0; m <= lmax; ++m)
                    for (int l = std::max(m, spin); l <= lmax; ++l)
                        before.back()(l, m) = {std::cos(l + 2 * m + i),
                                               m > 0 ? std::sin(3 * l - m + i) : 0.0};
                samples.emplace_back(static_cast<size_t>(grid.sampleCount()));
            }
            for (auto& each : samples) maps.emplace_back(std::span<double>(each));
            std::vector<ConstMapSamples> resampled;
            std::vector<Alm> after;
            for (size_t i = 0; i < before.size(); ++i) after.emplace_back(lmax, lmax);
            if (spin > 0)
                synthesis.synthesisSpin(spin, before, maps, job_);
            else
                synthesis.synthesis(before, maps, job_);
            for (auto& each : samples) {
                each = meridians.resample(spin, each, job_);
                resampled.emplace_back(std::span<const double>(each));
            }
            if (spin > 0)
                analysis.analysisSpin(spin, resampled, after, job_);
            else
                analysis.analysis(resampled, after, job_);
            for (size_t i = 0; i < before.size(); ++i)
                for (int m = 0; m <= lmax; ++m)
                    for (int l = std::max(m, spin); l <= lmax; ++l)
                        // 1e-14 in the rms, times 100 for the worst of 600.
                        QVERIFY(std::abs(after[i](l, m) - before[i](l, m)) < 1e-12);
        }
    }

    // cos(k theta) of any degree that the rows hold, at every lmax: a_00 is sqrt(pi) times the
    // integral of cos(k theta) sin(theta), 2 / (1 - k^2) for even k. A constant has no other a_lm.
    void integralsInClosedForm() {
        for (const bool hasPoles : {true, false}) {
            const RingRows whole = wholeRows(hasPoles, 21, 44);
            const RingGrid grid = whole.grid();
            for (const int lmax : {0, 5, 19})
                for (int k = 0; k <= 20; k += 2) {
                    std::vector<double> samples;
                    for (const Ring& ring : grid.rings)
                        samples.insert(samples.end(), 44, std::cos(k * std::acos(ring.z)));
                    const MeridianRows meridians(whole, lmax, 0.0, job_);
                    samples = meridians.resample(0, samples, job_);
                    const Alm alm = planOn(meridians.grid(), lmax, job_)
                                        .analysis(std::span<const double>(samples), job_);
                    const double expected = 2.0 * std::sqrt(kPi) / (1.0 - k * k);
                    // Rounding of FFTs of 44 and 88 values of at most 1 times 4 pi.
                    QVERIFY(std::abs(alm(0, 0) - expected) < 1e-13);
                    for (int l = 1; k == 0 && l <= lmax; ++l) QVERIFY(std::abs(alm(l, 0)) < 1e-13);
                }
        }
    }

    void refusesWhatTheRowsDoNotHold() {
        const RingRows whole = wholeRows(true, 21, 30);
        QCOMPARE(MeridianRows::mostLmax(whole), int64_t{14});
        QCOMPARE(MeridianRows::mostLmax(wholeRows(true, 21, 60)), int64_t{19});
        QCOMPARE(MeridianRows::mostLmax(wholeRows(false, 21, 60)), int64_t{20});
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, MeridianRows(whole, 15, 0.0, job_));
        const MeridianRows meridians(whole, 14, 0.0, job_);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 (void)meridians.resample(0, std::vector<double>(7), job_));
    }
};

QTEST_GUILESS_MAIN(tst_meridian_rows)
#include "tst_meridian_rows.moc"
