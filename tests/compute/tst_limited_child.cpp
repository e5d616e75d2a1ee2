// SPDX-License-Identifier: GPL-3.0-or-later
// Ends of child processes that check files: those that the file causes, and those from outside.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>

#include "limited_child.h"

using namespace armilla;

class tst_limited_child : public QObject {
    Q_OBJECT

    template <class Work>
    static int statusOf(const Work& work) {
        const pid_t child = fork();
        if (child == 0) {
            ChildLimits limits;
            limits.fileBytes = 0;
            limits.memoryBytes = addressSpace() + (int64_t{1} << 30);
            limits.seconds = 1;
            confine(limits);
            work();
            _exit(0);
        }
        return endOf(child);
    }

private slots:
    void ends() {
        QCOMPARE(childEnd(statusOf([] {})), ChildEnd::Done);
        QCOMPARE(childEnd(statusOf([] { _exit(1); })), ChildEnd::Broken);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT})
            QCOMPARE(childEnd(statusOf([&] { raise(fault); })), ChildEnd::Broken);
        // The system sends SIGKILL where memory is short; a person sends SIGTERM.
        for (const int outside : {SIGKILL, SIGTERM, SIGHUP})
            QCOMPARE(childEnd(statusOf([&] { raise(outside); })), ChildEnd::Killed);
    }
    // The limit of processor time is a fault of the file, at which a library runs without end.
    void limitOfTime() {
        const int status = statusOf([] {
            volatile bool isEndless = true;
            while (isEndless) continue;
        });
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), SIGXCPU);
        QCOMPARE(childEnd(status), ChildEnd::Broken);
    }
};

QTEST_APPLESS_MAIN(tst_limited_child)
#include "tst_limited_child.moc"
