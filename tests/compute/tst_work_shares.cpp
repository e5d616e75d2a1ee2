// SPDX-License-Identifier: GPL-3.0-or-later
// Partition of a transform among ranks or devices.
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sht/plan/ring_transform.h"
#include "sht/several/work_shares.h"

using namespace armilla;

class WorkSharesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partitionsAreEven();
    void partitionsGoBySpeed();
    void ringsArePartitionedEvenly_data();
    void ringsArePartitionedEvenly();
};

// Costliest first leaves a difference of one block at most.
void WorkSharesTest::partitionsAreEven() {
    std::vector<double> costs;
    for (int block = 0; block < 129; ++block) costs.push_back(129.0 - block);
    for (const int ranks : {1, 2, 3, 4, 7, 8}) {
        const std::vector<double> equal(static_cast<size_t>(ranks), 1.0);
        const std::vector<int> owners = partitionedBlocks(costs, equal);
        std::vector<double> load(static_cast<size_t>(ranks));
        for (size_t i = 0; i < costs.size(); ++i) load[static_cast<size_t>(owners[i])] += costs[i];
        const auto [least, most] = std::minmax_element(load.begin(), load.end());
        QVERIFY(*most - *least <= 129.0);
    }
}

// By speeds: a worker that is three times as fast as two others gets three of five parts.
void WorkSharesTest::partitionsGoBySpeed() {
    std::vector<double> costs;
    for (int block = 0; block < 200; ++block) costs.push_back(200.0 - block);
    const std::array speeds{1.0, 3.0, 1.0};
    const std::vector<int> owners = partitionedBlocks(costs, speeds);
    std::array<double, 3> orders{};
    for (size_t i = 0; i < costs.size(); ++i) orders[static_cast<size_t>(owners[i])] += costs[i];
    PairCosts rings;
    rings.ofUnits.assign(1000, 1.0);
    rings.pairs = 1000;
    rings.belt = 300;
    const std::vector<RingRuns> partitioned = partitionedPairs(rings, speeds);
    constexpr double kAll = 200.0 * 201.0 / 2.0;
    for (size_t i = 0; i < speeds.size(); ++i) {
        const double part = speeds[i] / 5.0;
        QVERIFY(std::abs(orders[i] - part * kAll) <= 200.0);
        QVERIFY(std::abs(partitioned[i].count() - part * 1000.0) <= 2.0);
        QVERIFY(std::abs(partitioned[i].before(300) - part * 300.0) <= 1.0);
    }
}

// Each worker has its part of the FFTs of nside 8192, of caps and of belt. The tolerance is half a
// unit on either side: a pair of rings on the CPU, a tile of 64 on devices that interpolate.
//
// The same holds for the map. On devices a worker may have, in addition, rings with short and cheap
// convolutions: half of the caps' rings, a twelfth of all samples.
void WorkSharesTest::ringsArePartitionedEvenly_data() {
    QTest::addColumn<bool>("devices");
    QTest::newRow("CPUs") << false;
    QTest::newRow("devices") << true;
}
void WorkSharesTest::ringsArePartitionedEvenly() {
    QFETCH(bool, devices);
    constexpr int kNside = 8192, kLmax = 2 * kNside;
    const RingGrid grid = RingGrid::healpix(kNside);
    const std::vector<std::pair<int, int>> rings = mirroredPairs(grid);
    std::vector<int> modes;
    for (const auto& pair : RingTransform::pairsOf(grid, kLmax, kLmax)) modes.push_back(pair.modes);
    const PairCosts costs =
        pairCosts(grid, rings, modes, devices ? RingsOn::Devices : RingsOn::Cpus, devices ? 64 : 1);
    QCOMPARE(costs.belt, devices ? kNside / 64 : kNside - 1);
    const RingRange allCaps{0, costs.belt * costs.unit}, allPairs{0, 2 * kNside};
    const RingRuns caps({&allCaps, 1}), all({&allPairs, 1});
    // Caps hold a third of the samples and cost more than the belt, on devices by far.
    QVERIFY(costs.of(caps) > (devices ? 0.7 : 0.4) * costs.of(all));
    const auto begin = costs.ofUnits.begin();
    const double dearest = *std::max_element(begin, begin + costs.belt),
                 dearestOfBelt = *std::max_element(begin + costs.belt, costs.ofUnits.end());
    QVERIFY(dearest < (devices ? 1.0 / 60.0 : 1.0 / 3000.0) * costs.of(caps));
    for (int count = 1; count <= 8; ++count) {
        const std::vector<double> equal(static_cast<size_t>(count), 1.0);
        const std::vector<RingRuns> partitioned = partitionedPairs(costs, equal);
        const PairPlaces places(partitioned);
        QCOMPARE(places.owner.size(), rings.size());
        double most = 0.0, mostSamples = 0.0, mostOfCaps = 0.0;
        for (const RingRuns& own : partitioned) {
            QVERIFY(std::distance(own.begin(), own.end()) <= 2);
            const RingRuns ofCaps = own.part({0, own.before(allCaps.end)});
            most = std::max(most, costs.of(own));
            mostOfCaps = std::max(mostOfCaps, costs.of(ofCaps));
            mostSamples = std::max(
                mostSamples, static_cast<double>(ringWindow(grid, rings, own).grid.sampleCount()));
        }
        const double mean = 1.0 / count;
        QVERIFY2(most < mean * costs.of(all) + dearest + dearestOfBelt,
                 qPrintable(QString::number(most / costs.of(all) * count)));
        QVERIFY2(mostOfCaps < mean * costs.of(caps) + dearest,
                 qPrintable(QString::number(mostOfCaps / costs.of(caps) * count)));
        QVERIFY2(mostSamples < (devices ? mean + 1.0 / 12.0 : 1.1 * mean) *
                                   static_cast<double>(grid.sampleCount()),
                 qPrintable(QString::number(mostSamples / static_cast<double>(grid.sampleCount()) *
                                            count)));
    }
    // Rings of one length have no caps, and each worker a single run of rings.
    const RingGrid rows = RingGrid::gaussLegendre(61, 125);
    const std::vector<int> few(31, 61);
    const PairCosts ofRows = pairCosts(rows, mirroredPairs(rows), few, RingsOn::Cpus);
    QCOMPARE(ofRows.belt, 0);
    const std::array equal{1.0, 1.0, 1.0};
    for (const RingRuns& own : partitionedPairs(ofRows, equal)) {
        QCOMPARE(std::distance(own.begin(), own.end()), 1);
        QVERIFY(std::abs(own.count() - 31.0 / 3.0) <= 1.0);
    }
}

QTEST_APPLESS_MAIN(WorkSharesTest)
#include "tst_work_shares.moc"
