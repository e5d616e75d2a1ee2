// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/session/job_runner.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::HangWatch;
using armilla::test::kPatience;
using namespace std::chrono_literals;

namespace {

// Works until cancelled, polling as operations must.
int untilStopped(JobContext& job) {
    for (;;) {
        std::this_thread::sleep_for(1ms);
        job.poll();
    }
}

// A gate that a test opens.
struct Gate {
    std::atomic<bool> isOpen{false}, isReached{false};
    void pass(JobContext& job) {
        isReached = true;
        while (!isOpen) {
            std::this_thread::sleep_for(1ms);
            job.poll();
        }
    }
};

std::function<void(int)> ignore() {
    return [](int) {};
}

}  // namespace

class JobRunnerTest : public QObject {
    Q_OBJECT
private slots:
    void resultArrivesInTheCallersThread_data() {
        QTest::addColumn<int>("lane");
        QTest::newRow("compute") << static_cast<int>(JobLane::Compute);
        QTest::newRow("io") << static_cast<int>(JobLane::Io);
        QTest::newRow("preview") << static_cast<int>(JobLane::Preview);
    }
    void resultArrivesInTheCallersThread() {
        QFETCH(int, lane);
        JobRunner runner;
        QSignalSpy finished(&runner, &JobRunner::jobFinished);
        QSignalSpy idle(&runner, &JobRunner::becameIdle);
        std::thread::id worker, callback;
        int threads = 0;
        std::unique_ptr<int> value;  // move-only results must pass
        const int id = runner.run<std::unique_ptr<int>>(
            "answer", static_cast<JobLane>(lane), {}, this,
            [&](JobContext& job) {
                worker = std::this_thread::get_id();
                threads = job.threads();
                return std::make_unique<int>(42);
            },
            [&](std::unique_ptr<int> result) {
                callback = std::this_thread::get_id();
                value = std::move(result);
            });
        QVERIFY(!runner.isIdle());
        QVERIFY(!value);  // never before the event loop
        QTRY_COMPARE_WITH_TIMEOUT(idle.count(), 1, kPatience);
        QCOMPARE(*value, 42);
        QVERIFY(worker != std::this_thread::get_id());
        QVERIFY(callback == std::this_thread::get_id());
        QCOMPARE(threads, runner.threads());
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][0].toInt(), id);
        QVERIFY(runner.isIdle());
        QVERIFY(runner.jobs().empty());
    }
    void endIsToldAfterTheWorkIsDestroyed() {
        JobRunner runner;
        auto held = std::make_shared<int>(1);
        const std::weak_ptr<int> watch = held;
        bool wasGone = false;
        runner.run<int>(
            "hold", JobLane::Compute, {}, this, [held](JobContext&) { return *held; },
            [&](int) { wasGone = watch.expired(); });
        held.reset();
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
        QVERIFY(wasGone);
    }
    void exceptionsBecomeOneLine_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("line");
        QTest::newRow("error") << 0 << "a.fits: expected a map, found a spectrum";
        QTest::newRow("memory") << 1
                                << "out of memory: expected memory for the result, found none free";
        QTest::newRow("standard") << 2 << "internal error: odd thing";
        QTest::newRow("other") << 3 << "internal error: an exception of unknown type";
        QTest::newRow("two lines") << 4 << "first second";
    }
    void exceptionsBecomeOneLine() {
        QFETCH(int, kind);
        QFETCH(QString, line);
        JobRunner runner;
        QSignalSpy failed(&runner, &JobRunner::jobFailed);
        QString heard;
        bool isDone = false;
        const int id = runner.run<int>(
            "fail", JobLane::Io, {}, this,
            [kind](JobContext&) -> int {
                switch (kind) {
                    case 0: {
                        IoError error("expected a map, found a spectrum");
                        error.addContext("a.fits");
                        throw error;
                    }
                    case 1: throw std::bad_alloc();
                    case 2: throw std::runtime_error("odd thing");
                    case 3: throw 7;
                    default: throw IoError("first\nsecond");
                }
            },
            [&](int) { isDone = true; }, [&](const QString& text) { heard = text; });
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatience);
        QCOMPARE(heard, line);
        QCOMPARE(failed[0][1].toString(), line);
        QVERIFY(!isDone);
        QVERIFY(runner.isIdle());
        // Kept until dismissed.
        QCOMPARE(runner.jobs().size(), size_t{1});
        QCOMPARE(runner.jobs()[0].state, JobState::Failed);
        QCOMPARE(runner.jobs()[0].error, line);
        runner.cancel(id);
        QCOMPARE(runner.jobs().size(), size_t{1});
        QSignalSpy changed(&runner, &JobRunner::jobsChanged);
        runner.dismiss(id);
        QVERIFY(runner.jobs().empty());
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() > 0, kPatience);
    }
    void exceptionOfTheCallbackFailsTheJob() {
        JobRunner runner;
        QSignalSpy failed(&runner, &JobRunner::jobFailed);
        runner.run<int>(
            "bad callback", JobLane::Compute, {}, this, [](JobContext&) { return 1; },
            [](int) { throw InvalidArgument("expected 2, found 1"); });
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatience);
        QCOMPARE(failed[0][1].toString(), QString("expected 2, found 1"));
    }
    void workThatThrowsCancelledIsSilent() {
        JobRunner runner;
        QSignalSpy failed(&runner, &JobRunner::jobFailed);
        QSignalSpy cancelled(&runner, &JobRunner::jobCancelled);
        runner.run<int>(
            "gone", JobLane::Compute, {}, this, [](JobContext&) -> int { throw Cancelled(); },
            ignore());
        QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, kPatience);
        QCOMPARE(failed.count(), 0);
        QVERIFY(runner.jobs().empty());
    }
    void cancelRunning() {
        JobRunner runner;
        Gate gate;
        bool isDone = false, hasFailed = false;
        QSignalSpy cancelled(&runner, &JobRunner::jobCancelled);
        const int id = runner.run<int>(
            "long", JobLane::Compute, {}, this,
            [&](JobContext& job) {
                gate.isReached = true;
                return untilStopped(job);
            },
            [&](int) { isDone = true; }, [&](const QString&) { hasFailed = true; });
        QTRY_VERIFY_WITH_TIMEOUT(gate.isReached, kPatience);
        QCOMPARE(runner.jobs()[0].state, JobState::Running);
        runner.cancel(id);
        QCOMPARE(runner.jobs()[0].state, JobState::Cancelled);  // stopping, still there
        QVERIFY(!runner.isIdle());
        runner.cancel(id);  // a second time: no effect
        QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, kPatience);
        QVERIFY(runner.isIdle());
        QVERIFY(!isDone && !hasFailed);
    }
    void resultAfterCancelIsDropped() {
        JobRunner runner;
        Gate gate;
        bool isDone = false;
        QSignalSpy cancelled(&runner, &JobRunner::jobCancelled);
        QSignalSpy finished(&runner, &JobRunner::jobFinished);
        const int id = runner.run<int>(
            "deaf", JobLane::Compute, {}, this,
            [&](JobContext&) {
                gate.isReached = true;
                while (!gate.isOpen) std::this_thread::sleep_for(1ms);
                return 1;
            },
            [&](int) { isDone = true; });
        QTRY_VERIFY_WITH_TIMEOUT(gate.isReached, kPatience);
        runner.cancel(id);
        gate.isOpen = true;
        QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, kPatience);
        QCOMPARE(finished.count(), 0);
        QVERIFY(!isDone);
    }
    void waitingJobsNeverStartAfterCancel() {
        JobRunner runner;
        Gate gate;
        std::atomic<int> started{0};
        // More gates than the workers of any lane, so that the next jobs wait.
        for (int i = 0; i < 8; ++i)
            runner.run<int>(
                "gate", JobLane::Io, {}, this, [&](JobContext& job) { return gate.pass(job), 0; },
                ignore());
        std::vector<int> waiting;
        for (int i = 0; i < 20; ++i)
            waiting.push_back(runner.run<int>(
                "wait", JobLane::Io, {}, this, [&](JobContext&) { return ++started; }, ignore()));
        QTRY_VERIFY_WITH_TIMEOUT(gate.isReached, kPatience);
        QCOMPARE(runner.jobs().back().state, JobState::Queued);
        for (const int id : waiting) runner.cancel(id);
        QCOMPARE(runner.jobs().size(), size_t{8});
        gate.isOpen = true;
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
        QCOMPARE(started.load(), 0);
    }
    void cancelAllStopsEverything() {
        JobRunner runner;
        QSignalSpy idle(&runner, &JobRunner::becameIdle);
        for (int i = 0; i < 12; ++i)
            runner.run<int>("long", JobLane::Compute, {}, this, untilStopped, ignore());
        const auto isAtWork = [&] { return runner.jobs().front().state == JobState::Running; };
        QTRY_VERIFY_WITH_TIMEOUT(isAtWork(), kPatience);
        runner.cancelAll();
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(idle.count(), 1, kPatience);
    }
    void latestWinsInASlot() {
        JobRunner runner;
        std::vector<int> results;
        std::atomic<int> inside{0}, most{0}, ran{0};
        const auto submit = [&](int value) {
            runner.run<int>(
                "slider", value % 2 == 0 ? JobLane::Compute : JobLane::Preview, "smooth", this,
                [&, value](JobContext& job) {
                    const int now = ++inside;
                    if (now > most) most = now;
                    ++ran;
                    struct Leave {
                        std::atomic<int>& inside;
                        ~Leave() { --inside; }
                    } leave{inside};
                    for (int i = 0; i < 5; ++i) {
                        std::this_thread::sleep_for(1ms);
                        job.poll();
                    }
                    return value;
                },
                [&](int value_) { results.push_back(value_); });
        };
        for (int i = 0; i < 200; ++i) {
            submit(i);
            if (i % 40 == 0) QTest::qWait(1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
        QVERIFY(!results.empty());
        QCOMPARE(results.back(), 199);
        QVERIFY(std::is_sorted(results.begin(), results.end()));
        QCOMPARE(most.load(), 1);  // never two of one slot at a time, also across lanes
        QVERIFY(ran < 200);        // replaced ones did not run at all
    }
    void emptySlotsAreIndependent() {
        JobRunner runner;
        int done = 0;
        for (int i = 0; i < 30; ++i)
            runner.run<int>(
                "free", JobLane::Preview, {}, this, [](JobContext&) { return 0; },
                [&](int) { ++done; });
        QTRY_COMPARE_WITH_TIMEOUT(done, 30, kPatience);
    }
    void noCallbackIntoADeadContext() {
        JobRunner runner;
        QSignalSpy finished(&runner, &JobRunner::jobFinished);
        Gate gate;
        bool called = false;
        auto context = std::make_unique<QObject>();
        runner.run<int>(
            "orphan", JobLane::Compute, {}, context.get(),
            [&](JobContext& job) { return gate.pass(job), 0; }, [&](int) { called = true; });
        runner.run<int>(
            "orphan", JobLane::Compute, {}, context.get(),
            [&](JobContext& job) -> int {
                gate.pass(job);
                throw IoError("lost");
            },
            ignore(), [&](const QString&) { called = true; });
        QTRY_VERIFY_WITH_TIMEOUT(gate.isReached, kPatience);
        context.reset();
        gate.isOpen = true;
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
        QVERIFY(!called);
        QCOMPARE(finished.count(), 1);
    }
    // Notifications come from a timer, for any number of reports.
    void progressIsThrottledAndMonotone() {
        JobRunner runner;
        std::atomic<int> notices{0}, reports{0};
        std::atomic<bool> hadTimeLeft{false};
        std::vector<double> seen;
        QString stage;
        connect(&runner, &JobRunner::jobsChanged, this, [&] {
            ++notices;
            for (const JobInfo& info : runner.jobs()) {
                seen.push_back(info.fraction);
                stage = info.stage;
                if (info.secondsLeft > 0.0) hadTimeLeft = true;
            }
        });
        runner.run<int>(
            "steps", JobLane::Compute, {}, this,
            [&](JobContext& job) {
                for (int i = 1; notices < 10 || !hadTimeLeft; ++i) {
                    job.poll();
                    job.report(1.0 - 1.0 / i, "stepping");
                    if (i % 3 == 0) job.report(0.0, "stepping");  // a fault of an operation
                    ++reports;
                }
                return 0;
            },
            ignore());
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
        // A report takes microseconds, and between two notices are 50 ms.
        QVERIFY2(notices < reports / 2, qPrintable(QString::number(reports)));
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QVERIFY(seen.back() > 0.5);
        QCOMPARE(stage, QString("stepping"));
    }
    // Two jobs end together: an exception in one receiver does not affect the other.
    void aReceiverThatThrowsIsAlone() {
        JobRunner runner;
        Gate gate;
        std::atomic<int> behind{0};
        std::vector<int> done;
        connect(&runner, &JobRunner::jobFinished, this, [&](int id) {
            done.push_back(id);
            throw IoError("a slot that fails");
        });
        std::vector<int> ids;
        for (int i = 0; i < 2; ++i)
            ids.push_back(runner.run<int>(
                "ends", JobLane::Io, {}, this, [](JobContext&) { return 0; }, ignore()));
        // When these run, both workers of the lane have finished the first two.
        for (int i = 0; i < 2; ++i)
            runner.run<int>(
                "behind", JobLane::Io, {}, this,
                [&](JobContext& job) { return ++behind, gate.pass(job), 0; }, ignore());
        for (const HangWatch watch; behind < 2 && !watch.isOver();) std::this_thread::yield();
        QCOMPARE(behind.load(), 2);
        // The event loop calls collect() like this.
        QVERIFY_EXCEPTION_THROWN(QMetaObject::invokeMethod(&runner, "collect"), IoError);
        QCOMPARE(QSet<int>(done.begin(), done.end()), QSet<int>(ids.begin(), ids.end()));
        runner.disconnect(this);
        gate.isOpen = true;
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
    }
    void destructionWhileRunningWaitsForTheWorkers() {
        std::atomic<int> inside{0};
        std::atomic<bool> reached{false};
        bool called = false;
        {
            JobRunner runner;
            for (int i = 0; i < 10; ++i)
                runner.run<int>(
                    "long", static_cast<JobLane>(i % 3), {}, nullptr,
                    [&](JobContext& job) {
                        ++inside;
                        reached = true;
                        struct Leave {
                            std::atomic<int>& inside;
                            ~Leave() { --inside; }
                        } leave{inside};
                        return untilStopped(job);
                    },
                    [&](int) { called = true; });
            QTRY_VERIFY_WITH_TIMEOUT(reached, kPatience);
        }
        QCOMPARE(inside.load(), 0);
        QCoreApplication::processEvents();
        QVERIFY(!called);
    }
    void callbackMayDestroyTheRunner() {
        auto runner = std::make_unique<JobRunner>();
        bool called = false;
        for (int i = 0; i < 3; ++i)
            runner->run<int>(
                "close", JobLane::Io, {}, this, [](JobContext&) { return 0; },
                [&](int) {
                    called = true;
                    runner.reset();
                });
        QTRY_VERIFY_WITH_TIMEOUT(called, kPatience);
        QVERIFY(!runner);
    }
    void callbackMaySubmit() {
        JobRunner runner;
        int last = 0;
        std::function<void(int)> chain = [&](int value) {
            last = value;
            if (value < 10)
                runner.run<int>(
                    "next", JobLane::Compute, "chain", this,
                    [value](JobContext&) { return value + 1; }, chain);
        };
        chain(0);
        QTRY_COMPARE_WITH_TIMEOUT(last, 10, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
    }
};

QTEST_GUILESS_MAIN(JobRunnerTest)
#include "tst_job_runner.moc"
