// SPDX-License-Identifier: GPL-3.0-or-later
// The coefficients that a smoothing plan keeps: which requests share them.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "convolve/harmonic/kept_analyses.h"

using namespace armilla;

class KeptAnalysesTest : public QObject {
    Q_OBJECT

private slots:
    void onlyServedRequestsShare();
    void aNarrowerKernelTakesTheFullBand();
    void coarseGridsHaveTheirOwn();

private:
    static constexpr int64_t kNside = 16;
    static constexpr int kWhole = 47;  // 3 nside - 1

    static AnalysisKey keyOf(int lmax, int iterations = 0) {
        return {kNside, lmax, iterations, Weights::Ring, false};
    }
    static SmoothInput input() {
        std::vector<double> values(static_cast<size_t>(12 * kNside * kNside));
        for (size_t p = 0; p < values.size(); ++p) values[p] = std::sin(0.01 * double(p));
        values[5] = NAN;
        std::vector<Field> fields{{"T", "K", DiskType::Float64, std::move(values)}};
        return {std::make_shared<HealpixMap>(kNside, Ordering::Ring, Frame::Galactic,
                                             std::move(fields)),
                {0},
                Device::cpu()};
    }
    JobContext job_;
};

void KeptAnalysesTest::onlyServedRequestsShare() {
    SmoothInput sky = input();
    KeptAnalyses kept(sky);
    QCOMPARE(kept.found(keyOf(20), Masked::Ignore), nullptr);
    const Analysis* made = &kept.whole(keyOf(20), kWhole, Masked::Ignore, job_);
    QCOMPARE(made->key.lmax, 20);
    QCOMPARE(kept.found(keyOf(10), Masked::Ignore), made);        // a wider kernel
    QCOMPARE(kept.found(keyOf(21), Masked::Ignore), nullptr);     // beyond the band
    QCOMPARE(kept.found(keyOf(20, 1), Masked::Ignore), nullptr);  // other iterations
    QCOMPARE(kept.found(keyOf(20), Masked::Normalize), nullptr);  // no mask was analyzed
    kept.whole(keyOf(20), kWhole, Masked::Normalize, job_);
    QVERIFY(kept.found(keyOf(20), Masked::Ignore) != nullptr);
}

void KeptAnalysesTest::aNarrowerKernelTakesTheFullBand() {
    SmoothInput sky = input();
    KeptAnalyses kept(sky);
    kept.whole(keyOf(20), kWhole, Masked::Ignore, job_);
    QCOMPARE(kept.whole(keyOf(30), kWhole, Masked::Ignore, job_).key.lmax, kWhole);
    // With iterations the band changes the result.
    QCOMPARE(kept.whole(keyOf(30, 1), kWhole, Masked::Ignore, job_).key.lmax, 30);
}

void KeptAnalysesTest::coarseGridsHaveTheirOwn() {
    SmoothInput sky = input();
    KeptAnalyses kept(sky);
    kept.whole(keyOf(20), kWhole, Masked::Ignore, job_);
    // 16 bytes for each of the (lmax + 1) (lmax + 2) / 2 coefficients.
    QCOMPARE(kept.memoryBytes(), int64_t{16 * 21 * 22 / 2});
    AnalysisKey coarse = keyOf(8);
    coarse.nside = 4;
    const CoarseAnalysis& made = kept.coarse(coarse, Masked::Ignore, job_);
    // Pixel 5 of RING is bad: one of the 16 children of a coarse pixel.
    QCOMPARE(std::count(made.good[0].begin(), made.good[0].end(), 15.0F / 16.0F), 1);
    QCOMPARE(std::count(made.good[0].begin(), made.good[0].end(), 1.0F), 191);
    QVERIFY(kept.found(keyOf(20), Masked::Ignore) != nullptr);
    QCOMPARE(&kept.coarse(coarse, Masked::Ignore, job_), &made);
    QCOMPARE(kept.memoryBytes(), int64_t{16 * 21 * 22 / 2 + 16 * 9 * 10 / 2 + 4 * 192});
}

QTEST_APPLESS_MAIN(KeptAnalysesTest)
#include "tst_kept_analyses.moc"
