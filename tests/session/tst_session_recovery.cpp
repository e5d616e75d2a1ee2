// SPDX-License-Identifier: GPL-3.0-or-later
// Autosaves of processes that are killed or asked to end, and recovery by the next process.
#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cstdio>
#include <semaphore>
#include <thread>
#include <utility>

#include "armilla/io/map_io.h"
#include "armilla/session/end_signals.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/project_keeper.h"
#include "autosave.h"
#include "restore_watch.h"
#include "session_bench.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr const char* kChildVariable = "ARMILLA_TEST_CHILD";

QStringList autosaves(const QString& folder) {
    return QDir(folder + "/state").entryList({"autosave-*.json"}, QDir::Files);
}

// True once the autosave of this process holds the position of the swipe.
bool isAutosaved(const QString& folder, double swipe) {
    const QString own =
        QStringLiteral("autosave-%1-*.json").arg(QCoreApplication::applicationPid());
    const QStringList files = QDir(folder + "/state").entryList({own}, QDir::Files);
    if (files.size() != 1) return false;
    QFile file(folder + "/state/" + files[0]);
    return file.open(QIODevice::ReadOnly) &&
           QJsonDocument::fromJson(file.readAll()).object().value("document")["view"]["swipe"] ==
               swipe;
}

// The child process of the crash tests: opens a map, moves the view, and waits for its end. A
// change right before a requested end is saved only by that end.
int runChild(int argc, char** argv, const QString& folder) {
    QCoreApplication application(argc, argv);
    Session session(pathsIn(folder));
    EndSignals endSignals;
    QObject::connect(&endSignals, &EndSignals::endRequested, &application, [&session] {
        session.document().view().setSwipe(0.456);
        session.project().keepForNextStart();
        QCoreApplication::quit();
    });
    session.files().openFiles({folder + "/map.fits"});
    bool isMoved = false;
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, [&] {
        if (session.document().entries().empty()) return;
        if (!std::exchange(isMoved, true)) session.document().view().setSwipe(0.123);
        if (!isAutosaved(folder, 0.123)) return;
        poll.stop();
        std::puts("ready");
        std::fflush(stdout);
    });
    poll.start(10);
    return QCoreApplication::exec();
}

}  // namespace

class SessionRecoveryTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    // A process with an open map, killed as in a crash, or asked to end.
    enum class End { Crash, Request };
    void end(const QString& folder, End how) const {
        const bool hasDead = Session(pathsIn(folder)).project().hasCrashedSession();
        QProcess child;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(kChildVariable, folder);
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForReadyRead(kPatience));
        QCOMPARE(child.readAllStandardOutput().trimmed(), QByteArray("ready"));
        // While the process runs, no other may take its autosave.
        {
            Session other(pathsIn(folder));
            QCOMPARE(other.project().hasCrashedSession(), hasDead);
        }
        if (how == End::Crash)
            child.kill();
        else
            child.terminate();
        QVERIFY(child.waitForFinished(kPatience));
        QCOMPARE(child.exitStatus(),
                 how == End::Crash ? QProcess::CrashExit : QProcess::NormalExit);
    }
    void crash(const QString& folder) const { end(folder, End::Crash); }

private slots:
    void initTestCase() {
        JobContext job;
        writeMap(*polarizedMap(16), path("map.fits").toStdString(), {}, job);
    }
    // An unreadable autosave is not overwritten: it is kept under another name.
    void unreadableAutosavesAreKept() {
        const QString folder = path("unreadable");
        QVERIFY(QDir().mkpath(folder + "/state"));
        const QByteArray content = "{\"format\":\"armilla-session\",\"version\":1,\"docu";
        QFile file(folder + "/state/autosave-1-abcdefgh.json");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        SpokenSession bench(folder);
        QVERIFY(bench.session.project().hasCrashedSession());
        bench.session.project().recoverCrashedSession();
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QCOMPARE(bench.news.size(), 1);
        const QStringList kept = QDir(folder + "/state").entryList({"unreadable-*"}, QDir::Files);
        QCOMPARE(kept.size(), 1);
        QVERIFY(bench.news[0].contains(kept[0]));
        QFile back(folder + "/state/" + kept[0]);
        QVERIFY(back.open(QIODevice::ReadOnly));
        QCOMPARE(back.readAll(), content);
        QVERIFY(bench.document().entries().empty());
    }
    void killedProcessLeavesItsSession() {
        const QString folder = path("crash");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(path("map.fits"), folder + "/map.fits"));
        crash(folder);
        QCOMPARE(autosaves(folder).size(), 1);
        SpokenSession bench(folder);
        QVERIFY(bench.session.project().hasCrashedSession());
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.project().recoverCrashedSession();
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().view().swipe(), 0.123);
        // It has an owner now: it exists, but is not offered to others, until the owner ends.
        {
            Session other(pathsIn(folder));
            QVERIFY(!other.project().hasCrashedSession());
        }
        QCOMPARE(autosaves(folder).size(), 1);
    }
    // A change of the active layer alone is saved, too.
    void theActiveLayerIsKept() {
        const QString folder = path("active");
        QVERIFY(QDir().mkpath(folder));
        SpokenSession bench(folder);
        for (int i = 0; i < 2; ++i) {
            bench.session.files().openFiles({path("map.fits")});
            QVERIFY(bench.settle());
        }
        const auto& layers = bench.document().entries();
        QCOMPARE(layers.size(), size_t{2});
        const auto kept = [&] {
            const QStringList files = autosaves(folder);
            if (files.size() != 1) return -1;
            QFile file(folder + "/state/" + files[0]);
            if (!file.open(QIODevice::ReadOnly)) return -1;
            return QJsonDocument::fromJson(file.readAll())
                .object()
                .value("document")["active"]
                .toInt(-1);
        };
        for (const size_t i : {1, 0, 1}) {
            bench.document().setActive(layers[i].id);
            QTRY_COMPARE_WITH_TIMEOUT(kept(), layers[i].id.number(), kPatience);
        }
    }
    // A window closed while the autosave is read: it is offered again, with the same reason.
    void sessionsThatWereNotReadAreOfferedAgain() {
        const QString folder = path("not read");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(path("map.fits"), folder + "/map.fits"));
        end(folder, End::Request);
        const QStringList before = QDir(folder + "/state").entryList(QDir::Files);
        QCOMPARE(before.filter(QRegularExpression("json$|kept$")).size(), 2);
        for (const bool waits : {true, false}) {
            SpokenSession bench(folder);
            bench.session.project().recoverCrashedSession();
            bench.session.jobs().cancelAll();
            if (waits) QVERIFY(bench.settle());
            QVERIFY(bench.document().entries().empty());
        }
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files), before);
        SpokenSession bench(folder);
        QVERIFY(bench.session.project().leftBehind() == LeftBehind::EndFromOutside);
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.project().recoverCrashedSession();
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QCOMPARE(bench.document().view().swipe(), 0.456);
    }
    // A write in progress when another autosave takes its place leaves no file; a write pending at
    // the end is skipped.
    void lateWritingLeavesNothing() {
        const QString folder = path("late"), state = folder + "/state";
        QVERIFY(QDir().mkpath(state));
        writeFile(state + "/autosave-1-dead.json", "old");
        std::binary_semaphore begun(0), mayEnd(0);
        std::atomic<int> writings = 0;
        const auto failed = [](const QString& line) { qWarning("%s", qPrintable(line)); };
        const auto snapshot = [&]() -> Autosave::Writer {
            return [&] {
                ++writings;
                begun.release();
                mayEnd.acquire();
                return QByteArray("new");
            };
        };
        const auto wait = [&] {
            QVERIFY(begun.try_acquire_for(std::chrono::milliseconds(kPatience)));
        };
        {
            std::jthread later;
            Autosave autosave(state, snapshot, failed);
            const QString own = autosave.path();
            autosave.noteChange();
            QTRY_COMPARE_WITH_TIMEOUT(writings.load(), 1, kPatience);
            wait();
            QCOMPARE(autosave.adopt(), std::optional(QByteArray("old")));
            autosave.release();
            QCOMPARE(autosave.path(), state + "/autosave-1-dead.json");
            mayEnd.release();
            autosave.noteChange();
            QTRY_COMPARE_WITH_TIMEOUT(writings.load(), 2, kPatience);  // after the late one
            wait();
            QVERIFY(!QFile::exists(own));
            autosave.noteChange();
            QTest::qWait(1500);  // the third one waits
            later = std::jthread([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
                mayEnd.release();
            });
        }
        QCOMPARE(writings.load(), 2);
        QCOMPARE(QDir(state).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    }
    // A folder of files is removed with its session, kept with a kept one, and removed for a dead
    // one.
    void filesOfTheSessionGoWithIt() {
        const QString folder = path("files"), state = folder + "/state";
        const auto left = [&] { return QDir(state).entryList({"*.files"}, QDir::Dirs); };
        {
            Session session(pathsIn(folder));
            const QString files = session.project().exchangeFolder();
            QCOMPARE(session.project().exchangeFolder(), files);
            QCOMPARE(QFileInfo(files).permissions() & QFile::Permissions(0x77),
                     QFile::Permissions());
            writeFile(files + "/x", "x");
            QCOMPARE(left().size(), 1);
            Session other(pathsIn(folder));  // leaves folders of running processes alone
            QCOMPARE(left().size(), 1);
        }
        QCOMPARE(QDir(state).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
        // Killed before there was anything to restore.
        QVERIFY(QDir().mkpath(state + "/autosave-1-dead.files"));
        writeFile(state + "/autosave-1-dead.files/x", "x");
        // Killed with a session to restore.
        QVERIFY(QDir().mkpath(state + "/autosave-2-dead.files"));
        writeFile(state + "/autosave-2-dead.json", "{}");
        Session session(pathsIn(folder));
        QCOMPARE(left(), QStringList{"autosave-2-dead.files"});
        session.project().discardCrashedSession();
        QCOMPARE(QDir(state).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList());
    }
    void requestedEndKeepsTheSession() {
        const QString folder = path("requested");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(path("map.fits"), folder + "/map.fits"));
        end(folder, End::Request);
        QCOMPARE(autosaves(folder).size(), 1);
        {
            SpokenSession bench(folder);
            QVERIFY(bench.session.project().hasCrashedSession());
            QVERIFY(bench.session.project().leftBehind() == LeftBehind::EndFromOutside);
            RestoreWatch restored(bench.session.project(), bench.document());
            bench.session.project().recoverCrashedSession();
            QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
            QCOMPARE(bench.document().view().swipe(), 0.456);
        }
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files).size(), 0);
        crash(folder);
        QVERIFY(Session(pathsIn(folder)).project().leftBehind() == LeftBehind::Crash);
    }
    void normalEndLeavesNothing() {
        const QString folder = path("normal");
        {
            SpokenSession bench(folder);
            bench.session.files().openFiles({path("map.fits")});
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder).size(), 1, kPatience);
            // Without open layers there is nothing to restore.
            bench.document().removeLayer(bench.document().entries()[0].id);
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder).size(), 0, kPatience);
            bench.document().history().stack()->undo();
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder).size(), 1, kPatience);
        }
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files).size(), 0);
    }
    void crashedSessionsCanBeDiscarded() {
        const QString folder = path("discard");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(path("map.fits"), folder + "/map.fits"));
        crash(folder);
        crash(folder);
        QCOMPARE(autosaves(folder).size(), 2);
        Session session(pathsIn(folder));
        QVERIFY(session.project().hasCrashedSession());
        session.project().discardCrashedSession();
        QVERIFY(!session.project().hasCrashedSession());
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files).size(), 0);
        session.project().recoverCrashedSession();  // nothing left: nothing happens
        QVERIFY(session.document().entries().empty());
    }
    void damagedAutosavesAreReportedOnce() {
        const QString folder = path("damaged");
        QVERIFY(QDir().mkpath(folder + "/state"));
        writeFile(path("damaged/state/autosave-1-x.json"), "{\"format\":");
        SpokenSession bench(folder);
        QVERIFY(bench.session.project().hasCrashedSession());
        bench.session.project().recoverCrashedSession();
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(!bench.session.project().hasCrashedSession());
    }
    void unwritableStateFolderIsSaidOnce() {
        writeFile(path("blocked"), "a file where a folder should be");
        SpokenSession bench(path("blocked"));
        bench.session.files().openFiles({path("map.fits")});
        QTRY_COMPARE_WITH_TIMEOUT(bench.errors.size(), 1, kPatience);
        bench.document().view().setSwipe(0.9);
        QTest::qWait(1300);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("will not come back"));
    }
};

int main(int argc, char** argv) {
    const QString folder = qEnvironmentVariable(kChildVariable);
    if (!folder.isEmpty()) return runChild(argc, argv, folder);
    QCoreApplication application(argc, argv);
    SessionRecoveryTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_session_recovery.moc"
