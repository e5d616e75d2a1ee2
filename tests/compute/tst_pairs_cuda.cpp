// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts on CUDA devices compared with the same reference as the CPU, and with the CPU integer
// by integer if the reference takes too long. Without a device the executable skips;
// ARMILLA_REQUIRE_GPU=1 makes its absence a failure. ARMILLA_FEW_PAIRS=1 reduces the sets, for
// compute-sanitizer.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/ops/pairs.h"
#include "support/cuda_guard.h"
#include "support/pair_truth.h"

using namespace armilla;

class TestPairsCuda : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        test::requireCuda();
        devices_ = cudaDevices(CudaListing::WithFreeMemory);
        few_ = qEnvironmentVariableIntValue("ARMILLA_FEW_PAIRS") != 0;
    }

    void randomSets_data() {
        QTest::addColumn<double>("radius");  // deg
        QTest::addColumn<double>("lat");
        QTest::newRow("sphere") << 180.0 << 0.0;
        QTest::newRow("5 deg at the pole") << 5.0 << 90.0;
        QTest::newRow("10 arcsec") << 10.0 / 3600.0 << -60.0;
        QTest::newRow("0.02 arcsec at the pole") << 0.02 / 3600.0 << 89.9999;
    }
    void randomSets() {
        QFETCH(double, radius);
        QFETCH(double, lat);
        const int count = few_ ? 100 : 400;
        const std::vector<SkyPoints> sets{pointsAround(count, 359.9, lat, radius, 1),
                                          pointsAround(count / 2 + 3, 359.9, lat, radius, 2)};
        const double high = std::min(180.0, 2.0 * radius);
        const ExactAngle low = exactAngleOfDegrees(high * 1e-4), top = exactAngleOfDegrees(high);
        isTrue(sets, angularBins(low, top, 23, BinSpacing::Log));
        isTrue(sets, angularBins(exactAngleOfDegrees(0.0), top, 7, BinSpacing::Linear));
        isTrue(sets, angularBins(exactAngleOfDegrees(0.0), top, 1300, BinSpacing::Linear));
    }

    // Hundreds of thousands of pairs on edges; each position ten times.
    void onEdges() {
        SkyPoints grid;
        const int step = few_ ? 30 : 10;
        for (int lat = -90; lat <= 90; lat += step)
            for (int lon = 0; lon < 360; lon += step) {
                grid.lon.push_back(lon);
                grid.lat.push_back(lat);
            }
        isTrue({grid, grid}, angularBins("0deg,180deg,36", BinSpacing::Linear));
        isTrue({grid}, angularBins("10deg,160deg,4", BinSpacing::Log));
        SkyPoints row;
        for (int i = 0; i < 60; ++i) {
            row.lon.push_back(77.7);
            row.lat.push_back(33.3 + i * (0.001 / 3600.0));
        }
        isTrue({row, row}, angularBins("0.001arcsec,0.06arcsec,59", BinSpacing::Linear));
        SkyPoints same;
        for (int i = 0; i < 400; ++i) {
            same.lon.push_back(10.0 + (i % 40 == 0 ? 360.0 : 0.0));
            same.lat.push_back(20.0);
        }
        isTrue({same}, angularBins("0deg,1arcsec,3", BinSpacing::Linear));
        isTrue({same}, angularBins("0.0001arcsec,1arcsec,3", BinSpacing::Log));
    }

    void fewPoints() {
        const SkyPoints none, one{{1.0}, {2.0}, 90.0, 90.0, {}, {}},
            two{{1.0, 6.0}, {2.0, 2.0}, 90.0, 90.0, {}, {}};
        isTrue({none, one}, angularBins("1deg,100deg,2", BinSpacing::Log));
        isTrue({one, two}, angularBins("1deg,100deg,2", BinSpacing::Log));
    }

    // More doubtful pairs than their list holds: 1e6 at one place.
    void manyDoubts() {
        if (few_) QSKIP("small sets only");
        SkyPoints same;
        same.lon.assign(1500, 10.0);
        same.lat.assign(1500, 20.0);
        isAsOnTheCpu({same}, angularBins("0.00001arcsec,0.0001arcsec,3", BinSpacing::Log));
    }

    // So many that their angles are computed in fewer tiles at a time.
    void manyDoubtfulMeans() {
        if (few_) QSKIP("small sets only");
        SkyPoints same;
        same.lon.assign(1100, 10.0);
        same.lat.assign(1100, 20.0);
        const std::vector<SkyPoints> sets{same};
        const AngularBins bins = angularBins("0deg,0.0001arcsec,3", BinSpacing::Linear);
        const std::vector<PairTask> tasks{{0, 0}};
        JobContext job;
        const auto cpu = countPairs(sets, tasks, bins, {Device::cpu(), true}, job);
        const auto cuda = countPairs(sets, tasks, bins, {devices_.front(), true}, job);
        QCOMPARE(cuda.size(), size_t{1});
        QCOMPARE(cuda[0].pairs, cpu[0].pairs);
        QVERIFY(cpu[0].pairs[0] > 0);
        // Coincident points have a separation of zero.
        QVERIFY(std::abs(cuda[0].meanAngle[0]) < 1e-15);
    }

    void manyPoints_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("radius");
        QTest::addColumn<QString>("bins");
        QTest::newRow("sphere") << 30000 << 180.0 << "0.01arcmin,10000arcmin,30";
        QTest::newRow("2 deg") << 20000 << 2.0 << "0.01arcmin,200arcmin,25";
        QTest::newRow("narrow bins") << 40000 << 30.0 << "1arcmin,20arcmin,5";
    }
    void manyPoints() {
        if (few_) QSKIP("small sets only");
        QFETCH(int, count);
        QFETCH(double, radius);
        QFETCH(QString, bins);
        isAsOnTheCpu({pointsAround(count, 0.0, 70.0, radius, 3),
                      pointsAround(count + 777, 0.0, 70.0, radius, 4)},
                     angularBins(bins.toStdString(), BinSpacing::Log));
    }

    // A hundred sets in one call, some empty.
    void manySets() {
        std::vector<SkyPoints> sets;
        std::vector<PairTask> tasks;
        for (int s = 0; s < 100; ++s) {
            sets.push_back(
                pointsAround(s % 7 == 0 ? 0 : 50 + s, 0.0, 0.0, 180.0, static_cast<unsigned>(s)));
            tasks.push_back({s, s});
            tasks.push_back({0, s});
            tasks.push_back({s, 99});
        }
        const AngularBins bins = angularBins("1deg,180deg,5", BinSpacing::Log);
        JobContext job;
        const auto cpu = countPairs(sets, tasks, bins, {}, job);
        const auto cuda = countPairs(sets, tasks, bins, {devices_.front(), false}, job);
        for (size_t t = 0; t < tasks.size(); ++t) QCOMPARE(cuda[t].pairs, cpu[t].pairs);
    }

    void severalDevices() {
        ARMILLA_NEEDS_TWO(devices_);
        Device all = devices_.front();
        for (size_t i = 1; i < devices_.size(); ++i) all.others.push_back(devices_[i].index);
        std::vector<SkyPoints> sets{pointsAround(20000, 0.0, 0.0, 180.0, 1),
                                    pointsAround(30000, 10.0, 20.0, 60.0, 2)};
        for (int i = 0; i < 20000; ++i) sets[0].weight.push_back(1.0 / (1.0 + i));
        const std::vector<PairTask> tasks{{0, 0}, {0, 1}, {1, 1}};
        const AngularBins bins = angularBins("1deg,180deg,5", BinSpacing::Log);
        JobContext job;
        const auto cpu = countPairs(sets, tasks, bins, {}, job),
                   found = countPairs(sets, tasks, bins, {all, false}, job),
                   again = countPairs(sets, tasks, bins, {all, false}, job);
        for (size_t t = 0; t < tasks.size(); ++t) {
            QCOMPARE(found[t].pairs, cpu[t].pairs);
            // Sums do not depend on the device that was free first.
            QVERIFY(found[t].weighted == again[t].weighted);
        }
    }

    // Integers as without weights; sums as in quadruple precision, and reproducible bits. Some
    // weights are negative or 0; one set has none.
    void weights_data() {
        QTest::addColumn<double>("radius");
        QTest::addColumn<int>("bins");
        QTest::newRow("sphere") << 180.0 << 23;
        QTest::newRow("5 deg") << 5.0 << 7;
        QTest::newRow("many bins") << 180.0 << 500;
    }
    void weights() {
        QFETCH(double, radius);
        QFETCH(int, bins);
        const int count = few_ ? 100 : 1500;
        std::vector<SkyPoints> sets;
        for (unsigned s = 0; s < 3; ++s)
            sets.push_back(pointsAround(count + static_cast<int>(17 * s), 0.1, -89.0, radius, s));
        for (int i = 0; i < count; ++i) {
            sets[0].weight.push_back(1.0 + 0.37 * (i % 11) - (i % 5 == 0 ? 3.0 : 0.0));
            // Coincident points, too.
            if (i % 50 == 0 && i > 0) {
                const auto at = static_cast<size_t>(i);
                sets[0].lon[at] = sets[0].lon[at - 1];
                sets[0].lat[at] = sets[0].lat[at - 1];
            }
        }
        for (int64_t i = 0; i < sets[1].size(); ++i)
            sets[1].weight.push_back(1e6 * static_cast<double>(i % 7));
        const double most = std::min(180.0, 2.0 * radius);
        const AngularBins angles = angularBins(exactAngleOfDegrees(0.001 * most),
                                               exactAngleOfDegrees(most), bins, BinSpacing::Linear);
        const std::vector<PairTask> tasks{{0, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 2}};
        JobContext job;
        const auto cpu = countPairs(sets, tasks, angles, {}, job);
        const auto cuda = countPairs(sets, tasks, angles, {devices_.front(), false}, job);
        const auto again = countPairs(sets, tasks, angles, {devices_.front(), false}, job);
        for (size_t t = 0; t < tasks.size(); ++t) {
            QCOMPARE(cuda[t].pairs, cpu[t].pairs);
            QVERIFY(cuda[t].weighted == again[t].weighted);
            // Bins are differences of sums below edges, which are as large as all products; double
            // precision adds a product for each pair, each with a roundoff of the sum.
            double all = 0.0;
            const auto sizeOf = [&](int set) {
                const SkyPoints& points = sets[static_cast<size_t>(set)];
                double sum = points.weight.empty() ? static_cast<double>(points.size()) : 0.0;
                for (const double w : points.weight) sum += std::abs(w);
                return sum;
            };
            all = sizeOf(tasks[t].first) * sizeOf(tasks[t].second);
            // The devices add the same products in another order; the difference is at most machine
            // epsilon times the square root of the number of pairs, relative to the sum of absolute
            // weights.
            for (size_t k = 0; k < cpu[t].weighted.size(); ++k)
                QVERIFY(std::abs(cuda[t].weighted[k] - cpu[t].weighted[k]) <= 1e-13 * all);
        }
    }

    // Means compared with the CPU, which adds in double precision in another order. The limit is
    // the rounding of as many additions as there are pairs in a bin. Points on edges and coincident
    // points are included.
    void means_data() {
        QTest::addColumn<QString>("bins");
        QTest::addColumn<bool>("weighted");
        for (const bool weighted : {false, true}) {
            const char* const name = weighted ? ", weighted" : "";
            QTest::addRow("some%s", name) << "0deg,180deg,18" << weighted;
            QTest::addRow("apart%s", name) << "10deg,60deg,5" << weighted;
            QTest::addRow("many%s", name) << "1deg,179deg,700" << weighted;
            QTest::addRow("small%s", name) << "0.001arcsec,1deg,3" << weighted;
        }
    }
    void means() {
        QFETCH(QString, bins);
        QFETCH(bool, weighted);
        std::vector<SkyPoints> sets{pointsAround(few_ ? 200 : 3000, 0.0, 70.0, 180.0, 3),
                                    pointsAround(few_ ? 50 : 1777, 0.0, 70.0, 180.0, 4)};
        for (int lat = -90; lat <= 90; lat += 10) {
            sets[0].lon.push_back(lat);
            sets[0].lat.push_back(lat);
            sets[1].lon.push_back(lat);
            sets[1].lat.push_back(lat);
        }
        for (size_t i = 0; weighted && i < sets[0].lon.size(); ++i)
            sets[0].weight.push_back(i % 5 == 0 ? 40.0 : 0.3);
        const AngularBins angles = angularBins(bins.toStdString(), BinSpacing::Linear);
        const std::vector<PairTask> tasks{{0, 0}, {0, 1}, {1, 1}};
        JobContext job;
        const auto cpu = countPairs(sets, tasks, angles, {Device::cpu(), true}, job);
        const auto cuda = countPairs(sets, tasks, angles, {devices_.front(), true}, job);
        QCOMPARE(cuda.size(), tasks.size());
        QCOMPARE(cpu.size(), tasks.size());
        for (size_t t = 0; t < tasks.size(); ++t) {
            QCOMPARE(cuda[t].pairs, cpu[t].pairs);
            QCOMPARE(cuda[t].meanAngle.size(), cpu[t].pairs.size());
            QCOMPARE(cpu[t].meanAngle.size(), cpu[t].pairs.size());
            for (size_t k = 0; k < cpu[t].pairs.size(); ++k) {
                const double a = cpu[t].meanAngle[k], b = cuda[t].meanAngle[k];
                // The limit is far above the rounding of the sums and far below the width of a bin.
                QVERIFY(cpu[t].pairs[k] == 0 ? std::isnan(b)
                                             : std::abs(a - b) <= 1e-9 * std::abs(a) + 1e-15);
            }
        }
    }

private:
    std::vector<PairCounts> counted(const std::vector<SkyPoints>& sets, const AngularBins& bins,
                                    const Device& device) {
        JobContext job;
        std::vector<PairTask> tasks{{0, 0}};
        if (sets.size() > 1) tasks = {{0, 0}, {0, 1}, {1, 1}};
        return countPairs(sets, tasks, bins, {device, false}, job);
    }
    void isTrue(const std::vector<SkyPoints>& sets, const AngularBins& bins) {
        std::vector<TruthNumber> edges;
        for (const ExactAngle& edge : bins.edges)
            edges.push_back(TruthNumber(edge.high) + edge.low);
        const auto found = counted(sets, bins, devices_.front());
        for (size_t t = 0; t < found.size(); ++t)
            QCOMPARE(found[t].pairs,
                     truthCounts(sets[t / 2], sets[(t + 1) / 2], t != 1, edges).pairs);
    }
    void isAsOnTheCpu(const std::vector<SkyPoints>& sets, const AngularBins& bins) {
        const auto cpu = counted(sets, bins, Device::cpu());
        const auto cuda = counted(sets, bins, devices_.front());
        for (size_t t = 0; t < cpu.size(); ++t) QCOMPARE(cuda[t].pairs, cpu[t].pairs);
    }

    std::vector<Device> devices_;
    bool few_ = false;
};

QTEST_GUILESS_MAIN(TestPairsCuda)
#include "tst_pairs_cuda.moc"
