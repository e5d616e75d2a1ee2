// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of jobs, without a display.
#include <QLabel>
#include <QMap>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <thread>

#include "armilla/core/error.h"
#include "armilla/session/job_runner.h"
#include "button_named.h"
#include "panels/jobs_panel.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

class TestJobsPanel : public QObject {
    Q_OBJECT
private slots:
    void jobsHaveCards();
    void failedJobsAreOneRow();
    void runningJobsComeFirst();
    void timeLeft();
};

void TestJobsPanel::jobsHaveCards() {
    JobRunner runner;
    JobsPanel panel(runner);
    QSignalSpy counts(&panel, &JobsPanel::activeCountChanged);
    std::atomic<bool> left = false;
    runner.run<int>(QStringLiteral("Pair counts"), JobLane::Compute, {}, this,
                    [&left](JobContext& job) -> int {
                        try {
                            for (;;) {
                                job.report(0.25, "DD");
                                std::this_thread::yield();
                            }
                        } catch (...) {
                            left = true;
                            throw;
                        }
                    },
                    {});
    // Cards are created beforehand: a lasting job uses one of these, without a new widget.
    const auto shownBars = [&panel] {
        QList<QProgressBar*> shown = panel.findChildren<QProgressBar*>();
        shown.removeIf([](const QProgressBar* bar) { return bar->parentWidget()->isHidden(); });
        return shown;
    };
    const qsizetype widgets = panel.findChildren<QWidget*>().size();
    // A job without a card yet is not counted either.
    QVERIFY(shownBars().isEmpty());
    QCOMPARE(panel.activeCount(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(panel.activeCount(), 1, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(shownBars().size(), 1, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(shownBars().front()->value(), 250, kPatience);
    QAbstractButton* cancel = buttonNamed(&panel, QStringLiteral("Cancel Pair counts"));
    QVERIFY(cancel);
    cancel->click();
    QTRY_VERIFY_WITH_TIMEOUT(left, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(panel.activeCount(), 0, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(shownBars().isEmpty(), kPatience);
    QVERIFY(!buttonNamed(&panel, QStringLiteral("Cancel Pair counts")));
    QCOMPARE(panel.findChildren<QWidget*>().size(), widgets);
    QVERIFY(runner.isIdle());
}

// Errors are one row, folded, until Clear.
void TestJobsPanel::failedJobsAreOneRow() {
    JobRunner runner;
    JobsPanel panel(runner);
    panel.show();
    for (const char* name : {"Open", "Smooth"})
        runner.run<int>(
            QString::fromLatin1(name), JobLane::Io, {}, this,
            [](JobContext&) -> int { throw IoError("expected a map, found nothing (--nside)"); },
            {});
    QTRY_VERIFY_WITH_TIMEOUT(buttonNamed(&panel, QStringLiteral("2 failed")), kPatience);
    QLabel* errors = nullptr;
    for (auto* label : panel.findChildren<QLabel*>())
        if (label->text() == QLatin1String("Open: expected a map, found nothing (NSIDE)\n"
                                           "Smooth: expected a map, found nothing (NSIDE)"))
            errors = label;
    QVERIFY(errors && !errors->isVisible());
    QCOMPARE(panel.activeCount(), 0);
    buttonNamed(&panel, QStringLiteral("2 failed"))->click();
    QVERIFY(errors->isVisible());
    buttonNamed(&panel, QStringLiteral("Clear failed jobs"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(!errors->isVisible(), kPatience);
    QVERIFY(runner.jobs().empty());
}

// Four jobs of files, of which two wait, then a computation: what runs is above what waits.
void TestJobsPanel::runningJobsComeFirst() {
    JobRunner runner;
    JobsPanel panel(runner);
    panel.resize(300, 600);
    panel.show();
    std::atomic<bool> isOver = false;
    const auto start = [&](const char* name, JobLane lane) {
        runner.run<int>(QString::fromLatin1(name), lane, {}, this,
                        [&isOver](JobContext&) -> int {
                            while (!isOver) std::this_thread::yield();
                            return 0;
                        },
                        {});
    };
    for (const char* name : {"one", "two", "three", "four"}) start(name, JobLane::Io);
    start("five", JobLane::Compute);
    const auto order = [&panel] {
        QMap<int, QString> names;
        for (auto* bar : panel.findChildren<QProgressBar*>())
            if (bar->isVisible())
                names[bar->parentWidget()->y()] =
                    bar->accessibleName().section(QLatin1Char(' '), -1);
        return names.values().join(QLatin1Char(' '));
    };
    QTRY_COMPARE_WITH_TIMEOUT(order(), QStringLiteral("one two five three four"), kPatience);
    isOver = true;
    QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
}

void TestJobsPanel::timeLeft() {
    QCOMPARE(timeLeftText(-1.0), QString());
    QCOMPARE(timeLeftText(1.23), QStringLiteral("1.2 s left"));
    QCOMPARE(timeLeftText(42.4), QStringLiteral("42 s left"));
    QCOMPARE(timeLeftText(600.0), QStringLiteral("10 min left"));
    // The time that a picture took.
    QCOMPARE(timeTakenText(320.4), QStringLiteral("320 ms"));
    QCOMPARE(timeTakenText(999.7), QStringLiteral("1.0 s"));
    QCOMPARE(timeTakenText(1359.0), QStringLiteral("1.4 s"));
    QCOMPARE(timeTakenText(87228.0), QStringLiteral("87 s"));
    QCOMPARE(timeTakenText(180000.0), QStringLiteral("3 min"));
}

QTEST_MAIN(TestJobsPanel)
#include "tst_jobs_panel.moc"
