// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of the four kinds in one document: list, style, history, session files.
#include <QJsonArray>
#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/session/document.h"
#include "armilla/session/document_json.h"
#include "armilla/session/layer_links.h"
#include "layer_samples.h"
#include "support/comparisons.h"

using namespace armilla;
using namespace armilla::test;

namespace {

void addKinds() {
    QTest::addColumn<int>("kind");
    for (const LayerKind kind : kLayerKinds)
        QTest::newRow(factsOf(kind).id) << static_cast<int>(kind);
}

QJsonObject recordOf(const QString& operation, LayerId layer) {
    return {{"operation", operation},
            {"version", 1},
            {"parameters", QJsonObject{{"fwhm", 0.1}}},
            {"inputs",
             QJsonArray{
                 QJsonObject{{"slot", "MAP"}, {"layer", layer.number()}, {"fields", QJsonArray{0}}},
                 QJsonObject{{"slot", "mask"}, {"literal", "auto"}}}}};
}

}  // namespace

class LayersTest : public QObject {
    Q_OBJECT
private slots:
    void everyKindIsAdded_data() { addKinds(); }
    void everyKindIsAdded() {
        QFETCH(int, kind);
        Document document;
        const LayerValue value = sampleLayer(static_cast<LayerKind>(kind));
        const LayerId id = document.addLayer(value, "one", {});
        const Layer* layer = document.entry(id);
        QVERIFY(layer);
        QCOMPARE(static_cast<int>(layer->kind()), kind);
        QCOMPARE(layer->identity(), value.identity());
        QVERIFY(!layer->detail.isEmpty());
        QVERIFY(factsOf(layer->kind()).memoryBytes(*layer) > 0);
        QCOMPARE(document.active(), id);
        QCOMPARE(document.view().shown().entry, layer->map ? id : LayerId());
        document.renameLayer(id, "two");
        LayerStyle style = document.entry(id)->style;
        style.visible = false;
        document.drawings().setStyle(id, style);
        QCOMPARE(document.history().stack()->undoText(), QString("Hide two"));
        document.removeLayer(id);
        QVERIFY(document.entries().empty());
        QCOMPARE(document.active(), LayerId());
        document.history().stack()->undo();
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(document.entry(id)->identity(), value.identity());
        QVERIFY(!document.entry(id)->style.visible);
        QCOMPARE(document.active(), id);
        document.history().stack()->undo();
        QVERIFY(document.entry(id)->style.visible);
        document.history().stack()->undo();
        QCOMPARE(document.entry(id)->name, QString("one"));
        document.history().stack()->undo();
        QVERIFY(document.entries().empty());
    }
    void layersMove() {
        Document document;
        std::vector<LayerId> ids;
        for (const LayerKind kind : kLayerKinds)
            ids.push_back(document.addLayer(sampleLayer(kind), "layer", {}));
        const auto order = [](const Document& of) {
            std::vector<LayerId> found;
            for (const Layer& layer : of.entries()) found.push_back(layer.id);
            return found;
        };
        const std::vector<LayerId> before = order(document);
        document.setActive(ids[1]);
        document.moveLayer(ids[0], ids[2]);
        QCOMPARE(order(document), (std::vector{ids[1], ids[2], ids[0], ids[3]}));
        document.moveLayer(ids[3], ids[1]);
        QCOMPARE(order(document), (std::vector{ids[3], ids[1], ids[2], ids[0]}));
        QCOMPARE(document.history().stack()->undoText(), QString("Move layer"));
        QCOMPARE(document.active(), ids[1]);
        QCOMPARE(document.view().shown().entry, ids[0]);
        const int steps = document.history().stack()->index();
        document.moveLayer(ids[3], ids[3]);
        document.moveLayer(ids[3], LayerId(99));
        QCOMPARE(document.history().stack()->index(), steps);
        // A session keeps the order, including the position of missing layers.
        const auto comeBack = [&](Document& as, const Document& from, LayerId without) {
            restoreDocument(as, jsonWriter(from)());
            for (const AwaitedLayer& layer : std::vector(as.recovery().awaited()))
                if (layer.id == without)
                    as.recovery().setMissing(layer.id, "not there");
                else
                    as.recovery().restore(layer.id, *document.entry(layer.id));
        };
        Document without, again;
        comeBack(without, document, ids[1]);
        QCOMPARE(order(without), (std::vector{ids[3], ids[2], ids[0]}));
        comeBack(again, without, {});
        QCOMPARE(order(again), order(document));
        document.history().stack()->undo();
        document.history().stack()->undo();
        QCOMPARE(order(document), before);
    }
    void everyKindGoesThroughASession_data() { addKinds(); }
    void everyKindGoesThroughASession() {
        QFETCH(int, kind);
        Document document;
        const LayerValue value = sampleLayer(static_cast<LayerKind>(kind));
        Recipe recipe;
        recipe.path = "/data/file.fits";
        const LayerId first = document.addLayer(value, "source", recipe);
        Recipe made;
        made.kind = RecipeKind::Operation;
        made.record = recordOf("something", first);
        made.recordTitle = "something 3′";
        const LayerId second = document.addLayers({{value, "x"}, {value, "y"}}, made, first).back();
        LayerStyle style;
        style.visible = false;
        style.opacity = 0.25;
        style.marker = {MarkerShape::Plus, 11.5, {1, 2, 3, 255}};
        document.drawings().setStyle(second, style);
        const QJsonObject saved = jsonWriter(document)();
        Document other;
        restoreDocument(other, saved);
        QCOMPARE(other.recovery().awaited().size(), size_t{3});
        QCOMPARE(jsonWriter(other)(), saved);
        for (const AwaitedLayer& awaited : std::vector(other.recovery().awaited())) {
            QCOMPARE(static_cast<int>(awaited.kind), kind);
            other.recovery().restore(awaited.id, value);
        }
        QCOMPARE(other.entry(second)->style, style);
        QCOMPARE(other.entry(second)->recipe.output, 1);
        QCOMPARE(other.entry(second)->recipe.record, made.record);
        QCOMPARE(other.entry(second)->recipe.inputs(), std::vector<LayerId>{first});
        // A document without maps still shows nothing.
        QCOMPARE(jsonWriter(other)(), saved);
    }
    // Files of the first version in their original format: maps only, without kinds and styles.
    void firstVersionIsRead() {
        Document document;
        document.addLayer(noiseMap(4), "a", {});
        QJsonObject saved = jsonWriter(document)();
        QJsonArray maps;
        for (const QJsonValue value : saved["layers"].toArray()) {
            QJsonObject map = value.toObject();
            map.remove("kind");
            map.remove("style");
            maps.append(map);
        }
        saved.remove("layers");
        saved["maps"] = maps;
        Document other;
        restoreDocument(other, saved);
        QCOMPARE(other.recovery().awaited().size(), size_t{1});
        other.recovery().restore(LayerId(1), noiseMap(4));
        QVERIFY(other.entry(LayerId(1))->style.visible);
        QCOMPARE(other.view().shown().entry, LayerId(1));
    }
    void severalResultsAreOneStep() {
        Document document;
        document.addLayer(noiseMap(4), "map", {});
        const int steps = document.history().stack()->count();
        const auto ids = document.addLayers({{sampleLayer(LayerKind::Catalog), "sources"},
                                             {sampleLayer(LayerKind::Map), "filtered"},
                                             {sampleLayer(LayerKind::Curve), "profile"}},
                                            {}, LayerId(1));
        QCOMPARE(ids.size(), size_t{3});
        QCOMPARE(document.history().stack()->count(), steps + 1);
        // The catalog is the primary result; the map beside it is for comparison.
        QCOMPARE(document.view().shown().entry, LayerId(1));
        QCOMPARE(document.view().compared().entry, ids[1]);
        document.history().stack()->undo();
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(document.view().shown().entry, LayerId(1));
        document.history().stack()->redo();
        QCOMPARE(document.entries().size(), size_t{4});
        QVERIFY_EXCEPTION_THROWN(document.addLayers({}, {}, {}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.addLayers({{{}, "none"}}, {}, {}), InvalidArgument);
    }
    // Input samples of a picture, which would lie over it, are hidden with its step, and visible
    // again after undo.
    void coveredPicturesAreSeen() {
        Document document;
        const LayerId seen = document.addLayer(sampleLayer(LayerKind::Catalog), "samples", {});
        const LayerId hidden = document.addLayer(sampleLayer(LayerKind::Catalog), "hidden", {});
        LayerStyle style = document.entry(hidden)->style;
        style.visible = false;
        document.drawings().setStyle(hidden, style);
        const auto visible = [&](LayerId id) { return document.entry(id)->style.visible; };
        const int steps = document.history().stack()->count();
        QSignalSpy styled(&document.drawings(), &LayerDrawings::styleChanged);
        document.addLayers({{sampleLayer(LayerKind::Image), "gridded"}}, {}, seen, {seen, hidden});
        QCOMPARE(document.history().stack()->count(), steps + 1);
        QVERIFY(!visible(seen) && !visible(hidden));
        QCOMPARE(styled.count(), 1);
        document.history().stack()->undo();
        QVERIFY(visible(seen) && !visible(hidden));
        document.history().stack()->redo();
        QVERIFY(!visible(seen) && !visible(hidden));
        // Samples shown again by the user stay visible until that is undone.
        style.visible = true;
        document.drawings().setStyle(seen, style);
        QVERIFY(visible(seen));
        document.history().stack()->undo();
        QVERIFY(!visible(seen));
    }
    void onlyMapsAreShown() {
        Document document;
        const LayerId catalog = document.addLayer(sampleLayer(LayerKind::Catalog), "c", {});
        QVERIFY_EXCEPTION_THROWN(document.view().setShown({catalog, 0}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(setCompared(document, {catalog, 0}), InvalidArgument);
        const LayerId map = document.addLayer(noiseMap(4), "m", {});
        document.setActive(catalog);
        // The neighbor of a closed map is a map.
        document.removeLayer(map);
        QCOMPARE(document.view().shown().entry, LayerId());
        QCOMPARE(document.active(), catalog);
    }
    void closedSourcesLeaveWhatWasMadeDetached() {
        Document document;
        document.addLayer(noiseMap(4), "map", {});
        Recipe recipe;
        recipe.kind = RecipeKind::Operation;
        recipe.record = recordOf("sources", LayerId(1));
        const LayerId made =
            document.addLayer(sampleLayer(LayerKind::Catalog), "found", recipe, LayerId(1));
        QVERIFY(!isDetached(document, *document.entry(made)));
        document.removeLayer(LayerId(1));
        QVERIFY(isDetached(document, *document.entry(made)));
        QVERIFY(document.entry(made)->catalog);
        document.history().stack()->undo();
        QVERIFY(!isDetached(document, *document.entry(made)));
    }
    // Panels update once for each step, and never access a closed layer.
    void aStepTellsOfOneActiveLayer() {
        Document document;
        const LayerId first = document.addLayer(sampleLayer(LayerKind::Map), "a", {});
        const LayerId second = document.addLayer(sampleLayer(LayerKind::Map), "b", {});
        const LayerId curve = document.addLayer(sampleLayer(LayerKind::Curve), "c", {});
        document.setActive(second);
        QCOMPARE(document.view().shown().entry, second);
        QSignalSpy told(&document, &Document::activeChanged);
        bool isGone = false;
        connect(&document, &Document::entriesChanged, this,
                [&] { isGone = isGone || !document.entry(document.active()); });
        document.removeLayer(second);
        QCOMPARE(document.active(), first);
        QCOMPARE(told.count(), 1);
        document.history().stack()->undo();
        QCOMPARE(document.active(), second);
        QCOMPARE(told.count(), 2);
        document.setActive(curve);
        document.removeLayer(curve);
        QCOMPARE(document.active(), second);
        QCOMPARE(told.count(), 4);
        QVERIFY(!isGone);
    }
    void slidersAreOneStep() {
        Document document;
        const LayerId id = document.addLayer(sampleLayer(LayerKind::Catalog), "c", {});
        const int steps = document.history().stack()->count();
        QSignalSpy spy(&document.drawings(), &LayerDrawings::styleChanged);
        LayerStyle style = document.entry(id)->style;
        const LayerStyle before = style;
        for (int i = 0; i < 20; ++i) {
            style.marker.size = 5.0 + 0.5 * i;
            document.drawings().setStyle(id, style);
        }
        QCOMPARE(document.history().stack()->count(), steps + 1);
        QVERIFY(spy.count() >= 19);
        document.history().endGesture();
        style.visible = false;
        document.drawings().setStyle(id, style);
        style.visible = true;
        document.drawings().setStyle(id, style);
        QCOMPARE(document.history().stack()->count(), steps + 3);
        style.opacity = 7.0;  // kept within 0..1
        document.drawings().setStyle(id, style);
        QCOMPARE(document.entry(id)->style.opacity, 1.0);
        while (document.history().stack()->index() > steps) document.history().stack()->undo();
        QCOMPARE(document.entry(id)->style, before);
    }
    void rowsAreSelected() {
        Document document;
        const LayerId id = document.addLayer(sampleLayer(LayerKind::Catalog), "c", {});
        QSignalSpy spy(&document.view(), &DocumentView::selectionChanged);
        document.view().setSelection({id, 3});
        QCOMPARE(document.view().selection().row, int64_t{3});
        document.view().setSelection({id, 3});
        QCOMPARE(spy.count(), 1);
        QVERIFY_EXCEPTION_THROWN(document.view().setSelection({id, 50}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.view().setSelection({LayerId(id.number() + 1), 0}),
                                 InvalidArgument);
        document.removeLayer(id);
        QCOMPARE(document.view().selection().layer, LayerId());
    }
    // Style changes after a step survive the undo of that step.
    void looksOutliveStepsOfTheList() {
        Document document;
        const LayerId a = document.addLayer(sampleLayer(LayerKind::Catalog), "a", {});
        document.renameLayer(a, "b");
        LayerStyle style = document.entry(a)->style;
        style.marker.size = 20.0;
        document.drawings().setStyle(a, style);
        document.history().stack()->undo();
        document.history().stack()->redo();
        QCOMPARE(document.entry(a)->style.marker.size, 20.0);
    }
    // A step of the history contains its changes, not the list.
    void stepsHoldNoLists() {
        Document document;
        const LayerValue value = sampleLayer(LayerKind::Catalog);
        for (int i = 0; i < 1000; ++i)
            document.addLayer(value, QStringLiteral("catalog %1").arg(i), {});
        const long before = value.catalog.use_count();
        document.removeLayer(LayerId(500));
        document.history().stack()->undo();
        document.renameLayer(LayerId(300), "other");
        LayerStyle style = document.entry(LayerId(200))->style;
        style.visible = false;
        document.drawings().setStyle(LayerId(200), style);
        document.setActive(LayerId(900));
        QCOMPARE(document.entries().size(), size_t{1000});
        QCOMPARE(document.entries()[499].id, LayerId(500));
        QCOMPARE(document.entry(LayerId(300))->name, QString("other"));
        // Five actions on one layer each, before and after.
        QVERIFY2(value.catalog.use_count() <= before + 2 * 5,
                 qPrintable(QString::number(value.catalog.use_count() - before)));
    }
};

QTEST_GUILESS_MAIN(LayersTest)
#include "tst_layers.moc"
