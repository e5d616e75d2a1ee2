// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of a document, their view, and the history of both.
#include <QJsonDocument>
#include <QSignalSpy>
#include <QtTest>

#include "armilla/core/error.h"
#include "document_parts.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// The active layer is not part of the history: it follows added and removed layers.
QByteArray stateOf(const Document& document) {
    QJsonObject state = document.toJson();
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
        QTest::newRow("remove shown") << Change([](Document& d) { d.removeLayer(2); });
        QTest::newRow("remove other") << Change([](Document& d) { d.removeLayer(1); });
        QTest::newRow("rename") << Change([](Document& d) { d.renameLayer(1, "new name"); });
        QTest::newRow("show") << Change([](Document& d) { d.setShown({1, 2}); });
        QTest::newRow("show amplitude") << Change([](Document& d) {
            d.setShown({1, 0, Quantity::PolarizedAmplitude});
        });
        QTest::newRow("compare") << Change([](Document& d) { d.setCompared({1, 1}); });
        QTest::newRow("compare nothing") << Change([](Document& d) { d.setCompared({}); });
        QTest::newRow("comparison")
            << Change([](Document& d) { d.setComparison(Comparison::Swipe); });
        QTest::newRow("compare this way") << Change([](Document& d) {
            d.compare({1, 1}, {2, 0}, Comparison::SideBySide);
        });
        QTest::newRow("swipe") << Change([](Document& d) { d.setSwipe(0.3); });
        QTest::newRow("camera") << Change([](Document& d) {
            d.setCamera(d.camera().centeredOn({1.0, 0.5}));
        });
        QTest::newRow("colors") << Change([](Document& d) {
            ColorScale scale = d.colorScale(d.shown());
            scale.colorMap = "viridis";
            scale.mapping.high = 3.0F;
            d.setColorScale(d.shown(), scale);
        });
        QTest::newRow("graticule off") << Change([](Document& d) { d.setGraticule(false, 0.0); });
        QTest::newRow("graticule step") << Change([](Document& d) { d.setGraticule(true, 0.2); });
        QTest::newRow("rods") << Change([](Document& d) { d.setRodsVisible(true); });
    }
    void everyChangeUndoesAndRedoes() {
        QFETCH(Change, change);
        Document document;
        fill(document);
        ColorScale present;
        present.mapping.high = 9.0F;
        document.setColorScale(document.shown(), present);
        document.endGesture();
        const QByteArray before = stateOf(document);
        const int steps = document.undoStack()->count();
        change(document);
        const QByteArray after = stateOf(document);
        QVERIFY(before != after);
        QCOMPARE(document.undoStack()->count(), steps + 1);
        QVERIFY(!document.undoStack()->undoText().isEmpty());
        for (int round = 0; round < 2; ++round) {
            document.undoStack()->undo();
            QCOMPARE(stateOf(document), before);
            document.undoStack()->redo();
            QCOMPARE(stateOf(document), after);
        }
        // An equal value is no change.
        while (document.undoStack()->canUndo()) document.undoStack()->undo();
        QVERIFY(document.entries().empty());
        QCOMPARE(document.shown().entry, -1);
    }
    // A view left over from closed layers, or of the empty sky, is no view of the first layer.
    void theFirstLayerSetsTheView() {
        Document document;
        document.addLayer(noiseMap(2, {"I"}, Frame::Galactic), "a", {});
        Camera close = document.camera().centeredOn({1.0, 0.5});
        close.projection = Projection::Gnomonic;
        close.zoom = 40.0;
        document.setCamera(close);
        // Another map beside the first one keeps the view.
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "b", {});
        QCOMPARE(document.camera().zoom, 40.0);
        QCOMPARE(document.camera().frame, Frame::Galactic);
        document.removeAll();
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "c", {});
        QCOMPARE(document.camera().zoom, Camera{}.zoom);
        QCOMPARE(document.camera().projection, Camera{}.projection);
        QCOMPARE(document.camera().frame, Frame::Equatorial);
        document.undoStack()->undo();
        QCOMPARE(document.camera().zoom, 40.0);
        // A projection that was chosen for the whole sky stays.
        Camera globe;
        globe.projection = Projection::Orthographic;
        document.setCamera(globe);
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "d", {});
        QCOMPARE(document.camera().projection, Projection::Orthographic);
        QCOMPARE(document.camera().frame, Frame::Equatorial);
    }
    // A flight to the data emits many cameras, the first of another projection.
    void aLookAtDataIsOneStep() {
        Document document;
        fill(document);
        const QByteArray opened = stateOf(document);
        const int steps = document.undoStack()->count();
        const auto fly = [&] {
            Camera camera = document.camera();
            for (int i = 1; i <= 3; ++i) {
                camera.projection = Projection::Gnomonic;
                camera.zoom *= 2.0;
                document.lookAtData(camera);
            }
        };
        // Directly after the step that opened the data: no separate step.
        fly();
        QCOMPARE(document.undoStack()->count(), steps);
        const QByteArray looked = stateOf(document);
        QVERIFY(looked != opened);
        document.undoStack()->undo();
        document.undoStack()->redo();
        QCOMPARE(stateOf(document), looked);
        Camera moved = document.camera();
        moved.zoom = 1.5;
        document.setCamera(moved);
        fly();
        QCOMPARE(document.undoStack()->count(), steps + 2);
        QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Zoom to data"));
        document.undoStack()->undo();
        QCOMPARE(document.camera().zoom, 1.5);
    }
    void nothingHappensWhereNothingChanges() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        QSignalSpy camera(&document, &Document::cameraChanged);
        document.setShown(document.shown());
        document.setCompared(document.compared());
        document.setComparison(document.comparison());
        document.compare(document.shown(), document.compared(), document.comparison());
        document.setSwipe(document.swipe());
        document.setCamera(document.camera());
        document.setGraticule(document.graticuleVisible(), document.graticuleStep());
        document.setRodsVisible(document.rodsVisible());
        document.setColorScale({1, 0}, document.colorScale({1, 0}));
        document.renameLayer(1, "a");
        document.removeLayer(77);
        document.dropLive();
        QCOMPARE(document.keepLive(), -1);
        QCOMPARE(document.undoStack()->count(), steps);
        QCOMPARE(camera.count(), 0);
    }
    void comparisonsNameTheirStep() {
        Document document;
        fill(document);
        for (const auto& [comparison, name] :
             {std::pair{Comparison::Swipe, "Swipe"}, std::pair{Comparison::Blink, "Blink"},
              std::pair{Comparison::SideBySide, "Side by side"},
              std::pair{Comparison::Single, "One map"}}) {
            document.compare({1, 0}, {2, 0}, comparison);
            QCOMPARE(document.undoStack()->undoText(), QString(name));
        }
        QVERIFY_EXCEPTION_THROWN(document.compare({1, 0}, {7, 0}, Comparison::Swipe),
                                 InvalidArgument);
    }
    // View changes use many gestures, and are one step until a pause. Other gestures, here the
    // divider's, are separate steps.
    void movesWithoutAPauseAreOneStep() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        const Camera start = document.camera();
        for (int i = 1; i <= 50; ++i) document.setCamera(start.centeredOn({0.01 * i, 0.0}));
        document.endGesture();
        document.setCamera(start.centeredOn({2.0, 0.0}));
        QCOMPARE(document.undoStack()->count(), steps + 1);
        QTest::qWait(2100);  // past the 2 s within which movements merge
        document.setCamera(start.centeredOn({3.0, 0.0}));
        QCOMPARE(document.undoStack()->count(), steps + 2);
        document.undoStack()->undo();
        QVERIFY(std::abs(document.camera().center().lon - 2.0) < 1e-12);
        document.undoStack()->undo();
        QVERIFY(std::abs(document.camera().center().lon) < 1e-12);
        document.setSwipe(0.2);
        document.endGesture();
        document.setSwipe(0.3);
        QCOMPARE(document.undoStack()->count(), steps + 2);
    }
    void stepsNameTheirFields() {
        Document document;
        fill(document);
        document.setShown({1, 1});
        QCOMPARE(document.undoStack()->undoText(), QString("Show Q_POLARISATION of a"));
        document.setShown({2, 0});
        QCOMPARE(document.undoStack()->undoText(), QString("Show b"));
        ColorScale scale;
        scale.mapping.high = 2.0F;
        document.setColorScale({1, 2}, scale);
        QCOMPARE(document.undoStack()->undoText(), QString("Colors of U_POLARISATION of a"));
        document.setCompared({});
        document.setCompared({1, 0});
        QCOMPARE(document.undoStack()->undoText(), QString("Compare with TEMPERATURE of a"));
    }
    void closeAllIsOneStep() {
        Document document;
        fill(document);
        document.setLive(noiseMap(2), "live", {}, 2);
        const int steps = document.undoStack()->count();
        document.removeAll();
        QVERIFY(document.entries().empty());
        QCOMPARE(document.shown().entry, -1);
        QCOMPARE(document.undoStack()->count(), steps + 1);
        document.removeAll();
        QCOMPARE(document.undoStack()->count(), steps + 1);
        document.undoStack()->undo();
        QCOMPARE(document.entries().size(), size_t{2});
        QCOMPARE(document.shown().entry, 2);
    }
    // Closed layers keep their values within the budget, the last closed first; for older ones undo
    // requests recomputation from the recipe.
    void undoKeepsValuesWithinItsBudget() {
        Document document;
        const auto first = noiseMap(16), second = noiseMap(16);
        const int64_t each = first->memoryBytes();
        Recipe recipe;
        recipe.path = "/a.fits";
        const int a = document.addLayer(first, "a", recipe);
        const int b = document.addLayer(second, "b", recipe);
        QCOMPARE(document.undoMemory().bytes, int64_t{0});  // the layers are open
        document.setUndoBudget(each);
        document.removeLayer(a);
        QCOMPARE(document.undoMemory().bytes, each);
        document.removeLayer(b);
        QCOMPARE(document.undoMemory().bytes, each);
        QCOMPARE(document.undoMemory().recipes, 1);
        // The test is the only owner of the dropped value.
        QCOMPARE(first.use_count(), 1L);
        QVERIFY(second.use_count() > 1);
        QSignalSpy wanted(&document, &Document::layersAwaited);
        document.undoStack()->undo();
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(wanted.count(), 0);
        document.undoStack()->undo();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(document.awaited().size(), size_t{1});
        QCOMPARE(document.awaited()[0].id, a);
        // Further undo before the value has arrived, and redo: no reference to a missing layer.
        document.undoStack()->undo();
        document.undoStack()->redo();
        QCOMPARE(document.awaited().size(), size_t{1});
        document.restoreLayer(a, first);
        QCOMPARE(document.entries().size(), size_t{2});
        QCOMPARE(document.entries()[0].id, a);
        QVERIFY(document.undoStack()->canUndo() && document.undoStack()->canRedo());
        document.undoStack()->redo();
        QCOMPARE(document.entries().size(), size_t{1});
        QCOMPARE(document.entries()[0].id, b);
        document.undoStack()->undo();
        QCOMPARE(document.entries().size(), size_t{2});
    }
    void movesFarApartInTimeAreTwoSteps() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        document.setSwipe(0.2);
        document.setSwipe(0.3);
        QTest::qWait(2100);  // past the 2 s within which steps merge
        document.setSwipe(0.4);
        QCOMPARE(document.undoStack()->count(), steps + 2);
    }
    void differentThingsDoNotMerge() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        document.setSwipe(0.2);
        document.setCamera(document.camera().centeredOn({1.0, 0.0}));
        document.setGraticule(true, 0.1);
        document.setGraticule(true, 0.2);
        ColorScale scale;
        scale.mapping.high = 2.0F;
        document.setColorScale({1, 0}, scale);
        document.setColorScale({2, 0}, scale);
        scale.mapping.high = 3.0F;
        document.setColorScale({2, 0}, scale);
        QCOMPARE(document.undoStack()->count(), steps + 5);
    }
    void thereAndBackIsNoStep() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        document.setSwipe(0.2);
        document.setSwipe(0.5);
        QCOMPARE(document.undoStack()->count(), steps);
    }
    void firstMapSetsItsFrame() {
        Document document;
        document.addLayer(noiseMap(2, {"I"}, Frame::Equatorial), "c", {});
        QCOMPARE(document.camera().frame, Frame::Equatorial);
        // At home a second map also opens in its own frame ...
        document.addLayer(noiseMap(2, {"I"}, Frame::Ecliptic), "e", {});
        QCOMPARE(document.camera().frame, Frame::Ecliptic);
        // ... a view that was moved stays.
        document.setCamera(document.camera().centeredOn({1.0, 0.0}));
        document.addLayer(noiseMap(2, {"I"}, Frame::Galactic), "g", {});
        QCOMPARE(document.camera().frame, Frame::Ecliptic);
        // No rotation leads to an unknown frame.
        document.addLayer(noiseMap(2, {"I"}, Frame::Unknown), "u", {});
        QCOMPARE(document.camera().frame, Frame::Unknown);
        document.setShown({3, 0});
        QCOMPARE(document.camera().frame, Frame::Galactic);
    }
    void refusesWhatIsNotThere() {
        Document document;
        fill(document);
        QVERIFY_EXCEPTION_THROWN(document.setShown({9, 0}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.setShown({1, 3}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.setShown({2, 0, Quantity::PolarizationAngle}),
                                 InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.setCompared({1, -1}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.addLayer(nullptr, "none", {}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.setLive(nullptr, "none", {}, 1), InvalidArgument);
    }
    void closingTheLastMapLeavesNothing() {
        Document document;
        document.addLayer(noiseMap(2), "only", {});
        document.setComparison(Comparison::Blink);
        document.removeLayer(1);
        QCOMPARE(document.shown().entry, -1);
        QCOMPARE(document.comparison(), Comparison::Single);
        document.undoStack()->undo();
        QCOMPARE(document.shown().entry, 1);
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
        document.setShown({1, 2});
        ColorScale scale;
        scale.mapping.high = 7.0F;
        document.setColorScale({1, 2}, scale);
        const int steps = document.undoStack()->count();
        const int id = document.setLive(noiseMap(2, {"U_POLARISATION"}), "live", {}, 1);
        QVERIFY(document.live());
        QCOMPARE(document.shown(), (Shown{id, 0}));
        QCOMPARE(document.colorScale({id, 0}).mapping.high, 7.0F);  // before and after alike
        const uint64_t first = document.live()->revision;
        QCOMPARE(document.setLive(noiseMap(4, {"U_POLARISATION"}), "finer", {}, 1), id);
        QVERIFY(document.live()->revision > first);
        QCOMPARE(document.live()->name, QString("finer"));
        QCOMPARE(document.undoStack()->count(), steps);
        // Moving the camera is a step; its undo does not change the shown map.
        document.setCamera(document.camera().centeredOn({1.0, 0.0}));
        document.undoStack()->undo();
        QCOMPARE(document.shown(), (Shown{id, 0}));
        document.dropLive();
        QVERIFY(!document.live());
        QCOMPARE(document.shown(), (Shown{1, 2}));
        QCOMPARE(document.entries().size(), size_t{2});
    }
    void liveIsComparedWhereTwoAreShown() {
        Document document;
        fill(document);
        document.setComparison(Comparison::Swipe);
        const Shown other = document.compared();
        const int id = document.setLive(noiseMap(2), "live", {}, 2);
        QCOMPARE(document.shown().entry, 2);
        QCOMPARE(document.compared().entry, id);
        document.removeLayer(id);
        QCOMPARE(document.compared(), other);
    }
    void keptLiveIsAStep() {
        Document document;
        fill(document);
        const int id = document.setLive(noiseMap(8), "smoothed", {}, 2);
        document.setDrawable({id, 0}, drawableOf(*document.live(), ramp(-1, 1)));
        QCOMPARE(document.keepLive(), id);
        QVERIFY(!document.live());
        QVERIFY(!document.entry(id)->live);
        QCOMPARE(document.shown().entry, id);
        QVERIFY(document.drawable({id, 0}));
        document.undoStack()->undo();
        QVERIFY(!document.entry(id));
        QCOMPARE(document.shown().entry, 2);
        QVERIFY(!document.drawable({id, 0}));
        document.undoStack()->redo();
        QVERIFY(document.entry(id));
        QCOMPARE(document.shown().entry, id);
    }
    void liveGoesWithItsParent() {
        Document document;
        fill(document);
        document.setLive(noiseMap(8), "smoothed", {}, 2);
        document.removeLayer(2);
        QVERIFY(!document.live());
        QCOMPARE(document.shown().entry, 1);
    }
    void liveStaysWhileOtherMapsComeAndGo() {
        Document document;
        fill(document);
        const int id = document.setLive(noiseMap(8), "smoothed", {}, 2);
        document.addLayer(noiseMap(2), "c", {});
        QVERIFY(document.live());
        document.undoStack()->undo();
        QVERIFY(document.live());
        QCOMPARE(document.shown().entry, id);
        // A live map of another parent replaces this one.
        document.setLive(noiseMap(4), "other", {}, 1);
        QVERIFY(!document.entry(id));
        QCOMPARE(document.live()->parent, 1);
    }
    void undoneStepsNeverPointAtADroppedLive() {
        Document document;
        fill(document);
        document.setLive(noiseMap(8), "smoothed", {}, 2);
        document.setShown({1, 0});  // remembers the live map as what was shown before
        document.dropLive();
        document.undoStack()->undo();
        QCOMPARE(document.shown().entry, 2);  // its parent
    }
    void staleDrawablesAreDropped() {
        Document document;
        fill(document);
        const int id = document.setLive(noiseMap(2), "live", {}, 2);
        const auto old = drawableOf(*document.live(), ramp(0, 1));
        document.setLive(noiseMap(4), "live", {}, 2);
        QSignalSpy changed(&document, &Document::drawableChanged);
        document.setDrawable({id, 0}, old);
        QVERIFY(!document.drawable({id, 0}));
        document.setDrawable({99, 0}, old);
        QCOMPARE(changed.count(), 0);
        const auto fresh = drawableOf(*document.live(), ramp(0, 1));
        document.setDrawable({id, 0}, fresh);
        QCOMPARE(document.drawable({id, 0}), fresh);
        QCOMPARE(changed.count(), 1);
        // The last good drawable stays while the map is replaced.
        document.setLive(noiseMap(8), "live", {}, 2);
        QCOMPARE(document.drawable({id, 0}), fresh);
    }
    void drawablesNotShownGoFirst() {
        Document document;
        fill(document);
        document.addLayer(noiseMap(16), "c", {});
        for (const Layer& entry : document.entries())
            document.setDrawable({entry.id, 0}, drawableOf(entry, ramp(0, 1)));
        document.setShown({1, 0});
        document.setCompared({});
        document.setShown({3, 0});  // used last: 3, then 1, then 2
        const int64_t all = document.drawable({1, 0})->memoryBytes() +
                            document.drawable({2, 0})->memoryBytes() +
                            document.drawable({3, 0})->memoryBytes();
        document.setDrawableBudget(all);
        QVERIFY(document.drawable({2, 0}));
        document.setDrawableBudget(all - 1);
        QVERIFY(!document.drawable({2, 0}));
        QVERIFY(document.drawable({1, 0}));
        document.setDrawableBudget(0);
        QVERIFY(!document.drawable({1, 0}));
        QVERIFY(document.drawable({3, 0}));  // shown
    }
};

QTEST_GUILESS_MAIN(DocumentTest)
#include "tst_document.moc"
