// SPDX-License-Identifier: GPL-3.0-or-later
// Actions at the end of a job, besides its result.
#include <QSignalSpy>
#include <QtTest>
#include <future>

#include "armilla/core/error.h"
#include "armilla/session/job_runner.h"
#include "job_followers.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

namespace {

struct Bench {
    JobRunner runner;
    JobFollowers followers{runner};
    QSignalSpy idle{&runner, &JobRunner::becameIdle};
    int start(std::function<bool(JobContext&)> work) {
        return runner.run<bool>(QStringLiteral("job"), JobLane::Io, {}, nullptr, std::move(work),
                                [](bool) {});
    }
    bool ends() { return idle.count() > 0 || idle.wait(static_cast<int>(kPatience)); }
};

bool fails(JobContext&) {
    throw InvalidArgument("expected work, found none");
}

}  // namespace

class JobFollowersTest : public QObject {
    Q_OBJECT
private slots:
    // The job waits for a gate, so that it is cancelled while it runs or waits.
    void cancelledJobsRunTheirAction() {
        std::promise<void> gate;
        Bench bench;
        int first = 0, second = 0;
        const int id = bench.start([open = gate.get_future().share()](JobContext& job) {
            open.wait();
            job.poll();
            return true;
        });
        bench.followers.onCancel(id, [&] { ++first; });
        bench.followers.onCancel(id, [&] { ++second; });
        bench.runner.cancel(id);
        gate.set_value();
        QVERIFY(bench.ends());
        QCOMPARE(first, 0);  // replaced
        QCOMPARE(second, 1);
    }
    void droppedActionsDoNotRun() {
        std::promise<void> gate;
        Bench bench;
        int runs = 0;
        const int id = bench.start([open = gate.get_future().share()](JobContext& job) {
            open.wait();
            job.poll();
            return true;
        });
        bench.followers.onCancel(id, [&] { ++runs; });
        bench.followers.forgetCancel(id);
        bench.runner.cancel(id);
        gate.set_value();
        QVERIFY(bench.ends());
        QCOMPARE(runs, 0);
    }
    // The action is released with all that it holds.
    void endedJobsAreForgotten_data() {
        QTest::addColumn<bool>("isFailing");
        QTest::newRow("finished") << false;
        QTest::newRow("failed") << true;
    }
    void endedJobsAreForgotten() {
        QFETCH(bool, isFailing);
        Bench bench;
        const auto held = std::make_shared<int>(0);
        const int id =
            isFailing ? bench.start(fails) : bench.start([](JobContext&) { return true; });
        bench.followers.onCancel(id, [held] { ++*held; });
        QCOMPARE(held.use_count(), 2L);
        QVERIFY(bench.ends());
        QCOMPARE(held.use_count(), 1L);
        QCOMPARE(*held, 0);
    }
    void failuresReportedElsewhereLeaveTheList() {
        Bench bench;
        bench.followers.reportedElsewhere(bench.start(fails));
        const int listed = bench.start(fails);
        QVERIFY(bench.ends());
        QTRY_VERIFY_WITH_TIMEOUT(bench.runner.isIdle(), kPatience);
        QCOMPARE(bench.runner.jobs().size(), size_t{1});
        QCOMPARE(bench.runner.jobs().front().id, listed);
    }
};

QTEST_GUILESS_MAIN(JobFollowersTest)
#include "tst_job_followers.moc"
