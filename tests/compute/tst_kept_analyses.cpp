// SPDX-License-Identifier: GPL-3.0-or-later
// The coefficients that a smoothing plan keeps: which requests share them.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "convolve/harmonic/kept_analyses.h"
#include "support/less_memory.h"

using namespace armilla;

class KeptAnalysesTest : public QObject {
    Q_OBJECT

private slots:
    void onlyServedRequestsShare();
    void aNarrowerKernelTakesTheFullBand();
    void coarseGridsHaveTheirOwn();
    void wholeFieldsLackTheirMean_data();
    void wholeFieldsLackTheirMean();
    void otherFieldsAreNotWhole();
    void arraysAreHandedOn();
    void sparesCountOnce();

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

void KeptAnalysesTest::wholeFieldsLackTheirMean_data() {
    QTest::addColumn<bool>("single");
    QTest::addColumn<bool>("isOwn");
    QTest::newRow("single") << true << false;
    QTest::newRow("double") << false << false;
    QTest::newRow("single, used up") << true << true;
    QTest::newRow("double, used up") << false << true;
}

void KeptAnalysesTest::wholeFieldsLackTheirMean() {
    QFETCH(bool, single);
    QFETCH(bool, isOwn);
    // 172,800 pixels: three ranges of a loop.
    constexpr int64_t nside = 120;
    std::vector<float> samples(static_cast<size_t>(12 * nside * nside));
    for (size_t p = 0; p < samples.size(); ++p)
        samples[p] = static_cast<float>(2.725 + 1e-4 * std::sin(0.37 * double(p)));
    long double sum = 0.0L, square = 0.0L;
    for (const float sample : samples) sum += sample;
    const long double mean = sum / static_cast<long double>(samples.size());
    for (const float sample : samples) square += (sample - mean) * (sample - mean);
    square /= static_cast<long double>(samples.size());
    Field field{"T", "K", DiskType::Float32, samples};
    if (!single) {
        field.diskType = DiskType::Float64;
        field.values = std::vector<double>(samples.begin(), samples.end());
    }
    HealpixMap map(nside, Ordering::Ring, Frame::Galactic, {field});
    SpareArrays arrays(false);
    const std::optional<WholeField> less =
        wholeField(map, 0, AboutMean::Yes, isOwn ? &map : nullptr, arrays, job_);
    QVERIFY(less.has_value());
    QCOMPARE(map.field(0).size(), isOwn ? 0 : std::ssize(samples));
    // The mean is rounded to double: half an ulp of 2.725 is 2.2e-16, and sums of a ring add some.
    QVERIFY(std::abs(less->mean.back - double(mean)) < 1e-14);
    // The error of the mean enters in second order.
    QVERIFY(std::abs(less->meanSquare - double(square)) < 1e-12 * double(square));
    for (size_t p = 0; p < samples.size(); ++p)
        QCOMPARE(less->values[p], double(samples[p]) - less->mean.back);
    if (isOwn) return;
    const std::optional<WholeField> with = wholeField(map, 0, AboutMean::No, nullptr, arrays, job_);
    QVERIFY(with && with->mean.back == 0.0 && with->values[17] == double(samples[17]));
}

// Fields that need another preparation: bad pixels, another order, squares that overflow or vanish.
void KeptAnalysesTest::otherFieldsAreNotWhole() {
    SpareArrays arrays(false);
    const auto isWhole = [&](Ordering ordering, double scale, double first) {
        std::vector<double> values(static_cast<size_t>(12 * kNside * kNside));
        for (size_t p = 0; p < values.size(); ++p) values[p] = scale * std::cos(double(p));
        values[0] = first;
        HealpixMap map(kNside, ordering, Frame::Galactic,
                       {{"T", "K", DiskType::Float64, std::move(values)}});
        const bool found = wholeField(map, 0, AboutMean::Yes, &map, arrays, job_).has_value();
        // A refused field keeps its samples.
        return found == (map.field(0).size() == 0) && found;
    };
    QVERIFY(isWhole(Ordering::Ring, 1.0, 1.0));
    QVERIFY(isWhole(Ordering::Ring, 1e80, 1.0));
    QVERIFY(!isWhole(Ordering::Nested, 1.0, 1.0));
    QVERIFY(!isWhole(Ordering::Ring, 1.0, NAN));
    QVERIFY(!isWhole(Ordering::Ring, 1.0, INFINITY));
    QVERIFY(!isWhole(Ordering::Ring, 1.0, 1e101));  // its square overflows in a spectrum
    QVERIFY(!isWhole(Ordering::Ring, 1e200, 1e200));
    QVERIFY(!isWhole(Ordering::Ring, 1e-120, 1e-120));
    QVERIFY(!isWhole(Ordering::Ring, 0.0, 0.0));
}

void KeptAnalysesTest::arraysAreHandedOn() {
    SpareArrays arrays(true);
    std::vector<double> map = arrays.take(100, job_);
    const double* const at = map.data();
    arrays.put(std::move(map));
    QCOMPARE(arrays.take(100, job_).data(), at);
    QCOMPARE(arrays.take(50, job_).size(), size_t{50});
    Alm alm = arrays.takeAlm(20, 20, job_);
    const auto* const coefficients = alm.values().data();
    arrays.put(std::move(alm));
    alm = arrays.takeAlm(20, 20, job_);
    QCOMPARE(alm.values().data(), coefficients);
    arrays.put(std::move(alm));
    // Coefficients of another form have other memory.
    alm = arrays.takeAlm(20, 10, job_);
    QCOMPARE(std::ssize(alm.values()), Alm::count(20, 10));
}

// Memory that is held for the next map is not asked for again. On the CPU none is held.
void KeptAnalysesTest::sparesCountOnce() {
    Device device = Device::cpu();
    QVERIFY(!KeptTransforms(device, true).arrays.keeps());
    device.kind = DeviceKind::Cuda;
    QVERIFY(KeptTransforms(device, true).arrays.keeps());
    constexpr int64_t nside = 1024, pixels = 12 * nside * nside;
    SmoothInput sky(std::make_shared<HealpixMap>(
                        nside, Ordering::Ring, Frame::Galactic,
                        std::vector<Field>{{"T", "K", DiskType::Float32,
                                            std::vector<float>(size_t(pixels), 1.0F)}}),
                    {0}, Device::cpu());
    const auto transforms = std::make_shared<KeptTransforms>(Device::cpu());
    transforms->arrays = SpareArrays(true);
    transforms->arrays.put(std::vector<double>(size_t(pixels)));
    QCOMPARE(transforms->arrays.heldBytes(), 8 * pixels);
    KeptAnalyses kept(sky, transforms);
    JobContext job({}, {}, 1);
    // Less than the 101 MB of the values.
    const test::LessMemory less(95'000'000);
    const Analysis& made =
        kept.whole({nside, 16, 0, Weights::None, false}, 3 * int(nside) - 1, Masked::Ignore, job);
    QCOMPARE(made.key.lmax, 16);
}

QTEST_APPLESS_MAIN(KeptAnalysesTest)
#include "tst_kept_analyses.moc"
