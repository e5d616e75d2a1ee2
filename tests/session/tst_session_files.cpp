// SPDX-License-Identifier: GPL-3.0-or-later
// Session files, hostile ones too, and recovery after a process was killed.
#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cstdio>

#include "core/error.h"
#include "io/map_io.h"
#include "session/end_signals.h"
#include "session_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr const char* kChildVariable = "ARMILLA_TEST_CHILD";

QStringList autosaves(const QString& folder) {
    return QDir(folder + "/state").entryList({"autosave-*.json"}, QDir::Files);
}

// The other process of the crash tests: opens a map, moves the view, and waits for its end.
int runChild(int argc, char** argv, const QString& folder) {
    QCoreApplication application(argc, argv);
    Session session(pathsIn(folder));
    EndSignals endSignals;
    QObject::connect(&endSignals, &EndSignals::endRequested, &application, [&session] {
        session.keepForNextStart();
        QCoreApplication::quit();
    });
    session.openFiles({folder + "/map.fits"});
    QTimer poll;
    QObject::connect(&poll, &QTimer::timeout, [&] {
        if (session.document().entries().empty()) return;
        poll.stop();
        session.document().setSwipe(0.123);
        QTimer::singleShot(1500, [&session] {
            session.document().setSwipe(0.456);  // saved by an orderly end alone
            std::puts("ready");
            std::fflush(stdout);
        });
    });
    poll.start(10);
    return QCoreApplication::exec();
}

}  // namespace

class SessionFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    void writeFile(const QString& name, const QByteArray& content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    QByteArray readFile(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    // A process with an open map, killed as a crash would, or asked to end.
    enum class End { Crash, Request };
    void end(const QString& folder, End how) const {
        const bool hasDead = Session(pathsIn(folder)).hasCrashedSession();
        QProcess child;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(kChildVariable, folder);
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForReadyRead(30000));
        QCOMPARE(child.readAllStandardOutput().trimmed(), QByteArray("ready"));
        // While it lives its autosave is nobody else's.
        {
            Session other(pathsIn(folder));
            QCOMPARE(other.hasCrashedSession(), hasDead);
        }
        if (how == End::Crash)
            child.kill();
        else
            child.terminate();
        QVERIFY(child.waitForFinished());
        QCOMPARE(child.exitStatus(),
                 how == End::Crash ? QProcess::CrashExit : QProcess::NormalExit);
    }
    void crash(const QString& folder) const { end(folder, End::Crash); }

private slots:
    void initTestCase() {
        JobContext job;
        writeMap(*polarizedMap(16), path("map.fits").toStdString(), {}, job);
        writeMap(*noiseMap(8), path("other.fits").toStdString(), {}, job);
    }
    // open, smooth, difference; the input of the smoothed map closed
    void sessionComesBack() {
        QByteArray saved;
        {
            SpokenSession bench(path("first"));
            bench.session.saveSession(path("work.armilla"));
            QCOMPARE(bench.errors.size(), 1);  // nothing to save
            bench.errors.clear();
            bench.session.openFiles({path("map.fits")});
            QVERIFY(bench.settle());
            bench.session.openFiles({path("other.fits")});
            QVERIFY(bench.settle());
            const int first = bench.document().entries()[0].id;
            bench.document().setShown({first, 1});
            SmoothParameters parameters;
            parameters.fwhm = 0.2;
            bench.session.previewSmooth(parameters);
            bench.session.keepSmooth();
            QVERIFY(bench.settle());
            const int smoothed = bench.document().shown().entry;
            bench.session.showDifference({first, 1}, {smoothed, 0});
            QVERIFY(bench.settle());
            bench.document().removeLayer(first);
            bench.document().setSwipe(0.75);
            bench.document().setCamera(bench.document().camera().centeredOn({1.0, 0.2}));
            QVERIFY(bench.settle());
            bench.session.saveSession(path("work.armilla"));
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            saved = QJsonDocument(bench.document().toJson()).toJson();
        }
        SpokenSession bench(path("second"));
        QSignalSpy restored(&bench.session, &Session::sessionRestored);
        bench.session.openFiles({path("work.armilla")});
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, 60000);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        QVERIFY(bench.document().drawable(bench.document().shown()));
        QCOMPARE(bench.document().swipe(), 0.75);
        // The hidden input is written again in the same way.
        QCOMPARE(QJsonDocument(bench.document().toJson()).toJson(), saved);
        // The difference of the restored maps is what it was: map minus smoothed map.
        const auto& entries = bench.document().entries();
        JobContext job;
        const HealpixMap map = readMap(path("map.fits").toStdString(), {}, job);
        const auto& smoothed = *entries[1].map;
        const auto& difference = *entries[2].map;
        for (int64_t i = 0; i < map.elementCount(); ++i)
            QVERIFY(std::abs(difference.field(0).at(i) -
                             (map.field(1).at(i) - smoothed.field(0).at(i))) < 1e-6);
    }
    void missingFilesAreReportedAndTheRestComesBack() {
        SpokenSession bench(path("third"));
        bench.session.openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        JobContext job;
        writeMap(*noiseMap(4), path("soon gone.fits").toStdString(), {}, job);
        bench.session.openFiles({path("soon gone.fits")});
        QVERIFY(bench.settle());
        SmoothParameters parameters;
        parameters.fwhm = 0.3;
        bench.session.previewSmooth(parameters);
        bench.session.keepSmooth();
        QVERIFY(bench.settle());
        bench.session.saveSession(path("missing.armilla"));
        QVERIFY(bench.settle());
        QVERIFY(QFile::remove(path("soon gone.fits")));
        QSignalSpy restored(&bench.session, &Session::sessionRestored);
        bench.session.loadSession(path("missing.armilla"));
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, 60000);
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().entries()[0].name, QString("map.fits"));
        QCOMPARE(bench.document().shown().entry, bench.document().entries()[0].id);
        QCOMPARE(bench.errors.size(), 2);  // the file, and what was made from it
        QVERIFY2(bench.errors[0].contains("soon gone.fits"), qPrintable(bench.errors[0]));
        // Both are kept as they stood, in the next session file, too.
        QCOMPARE(bench.document().missing().size(), size_t{2});
        QCOMPARE(bench.document().toJson()["layers"].toArray().size(), 3);
        bench.session.saveSession(path("still missing.armilla"));
        QVERIFY(bench.settle());
        // Found again at another place: what was made of it comes back as well.
        writeMap(*noiseMap(4), path("found.fits").toStdString(), {}, job);
        QSignalSpy again(&bench.session, &Session::sessionRestored);
        bench.session.retryMissing(bench.document().missing()[0].layer.id, path("found.fits"));
        QTRY_COMPARE_WITH_TIMEOUT(again.count(), 1, 60000);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().missing().empty());
        QCOMPARE(bench.document().entries().size(), size_t{3});
        QCOMPARE(bench.errors.size(), 2);
        // Closed, they are gone.
        SpokenSession other(path("third b"));
        other.session.loadSession(path("still missing.armilla"));
        QVERIFY(other.settle());
        QCOMPARE(other.document().missing().size(), size_t{2});
        while (!other.document().missing().empty())
            other.document().removeMissing(other.document().missing()[0].layer.id);
        QCOMPARE(other.document().toJson()["layers"].toArray().size(), 1);
    }
    // A folder with a session and its files is moved as a whole.
    void movedFoldersAreFound() {
        JobContext job;
        QVERIFY(QDir().mkpath(path("before/data")));
        writeMap(*noiseMap(4), path("before/data/sky.fits").toStdString(), {}, job);
        {
            SpokenSession bench(path("moving"));
            bench.session.openFiles({path("before/data/sky.fits")});
            QVERIFY(bench.settle());
            const FileMark mark = bench.document().fileMark(bench.document().entries()[0].id);
            QCOMPARE(mark.bytes, QFileInfo(path("before/data/sky.fits")).size());
            QCOMPARE(mark.checksum.size(), 64);
            bench.session.saveSession(path("before/work.armilla"));
            QVERIFY(bench.settle());
        }
        QVERIFY(QDir().rename(path("before"), path("after")));
        {
            SpokenSession bench(path("moved"));
            bench.session.loadSession(path("after/work.armilla"));
            QVERIFY(bench.settle());
            QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
            QCOMPARE(bench.document().entries().size(), size_t{1});
            QCOMPARE(bench.document().entries()[0].recipe.path, path("after/data/sky.fits"));
            QVERIFY(bench.news.isEmpty());
        }
        // Another file of that name is read, and said to be another one.
        QVERIFY(QFile::remove(path("after/data/sky.fits")));
        writeMap(*noiseMap(8), path("after/data/sky.fits").toStdString(), {}, job);
        SpokenSession bench(path("changed"));
        bench.session.loadSession(path("after/work.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.news.size(), 1);
        QVERIFY2(bench.news[0].contains("sky.fits is not the file"), qPrintable(bench.news[0]));
    }
    // Two results of one operation come from one run of it.
    void resultsOfOneRunAreMadeTogether() {
        SpokenSession bench(path("together"));
        bench.session.openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        const Operation* filter = findOperation("filter");
        OperationRequest request{filter, filter->defaults(), {}, {"snr"}};
        request.parameters.set("type", "mexican-hat");
        request.parameters.set("fwhm", "20deg");
        request.inputs.push_back({"MAP", bench.document().entries()[0].id, {0}, {}});
        bench.session.runOperation(request);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{3});
        QCOMPARE(bench.session.unsavedResults().size(), size_t{2});
        bench.session.saveSession(path("together.armilla"));
        QVERIFY(bench.settle());
        QVERIFY(bench.session.unsavedResults().empty());
        SpokenSession other(path("together b"));
        // Both come back with the same job.
        size_t before = 0, most = 0;
        connect(&other.session.jobs(), &JobRunner::jobFinished, this, [&] {
            const size_t now = other.document().entries().size();
            most = std::max(most, now - before);
            before = now;
        });
        other.session.loadSession(path("together.armilla"));
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QCOMPARE(other.document().entries().size(), size_t{3});
        QCOMPARE(most, size_t{2});
        for (size_t i = 1; i < 3; ++i)
            QCOMPARE(largestDifference(*other.document().entries()[i].map,
                                       *bench.document().entries()[i].map),
                     0.0);
    }
    // What was made and not exported is offered at the next start, with the reason.
    void openResultsAreKept() {
        const QString folder = path("results");
        {
            SpokenSession bench(folder);
            bench.session.openFiles({path("other.fits")});
            QVERIFY(bench.settle());
            QVERIFY(bench.session.unsavedResults().empty());
            SmoothParameters parameters;
            parameters.fwhm = 0.3;
            bench.session.previewSmooth(parameters);
            bench.session.keepSmooth();
            QVERIFY(bench.settle());
            const std::vector<int> open = bench.session.unsavedResults();
            QCOMPARE(open.size(), size_t{1});
            bench.session.exportLayer(open[0], path("exported.fits"), true);
            QVERIFY(bench.settle());
            QVERIFY(bench.session.unsavedResults().empty());
            bench.session.previewSmooth(parameters);
            bench.session.keepSmooth();
            QVERIFY(bench.settle());
            bench.session.keepForNextStart(LeftBehind::OpenResults);
        }
        SpokenSession bench(folder);
        QVERIFY(bench.session.hasCrashedSession());
        QVERIFY(bench.session.leftBehind() == LeftBehind::OpenResults);
        bench.session.recoverCrashedSession();
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{3});
    }
    // Undo brings back a layer whose value was given up for memory, by its recipe.
    void undoMakesLayersAgain() {
        SpokenSession bench(path("again"));
        bench.session.openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        SmoothParameters parameters;
        parameters.fwhm = 0.3;
        bench.session.previewSmooth(parameters);
        bench.session.keepSmooth();
        QVERIFY(bench.settle());
        const auto values = bench.document().entries()[1].map;
        bench.document().setUndoBudget(0);
        bench.document().removeAll();
        QCOMPARE(bench.document().undoMemory().recipes, 2);
        QCOMPARE(bench.session.memoryLedger().host(), int64_t{0});
        bench.document().undoStack()->undo();
        QVERIFY(bench.document().entries().empty());
        QTRY_COMPARE_WITH_TIMEOUT(bench.document().entries().size(), size_t{2}, 60000);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(largestDifference(*bench.document().entries()[1].map, *values), 0.0);
        QCOMPARE(bench.document().shown().entry, bench.document().entries()[1].id);
    }
    // Each layer's values and pictures, and the plans, are counted; closing gives them back.
    void theLedgerCountsWhatIsHeld() {
        SpokenSession bench(path("ledger"));
        bench.session.openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        MemoryLedger ledger = bench.session.memoryLedger();
        QCOMPARE(ledger.rows.size(), size_t{1});
        const Layer& layer = bench.document().entries()[0];
        QCOMPARE(ledger.rows[0].values, layer.map->memoryBytes());
        QCOMPARE(ledger.rows[0].picture, bench.document().drawable({layer.id, 0})->memoryBytes());
        QCOMPARE(ledger.plans, int64_t{0});
        SmoothParameters parameters;
        parameters.fwhm = 0.3;
        bench.session.previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(bench.session.memoryLedger().plans > 0);
        QVERIFY(bench.session.memoryLedger({{layer.id, 1000}})
                    .lines()
                    .front()
                    .contains("on the device 1.00 kB"));
        bench.session.stopPreview();
        bench.document().removeAll();
        ledger = bench.session.memoryLedger();
        QVERIFY(ledger.rows.empty());
        QCOMPARE(ledger.plans, int64_t{0});
        QVERIFY(ledger.undo.bytes > 0);
    }
    void loadingTwiceKeepsTheLast() {
        SpokenSession bench(path("twice"));
        bench.session.openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.session.saveSession(path("one.armilla"));
        QVERIFY(bench.settle());
        bench.session.openFiles({path("other.fits")});
        QVERIFY(bench.settle());
        bench.session.saveSession(path("two.armilla"));
        QVERIFY(bench.settle());
        for (int i = 0; i < 10; ++i) {
            bench.session.loadSession(path(i % 2 == 0 ? "two.armilla" : "one.armilla"));
            QTest::qWait(i);
        }
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QVERIFY(bench.document().awaited().empty());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    void cancelledRestoresAreGivenUp() {
        SpokenSession bench(path("cancelled"));
        bench.session.openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.session.saveSession(path("c.armilla"));
        QVERIFY(bench.settle());
        QSignalSpy restored(&bench.session, &Session::sessionRestored);
        bench.session.loadSession(path("c.armilla"));
        QTRY_VERIFY(!bench.document().awaited().empty() || restored.count() > 0);
        bench.session.jobs().cancelAll();
        QTRY_COMPARE(restored.count(), 1);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().awaited().empty());
    }

    // An autosave that cannot be read is not written over: it is kept under another name.
    void unreadableAutosavesAreKept() {
        const QString folder = path("unreadable");
        QVERIFY(QDir().mkpath(folder + "/state"));
        const QByteArray content = "{\"format\":\"armilla-session\",\"version\":1,\"docu";
        QFile file(folder + "/state/autosave-1-abcdefgh.json");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        SpokenSession bench(folder);
        QVERIFY(bench.session.hasCrashedSession());
        bench.session.recoverCrashedSession();
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
    void hostileSessionsAreRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("line");
        QTest::newRow("empty") << QByteArray() << "expected the JSON of a session";
        QTest::newRow("text") << QByteArray("hello") << "expected the JSON of a session";
        QTest::newRow("list") << QByteArray("[1]") << "expected the JSON of a session";
        QTest::newRow("deep") << QByteArray(5000, '[') << "expected the JSON of a session";
        QTest::newRow("other format")
            << QByteArray("{\"format\":\"x\",\"version\":1}") << "expected armilla-session";
        QTest::newRow("newer")
            << QByteArray("{\"format\":\"armilla-session\",\"version\":3,\"document\":{}}")
            << "found version 3";
        QTest::newRow("no document")
            << QByteArray("{\"format\":\"armilla-session\",\"version\":1}") << "\"document\"";
        QTest::newRow("empty document")
            << QByteArray("{\"format\":\"armilla-session\",\"version\":1,\"document\":{}}")
            << "\"layers\": expected a list";
        const auto broken = [](const QString& key, const QJsonValue& value) {
            return QByteArray("@") + QJsonDocument(QJsonObject{{key, value}}).toJson();
        };
        // "@": a good session in which the value at this path (dots between) is replaced.
        QTest::newRow("zoom") << broken("view.camera.zoom", 1e300) << "\"zoom\"";
        QTest::newRow("zoom 0") << broken("view.camera.zoom", 0) << "\"zoom\"";
        QTest::newRow("no rotation")
            << broken("view.camera.orientation", QJsonArray{1, 0, 0, 0, 1, 0, 0, 0, 2})
            << "\"orientation\"";
        QTest::newRow("mirror") << broken("view.camera.orientation",
                                          QJsonArray{1, 0, 0, 0, 1, 0, 0, 0, -1})
                                << "\"orientation\"";
        QTest::newRow("short rotation")
            << broken("view.camera.orientation", QJsonArray{1, 0}) << "\"orientation\"";
        QTest::newRow("rotation of texts")
            << broken("view.camera.orientation", QJsonArray{"a"}) << "\"orientation\"";
        QTest::newRow("projection") << broken("view.camera.projection", "cube") << "\"projection\"";
        QTest::newRow("swipe") << broken("view.swipe", -1) << "\"swipe\"";
        QTest::newRow("swipe null") << broken("view.swipe", QJsonValue()) << "found null";
        QTest::newRow("rods") << broken("view.rodsVisible", 1) << "\"rodsVisible\"";
        QTest::newRow("field") << broken("view.shown.field", -3) << "\"field\"";
        QTest::newRow("half field") << broken("view.shown.field", 0.5) << "\"field\"";
        QTest::newRow("id") << broken("layers.0.id", 0) << "\"id\"";
        QTest::newRow("same id") << broken("layers.1.id", 1) << "used once";
        QTest::newRow("huge id") << broken("layers.0.id", 1e15) << "\"id\"";
        QTest::newRow("name") << broken("layers.0.name", QString(100000, 'x')) << "\"name\"";
        QTest::newRow("zero in name") << broken("layers.0.name", QString(QChar(0))) << "\"name\"";
        QTest::newRow("no recipe") << broken("layers.0.recipe", true) << "found true";
        QTest::newRow("kind") << broken("layers.0.recipe.kind", "shell") << "\"kind\"";
        QTest::newRow("ring of recipes") << broken("layers.1.recipe.input", 2) << "\"input\"";
        QTest::newRow("unknown input") << broken("layers.1.recipe.input", 7) << "\"input\"";
        QTest::newRow("later parent") << broken("layers.0.parent", 5) << "\"parent\"";
        QTest::newRow("width") << broken("layers.1.recipe.smooth.fwhm", -1) << "\"fwhm\"";
        QTest::newRow("lmax") << broken("layers.1.recipe.smooth.lmax", 1e9) << "\"lmax\"";
        QTest::newRow("iterations")
            << broken("layers.1.recipe.smooth.iterations", 1000000) << "\"iterations\"";
        QTest::newRow("empty beam")
            << broken("layers.1.recipe.smooth.beam",
                      QJsonObject{{"t", QJsonArray()}, {"e", QJsonArray()}, {"b", QJsonArray()}})
            << "\"beam\"";
        QTest::newRow("kernel") << broken("layers.1.recipe.smooth.kernel",
                                          QJsonObject{{"angle", QJsonArray{0, 2, 1}},
                                                      {"value", QJsonArray{1, 1, 1}}})
                                << "\"kernel\"";
        QTest::newRow("fields") << broken("layers.0.recipe.fields", QJsonArray{1}) << "\"fields\"";
        QTest::newRow("scales") << broken("scales", 1) << "\"scales\"";
        QTest::newRow("color map") << broken("scales.0.colors.colorMap", "mud") << "\"colorMap\"";
        QTest::newRow("color") << broken("scales.0.colors.bad", "red") << "\"bad\"";
        QTest::newRow("infinite") << broken("scales.0.colors.low", 1e300) << "\"low\"";
        QTest::newRow("scale of nothing") << broken("scales.0", 7) << "\"of\"";
    }
    void hostileSessionsAreRefused() {
        QFETCH(QByteArray, content);
        QFETCH(QString, line);
        SpokenSession bench(path("hostile"));
        bench.session.openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.document().setSwipe(0.31);
        const QByteArray before = QJsonDocument(bench.document().toJson()).toJson();
        if (content.startsWith('@')) {
            const QJsonObject change = QJsonDocument::fromJson(content.mid(1)).object();
            content = replaced(goodSession(), change.keys()[0], change.begin().value());
        }
        writeFile("hostile.armilla", content);
        bench.session.loadSession(path("hostile.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains(line), qPrintable(bench.errors[0]));
        QVERIFY2(bench.errors[0].contains("hostile.armilla"), qPrintable(bench.errors[0]));
        QVERIFY(!bench.errors[0].contains('\n'));
        QVERIFY(bench.errors[0].size() < 400);
        QCOMPARE(QJsonDocument(bench.document().toJson()).toJson(), before);
    }
    void goodSessionIsGood() {
        SpokenSession bench(path("good"));
        writeFile("good.armilla", goodSession());
        QSignalSpy restored(&bench.session, &Session::sessionRestored);
        bench.session.loadSession(path("good.armilla"));
        QTRY_COMPARE(restored.count(), 1);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    void unreadableSessionsAreReported() {
        SpokenSession bench(path("unreadable"));
        bench.session.loadSession(path("no such file.armilla"));
        bench.session.loadSession("/dev/zero.armilla");
        QVERIFY(bench.settle());
        QVERIFY(!bench.errors.isEmpty());
        // Endless: refused after 256 MiB.
        QVERIFY(QFile::link("/dev/zero", path("endless.armilla")));
        bench.errors.clear();
        bench.session.loadSession(path("endless.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("256 MiB"));
        bench.session.openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.errors.clear();
        bench.session.saveSession(path("no such folder/a.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
    }
    void recipesComeBack() {
        Recipe recipe;
        recipe.kind = RecipeKind::Smooth;
        recipe.input = 3;
        recipe.field = 2;
        recipe.profilePath = "/data/beam.fits";
        recipe.smooth.beam = Beam{{{{1.0, 0.9, 0.1 + 0.2}, {0.5}, {}}}};
        recipe.smooth.kernel = RadialKernel{{0.0, 0.1}, {1.0, 0.0}};
        recipe.smooth.masked = Masked::Ignore;
        recipe.smooth.polarization = true;
        const Recipe back = Recipe::fromJson(recipe.toJson());
        QCOMPARE(back.toJson(), recipe.toJson());
        QCOMPARE(back.smooth.beam->bl, recipe.smooth.beam->bl);
        QCOMPARE(back.smooth.kernel->angle, recipe.smooth.kernel->angle);
        QCOMPARE(recipe.title(), QString("smooth with beam beam.fits"));
        QCOMPARE(smoothCommand("a", "b", 0, recipe.smooth), QString());
        QVERIFY(smoothCommand("a", "b", 0, recipe.smooth, recipe.profilePath)
                    .startsWith("armilla smooth a b --beam /data/beam.fits --method auto"));
        recipe.smooth.beam.reset();
        recipe.profilePath.clear();
        QCOMPARE(recipe.title(), QString("smooth with a kernel"));
        recipe.kind = RecipeKind::MaskedDifference;
        QVERIFY(recipe.title().endsWith("normalized minus ignored mask"));
        QCOMPARE(Recipe::fromJson(recipe.toJson()).kind, RecipeKind::MaskedDifference);
        for (const RecipeKind kind :
             {RecipeKind::Open, RecipeKind::SampleSky, RecipeKind::Difference}) {
            Recipe other;
            other.kind = kind;
            other.path = "/x/y.fits[2]";
            other.fields = QStringList{"1", "3"};
            other.sampleNside = 256;
            other.input = 1;
            other.other = 2;
            other.otherQuantity = Quantity::PolarizedAmplitude;
            QCOMPARE(Recipe::fromJson(other.toJson()).toJson(), other.toJson());
            QVERIFY(!other.title().isEmpty());
        }
        QVERIFY_EXCEPTION_THROWN(
            Recipe::fromJson(QJsonObject{{"kind", "sample-sky"}, {"nside", 100}}), InvalidArgument);
    }

    void killedProcessLeavesItsSession() {
        const QString folder = path("crash");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(path("map.fits"), folder + "/map.fits"));
        crash(folder);
        QCOMPARE(autosaves(folder).size(), 1);
        SpokenSession bench(folder);
        QVERIFY(bench.session.hasCrashedSession());
        QSignalSpy restored(&bench.session, &Session::sessionRestored);
        bench.session.recoverCrashedSession();
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, 60000);
        QCOMPARE(bench.document().entries().size(), size_t{1});
        QCOMPARE(bench.document().swipe(), 0.123);
        // It is this session's now: no other is offered it, and it is still there.
        Session other(pathsIn(folder));
        QVERIFY(!other.hasCrashedSession());
        QCOMPARE(autosaves(folder).size(), 1);
    }
    void requestedEndKeepsTheSession() {
        const QString folder = path("requested");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::copy(path("map.fits"), folder + "/map.fits"));
        end(folder, End::Request);
        QCOMPARE(autosaves(folder).size(), 1);
        {
            SpokenSession bench(folder);
            QVERIFY(bench.session.hasCrashedSession());
            QVERIFY(bench.session.leftBehind() == LeftBehind::EndFromOutside);
            QSignalSpy restored(&bench.session, &Session::sessionRestored);
            bench.session.recoverCrashedSession();
            QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, 60000);
            QCOMPARE(bench.document().swipe(), 0.456);
        }
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files).size(), 0);
        crash(folder);
        QVERIFY(Session(pathsIn(folder)).leftBehind() == LeftBehind::Crash);
    }
    void normalEndLeavesNothing() {
        QCOMPARE(autosaves(path("crash")).size(), 0);  // of the test before
        const QString folder = path("normal");
        {
            SpokenSession bench(folder);
            bench.session.openFiles({path("map.fits")});
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder).size(), 1, 10000);
            // Nothing open: nothing to come back to.
            bench.document().removeLayer(bench.document().entries()[0].id);
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder).size(), 0, 10000);
            bench.document().undoStack()->undo();
            QTRY_COMPARE_WITH_TIMEOUT(autosaves(folder).size(), 1, 10000);
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
        QVERIFY(session.hasCrashedSession());
        session.discardCrashedSession();
        QVERIFY(!session.hasCrashedSession());
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files).size(), 0);
        session.recoverCrashedSession();  // nothing left: nothing happens
        QVERIFY(session.document().entries().empty());
    }
    void damagedAutosavesAreReportedOnce() {
        const QString folder = path("damaged");
        QVERIFY(QDir().mkpath(folder + "/state"));
        writeFile("damaged/state/autosave-1-x.json", "{\"format\":");
        SpokenSession bench(folder);
        QVERIFY(bench.session.hasCrashedSession());
        bench.session.recoverCrashedSession();
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(!bench.session.hasCrashedSession());
    }
    void unwritableStateFolderIsSaidOnce() {
        writeFile("blocked", "a file where a folder should be");
        SpokenSession bench(path("blocked"));
        bench.session.openFiles({path("map.fits")});
        QTRY_COMPARE_WITH_TIMEOUT(bench.errors.size(), 1, 10000);
        bench.document().setSwipe(0.9);
        QTest::qWait(1300);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("will not come back"));
    }

private:
    // Two maps, the second smoothed from the first.
    QByteArray goodSession() const {
        Document document;
        Recipe open;
        open.path = path("other.fits");
        const int first = document.addLayer(noiseMap(8), "a", open);
        Recipe smooth;
        smooth.kind = RecipeKind::Smooth;
        smooth.input = first;
        smooth.smooth.fwhm = 0.3;
        document.addLayer(noiseMap(8), "b", smooth, first);
        ColorScale scale;
        scale.mapping.high = 4.0F;
        document.setColorScale({first, 0}, scale);
        return QJsonDocument(QJsonObject{{"format", "armilla-session"},
                                         {"version", 1},
                                         {"document", document.toJson()}})
            .toJson();
    }
    static QJsonValue replacedAt(const QJsonValue& whole, QStringList keys,
                                 const QJsonValue& value) {
        if (keys.isEmpty()) return value;
        const QString key = keys.takeFirst();
        if (whole.isArray()) {
            QJsonArray array = whole.toArray();
            array[key.toInt()] = replacedAt(array[key.toInt()], keys, value);
            return array;
        }
        QJsonObject object = whole.toObject();
        object[key] = replacedAt(object[key], keys, value);
        return object;
    }
    static QByteArray replaced(const QByteArray& content, const QString& path,
                               const QJsonValue& value) {
        const QJsonValue whole = QJsonDocument::fromJson(content).object();
        return QJsonDocument(
                   replacedAt(whole, QStringList{"document"} + path.split('.'), value).toObject())
            .toJson();
    }
};

int main(int argc, char** argv) {
    const QString folder = qEnvironmentVariable(kChildVariable);
    if (!folder.isEmpty()) return runChild(argc, argv, folder);
    QCoreApplication application(argc, argv);
    SessionFilesTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_session_files.moc"
