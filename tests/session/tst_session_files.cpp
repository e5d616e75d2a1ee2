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
        // Endless: refused after 64 MiB.
        QVERIFY(QFile::link("/dev/zero", path("endless.armilla")));
        bench.errors.clear();
        bench.session.loadSession(path("endless.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("64 MiB"));
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
            QVERIFY(bench.session.wasEndedFromOutside());
            QSignalSpy restored(&bench.session, &Session::sessionRestored);
            bench.session.recoverCrashedSession();
            QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, 60000);
            QCOMPARE(bench.document().swipe(), 0.456);
        }
        QCOMPARE(QDir(folder + "/state").entryList(QDir::Files).size(), 0);
        crash(folder);
        QVERIFY(!Session(pathsIn(folder)).wasEndedFromOutside());
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
