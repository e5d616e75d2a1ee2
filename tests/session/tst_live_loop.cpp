// SPDX-License-Identifier: GPL-3.0-or-later
// The loop of live pictures: the latest request wins, the next picture waits until the last one is
// presented, failures and cancellations propagate.
#include <QtTest>
#include <atomic>

#include "armilla/core/error.h"
#include "live_loop.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

class LiveLoopTest : public QObject {
    Q_OBJECT
private slots:
    void theLatestRequestWins() {
        std::vector<int> seen;
        std::atomic<int> made{0};
        std::atomic<bool> hold{true};
        LiveLoop<int> loop(post());
        const auto ask = [&](int number) {
            loop.request({[&, number](JobContext&) {
                              ++made;
                              while (hold) std::this_thread::yield();
                              return number;
                          },
                          [&, number](int result) {
                              QCOMPARE(result, number);
                              seen.push_back(result);
                              loop.presented();
                          },
                          [](const std::exception_ptr&) { QFAIL("no failure was expected"); }});
        };
        ask(1);
        QTRY_COMPARE_WITH_TIMEOUT(made.load(), 1, kPatience);
        for (int number = 2; number <= 50; ++number) ask(number);
        hold = false;
        QTRY_COMPARE_WITH_TIMEOUT(seen, (std::vector<int>{1, 50}), kPatience);
        QCOMPARE(made.load(), 2);
    }
    // A loop with infinite patience makes the next picture after the last one is on the screen; one
    // without patience continues by itself.
    void waitsForTheScreen_data() {
        QTest::addColumn<bool>("isPatient");
        QTest::newRow("endless patience") << true;
        QTest::newRow("no patience") << false;
    }
    void waitsForTheScreen() {
        QFETCH(bool, isPatient);
        std::atomic<bool> isPresented{false}, cameEarly{false};
        int done = 0;
        LiveLoop<int> loop(post(), isPatient ? std::chrono::hours(1) : std::chrono::hours(0));
        const auto ask = [&](int number) {
            loop.request({[&, number](JobContext&) {
                              if (number == 2 && !isPresented) cameEarly = true;
                              return number;
                          },
                          [&](int) { ++done; },
                          [](const std::exception_ptr&) { QFAIL("no failure was expected"); }});
        };
        ask(1);
        QTRY_COMPARE_WITH_TIMEOUT(done, 1, kPatience);
        ask(2);
        if (isPatient) {
            // Time for a loop that would not wait.
            QTest::qWait(20);
            isPresented = true;
            loop.presented();
        }
        QTRY_COMPARE_WITH_TIMEOUT(done, 2, kPatience);
        QCOMPARE(cameEarly.load(), !isPatient);
    }
    void failuresAreTold() {
        int failures = 0;
        LiveLoop<int> loop(post());
        loop.request({[](JobContext&) -> int { throw OutOfMemory("expected room, found none"); },
                      [](int) { QFAIL("no result was expected"); },
                      [&](const std::exception_ptr& failure) {
                          QVERIFY_EXCEPTION_THROWN(std::rethrow_exception(failure), OutOfMemory);
                          ++failures;
                      }});
        QTRY_COMPARE_WITH_TIMEOUT(failures, 1, kPatience);
    }
    // Work after a result neither delays it nor precedes it.
    void worksOnWhileItIsShown() {
        QStringList seen;
        std::atomic<bool> isShown{false};
        LiveLoop<int> loop(post());
        LiveLoop<int>::Request request;
        request.make = [](JobContext&) { return 7; };
        request.done = [&](int result) {
            seen << QString::number(result);
            isShown = true;
        };
        request.failed = [](const std::exception_ptr&) { QFAIL("no failure was expected"); };
        request.after = [&](int result, JobContext& job) -> std::function<void()> {
            while (!isShown) job.poll();
            return [&seen, result] { seen << QStringLiteral("after %1").arg(result); };
        };
        loop.request(std::move(request));
        QTRY_COMPARE_WITH_TIMEOUT(seen, (QStringList{"7", "after 7"}), kPatience);
    }
    void whatIsDroppedSaysNothing() {
        std::atomic<bool> began{false}, ended{false};
        auto loop = std::make_unique<LiveLoop<int>>(post());
        const auto fail = [](const auto&) { QFAIL("nothing was expected"); };
        loop->request({[&](JobContext& job) -> int {
                           began = true;
                           while (!job.stopRequested()) std::this_thread::yield();
                           ended = true;
                           job.poll();
                           return 0;
                       },
                       fail, fail});
        QTRY_VERIFY_WITH_TIMEOUT(began, kPatience);
        loop->drop();
        QTRY_VERIFY_WITH_TIMEOUT(ended, kPatience);
        loop.reset();  // all posted functions are queued now
        QCoreApplication::processEvents();
    }
    // If a window is busy for longer than the loop's patience, an earlier result is still pending
    // while the next one is computed.
    void whatIsOnItsWayIsDroppedToo() {
        std::atomic<int> made{0};
        auto loop = std::make_unique<LiveLoop<int>>(post());
        const auto ask = [&] {
            loop->request({[&](JobContext& job) -> int {
                               for (++made; made > 1;) job.poll();
                               return 0;
                           },
                           [](int) { QFAIL("nothing was expected"); },
                           [](const std::exception_ptr&) { QFAIL("nothing was expected"); }});
        };
        ask();
        while (made < 1) std::this_thread::yield();
        ask();
        while (made < 2) std::this_thread::yield();
        loop->drop();
        loop.reset();
        QCoreApplication::processEvents();
    }
    void endsInTheMiddle() {
        std::atomic<bool> began{false};
        {
            LiveLoop<int> loop(post());
            const auto fail = [](const auto&) { QFAIL("nothing was expected"); };
            loop.request({[&](JobContext& job) -> int {
                              began = true;
                              while (true) job.poll();
                          },
                          fail, fail});
            QTRY_VERIFY_WITH_TIMEOUT(began, kPatience);
        }
        QCoreApplication::processEvents();
    }

private:
    LiveLoop<int>::Post post() {
        return [this](std::function<void()> act) {
            QMetaObject::invokeMethod(this, std::move(act), Qt::QueuedConnection);
        };
    }
};

QTEST_GUILESS_MAIN(LiveLoopTest)
#include "tst_live_loop.moc"
