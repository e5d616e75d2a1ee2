// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "sht/plan/ring_transform.h"
#include "sht/plan/ring_windows.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

Q_DECLARE_METATYPE(RingGrid)

class RingWindowsTest : public QObject {
    Q_OBJECT
private slots:
    void windows_data() {
        QTest::addColumn<RingGrid>("grid");
        QTest::addColumn<int>("count");
        RingGrid northern = RingGrid::fejer(12, 9);
        northern.rings.resize(7);
        for (const int count : {1, 2, 3, 7, 1000}) {
            QTest::addRow("healpix, %d", count) << RingGrid::healpix(6) << count;
            QTest::addRow("no ring at the equator, %d", count) << RingGrid::fejer(10, 7) << count;
            QTest::addRow("poles, %d", count) << RingGrid::clenshawCurtis(11, 8) << count;
            QTest::addRow("not symmetric, %d", count) << northern << count;
        }
    }
    // Each ring is in one window, with its own samples.
    void windows() {
        QFETCH(RingGrid, grid);
        QFETCH(int, count);
        const std::vector<RingWindow> windows = ringWindows(grid, northernHalf(grid), count);
        QVERIFY(!windows.empty() && windows.size() <= static_cast<size_t>(count));
        std::vector<int> seen(grid.rings.size());
        int64_t largest = 0, longest = 0;
        for (const Ring& ring : grid.rings) longest = std::max(longest, ring.count);
        for (const RingWindow& window : windows) {
            QCOMPARE(window.rings.size(), window.grid.rings.size());
            int64_t samples = 0;
            for (size_t i = 0; i < window.rings.size(); ++i) {
                const Ring& part = window.grid.rings[i];
                const Ring& whole = grid.rings[static_cast<size_t>(window.rings[i])];
                ++seen[static_cast<size_t>(window.rings[i])];
                QVERIFY(part.z == whole.z && part.count == whole.count);
                size_t run = 0;
                int64_t inRun = part.first;
                while (inRun >= window.runs[run].count) inRun -= window.runs[run++].count;
                QCOMPARE(window.runs[run].first + inRun, whole.first);
            }
            for (const SampleRun& run : window.runs) samples += run.count;
            QVERIFY(window.runs.size() <= 2);
            QCOMPARE(window.grid.sampleCount(), samples);
            largest = std::max(largest, samples);
        }
        QVERIFY(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
        // A window ends with the pair of rings that fills it.
        QVERIFY(largest <= grid.sampleCount() / count + 2 * longest + 1);
    }
    void shares_data() {
        QTest::addColumn<std::vector<double>>("shares");
        QTest::newRow("one") << std::vector{2.0};
        QTest::newRow("equal") << std::vector{1.0, 1.0, 1.0};
        QTest::newRow("different") << std::vector{3.0, 1.0, 6.0};
        QTest::newRow("more than rings") << std::vector<double>(100, 1.0);
    }
    // Consecutive, and each ends within half the cost of a ring of its ideal end.
    void shares() {
        QFETCH(std::vector<double>, shares);
        const RingRange whole{3, 60};
        const auto cost = [](int ring) { return 1.0 + ring % 7; };
        double all = 0.0, sum = 0.0, passed = 0.0, goal = 0.0;
        for (int ring = whole.begin; ring < whole.end; ++ring) all += cost(ring);
        for (const double share : shares) sum += share;
        const std::vector<RingRange> ranges = dividedRings(whole, shares, cost);
        QVERIFY(!ranges.empty() && ranges.size() <= shares.size());
        int next = whole.begin;
        for (size_t i = 0; i < ranges.size(); ++i) {
            QCOMPARE(ranges[i].begin, next);
            QVERIFY(ranges[i].end > ranges[i].begin);
            next = ranges[i].end;
            for (int ring = ranges[i].begin; ring < next; ++ring) passed += cost(ring);
            goal += all * shares[i] / sum;
            if (shares.size() < 10) QVERIFY(std::abs(passed - goal) <= 3.5 + 1e-9);
        }
        QCOMPARE(next, whole.end);
    }
    // Numbers and their positions, in both directions.
    void runs() {
        const std::vector<RingRange> ranges{{3, 7}, {7, 9}, {12, 12}, {20, 22}};
        const RingRuns runs(ranges);
        std::vector<int> numbers, expected{3, 4, 5, 6, 7, 8, 20, 21};
        for (int place = 0; place < runs.count(); ++place) {
            numbers.push_back(runs.at(place));
            QCOMPARE(runs.before(runs.at(place)), place);
        }
        QCOMPARE(numbers, expected);
        QCOMPARE(std::distance(runs.begin(), runs.end()), 2);
        QCOMPARE(runs.before(0), 0);
        QCOMPARE(runs.before(12), 6);
        QCOMPARE(runs.before(100), 8);
        QVERIFY(runs.has(8) && !runs.has(9) && !runs.has(2) && runs.has(21) && !runs.has(22));
        // Parts of all sizes, in sequence.
        for (int size = 1; size <= 8; ++size) {
            numbers.clear();
            for (int begin = 0; begin < 8; begin += size) {
                const RingRuns part = runs.part({begin, std::min(8, begin + size)});
                QCOMPARE(part.count(), std::min(8, begin + size) - begin);
                for (int place = 0; place < part.count(); ++place)
                    numbers.push_back(part.at(place));
            }
            QCOMPARE(numbers, expected);
        }
        QCOMPARE(runs.part({4, 4}).count(), 0);
        // Overlapping runs are merged with the gaps between.
        const std::vector<RingRange> overlapping{{2, 5}, {1, 9}, {8, 10}};
        const RingRuns one(overlapping);
        QCOMPARE(std::distance(one.begin(), one.end()), 1);
        QCOMPARE(one.count(), 9);
        QCOMPARE(RingRuns().count(), 0);
    }
    // Transforms of the windows together equal that of the grid.
    void transforms() {
        constexpr int nside = 8, lmax = 20;
        const RingGrid grid = RingGrid::healpix(nside);
        const Alm alm = whiteAlm(lmax, lmax, 0, 1);
        const std::vector<double> truth = directSynthesis(alm, nside);
        std::vector<double> map(truth.size());
        JobContext job;
        for (const RingWindow& window : ringWindows(grid, northernHalf(grid), 5)) {
            RingTransform transform(window.grid, lmax, lmax, job);
            std::vector<double> part(static_cast<size_t>(window.grid.sampleCount()));
            transform.synthesis(alm, part, job);
            auto from = part.begin();
            for (const SampleRun& run : window.runs) {
                std::copy(from, from + run.count, map.begin() + run.first);
                from += run.count;
            }
        }
        // Windows take the same sums in another order. The limit is 450 machine epsilons in the L2
        // norm.
        ARMILLA_VERIFY_BELOW(relativeError(map, truth), 1e-13);
    }
};

QTEST_APPLESS_MAIN(RingWindowsTest)
#include "tst_ring_windows.moc"
