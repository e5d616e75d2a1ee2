// SPDX-License-Identifier: GPL-3.0-or-later
// Direct writes of ranks into each other's memory, and behavior when a rank leaves.
#include <QtTest>
#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/ops/ranks.h"
#include "sht/several/ranks/rank_shares.h"
#include "sht/several/ranks/shared_buffer.h"
#include "support/local_ranks.h"

using namespace armilla;
using namespace armilla::test;

class RanksTest : public QObject {
    Q_OBJECT
private slots:
    void memoryOfAll();
    void placesAtOthers_data();
    void placesAtOthers();
    void memoryOfSome();
    void leavesTogether();
    void leavesAlone();
};

// Two halves alternate, with one meeting each: one half is read while the other is written.
void RanksTest::memoryOfAll() {
    constexpr int kRanks = 5, kTurns = 400;
    constexpr int64_t kBytes = 2 * kRanks * sizeof(int);
    std::atomic<int> wrong{0}, without{0};
    runRanks(kRanks, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        const std::unique_ptr<SharedBuffer> workspace = SharedBuffer::make(kBytes, ranks, job);
        if (!workspace) return void(++without);
        const int own = ranks.rank();
        for (int turn = 0; turn < kTurns; ++turn) {
            const auto half = [&](int rank) {
                return reinterpret_cast<int*>(workspace->of(rank)) + turn % 2 * kRanks;
            };
            for (int to = 0; to < kRanks; ++to) half(to)[own] = 100 * turn + 10 * own + to;
            SharedBuffer::meet(ranks, job);
            if (turn % kRanks == own) std::this_thread::sleep_for(std::chrono::microseconds(200));
            for (int from = 0; from < kRanks; ++from)
                wrong += half(own)[from] != 100 * turn + 10 * from + own;
        }
    });
    QCOMPARE(without, 0);
    QCOMPARE(wrong, 0);
}

// The offset at which each rank writes into another one agrees with that rank's own layout. Some
// ranks have no rings, one has no orders.
void RanksTest::placesAtOthers_data() {
    QTest::addColumn<bool>("withOwn");
    QTest::addColumn<int>("components");
    QTest::newRow("synthesis") << false << 1;
    QTest::newRow("analysis of two") << true << 2;
}
void RanksTest::placesAtOthers() {
    QFETCH(bool, withOwn);
    QFETCH(int, components);
    constexpr int kPairs = 40;
    std::vector<RingRuns> pairs;
    for (const auto& runs : std::vector<std::vector<RingRange>>{
             {{0, 5}, {20, 31}}, {}, {{5, 16}, {31, 32}}, {{16, 20}, {32, kPairs}}})
        pairs.emplace_back(runs);
    const std::vector<PassingTile> tiles{{0, 2, 0, 40}, {1, 0, 3, 40}, {2, 3, 6, 39},
                                         {3, 0, 9, 38}, {4, 2, 9, 9},  {5, 3, 30, 37}};
    const auto planOf = [&](int rank) {
        return TileExchange(tiles, pairs, rank, components,
                            withOwn ? OwnPart::AtOrders : OwnPart::Nowhere);
    };
    const int count = static_cast<int>(pairs.size());
    for (int rank = 0; rank < count; ++rank)
        for (int other = 0; other < count; ++other) {
            if (other == rank) continue;
            const auto at = static_cast<size_t>(other);
            QCOMPARE(planOf(rank).atRingsOfOthers()[at], planOf(other).atRings(rank));
            QCOMPARE(planOf(rank).atOrdersOfOthers()[at], planOf(other).atOrders(rank));
        }
}

// If one rank cannot allocate its part, no rank uses direct memory, and all use messages.
void RanksTest::memoryOfSome() {
    std::atomic<int> with{0};
    runRanks(3, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        const int64_t bytes = ranks.rank() == 1 ? std::numeric_limits<int64_t>::max() : 4096;
        with += SharedBuffer::make(bytes, ranks, job) != nullptr;
    });
    QCOMPARE(with, 0);
    const SharedMemory setting(false);
    runRanks(3, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        with += SharedBuffer::make(4096, ranks, job) != nullptr;
    });
    QCOMPARE(with, 0);
}

// A failing rank notifies the other ranks at their next call; none waits.
void RanksTest::leavesTogether() {
    constexpr int kRanks = 4, kFails = 2;
    std::mutex lock;
    std::vector<Ranks::End> ends;
    runRanks(kRanks, [&](Ranks& ranks) {
        JobContext job({}, {}, 1);
        Ranks::End end;
        try {
            ranks.meet(job);
            if (ranks.rank() == kFails) throw IoError("expected room, found none");
            const std::vector<double> own(3);
            ranks.gatherAll(std::span<const double>(own), job);
        } catch (const RankLost&) {
            end = ranks.leave(RankState::Fine, 0, "");
        } catch (const Error& error) {
            end = ranks.leave(RankState::Failed, 1, error.what());
        }
        const std::lock_guard hold(lock);
        ends.push_back(end);
    });
    QCOMPARE(ends.size(), size_t{kRanks});
    for (const Ranks::End& end : ends) {
        QVERIFY(end.state == RankState::Failed);
        QCOMPARE(end.status, 1);
        QCOMPARE(end.message, std::string("expected room, found none"));
    }
}

// The other ranks may not arrive, because one is lost or all work for long. A failing rank then
// reports without them, and is informed that it is alone. The other ranks arrive only afterwards.
void RanksTest::leavesAlone() {
    Ranks::End end;
    std::promise<void> left;
    const std::shared_future<void> hasLeft = left.get_future().share();
    runRanks(3, [&](Ranks& ranks) {
        if (ranks.rank() != 1) return hasLeft.wait();
        end = ranks.leave(RankState::Failed, 1, "expected room, found none");
        left.set_value();
    });
    QVERIFY(end.alone);
    QVERIFY(end.state == RankState::Failed);
    QCOMPARE(end.status, 1);
    QCOMPARE(end.message, std::string("expected room, found none"));
}

QTEST_APPLESS_MAIN(RanksTest)
#include "tst_ranks.moc"
