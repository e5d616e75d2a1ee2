// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged, hostile or missing session files are refused without loss of data.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "armilla/io/map_io.h"
#include "armilla/session/document_json.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/region_book.h"
#include "armilla/session/source_review.h"
#include "restore_watch.h"
#include "session_bench.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

class SessionHostileTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

private slots:
    void initTestCase() {
        JobContext job;
        writeMap(*polarizedMap(16), path("map.fits").toStdString(), {}, job);
        writeMap(*noiseMap(8), path("other.fits").toStdString(), {}, job);
    }
    // One unreadable region or verdict is left out, the rest is kept, for a file and for an
    // autosave.
    void spoiledPartsAreLeftOut() {
        QJsonObject session = QJsonDocument::fromJson(goodSession()).object();
        const QJsonObject disc{{"shape", "circle"},
                               {"frame", "galactic"},
                               {"name", "kept"},
                               {"points", QJsonArray{1.0, 0.5}},
                               {"first", 0.1}};
        session["regions"] = QJsonArray{QJsonObject{{"shape", "heart"}}, disc, 7};
        session["verdicts"] = "none";
        session["thresholds"] = QJsonArray{QJsonObject{{"layer", 2}, {"snr", 4.5}},
                                           QJsonObject{{"layer", -1}, {"snr", 4.5}}};
        const QByteArray content = QJsonDocument(session).toJson();
        writeFile(path("spoiled.armilla"), content);
        const QString folder = path("spoiled");
        QVERIFY(QDir().mkpath(folder + "/state"));
        writeFile(path("spoiled/state/autosave-1-abcdefgh.json"), content);
        for (const bool isCrash : {false, true}) {
            SpokenSession bench(folder);
            if (isCrash)
                bench.session.project().recoverCrashedSession();
            else
                bench.session.project().loadSession(path("spoiled.armilla"));
            QVERIFY(bench.settle());
            QCOMPARE(bench.document().entries().size(), size_t{2});
            QCOMPARE(bench.session.regions().all().size(), size_t{1});
            QCOMPARE(bench.session.regions().all()[0].name, QString("kept"));
            const std::map<LayerId, double> moved{{LayerId(2), 4.5}};
            QCOMPARE(bench.session.review().thresholds().all(), moved);
            QCOMPARE(bench.errors.size(), 3);
            QVERIFY2(bench.errors[0].contains("verdict"), qPrintable(bench.errors[0]));
            QVERIFY2(bench.errors[1].contains("2 region"), qPrintable(bench.errors[1]));
            QVERIFY2(bench.errors[2].contains("1 threshold"), qPrintable(bench.errors[2]));
            // A session file stays unchanged; an autosave is overwritten, so a copy is kept.
            const QStringList kept = QDir(folder + "/state").entryList({"unreadable-*"});
            QCOMPARE(kept.size(), isCrash ? 1 : 0);
            if (!isCrash) continue;
            QFile aside(folder + "/state/" + kept[0]);
            QVERIFY(aside.open(QIODevice::ReadOnly));
            QCOMPARE(aside.readAll(), content);
        }
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
            << QByteArray("{\"format\":\"armilla-session\",\"version\":1000,\"document\":{}}")
            << "found version 1000";
        QTest::newRow("no document")
            << QByteArray("{\"format\":\"armilla-session\",\"version\":1}") << "\"document\"";
        QTest::newRow("empty document")
            << QByteArray("{\"format\":\"armilla-session\",\"version\":1,\"document\":{}}")
            << "\"layers\": expected a list";
        const auto broken = [](const QString& key, const QJsonValue& value) {
            return QByteArray("@") + QJsonDocument(QJsonObject{{key, value}}).toJson();
        };
        // "@": a valid session in which the value at this path (dots between keys) is replaced.
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
        QTest::newRow("ring of parents") << broken("layers.0.parent", 2) << "\"input\"";
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
        bench.session.files().openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.document().view().setSwipe(0.31);
        const QByteArray before = QJsonDocument(jsonWriter(bench.document())()).toJson();
        if (content.startsWith('@')) {
            const QJsonObject change = QJsonDocument::fromJson(content.mid(1)).object();
            content = replaced(goodSession(), change.keys()[0], change.begin().value());
        }
        writeFile(path("hostile.armilla"), content);
        bench.session.project().loadSession(path("hostile.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY2(bench.errors[0].contains(line), qPrintable(bench.errors[0]));
        QVERIFY2(bench.errors[0].contains("hostile.armilla"), qPrintable(bench.errors[0]));
        QVERIFY(!bench.errors[0].contains('\n'));
        QVERIFY(bench.errors[0].size() < 400);
        QCOMPARE(QJsonDocument(jsonWriter(bench.document())()).toJson(), before);
    }
    void goodSessionIsGood() {
        SpokenSession bench(path("good"));
        writeFile(path("good.armilla"), goodSession());
        RestoreWatch restored(bench.session.project(), bench.document());
        bench.session.project().loadSession(path("good.armilla"));
        QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    void unreadableSessionsAreReported() {
        SpokenSession bench(path("unreadable"));
        bench.session.project().loadSession(path("no such file.armilla"));
        bench.session.project().loadSession("/dev/zero.armilla");
        QVERIFY(bench.settle());
        QVERIFY(!bench.errors.isEmpty());
        // Endless: refused after 256 MiB.
        QVERIFY(QFile::link("/dev/zero", path("endless.armilla")));
        bench.errors.clear();
        bench.session.project().loadSession(path("endless.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("256 MiB"));
        bench.session.files().openFiles({path("map.fits")});
        QVERIFY(bench.settle());
        bench.errors.clear();
        bench.session.project().saveSession(path("no such folder/a.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
    }

private:
    // Two maps, the second smoothed from the first.
    QByteArray goodSession() const {
        Document document;
        Recipe open;
        open.path = path("other.fits");
        const LayerId first = document.addLayer(noiseMap(8), "a", open);
        Recipe smooth;
        smooth.kind = RecipeKind::Smooth;
        smooth.input = first;
        smooth.smooth.fwhm = 0.3;
        document.addLayer(noiseMap(8), "b", smooth, first);
        ColorScale scale;
        scale.mapping.high = 4.0F;
        document.drawings().setColorScale({first, 0}, scale);
        return QJsonDocument(QJsonObject{{"format", "armilla-session"},
                                         {"version", 1},
                                         {"document", jsonWriter(document)()}})
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

QTEST_GUILESS_MAIN(SessionHostileTest)
#include "tst_session_hostile.moc"
