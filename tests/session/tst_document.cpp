// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of a document, their view, and the history of both.
#include <QJsonDocument>
#include <QSignalSpy>
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/session/document_json.h"
#include "document_parts.h"
#include "support/comparisons.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// The active layer is not part of the history: it follows added and removed layers.
QByteArray stateOf(const Document& document) {
    QJsonObject state = jsonWriter(document)();
    state.remove("active");
    return QJsonDocument(state).toJson(QJsonDocument::Compact);
}

using Change = std::function<void(Document&)>;

}  // namespace
Q_DECLARE_METATYPE(Change)

class DocumentTest : public QObject {
    Q_OBJECT
private slots:
    void everyChangeUndoesAndRedoes_data() {
        QTest::addColumn<Change>("change");
        QTest::newRow("add") << Change([](Document& d) { d.addLayer(noiseMap(2), "c", {}); });
        QTest::newRow("remove shown") << Change([](Document& d) { d.removeLayer(LayerId(2)); });
        QTest::newRow("remove other") << Change([](Document& d) { d.removeLayer(LayerId(1)); });
        QTest::newRow("rename") << Change(
            [](Document& d) { d.renameLayer(LayerId(1), "new name"); });
        QTest::newRow("show") << Change([](Document& d) { d.view().setShown({LayerId(1), 2}); });
        QTest::newRow("show amplitude") << Change([](Document& d) {
            d.view().setShown({LayerId(1), 0, Quantity::PolarizedAmplitude});
        });
        QTest::newRow("compare") << Change([](Document& d) { setCompared(d, {LayerId(1), 1}); });
        QTest::newRow("compare nothing") << Change([](Document& d) { setCompared(d, {}); });
        QTest::newRow("comparison")
            << Change([](Document& d) { setComparison(d, Comparison::Swipe); });
        QTest::newRow("compare this way") << Change([](Document& d) {
            d.view().compare({LayerId(1), 1}, {LayerId(2), 0}, Comparison::SideBySide);
        });
        QTest::newRow("swipe") << Change([](Document& d) { d.view().setSwipe(0.3); });
        QTest::newRow("camera") << Change([](Document& d) {
            d.view().setCamera(d.view().camera().centeredOn({1.0, 0.5}));
        });
        QTest::newRow("colors") << Change([](Document& d) {
            ColorScale scale = d.drawings().colorScale(d.view().shown());
            scale.colorMap = "viridis";
            scale.mapping.high = 3.0F;
            d.drawings().setColorScale(d.view().shown(), scale);
        });
        QTest::newRow("graticule off")
            << Change([](Document& d) { d.overlays().setGraticule(false, 0.0); });
        QTest::newRow("graticule step")
            << Change([](Document& d) { d.overlays().setGraticule(true, 0.2); });
        QTest::newRow("rods") << Change([](Document& d) { d.overlays().setRodsVisible(true); });
    }
    void everyChangeUndoesAndRedoes() {
        QFETCH(Change, change);
        Document document;
        fill(document);
        ColorScale present;
        present.mapping.high = 9.0F;
        document.drawings().setColorScale(document.view().shown(), present);
        document.history().endGesture();
        const QByteArray before = stateOf(document);
        const int steps = document.history().stack()->count();
        change(document);
        const QByteArray after = stateOf(document);
        QVERIFY(before != after);
        QCOMPARE(document.history().stack()->count(), steps + 1);
        QVERIFY(!document.history().stack()->undoText().isEmpty());
        for (int round = 0; round < 2; ++round) {
            document.history().stack()->undo();
            QCOMPARE(stateOf(document), before);
            document.history().stack()->redo();
            QCOMPARE(stateOf(document), after);
        }
        // An equal value is no change.
        while (document.history().stack()->canUndo()) document.history().stack()->undo();
        QVERIFY(document.entries().empty());
        QCOMPARE(document.view().shown().entry, LayerId());
    }
    // A view left over from closed layers, or of the empty sky, is no view of the first layer.
    void theFirstLayerSetsTheView() {
        Document document;
        document.addLayer(noiseMap(2, {"I"}, Frame::Galactic), "a", {});
        Camera close = document.view().camera().centeredOn({1.0, 0.5});
        close.projection = Projection::Gnomonic;
        close.zoom = 40.0;
        document.view().setCamera(close);
        // Another map beside the first one keeps the view.
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "b", {});
        QCOMPARE(document.view().camera().zoom, 40.0);
        QCOMPARE(document.view().camera().frame, Frame::Galactic);
        document.removeAll();
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "c", {});
        QCOMPARE(document.view().camera().zoom, Camera{}.zoom);
        QCOMPARE(document.view().camera().projection, Camera{}.projection);
        QCOMPARE(document.view().camera().frame, Frame::Equatorial);
        document.history().stack()->undo();
        QCOMPARE(document.view().camera().zoom, 40.0);
        // A projection that was chosen for the whole sky stays.
        Camera globe;
        globe.projection = Projection::Orthographic;
        document.view().setCamera(globe);
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "d", {});
        QCOMPARE(document.view().camera().projection, Projection::Orthographic);
        QCOMPARE(document.view().camera().frame, Frame::Equatorial);
    }
    // A flight to the data emits many cameras, the first of another projection.
    void aLookAtDataIsOneStep() {
        Document document;
        fill(document);
        const QByteArray opened = stateOf(document);
        const int steps = document.history().stack()->count();
        const auto fly = [&] {
            Camera camera = document.view().camera();
            for (int i = 1; i <= 3; ++i) {
                camera.projection = Projection::Gnomonic;
                camera.zoom *= 2.0;
                document.view().lookAtData(camera);
            }
        };
        // Directly after the step that opened the data: no separate step.
        fly();
        QCOMPARE(document.history().stack()->count(), steps);
        const QByteArray looked = stateOf(document);
        QVERIFY(looked != opened);
        document.history().stack()->undo();
        document.history().stack()->redo();
        QCOMPARE(stateOf(document), looked);
        Camera moved = document.view().camera();
        moved.zoom = 1.5;
        document.view().setCamera(moved);
        fly();
        QCOMPARE(document.history().stack()->count(), steps + 2);
        QCOMPARE(document.history().stack()->undoText(), QStringLiteral("Zoom to data"));
        document.history().stack()->undo();
        QCOMPARE(document.view().camera().zoom, 1.5);
    }
    void nothingHappensWhereNothingChanges() {
        Document document;
        fill(document);
        const int steps = document.history().stack()->count();
        QSignalSpy camera(&document.view(), &DocumentView::cameraChanged);
        document.view().setShown(document.view().shown());
        setCompared(document, document.view().compared());
        setComparison(document, document.view().comparison());
        document.view().compare(document.view().shown(), document.view().compared(),
                                document.view().comparison());
        document.view().setSwipe(document.view().swipe());
        document.view().setCamera(document.view().camera());
        document.overlays().setGraticule(document.overlays().graticuleVisible(),
                                         document.overlays().graticuleStep());
        document.overlays().setRodsVisible(document.overlays().rodsVisible());
        document.drawings().setColorScale({LayerId(1), 0},
                                          document.drawings().colorScale({LayerId(1), 0}));
        document.renameLayer(LayerId(1), "a");
        document.removeLayer(LayerId(77));
        document.liveLayer().drop();
        QCOMPARE(document.liveLayer().keep(), LayerId());
        QCOMPARE(document.history().stack()->count(), steps);
        QCOMPARE(camera.count(), 0);
    }
    void comparisonsNameTheirStep() {
        Document document;
        fill(document);
        for (const auto& [comparison, name] :
             {std::pair{Comparison::Swipe, "Swipe"}, std::pair{Comparison::Blink, "Blink"},
              std::pair{Comparison::SideBySide, "Side by side"},
              std::pair{Comparison::Single, "One map"}}) {
            document.view().compare({LayerId(1), 0}, {LayerId(2), 0}, comparison);
            QCOMPARE(document.history().stack()->undoText(), QString(name));
        }
        QVERIFY_EXCEPTION_THROWN(
            document.view().compare({LayerId(1), 0}, {LayerId(7), 0}, Comparison::Swipe),
            InvalidArgument);
    }
    // View changes use many gestures, and are one step until a pause. Other gestures, here the
    // divider's, are separate steps.
    void movesWithoutAPauseAreOneStep() {
        Document document;
        fill(document);
        const int steps = document.history().stack()->count();
        const Camera start = document.view().camera();
        for (int i = 1; i <= 50; ++i) document.view().setCamera(start.centeredOn({0.01 * i, 0.0}));
        document.history().endGesture();
        document.view().setCamera(start.centeredOn({2.0, 0.0}));
        QCOMPARE(document.history().stack()->count(), steps + 1);
        QTest::qWait(2100);  // past the 2 s within which movements merge
        document.view().setCamera(start.centeredOn({3.0, 0.0}));
        QCOMPARE(document.history().stack()->count(), steps + 2);
        document.history().stack()->undo();
        QVERIFY(std::abs(document.view().camera().center().lon - 2.0) < 1e-12);
        document.history().stack()->undo();
        QVERIFY(std::abs(document.view().camera().center().lon) < 1e-12);
        document.view().setSwipe(0.2);
        document.history().endGesture();
        document.view().setSwipe(0.3);
        QCOMPARE(document.history().stack()->count(), steps + 2);
    }
    void stepsNameTheirFields() {
        Document document;
        fill(document);
        document.view().setShown({LayerId(1), 1});
        QCOMPARE(document.history().stack()->undoText(), QString("Show Q_POLARISATION of a"));
        document.view().setShown({LayerId(2), 0});
        QCOMPARE(document.history().stack()->undoText(), QString("Show b"));
        ColorScale scale;
        scale.mapping.high = 2.0F;
        document.drawings().setColorScale({LayerId(1), 2}, scale);
        QCOMPARE(document.history().stack()->undoText(), QString("Colors of U_POLARISATION of a"));
        setComparison(document, Comparison::SideBySide);
        QCOMPARE(document.history().stack()->undoText(), QString("Side by side"));
    }
    void closeAllIsOneStep() {
        Document document;
        fill(document);
        document.liveLayer().set(noiseMap(2), "live", {}, LayerId(2));
        const int steps = document.history().stack()->count();
        document.removeAll();
        QVERIFY(document.entries().empty());
        QCOMPARE(document.view().shown().entry, LayerId());
        QCOMPARE(document.history().stack()->count(), steps + 1);
        document.removeAll();
        QCOMPARE(document.history().stack()->count(), steps + 1);
        document.history().stack()->undo();
        QCOMPARE(document.entries().size(), size_t{2});
        QCOMPARE(document.view().shown().entry, LayerId(2));
    }
    // Closed layers keep their values within the budget, the last closed first; for older ones undo
    // requests recomputation from the recipe.
    void undoKeepsValuesWithinItsBudget() {
        Document document;
        const auto first = noiseMap(16), second = noiseMap(16);
        const int64_t each = first->memoryBytes();
        Recipe recipe;
        recipe.path = "/a.fits";
        const LayerId a = document.addLayer(first, "a", recipe);
        const LayerId b = document.addLayer(second, "b", recipe);
        QCOMPARE(document.history().memory().bytes, int64_t{0});  // the layers are open
        document.history().setBudget(each);
        document.removeLayer(a);
        QCOMPARE(document.history().memory().bytes, each);
        document.removeLayer(b);
        QCOMPARE(document.history().memory().bytes, each);
        QCOMPARE(document.history().memory().recipes, 1);
        // The test is the only owner of the dropped value.
        QCOMPARE(first.use_count(), 1L);
        QVERIFY(second.use_count() > 1);
        QSignalSpy wanted(&document.recovery(), &LayerRecovery::layersAwaited);
        document.history().stack()->undo();
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(wanted.count(), 0);
        document.history().stack()->undo();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(document.recovery().awaited().size(), size_t{1});
        QCOMPARE(document.recovery().awaited()[0].id, a);
        // Further undo before the value has arrived, and redo: no reference to a missing layer.
        document.history().stack()->undo();
        document.history().stack()->redo();
        QCOMPARE(document.recovery().awaited().size(), size_t{1});
        document.recovery().restore(a, first);
        QCOMPARE(document.entries().size(), size_t{2});
        QCOMPARE(document.entries()[0].id, a);
        QVERIFY(document.history().stack()->canUndo() && document.history().stack()->canRedo());
        document.history().stack()->redo();
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(document.entries()[0].id, b);
        document.history().stack()->undo();
        QCOMPARE(document.entries().size(), size_t{2});
    }
    void movesFarApartInTimeAreTwoSteps() {
        Document document;
        fill(document);
        const int steps = document.history().stack()->count();
        document.view().setSwipe(0.2);
        document.view().setSwipe(0.3);
        QTest::qWait(2100);  // past the 2 s within which steps merge
        document.view().setSwipe(0.4);
        QCOMPARE(document.history().stack()->count(), steps + 2);
    }
    void differentThingsDoNotMerge() {
        Document document;
        fill(document);
        const int steps = document.history().stack()->count();
        document.view().setSwipe(0.2);
        document.view().setCamera(document.view().camera().centeredOn({1.0, 0.0}));
        document.overlays().setGraticule(true, 0.1);
        document.overlays().setGraticule(true, 0.2);
        ColorScale scale;
        scale.mapping.high = 2.0F;
        document.drawings().setColorScale({LayerId(1), 0}, scale);
        document.drawings().setColorScale({LayerId(2), 0}, scale);
        scale.mapping.high = 3.0F;
        document.drawings().setColorScale({LayerId(2), 0}, scale);
        QCOMPARE(document.history().stack()->count(), steps + 5);
    }
    void thereAndBackIsNoStep() {
        Document document;
        fill(document);
        const int steps = document.history().stack()->count();
        document.view().setSwipe(0.2);
        document.view().setSwipe(0.5);
        QCOMPARE(document.history().stack()->count(), steps);
    }
    void firstMapSetsItsFrame() {
        Document document;
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "c", {});
        QCOMPARE(document.view().camera().frame, Frame::Equatorial);
        // At home a second map also opens in its own frame ...
        document.addLayer(noiseMap(2, {"I"}, Frame::Ecliptic), "e", {});
        QCOMPARE(document.view().camera().frame, Frame::Ecliptic);
        // ... a view that was moved stays.
        document.view().setCamera(document.view().camera().centeredOn({1.0, 0.0}));
        document.addLayer(noiseMap(2, {"I"}, Frame::Galactic), "g", {});
        QCOMPARE(document.view().camera().frame, Frame::Ecliptic);
        // No rotation leads to an unknown frame.
        document.addLayer(noiseMap(2, {"I"}, Frame::Unknown), "u", {});
        QCOMPARE(document.view().camera().frame, Frame::Unknown);
        document.view().setShown({LayerId(3), 0});
        QCOMPARE(document.view().camera().frame, Frame::Galactic);
    }
    void refusesWhatIsNotThere() {
        Document document;
        fill(document);
        QVERIFY_EXCEPTION_THROWN(document.view().setShown({LayerId(9), 0}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.view().setShown({LayerId(1), 3}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(
            document.view().setShown({LayerId(2), 0, Quantity::PolarizationAngle}),
            InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(setCompared(document, {LayerId(1), -1}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.addLayer(nullptr, "none", {}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.liveLayer().set(nullptr, "none", {}, LayerId(1)),
                                 InvalidArgument);
    }
    void closingTheLastMapLeavesNothing() {
        Document document;
        document.addLayer(noiseMap(2), "only", {});
        setComparison(document, Comparison::Blink);
        document.removeLayer(LayerId(1));
        QCOMPARE(document.view().shown().entry, LayerId());
        QCOMPARE(document.view().comparison(), Comparison::Single);
        document.history().stack()->undo();
        QCOMPARE(document.view().shown().entry, LayerId(1));
    }
    void detailNamesEverything() {
        Document document;
        document.addLayer(polarizedMap(4), "a", {});
        QCOMPARE(document.entries()[0].detail,
                 QString("nside 4 · Galactic · µK · RING · TEMPERATURE, Q_POLARISATION, "
                         "U_POLARISATION"));
        document.addLayer(
            std::make_shared<const HealpixMap>(HealpixMap::partial(
                4, Ordering::Nested, Frame::Equatorial, {3, 5}, {field("HITS", {1.0F, 2.0F}, "")})),
            "p", {});
        QCOMPARE(document.entries()[1].detail,
                 QString("nside 4 · equatorial (ICRS) · NESTED · partial · HITS"));
    }
    void liveReplacesItsParentAndGoes() {
        Document document;
        fill(document);
        document.view().setShown({LayerId(1), 2});
        ColorScale scale;
        scale.mapping.high = 7.0F;
        document.drawings().setColorScale({LayerId(1), 2}, scale);
        const int steps = document.history().stack()->count();
        Recipe smooth;
        smooth.kind = RecipeKind::Smooth;
        const LayerId id =
            document.liveLayer().set(noiseMap(2, {"U_POLARISATION"}), "live", smooth, LayerId(1));
        QVERIFY(document.live());
        QCOMPARE(document.view().shown(), (Shown{id, 0}));
        QCOMPARE(document.drawings().colorScale({id, 0}).mapping.high,
                 7.0F);  // before and after alike
        const uint64_t first = document.live()->revision;
        QCOMPARE(
            document.liveLayer().set(noiseMap(4, {"U_POLARISATION"}), "finer", smooth, LayerId(1)),
            id);
        QVERIFY(document.live()->revision > first);
        QCOMPARE(document.live()->name, QString("finer"));
        QCOMPARE(document.history().stack()->count(), steps);
        // Moving the camera is a step; its undo does not change the shown map.
        document.view().setCamera(document.view().camera().centeredOn({1.0, 0.0}));
        document.history().stack()->undo();
        QCOMPARE(document.view().shown(), (Shown{id, 0}));
        document.liveLayer().drop();
        QVERIFY(!document.live());
        QCOMPARE(document.view().shown(), (Shown{LayerId(1), 2}));
        QCOMPARE(document.entries().size(), size_t{2});
    }
    void liveIsComparedWhereTwoAreShown() {
        Document document;
        fill(document);
        setComparison(document, Comparison::Swipe);
        const Shown other = document.view().compared();
        const LayerId id = document.liveLayer().set(noiseMap(2), "live", {}, LayerId(2));
        QCOMPARE(document.view().shown().entry, LayerId(2));
        QCOMPARE(document.view().compared().entry, id);
        document.removeLayer(id);
        QCOMPARE(document.view().compared(), other);
    }
    void keptLiveIsAStep() {
        Document document;
        fill(document);
        const LayerId id = document.liveLayer().set(noiseMap(8), "smoothed", {}, LayerId(2));
        document.drawings().setDrawable({id, 0}, drawableOf(*document.live(), ramp(-1, 1)));
        QCOMPARE(document.liveLayer().keep(), id);
        QVERIFY(!document.live());
        QVERIFY(!document.entry(id)->live);
        QCOMPARE(document.view().shown().entry, id);
        QVERIFY(document.drawings().drawable({id, 0}));
        document.history().stack()->undo();
        QVERIFY(!document.entry(id));
        QCOMPARE(document.view().shown().entry, LayerId(2));
        QVERIFY(!document.drawings().drawable({id, 0}));
        document.history().stack()->redo();
        QVERIFY(document.entry(id));
        QCOMPARE(document.view().shown().entry, id);
    }
    void liveGoesWithItsParent() {
        Document document;
        fill(document);
        document.liveLayer().set(noiseMap(8), "smoothed", {}, LayerId(2));
        document.removeLayer(LayerId(2));
        QVERIFY(!document.live());
        QCOMPARE(document.view().shown().entry, LayerId(1));
    }
    void liveStaysWhileOtherMapsComeAndGo() {
        Document document;
        fill(document);
        const LayerId id = document.liveLayer().set(noiseMap(8), "smoothed", {}, LayerId(2));
        document.addLayer(noiseMap(2), "c", {});
        QVERIFY(document.live());
        document.history().stack()->undo();
        QVERIFY(document.live());
        QCOMPARE(document.view().shown().entry, id);
        // A live map of another parent replaces this one.
        document.liveLayer().set(noiseMap(4), "other", {}, LayerId(1));
        QVERIFY(!document.entry(id));
        QCOMPARE(document.live()->parent, LayerId(1));
    }
    void undoneStepsNeverPointAtADroppedLive() {
        Document document;
        fill(document);
        document.liveLayer().set(noiseMap(8), "smoothed", {}, LayerId(2));
        document.view().setShown(
            {LayerId(1), 0});  // remembers the live map as what was shown before
        document.liveLayer().drop();
        document.history().stack()->undo();
        QCOMPARE(document.view().shown().entry, LayerId(2));  // its parent
    }
    void staleDrawablesAreDropped() {
        Document document;
        fill(document);
        const LayerId id = document.liveLayer().set(noiseMap(2), "live", {}, LayerId(2));
        const auto old = drawableOf(*document.live(), ramp(0, 1));
        document.liveLayer().set(noiseMap(4), "live", {}, LayerId(2));
        QSignalSpy changed(&document.drawings(), &LayerDrawings::drawableChanged);
        document.drawings().setDrawable({id, 0}, old);
        QVERIFY(!document.drawings().drawable({id, 0}));
        document.drawings().setDrawable({LayerId(99), 0}, old);
        QCOMPARE(changed.count(), 0);
        const auto fresh = drawableOf(*document.live(), ramp(0, 1));
        document.drawings().setDrawable({id, 0}, fresh);
        QCOMPARE(document.drawings().drawable({id, 0}), fresh);
        QCOMPARE(changed.count(), 1);
        // The last good drawable stays while the map is replaced.
        document.liveLayer().set(noiseMap(8), "live", {}, LayerId(2));
        QCOMPARE(document.drawings().drawable({id, 0}), fresh);
    }
    void drawablesNotShownGoFirst() {
        Document document;
        fill(document);
        document.addLayer(noiseMap(16), "c", {});
        for (const Layer& entry : document.entries())
            document.drawings().setDrawable({entry.id, 0}, drawableOf(entry, ramp(0, 1)));
        document.view().setShown({LayerId(1), 0});
        setCompared(document, {});
        document.view().setShown({LayerId(3), 0});  // used last: 3, then 1, then 2
        const int64_t all = document.drawings().drawable({LayerId(1), 0})->memoryBytes() +
                            document.drawings().drawable({LayerId(2), 0})->memoryBytes() +
                            document.drawings().drawable({LayerId(3), 0})->memoryBytes();
        document.drawings().setDrawableBudget(all);
        QVERIFY(document.drawings().drawable({LayerId(2), 0}));
        document.drawings().setDrawableBudget(all - 1);
        QVERIFY(!document.drawings().drawable({LayerId(2), 0}));
        QVERIFY(document.drawings().drawable({LayerId(1), 0}));
        document.drawings().setDrawableBudget(0);
        QVERIFY(!document.drawings().drawable({LayerId(1), 0}));
        QVERIFY(document.drawings().drawable({LayerId(3), 0}));  // shown
    }
};

QTEST_GUILESS_MAIN(DocumentTest)
#include "tst_document.moc"
