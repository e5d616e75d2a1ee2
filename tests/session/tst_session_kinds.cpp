// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of layer through session files: opened, derived, detached and relinked, missing and
// found again, with its style. Also the session files of earlier versions, kept in files/ as
// written by that version (FOLDER stands for the data folder).
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QUndoStack>

#include "armilla/io/curve_io.h"
#include "armilla/session/document_json.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "layer_files.h"
#include "layer_samples.h"
#include "restore_watch.h"
#include "session_bench.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// In the form of files: the image has celestial coordinates.
LayerValue filedLayer(LayerKind kind) {
    if (kind == LayerKind::Image) return std::make_shared<const Image>(placedImage());
    return sampleLayer(kind);
}

// Another layer of the kind, with another file.
LayerValue otherLayer(LayerKind kind) {
    switch (kind) {
        case LayerKind::Map: return noiseMap(8);
        case LayerKind::Catalog: return std::make_shared<const Catalog>(randomCatalog(60));
        case LayerKind::Image: {
            Image image = placedImage();
            image.values = std::vector<float>(12, 2.0F);
            return std::make_shared<const Image>(std::move(image));
        }
        case LayerKind::Curve: {
            Curve curve = smallCurve();
            curve.x.front() = 0.2;
            return std::make_shared<const Curve>(std::move(curve));
        }
    }
    return {};
}

void write(const LayerValue& value, const QString& path) {
    JobContext job;
    writeLayer(value, path.toStdString(), true, {}, job);
}

// FITS holds all of every kind: bins and covariance of a curve, too.
QString fileName(LayerKind kind) {
    return QLatin1String(factsOf(kind).id) + QStringLiteral(".fits");
}

}  // namespace

class SessionKindsTest : public QObject {
    Q_OBJECT
private slots:
    void everyState_data() { addKinds(); }
    void everyState();
    void foundByChecksum_data() { addKinds(); }
    void foundByChecksum();
    void foundByTheUser();
    void textIsWhatItHolds_data();
    void textIsWhatItHolds();
    void linkedAgain_data() { addKinds(); }
    void linkedAgain();
    void linkedToAnotherNumber();
    void earlierVersions_data();
    void earlierVersions();

private:
    static void addKinds() {
        QTest::addColumn<int>("kind");
        for (const LayerKind kind : kLayerKinds)
            QTest::newRow(factsOf(kind).id) << static_cast<int>(kind);
    }
    // A layer made from another one of the same kind: rows of a catalog, a smoothed map; none for
    // kinds without such a result.
    static LayerId addDerived(Bench& bench, LayerId source);
};

LayerId SessionKindsTest::addDerived(Bench& bench, LayerId source) {
    const Layer* layer = bench.document().entry(source);
    if (layer->catalog) {
        Recipe rows;
        rows.kind = RecipeKind::Rows;
        rows.recordTitle = QStringLiteral("some rows");
        rows.record = {
            {"inputs", QJsonArray{QJsonObject{{"slot", "CATALOG"}, {"layer", source.number()}}}},
            {"rows", QJsonArray{1, 3, 5}}};
        return bench.document().addLayer(std::make_shared<const Catalog>(randomCatalog(3)), "rows",
                                         rows, source);
    }
    if (!layer->map) return {};
    const Operation* smooth = findOperation("smooth");
    OperationRequest request{smooth, smooth->defaults(), {}, {}};
    request.parameters.set("fwhm", "20deg");
    request.inputs.push_back({"MAP", source, {0}, {}});
    bench.session.operations().runOperation(request);
    return bench.settle() ? bench.document().entries().back().id : LayerId();
}

void SessionKindsTest::everyState() {
    QFETCH(int, kind);
    const auto of = static_cast<LayerKind>(kind);
    Bench bench;
    const QString file = bench.path(fileName(of));
    write(filedLayer(of), file);
    write(otherLayer(of), bench.path(QStringLiteral("gone-") + fileName(of)));
    bench.open({file, bench.path(QStringLiteral("gone-") + fileName(of))});
    QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    Document& document = bench.document();
    QCOMPARE(document.entries().size(), size_t{2});
    QCOMPARE(static_cast<int>(document.entries()[0].kind()), kind);
    const LayerId kept = document.entries()[0].id, gone = document.entries()[1].id;
    const LayerId made = addDerived(bench, kept);
    LayerStyle style = document.entry(kept)->style;
    style.visible = false;
    style.opacity = 0.375;
    style.marker = {MarkerShape::Diamond, 12.5, {9, 8, 7, 255}};
    if (of == LayerKind::Image) style.plane = 1;
    document.drawings().setStyle(kept, style);
    document.renameLayer(kept, QStringLiteral("a name of its own"));
    document.setActive(kept);
    // The source of the result is closed: the result is detached, and stays detached.
    if (made.isValid()) document.removeLayer(kept);
    QVERIFY(bench.settle());
    const QString session = bench.path("all.armilla");
    bench.session.project().saveSession(session);
    QVERIFY(bench.settle());
    const QByteArray saved = QJsonDocument(jsonWriter(document)()).toJson();
    QVERIFY(QFile::remove(bench.path(QStringLiteral("gone-") + fileName(of))));

    Bench other;
    RestoreWatch restored(other.session.project(), other.document());
    other.session.project().loadSession(session);
    QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
    QVERIFY(other.settle());
    QCOMPARE(other.document().recovery().missing().size(), size_t{1});
    QCOMPARE(other.document().recovery().missing()[0].layer.id, gone);
    if (made.isValid()) {
        QVERIFY(!other.document().entry(kept));
        const Layer* back = other.document().entry(made);
        QVERIFY(back && isDetached(other.document(), *back));
        // Both are unchanged: the source can be opened again, with its style.
        linkAgain(other.document(), made);
        QTRY_VERIFY_WITH_TIMEOUT(other.document().entry(kept), kPatience);
        QVERIFY(other.settle());
        QVERIFY(!isDetached(other.document(), *other.document().entry(made)));
    }
    const Layer* back = other.document().entry(kept);
    QVERIFY(back);
    QCOMPARE(static_cast<int>(back->kind()), kind);
    QCOMPARE(back->name, QStringLiteral("a name of its own"));
    if (!made.isValid()) {
        QCOMPARE(QJsonDocument(jsonWriter(other.document())()).toJson(), saved);
        QCOMPARE(other.document().active(), kept);
    }
    QCOMPARE(back->style.visible, false);
    QCOMPARE(back->style.opacity, 0.375);
    QCOMPARE(back->style.plane, style.plane);
    QVERIFY(back->style.marker == style.marker);
    QCOMPARE(factsOf(of).memoryBytes(*back), factsOf(of).memoryBytes(filedLayer(of)));
}

void SessionKindsTest::textIsWhatItHolds_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");  // -1: refused
    QTest::newRow("catalog") << QByteArray("ra,dec\n1,2\n3,4\n") << int(LayerKind::Catalog);
    QTest::newRow("spectrum") << QByteArray("# l C_l\n0 0\n1 0\n2 1.5\n") << int(LayerKind::Curve);
    QTest::newRow("correlation") << QByteArray("theta,w,w_err\n1,2,0.1\n2,1,0.1\n")
                                 << int(LayerKind::Curve);
    QTest::newRow("y over x") << QByteArray("0 1\n0.5 4\n1 2\n") << int(LayerKind::Curve);
    QTest::newRow("not ascending") << QByteArray("7,1\n2,4\n3,2\n") << -1;
    QTest::newRow("cells") << QByteArray("3/1-4 4/100\n") << int(LayerKind::Map);
    QTest::newRow("other columns") << QByteArray("a,b,c\n1,2,0\n3,4,0\n") << -1;
    QTest::newRow("words") << QByteArray("not a table of anything\n") << -1;
}

void SessionKindsTest::textIsWhatItHolds() {
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    Bench bench;
    writeFile(bench.path("some.txt"), text);
    bench.open({bench.path("some.txt")});
    QCOMPARE(bench.document().entries().empty(), kind < 0);
    QCOMPARE(bench.errors.isEmpty(), kind >= 0);
    if (kind >= 0)
        QCOMPARE(int(bench.document().entries()[0].kind()), kind);
    else
        QVERIFY2(bench.errors.join(' ').contains("columns of positions"),
                 qPrintable(bench.errors.join(' ')));
}

// A file that was renamed in its folder, or moved beside the session file.
void SessionKindsTest::foundByChecksum() {
    QFETCH(int, kind);
    const auto of = static_cast<LayerKind>(kind);
    Bench bench;
    QVERIFY(QDir().mkpath(bench.path("data")));
    const QString file = bench.path(QStringLiteral("data/") + fileName(of));
    write(filedLayer(of), file);
    // A different file of the same size is not mistaken for the missing one.
    QFile copy(file);
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QByteArray content = copy.readAll();
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    writeFile(bench.path(QStringLiteral("data/aaa-") + fileName(of)), content);
    bench.open({file});
    bench.session.project().saveSession(bench.path("s.armilla"));
    QVERIFY(bench.settle());
    for (const char* place : {"data/renamed-", "beside-"}) {
        const QString now = bench.path(QLatin1String(place) + fileName(of));
        QVERIFY(QFile::rename(file, now));
        Bench other;
        other.session.project().loadSession(bench.path("s.armilla"));
        QTRY_COMPARE_WITH_TIMEOUT(other.document().entries().size(), size_t{1}, kPatience);
        QVERIFY(other.settle());
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
        QCOMPARE(other.document().entries()[0].recipe.path, now);
        QVERIFY2(other.news.join("\n").contains(now), qPrintable(other.news.join("\n")));
        QVERIFY(QFile::rename(now, file));
    }
    // A different file in its place is not the missing one.
    QVERIFY(QFile::remove(file));
    Bench none;
    none.session.project().loadSession(bench.path("s.armilla"));
    QTRY_COMPARE_WITH_TIMEOUT(none.document().recovery().missing().size(), size_t{1}, kPatience);
}

// One file that the user finds leads to the others of its folder.
void SessionKindsTest::foundByTheUser() {
    Bench bench;
    QVERIFY(QDir().mkpath(bench.path("data")) && QDir().mkpath(bench.path("far/away")));
    QStringList files;
    for (const LayerKind kind : kLayerKinds) {
        files << bench.path(QStringLiteral("data/") + fileName(kind));
        write(filedLayer(kind), files.back());
    }
    bench.open(files);
    bench.session.project().saveSession(bench.path("s.armilla"));
    QVERIFY(bench.settle());
    for (const QString& file : files)
        QVERIFY(QFile::rename(file, bench.path("far/away/" + QFileInfo(file).fileName())));
    Bench other;
    other.session.project().loadSession(bench.path("s.armilla"));
    QTRY_COMPARE_WITH_TIMEOUT(other.document().recovery().missing().size(), std::size(kLayerKinds),
                              kPatience);
    QVERIFY(other.settle());
    const MissingLayer first = other.document().recovery().missing()[0];
    other.session.project().retryMissing(
        first.layer.id, bench.path("far/away/" + QFileInfo(first.layer.recipe.path).fileName()));
    QTRY_COMPARE_WITH_TIMEOUT(other.document().entries().size(), std::size(kLayerKinds), kPatience);
    QVERIFY(other.document().recovery().missing().empty());
}

// A result keeps its values while its source is closed, and is relinked in one step.
void SessionKindsTest::linkedAgain() {
    QFETCH(int, kind);
    const auto of = static_cast<LayerKind>(kind);
    Bench bench;
    const QString file = bench.path(fileName(of));
    write(filedLayer(of), file);
    bench.open({file});
    Document& document = bench.document();
    const LayerId source = document.entries()[0].id;
    Recipe recipe;
    recipe.kind = RecipeKind::Operation;
    recipe.recordTitle = QStringLiteral("something");
    recipe.record = {
        {"operation", "something"},
        {"inputs", QJsonArray{QJsonObject{{"slot", "IN"}, {"layer", source.number()}}}}};
    const LayerValue value = sampleLayer(of);
    const LayerId made = document.addLayer(value, QStringLiteral("made"), recipe, source);
    document.removeLayer(source);
    QVERIFY(isDetached(document, *document.entry(made)));
    linkAgain(document, made);
    QCOMPARE(document.history().stack()->undoText(), QStringLiteral("Link made again"));
    QTRY_VERIFY_WITH_TIMEOUT(document.entry(source), kPatience);
    QVERIFY(bench.settle());
    QVERIFY(!isDetached(document, *document.entry(made)));
    QCOMPARE(document.entry(made)->identity(), value.identity());
    document.history().stack()->undo();
    QVERIFY(!document.entry(source));
    QVERIFY(isDetached(document, *document.entry(made)));
    document.history().stack()->redo();
    QTRY_VERIFY_WITH_TIMEOUT(document.entry(source), kPatience);
    QCOMPARE(document.entries()[0].id, source);
    // A missing source is shown as missing, and undo reverts that.
    document.removeLayer(source);
    document.history().stack()->clear();
    QVERIFY(QFile::rename(file, file + ".away"));
    QVERIFY(QFile::remove(file + ".away"));
    linkAgain(document, made);
    QTRY_COMPARE_WITH_TIMEOUT(document.recovery().missing().size(), size_t{1}, kPatience);
    document.history().stack()->undo();
    QVERIFY(document.recovery().missing().empty());
}

// The file was opened again by the user: the result is relinked to that layer, in session files,
// too.
void SessionKindsTest::linkedToAnotherNumber() {
    Bench bench;
    const QString file = bench.write(*noiseMap(8), "map.fits");
    bench.open({file});
    Document& document = bench.document();
    const LayerId source = document.entries()[0].id;
    const LayerId made = addDerived(bench, source);
    QVERIFY(made > source);
    document.removeLayer(source);
    bench.open({file});
    const LayerId again = document.entries().back().id;
    QVERIFY(again > made);
    QVERIFY(isDetached(document, *document.entry(made)));
    linkAgain(document, made);
    QVERIFY(!isDetached(document, *document.entry(made)));
    QCOMPARE(document.entry(made)->recipe.inputs(), std::vector<LayerId>{again});
    QCOMPARE(document.entry(made)->parent, again);
    QCOMPARE(document.entries().size(), size_t{2});
    document.history().stack()->undo();
    QVERIFY(isDetached(document, *document.entry(made)));
    document.history().stack()->redo();
    bench.session.project().saveSession(bench.path("s.armilla"));
    QVERIFY(bench.settle());
    Bench other;
    other.session.project().loadSession(bench.path("s.armilla"));
    QTRY_COMPARE_WITH_TIMEOUT(other.document().entries().size(), size_t{2}, kPatience);
    QVERIFY(other.settle());
    QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join("\n")));
    QVERIFY(!isDetached(other.document(), *other.document().entry(made)));
    QCOMPARE(largestDifference(*other.document().entry(made)->map, *document.entry(made)->map),
             0.0);
    // A ring of recipes is refused.
    QJsonObject ring = jsonWriter(document)();
    QJsonArray layers;
    for (const QJsonValue value : ring["layers"].toArray()) {
        QJsonObject layer = value.toObject();
        if (layer["id"].toInt() == again.number()) layer["parent"] = made.number();
        layers.append(layer);
    }
    ring["layers"] = layers;
    Document refusing;
    QVERIFY_EXCEPTION_THROWN(restoreDocument(refusing, ring), InvalidArgument);
}

void SessionKindsTest::earlierVersions_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("layers");
    QTest::newRow("1") << "version-1.armilla" << 3;
    QTest::newRow("2") << "version-2.armilla" << 5;
}

void SessionKindsTest::earlierVersions() {
    QFETCH(QString, file);
    QFETCH(int, layers);
    Bench bench;
    for (const LayerKind kind : kLayerKinds) write(filedLayer(kind), bench.path(fileName(kind)));
    write(filedLayer(LayerKind::Curve), bench.path("curve.csv"));
    QFile kept(QStringLiteral(ARMILLA_SOURCE_DIR "/tests/session/files/") + file);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    writeFile(bench.path(file),
              kept.readAll().replace("FOLDER", QFileInfo(bench.path("x")).path().toUtf8()));
    RestoreWatch restored(bench.session.project(), bench.document());
    bench.session.project().loadSession(bench.path(file));
    QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatience);
    QVERIFY(bench.settle());
    QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    Document& document = bench.document();
    QCOMPARE(document.entries().size(), static_cast<size_t>(layers));
    QVERIFY(document.recovery().missing().empty());
    QCOMPARE(document.view().shown().entry, LayerId(1));
    QCOMPARE(document.view().camera().zoom, 2.0);
    const ColorScale& colors = document.drawings().colorScale({LayerId(1), 0, Quantity::Field});
    QCOMPARE(QString::fromStdString(colors.colorMap), QStringLiteral("viridis"));
    QVERIFY(colors.reversed && colors.ownAbove && colors.above == (Rgba{255, 0, 0, 255}));
    QVERIFY(document.entry(LayerId(1))->map && document.entry(LayerId(2))->map);
    QCOMPARE(document.entry(LayerId(2))->recipe.inputs(), std::vector<LayerId>{LayerId(1)});
    if (layers < 5) {
        // A difference is now a map; the file has it as a comparison.
        QCOMPARE(document.view().comparison(), Comparison::Single);
        return;
    }
    QCOMPARE(document.view().comparison(), Comparison::Swipe);
    QVERIFY(document.entry(LayerId(3))->catalog && document.entry(LayerId(4))->image &&
            document.entry(LayerId(5))->curve);
    QVERIFY(!document.entry(LayerId(3))->style.visible);
    QVERIFY(document.entry(LayerId(3))->style.marker ==
            (MarkerStyle{MarkerShape::Plus, 11.5, {1, 2, 3, 255}}));
    QCOMPARE(document.entry(LayerId(4))->style.opacity, 0.25);
    QCOMPARE(document.entry(LayerId(4))->style.plane, 1);
}

QTEST_GUILESS_MAIN(SessionKindsTest)
#include "tst_session_kinds.moc"
