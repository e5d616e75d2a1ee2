// SPDX-License-Identifier: GPL-3.0-or-later
// Overlap of copies of one group with transforms of others, with numbers in place of maps.
#include <QtTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

#include "armilla/core/error.h"
#include "sht/plan/in_turns.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

Q_DECLARE_METATYPE(armilla::Copies)

namespace {

enum Step { Upload, Transform, Download };

GroupWork with(const GroupWork& all, Step step, std::function<void(size_t, JobContext&)> work) {
    GroupWork own = all;
    (step == Upload      ? own.upload
     : step == Transform ? own.transform
                         : own.download) = std::move(work);
    return own;
}
// Waits until the job is cancelled.
void waits(size_t /*group*/, JobContext& job) {
    for (;;) {
        job.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}
void nothing(size_t /*group*/, JobContext& /*job*/) {}

}  // namespace

class InTurnsTest : public QObject {
    Q_OBJECT
private slots:
    void everyGroupGoesThrough_data() {
        QTest::addColumn<Copies>("copies");
        QTest::addColumn<int>("groups");
        for (const int groups : {0, 1, 2, 3, 7}) {
            QTest::addRow("%d in turn", groups) << Copies::InTurn << groups;
            QTest::addRow("%d beside each other", groups) << Copies::Beside << groups;
        }
    }
    // A transform finds its own input and a download its own result, in buffers that are
    // overwritten.
    void everyGroupGoesThrough() {
        QFETCH(Copies, copies);
        QFETCH(int, groups);
        struct Set {
            std::atomic<size_t> in = 99, out = 99;
        };
        std::array<Set, 2> sets;
        const std::vector<size_t> counts(static_cast<size_t>(groups), 1);
        const GroupSets places(counts, copies);
        const auto setFor = [&](size_t group) -> Set& { return sets[places.of(group)]; };
        const auto dwell = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
        std::vector<size_t> found(static_cast<size_t>(groups), 99);
        JobContext job({}, {}, 2);
        inTurns(found.size(), copies, job,
                {[&](size_t group, JobContext&) {
                     dwell();
                     setFor(group).in = group;
                 },
                 [&](size_t group, JobContext&) {
                     Set& at = setFor(group);
                     const size_t begins = at.in;
                     dwell();
                     at.out = begins == at.in ? 10 * begins : 99;
                 },
                 [&](size_t group, JobContext&) {
                     const size_t begins = setFor(group).out;
                     dwell();
                     found[group] = begins == setFor(group).out ? begins : 99;
                 }});
        for (size_t i = 0; i < found.size(); ++i) QCOMPARE(found[i], 10 * i);
        if (copies == Copies::InTurn) QCOMPARE(sets[1].in.load(), size_t{99});
    }
    // Copies and the transform of three groups meet; the meeting ends when all have arrived.
    void threeAreBesideEachOther() {
        std::mutex guard;
        std::condition_variable all;
        int present = 0;
        bool met = true;
        const auto meet = [&](size_t of) {
            return [&, of](size_t group, JobContext&) {
                if (group != of) return;
                std::unique_lock lock(guard);
                ++present;
                all.notify_all();
                met = all.wait_for(lock, std::chrono::milliseconds(kPatience), [&] {
                    return present == 3;
                }) && met;
            };
        };
        JobContext job;
        inTurns(3, Copies::Beside, job, {meet(2), meet(1), meet(0)});
        QVERIFY(met);
        QCOMPARE(present, 3);
    }
    // Uploads and downloads share the host's threads, and the transform has one.
    void threadsAreShared() {
        std::array<std::vector<int>, 3> seen;
        const auto see = [&](Step step) {
            seen[step].resize(3);
            return [&, step](size_t group, JobContext& own) { seen[step][group] = own.threads(); };
        };
        JobContext job({}, {}, 9);
        inTurns(3, Copies::Beside, job, {see(Upload), see(Transform), see(Download)});
        QCOMPARE(seen[Upload], (std::vector{9, 8, 4}));
        QCOMPARE(seen[Download], (std::vector{4, 8, 9}));
        JobContext alone({}, {}, 1);
        inTurns(3, Copies::Beside, alone, {see(Upload), see(Transform), see(Download)});
        for (const std::vector<int>& one : seen) QCOMPARE(one, (std::vector{1, 1, 1}));
    }
    void steps_data() {
        QTest::addColumn<int>("step");
        QTest::newRow("upload") << static_cast<int>(Upload);
        QTest::newRow("transform") << static_cast<int>(Transform);
        QTest::newRow("download") << static_cast<int>(Download);
    }
    // If one step fails, the other two end, no further group begins, and the failure is reported.
    void aFailureEndsAll_data() { steps_data(); }
    void aFailureEndsAll() {
        QFETCH(int, step);
        std::atomic<int> last = 0;
        GroupWork work{nothing, nothing, nothing};
        // During the turn of group 2, which all three steps have.
        const std::array<size_t, 3> groups{2, 1, 0};
        for (int other = 0; other < 3; ++other) {
            const size_t mine = groups[static_cast<size_t>(other)];
            work = with(work, Step(other), [&, other, mine](size_t group, JobContext& own) {
                if (other == Upload) last = static_cast<int>(group);
                if (group != mine) return;
                if (other == step) throw OutOfMemory("no room");
                waits(group, own);
            });
        }
        JobContext job({}, {}, 2);
        QVERIFY_EXCEPTION_THROWN(inTurns(5, Copies::Beside, job, work), OutOfMemory);
        QCOMPARE(last.load(), 2);
    }
    // A cancellation from outside while one step runs and polls it.
    void stops_data() { steps_data(); }
    void stops() {
        QFETCH(int, step);
        for (const Copies copies : {Copies::InTurn, Copies::Beside}) {
            std::stop_source stop;
            std::atomic<bool> heard = false;
            const GroupWork work =
                with({nothing, nothing, nothing}, Step(step), [&](size_t group, JobContext& own) {
                    if (group != 1) return;
                    stop.request_stop();
                    try {
                        waits(group, own);
                    } catch (const Cancelled&) {
                        heard = true;
                        throw;
                    }
                });
            JobContext job(stop.get_token(), {}, 2);
            QVERIFY_EXCEPTION_THROWN(inTurns(3, copies, job, work), Cancelled);
            QVERIFY(heard);
        }
    }
    void progressIsThatOfTransforms() {
        std::vector<double> seen;
        JobContext job(
            {}, [&](double share, std::string_view) { seen.push_back(share); }, 2);
        const auto halves = [](size_t, JobContext& own) {
            own.report(0.5, "");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));  // reports are thinned out
            own.report(1.0, "");
        };
        inTurns(4, Copies::Beside, job, {nothing, halves, nothing});
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.back(), 1.0);
        for (const double half : {0.125, 0.375, 0.625, 0.875})
            // The shares are sums of multiples of 1/8; the limit allows their rounding and
            // separates them.
            QVERIFY(std::any_of(seen.begin(), seen.end(),
                                [&](double share) { return std::abs(share - half) < 1e-12; }));
    }
    // The larger buffer is the first one, whichever group comes first.
    void setsTakeTheirLargestGroup() {
        const auto most = [](const std::vector<size_t>& counts) {
            const GroupSets sets(counts, Copies::Beside);
            return std::array<size_t, 2>{sets.most(0), sets.most(1)};
        };
        QCOMPARE(most({}), (std::array<size_t, 2>{0, 0}));
        QCOMPARE(most({2, 1}), (std::array<size_t, 2>{2, 1}));
        QCOMPARE(most({1, 2}), (std::array<size_t, 2>{2, 1}));
        QCOMPARE(most({1, 4, 3, 2}), (std::array<size_t, 2>{4, 3}));
        const std::vector<size_t> counts{1, 2, 1};
        const GroupSets beside(counts, Copies::Beside), inTurn(counts, Copies::InTurn);
        for (const size_t group : {0u, 1u, 2u}) {
            QCOMPARE(beside.of(group), (group + 1) % 2);
            QCOMPARE(inTurn.of(group), size_t{0});
        }
        QCOMPARE(inTurn.most(0), size_t{2});
        QCOMPARE(beside.missing({2, 1}), int64_t{0});
        QCOMPARE(beside.missing({1, 0}), int64_t{2});
        QCOMPARE(beside.missing({0, 4}), int64_t{2});
    }
};

QTEST_APPLESS_MAIN(InTurnsTest)
#include "tst_in_turns.moc"
