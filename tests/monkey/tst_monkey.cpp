// SPDX-License-Identifier: GPL-3.0-or-later
// A short random use of the window with a fixed seed: no exception, no internal error, no misuse of
// Qt, jobs that end, and a window that closes. `./dev monkey` does the same for minutes.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <stdexcept>

#include "monkey/monkey_files.h"
#include "monkey/monkey_run.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Throws on a custom event; the fault that a monkey must find.
class Thrower : public QObject {
public:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::User) throw std::runtime_error("thrown by the test");
        return QObject::event(event);
    }
};

}  // namespace

class TestMonkey : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void aRoundHasNoFault();
    void anExceptionIsAFault();

private:
    MonkeyRound round(int events) {
        MonkeyRound made;
        made.seed = 20;
        made.events = events;
        made.folder = folder_.path();
        made.files = files_;
        return made;
    }
    WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }
    QTemporaryDir folder_;
    QStringList files_;
};

void TestMonkey::initTestCase() {
    prepareApplication(application());
    files_ = writeMonkeyFiles(folder_.path());
    QVERIFY(files_.size() > 10);
    QDir::setCurrent(folder_.path());
}

void TestMonkey::aRoundHasNoFault() {
    constexpr int kEvents = 700;
    const RoundReport report = runRound(application(), round(kEvents), [](const QString&) {});
    QVERIFY2(report.faults.isEmpty(), qPrintable(report.faults.join('\n')));
    QVERIFY(report.events >= kEvents);
    // The round uses the sky, tools, keys and menus.
    for (const char* kind : {"drag sky", "wheel sky", "tool", "open tool", "key", "drop", "undo"})
        QVERIFY2(report.kinds.contains(QString::fromLatin1(kind)), kind);
    QVERIFY(report.tools.size() > 4);
}

void TestMonkey::anExceptionIsAFault() {
    Thrower thrower;
    bool isThrown = false;
    const RoundReport report = runRound(application(), round(60), [&](const QString&) {
        if (!std::exchange(isThrown, true))
            QCoreApplication::postEvent(&thrower, new QEvent(QEvent::User));
    });
    QVERIFY(std::any_of(report.faults.begin(), report.faults.end(), [](const QString& fault) {
        return fault.contains(QLatin1String("thrown by the test"));
    }));
}

int main(int argc, char** argv) {
    QTemporaryDir user;
    isolateUser(user.path());
    WatchedApplication application(argc, argv, 0.0);
    TestMonkey test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_monkey.moc"
