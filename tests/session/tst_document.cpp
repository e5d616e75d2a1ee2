// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonDocument>
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>
#include <limits>

#include "core/error.h"
#include "session/document.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

namespace {

std::shared_ptr<DrawableField> drawableOf(const MapEntry& entry, const std::vector<float>& sample) {
    JobContext job;
    auto field = std::make_shared<DrawableField>();
    field->pyramid = std::make_shared<const MapPyramid>(MapPyramid::build(*entry.map, 0, 64, job));
    field->statistics = fieldStatistics(*entry.map, 0, job);
    field->sortedSample = sample;
    std::sort(field->sortedSample.begin(), field->sortedSample.end());
    field->revision = entry.revision;
    return field;
}

DrawableField sampleOnly(std::vector<float> sample) {
    DrawableField field;
    std::sort(sample.begin(), sample.end());
    if (!sample.empty()) {
        field.statistics.min = static_cast<double>(sample.front());
        field.statistics.max = static_cast<double>(sample.back());
    }
    field.sortedSample = std::move(sample);
    return field;
}

std::vector<float> ramp(float low, float high, int count = 1001) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i)
        values.push_back(low +
                         (high - low) * static_cast<float>(i) / static_cast<float>(count - 1));
    return values;
}

QByteArray stateOf(const Document& document) {
    return QJsonDocument(document.toJson()).toJson(QJsonDocument::Compact);
}

using Change = std::function<void(Document&)>;

}  // namespace
Q_DECLARE_METATYPE(Change)

class DocumentTest : public QObject {
    Q_OBJECT
    // Two maps, the second shown.
    static void fill(Document& document) {
        document.addMap(polarizedMap(4), "a", {});
        document.addMap(noiseMap(8), "b", {});
        document.endGesture();
    }

private slots:
    void everyChangeUndoesAndRedoes_data() {
        QTest::addColumn<Change>("change");
        QTest::newRow("add") << Change([](Document& d) { d.addMap(noiseMap(2), "c", {}); });
        QTest::newRow("remove shown") << Change([](Document& d) { d.removeMap(2); });
        QTest::newRow("remove other") << Change([](Document& d) { d.removeMap(1); });
        QTest::newRow("rename") << Change([](Document& d) { d.renameMap(1, "new name"); });
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
        // The same again is no change.
        while (document.undoStack()->canUndo()) document.undoStack()->undo();
        QVERIFY(document.entries().empty());
        QCOMPARE(document.shown().entry, -1);
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
        document.renameMap(1, "a");
        document.removeMap(77);
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
    // The difference once was a way of comparing; today it is a map.
    void oldFilesWithADifferenceShowOneMap() {
        Document document;
        fill(document);
        document.setComparison(Comparison::Swipe);
        QJsonObject saved = document.toJson();
        QJsonObject view = saved["view"].toObject();
        view["comparison"] = "difference";
        saved["view"] = view;
        document.restore(saved);
        QCOMPARE(document.comparison(), Comparison::Single);
    }
    void movesOfOneGestureAreOneStep() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        const Camera start = document.camera();
        for (int i = 1; i <= 50; ++i) document.setCamera(start.centeredOn({0.01 * i, 0.0}));
        QCOMPARE(document.undoStack()->count(), steps + 1);
        document.endGesture();
        document.setCamera(start.centeredOn({2.0, 0.0}));
        QCOMPARE(document.undoStack()->count(), steps + 2);
        document.undoStack()->undo();
        QVERIFY(std::abs(document.camera().center().lon - 0.5) < 1e-12);
        document.undoStack()->undo();
        QVERIFY(std::abs(document.camera().center().lon) < 1e-12);
    }
    void movesFarApartInTimeAreTwoSteps() {
        Document document;
        fill(document);
        const int steps = document.undoStack()->count();
        document.setSwipe(0.2);
        document.setSwipe(0.3);
        QTest::qWait(900);  // past the 800 ms within which steps merge
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
        document.addMap(noiseMap(2, {"I"}, Frame::Equatorial), "c", {});
        QCOMPARE(document.camera().frame, Frame::Equatorial);
        // At home a second map opens in its own frame as well ...
        document.addMap(noiseMap(2, {"I"}, Frame::Ecliptic), "e", {});
        QCOMPARE(document.camera().frame, Frame::Ecliptic);
        // ... a view that was moved stays.
        document.setCamera(document.camera().centeredOn({1.0, 0.0}));
        document.addMap(noiseMap(2, {"I"}, Frame::Galactic), "g", {});
        QCOMPARE(document.camera().frame, Frame::Ecliptic);
        // No rotation leads to an unknown frame.
        document.addMap(noiseMap(2, {"I"}, Frame::Unknown), "u", {});
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
        QVERIFY_EXCEPTION_THROWN(document.addMap(nullptr, "none", {}), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(document.setLive(nullptr, "none", {}, 1), InvalidArgument);
    }
    void closingTheLastMapLeavesNothing() {
        Document document;
        document.addMap(noiseMap(2), "only", {});
        document.setComparison(Comparison::Blink);
        document.removeMap(1);
        QCOMPARE(document.shown().entry, -1);
        QCOMPARE(document.comparison(), Comparison::Single);
        document.undoStack()->undo();
        QCOMPARE(document.shown().entry, 1);
    }
    void detailNamesEverything() {
        Document document;
        document.addMap(polarizedMap(4), "a", {});
        QCOMPARE(document.entries()[0].detail,
                 QString("TEMPERATURE, Q_POLARISATION, U_POLARISATION · nside 4 · RING · Galactic "
                         "· uK"));
        document.addMap(
            std::make_shared<const HealpixMap>(HealpixMap::partial(
                4, Ordering::Nested, Frame::Equatorial, {3, 5}, {field("HITS", {1.0F, 2.0F}, "")})),
            "p", {});
        QCOMPARE(document.entries()[1].detail,
                 QString("HITS · nside 4 · NESTED · partial · equatorial (ICRS)"));
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
        // Moving the camera is a step; undoing it does not touch what is shown.
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
        document.removeMap(id);
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
        document.removeMap(2);
        QVERIFY(!document.live());
        QCOMPARE(document.shown().entry, 1);
    }
    void liveStaysWhileOtherMapsComeAndGo() {
        Document document;
        fill(document);
        const int id = document.setLive(noiseMap(8), "smoothed", {}, 2);
        document.addMap(noiseMap(2), "c", {});
        QVERIFY(document.live());
        document.undoStack()->undo();
        QVERIFY(document.live());
        QCOMPARE(document.shown().entry, id);
        // A live map of another parent takes its place.
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
        // The last good one stays while the map is replaced.
        document.setLive(noiseMap(8), "live", {}, 2);
        QCOMPARE(document.drawable({id, 0}), fresh);
    }
    void drawablesNotShownGoFirst() {
        Document document;
        fill(document);
        document.addMap(noiseMap(16), "c", {});
        for (const MapEntry& entry : document.entries())
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

    void rangeOfPositiveData() {
        // Percentiles 1 and 99 of an even ramp from 0 to 1000.
        const ColorScale scale = defaultColorScale(sampleOnly(ramp(0, 1000)), Quantity::Field);
        QCOMPARE(scale.mapping.low, 10.0F);
        QCOMPARE(scale.mapping.high, 990.0F);
        QCOMPARE(scale.cumulative.front(), 0.0F);
        QCOMPARE(scale.cumulative.back(), 1000.0F);
        QVERIFY(std::is_sorted(scale.cumulative.begin(), scale.cumulative.end()));
        QVERIFY(scale.mapping.linear > 0.0F);
    }
    void rangeOfBothSignsIsSymmetric() {
        // Noise between -1 and 1, and a bright plane on a tenth of the sky.
        auto values = ramp(-1, 1, 900);
        const auto plane = ramp(10, 1000, 100);
        values.insert(values.end(), plane.begin(), plane.end());
        const ColorScale scale = defaultColorScale(sampleOnly(values), Quantity::Field);
        QCOMPARE(scale.mapping.low, -scale.mapping.high);
        QVERIFY(scale.mapping.high > 0.9F && scale.mapping.high <= 1.0F);
    }
    void rangeOfSpecialData() {
        const ColorScale mask =
            defaultColorScale(sampleOnly({0, 0, 0, 1, 1, 1, 1, 1, 1}), Quantity::Field);
        QCOMPARE(mask.colorMap, std::string("gray"));
        QCOMPARE(mask.mapping.low, 0.0F);
        QCOMPARE(mask.mapping.high, 1.0F);
        const ColorScale angle =
            defaultColorScale(sampleOnly(ramp(-80, 70)), Quantity::PolarizationAngle);
        QCOMPARE(angle.colorMap, std::string("twilight"));
        QCOMPARE(angle.mapping.low, -90.0F);
        QCOMPARE(angle.mapping.high, 90.0F);
        const ColorScale amplitude =
            defaultColorScale(sampleOnly(ramp(2, 5)), Quantity::PolarizedAmplitude);
        QCOMPARE(amplitude.colorMap, std::string("viridis"));
        QCOMPARE(amplitude.mapping.low, 0.0F);
        for (const float constant : {0.0F, 5.0F, -3.0F, 1e30F}) {
            const ColorScale flat =
                defaultColorScale(sampleOnly(std::vector<float>(100, constant)), Quantity::Field);
            QVERIFY(flat.mapping.low < flat.mapping.high);
        }
        // Almost everything equal: the whole range.
        std::vector<float> spikes(1000, 0.0F);
        spikes[3] = 8.0F;
        QCOMPARE(defaultColorScale(sampleOnly(spikes), Quantity::Field).mapping.high, 8.0F);
        const ColorScale none = defaultColorScale(sampleOnly({}), Quantity::Field);
        QVERIFY(none.mapping.low < none.mapping.high);
    }
    void firstDrawableSetsTheColors() {
        Document document;
        document.addMap(noiseMap(4), "a", {});
        QSignalSpy changed(&document, &Document::colorScaleChanged);
        document.setDrawable({1, 0}, drawableOf(document.entries()[0], ramp(0, 1000)));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(document.colorScale({1, 0}).mapping.high, 990.0F);
        ColorScale own = document.colorScale({1, 0});
        own.mapping.high = 5.0F;
        document.setColorScale({1, 0}, own);
        document.setDrawable({1, 0}, drawableOf(document.entries()[0], ramp(0, 1000)));
        QCOMPARE(document.colorScale({1, 0}).mapping.high, 5.0F);
    }

    void derivedQuantities_data() {
        QTest::addColumn<double>("q");
        QTest::addColumn<double>("u");
        QTest::addColumn<double>("amplitude");
        QTest::addColumn<double>("angle");
        QTest::newRow("north") << 3.0 << 0.0 << 3.0 << 0.0;
        QTest::newRow("east") << -3.0 << 0.0 << 3.0 << 90.0;
        QTest::newRow("east, minus zero") << -3.0 << -0.0 << 3.0 << 90.0;
        QTest::newRow("north-east") << 0.0 << 2.0 << 2.0 << 45.0;
        QTest::newRow("north-west") << 0.0 << -2.0 << 2.0 << -45.0;
        QTest::newRow("general") << 3.0 << 4.0 << 5.0 << 0.5 * std::atan2(4.0, 3.0) / kDegree;
        QTest::newRow("none") << 0.0 << 0.0 << 0.0 << 0.0;
    }
    void derivedQuantities() {
        QFETCH(double, q);
        QFETCH(double, u);
        QFETCH(double, amplitude);
        QFETCH(double, angle);
        // sqrt, atan2 and a product: a few units in the last place.
        QVERIFY(std::abs(polarizedAmplitude(q, u) - amplitude) < 1e-14 * 5.0);
        QVERIFY(std::abs(polarizationAngle(q, u) - angle) < 1e-14 * 90.0);
    }
    void quantityMaps_data() {
        QTest::addColumn<int>("coverage");
        QTest::newRow("full") << static_cast<int>(Coverage::Full);
        QTest::newRow("partial") << static_cast<int>(Coverage::Partial);
        QTest::newRow("multi-order") << static_cast<int>(Coverage::MultiOrder);
    }
    void quantityMaps() {
        QFETCH(int, coverage);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        std::vector<Field> fields{field("T", std::vector<float>(12, 1.0F)),
                                  field("Q", std::vector<float>(12, 3.0F)),
                                  field("U", std::vector<float>(12, 4.0F))};
        std::get<std::vector<float>>(fields[2].values)[5] = nan;
        std::vector<int64_t> pixels(12);
        for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<int64_t>(i);
        HealpixMap map;
        switch (static_cast<Coverage>(coverage)) {
            case Coverage::Full:
                map = HealpixMap(1, Ordering::Ring, Frame::Galactic, fields);
                break;
            case Coverage::Partial:
                map = HealpixMap::partial(1, Ordering::Ring, Frame::Galactic, pixels, fields);
                break;
            case Coverage::MultiOrder:
                map = HealpixMap::multiOrder(1, Frame::Galactic, pixels,
                                             std::vector<uint8_t>(12, 0), fields);
                break;
        }
        JobContext job;
        const HealpixMap amplitude = quantityMap(map, 0, Quantity::PolarizedAmplitude, job);
        QCOMPARE(amplitude.coverage(), map.coverage());
        QCOMPARE(amplitude.fieldCount(), 1);
        QCOMPARE(amplitude.field(0).unit, std::string("uK"));
        QVERIFY(std::abs(amplitude.field(0).at(0) - 5.0) < 1e-14);
        QVERIFY(std::isnan(amplitude.field(0).at(5)));
        const HealpixMap plain = quantityMap(map, 1, Quantity::Field, job);
        QCOMPARE(plain.field(0).name, std::string("Q"));
        const HealpixMap angle = quantityMap(map, 0, Quantity::PolarizationAngle, job);
        QCOMPARE(angle.field(0).unit, std::string("deg"));
        QVERIFY_EXCEPTION_THROWN(quantityMap(map, 3, Quantity::Field, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(quantityMap(plain, 0, Quantity::PolarizationAngle, job),
                                 InvalidArgument);
    }

    void stateComesBack() {
        Document document;
        document.addMap(polarizedMap(4), "a", [] {
            Recipe recipe;
            recipe.path = "/data/a b.fits";
            return recipe;
        }());
        document.addMap(
            noiseMap(8), "smoothed 1°",
            [] {
                Recipe recipe;
                recipe.kind = RecipeKind::Smooth;
                recipe.input = 1;
                recipe.smooth.fwhm = 0.01;
                return recipe;
            }(),
            1);
        document.setCompared({1, 1, Quantity::PolarizationAngle});
        document.setComparison(Comparison::SideBySide);
        document.setSwipe(0.25);
        document.setCamera(document.camera().centeredOn({2.0, -0.4}).turned(0.3));
        document.setGraticule(false, 0.25);
        document.setRodsVisible(true);
        ColorScale scale;
        scale.colorMap = "magma";
        scale.reversed = true;
        scale.mapping = {Scale::SymLog, -1.5F, 0.1F, 0.4F, 0.01F};
        scale.bad = {1, 2, 3, 4};
        scale.ownBelow = true;
        scale.below = {250, 251, 252, 253};
        document.setColorScale({2, 0}, scale);
        const QJsonObject saved = document.toJson();

        Document other;
        fill(other);
        other.setLive(noiseMap(2), "live", {}, 1);
        other.restore(saved);
        QVERIFY(other.entries().empty());
        QVERIFY(!other.undoStack()->canUndo());
        QCOMPARE(other.awaited().size(), size_t{2});
        QCOMPARE(other.toJson(), saved);  // saved again before a map has come back: nothing lost
        other.restoreMap(1, polarizedMap(4));
        QCOMPARE(other.shown().entry, 1);  // for the time being
        QCOMPARE(other.compared(), (Shown{1, 1, Quantity::PolarizationAngle}));
        other.restoreMap(2, noiseMap(8));
        QCOMPARE(other.shown().entry, 2);
        QCOMPARE(other.toJson(), saved);
        QCOMPARE(other.camera().center().lon, document.camera().center().lon);
        QCOMPARE(other.colorScale({2, 0}).bad.a, uint8_t{4});
        // Numbers go on after the restored ones.
        QVERIFY(other.addMap(noiseMap(2), "new", {}) > 2);
    }
    void lateInputsComeIntoTheirPlace() {
        Document document;
        fill(document);
        const QJsonObject saved = document.toJson();
        Document other;
        other.restore(saved);
        other.restoreMap(2, noiseMap(8));
        other.restoreMap(1, polarizedMap(4));
        QCOMPARE(other.entries()[0].id, 1);
        QCOMPARE(other.entries()[1].id, 2);
        other.restoreMap(1, polarizedMap(4));  // not awaited any more
        QCOMPARE(other.entries().size(), size_t{2});
    }
    void closedInputsAreSavedHidden() {
        Document document;
        document.addMap(noiseMap(4), "a", {});
        Recipe recipe;
        recipe.kind = RecipeKind::Smooth;
        recipe.input = 1;
        document.addMap(noiseMap(4), "b", recipe, 1);
        document.removeMap(1);
        Document other;
        other.restore(document.toJson());
        QCOMPARE(other.awaited().size(), size_t{2});
        QVERIFY(other.awaited()[1].hidden);
        QCOMPARE(other.awaited()[1].id, 1);
        QVERIFY(document.recipeOf(1));
        QVERIFY(!document.recipeOf(5));
    }
    void givenUpMapsAreForgotten() {
        Document document;
        fill(document);
        Document other;
        other.restore(document.toJson());
        other.giveUpAwaited(2);
        other.restoreMap(1, polarizedMap(4));
        QVERIFY(other.awaited().empty());
        QCOMPARE(other.shown().entry, 1);
        QCOMPARE(other.entries().size(), size_t{1});
    }
    void histogramTableComesWithTheMap() {
        Document document;
        document.addMap(noiseMap(4), "a", {});
        ColorScale scale;
        scale.mapping.scale = Scale::Histogram;
        scale.cumulative[200] = 3.0F;
        document.setColorScale({1, 0}, scale);
        Document other;
        other.restore(document.toJson());
        other.restoreMap(1, noiseMap(4));
        other.setDrawable({1, 0}, drawableOf(other.entries()[0], ramp(0, 255)));
        QCOMPARE(other.colorScale({1, 0}).cumulative[200], 200.0F);
        QCOMPARE(other.colorScale({1, 0}).mapping.scale, Scale::Histogram);
    }
};

QTEST_GUILESS_MAIN(DocumentTest)
#include "tst_document.moc"
