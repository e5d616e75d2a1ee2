// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "time_left.h"

using armilla::TimeLeft;

class TimeLeftTest : public QObject {
    Q_OBJECT
private slots:
    void unknownAtFirst() {
        TimeLeft left;
        QVERIFY(left.secondsLeft(10.0) < 0.0);
        left.update(0.2, 0.5);
        QVERIFY(left.secondsLeft(0.3) < 0.0);
    }
    void steadyWorkIsForeseen() {
        // 1 % every 0.1 s: 10 s in all. The estimate is exact but for rounding.
        TimeLeft left;
        for (int i = 1; i <= 60; ++i) left.update(0.1 * i, 0.01 * i);
        QVERIFY(std::abs(left.secondsLeft(6.0) - 4.0) < 1e-9);
        QVERIFY(std::abs(left.secondsLeft(6.5) - 3.5) < 1e-9);
    }
    void followsAChangeOfPace() {
        // Half of the work in 10 s, then at a tenth of the speed: true rate 0.005 per second. After
        // 5 memory times the old rate weighs exp(-5) = 0.7 %, ten times the new one: 7 %.
        TimeLeft left;
        for (int i = 1; i <= 100; ++i) left.update(0.1 * i, 0.005 * i);
        for (int i = 1; i <= 150; ++i) left.update(10.0 + 0.1 * i, 0.5 + 0.0005 * i);
        const double truth = (1.0 - 0.575) / 0.005;
        QVERIFY2(std::abs(left.secondsLeft(25.0) / truth - 1.0) < 0.07,
                 qPrintable(QString::number(left.secondsLeft(25.0))));
    }
    void lateJobIsNotCalledDone() {
        TimeLeft left;
        left.update(1.0, 0.5);
        QVERIFY(left.secondsLeft(1.5) > 0.0);
        QVERIFY(left.secondsLeft(4.0) >= 4.0);  // half done after 4 s: no less than 4 s more
    }
    void reportsBackwardsOrTooCloseAreIgnored() {
        TimeLeft left;
        left.update(1.0, 0.5);
        left.update(1.001, 0.9);
        left.update(2.0, 0.4);
        QVERIFY(std::abs(left.secondsLeft(1.0) - 1.0) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(TimeLeftTest)
#include "tst_time_left.moc"
