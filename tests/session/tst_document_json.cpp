// SPDX-License-Identifier: GPL-3.0-or-later
// Documents to JSON and back, with maps that arrive in any order.
#include <QJsonObject>
#include <QtTest>

#include "armilla/session/document_json.h"
#include "armilla/session/layer_links.h"
#include "document_parts.h"
#include "support/comparisons.h"

using namespace armilla;
using namespace armilla::test;

class DocumentJsonTest : public QObject {
    Q_OBJECT
private slots:
    void stateComesBack() {
        Document document;
        document.addLayer(polarizedMap(4), "a", [] {
            Recipe recipe;
            recipe.path = "/data/a b.fits";
            return recipe;
        }());
        document.addLayer(
            noiseMap(8), "smoothed 1°",
            [] {
                Recipe recipe;
                recipe.kind = RecipeKind::Smooth;
                recipe.input = LayerId(1);
                recipe.smooth.fwhm = 0.01;
                return recipe;
            }(),
            LayerId(1));
        setCompared(document, {LayerId(1), 1, Quantity::PolarizationAngle});
        setComparison(document, Comparison::SideBySide);
        document.view().setSwipe(0.25);
        document.view().setCamera(document.view().camera().centeredOn({2.0, -0.4}).turned(0.3));
        document.overlays().setGraticule(false, 0.25);
        document.overlays().setRodsVisible(true);
        PolarizationLook look;
        look.lengthLayer = LayerId(2);
        look.leastSnr = 3.0;
        document.overlays().setPolarizationLook(look);
        ColorScale scale;
        scale.colorMap = "magma";
        scale.reversed = true;
        scale.mapping = {Scale::SymLog, -1.5F, 0.1F, 0.4F, 0.01F};
        scale.bad = {1, 2, 3, 4};
        scale.ownBelow = true;
        scale.below = {250, 251, 252, 253};
        document.drawings().setColorScale({LayerId(2), 0}, scale);
        const QJsonObject saved = jsonWriter(document)();

        Document other;
        fill(other);
        other.liveLayer().set(noiseMap(2), "live", {}, LayerId(1));
        restoreDocument(other, saved);
        QVERIFY(other.entries().empty());
        QVERIFY(!other.history().stack()->canUndo());
        QCOMPARE(other.recovery().awaited().size(), size_t{2});
        QCOMPARE(jsonWriter(other)(), saved);  // saved again before a map has arrived: nothing lost
        other.recovery().restore(LayerId(1), polarizedMap(4));
        QCOMPARE(other.view().shown().entry, LayerId(1));  // temporarily
        QVERIFY(!other.overlays().rodLengths());
        QCOMPARE(other.view().compared(), (Shown{LayerId(1), 1, Quantity::PolarizationAngle}));
        other.recovery().restore(LayerId(2), noiseMap(8));
        QCOMPARE(other.view().shown().entry, LayerId(2));
        QCOMPARE(jsonWriter(other)(), saved);
        QCOMPARE(other.overlays().polarizationLook(), look);
        QVERIFY(other.overlays().rodLengths() && other.overlays().rodLengths()->id == LayerId(2));
        QCOMPARE(other.view().camera().center().lon, document.view().camera().center().lon);
        QCOMPARE(other.drawings().colorScale({LayerId(2), 0}).bad.a, uint8_t{4});
        // New ids follow the restored ones.
        QVERIFY(other.addLayer(noiseMap(2), "new", {}) > LayerId(2));
    }
    void lateInputsComeIntoTheirPlace() {
        Document document;
        fill(document);
        const QJsonObject saved = jsonWriter(document)();
        Document other;
        restoreDocument(other, saved);
        other.recovery().restore(LayerId(2), noiseMap(8));
        other.recovery().restore(LayerId(1), polarizedMap(4));
        QCOMPARE(other.entries()[0].id, LayerId(1));
        QCOMPARE(other.entries()[1].id, LayerId(2));
        other.recovery().restore(LayerId(1), polarizedMap(4));  // no longer awaited
        QCOMPARE(other.entries().size(), size_t{2});
    }
    void closedInputsAreSavedHidden() {
        Document document;
        document.addLayer(noiseMap(4), "a", {});
        Recipe recipe;
        recipe.kind = RecipeKind::Smooth;
        recipe.input = LayerId(1);
        document.addLayer(noiseMap(4), "b", recipe, LayerId(1));
        document.removeLayer(LayerId(1));
        Document other;
        restoreDocument(other, jsonWriter(document)());
        QCOMPARE(other.recovery().awaited().size(), size_t{2});
        QVERIFY(other.recovery().awaited()[1].hidden);
        QCOMPARE(other.recovery().awaited()[1].id, LayerId(1));
        QVERIFY(recipeOf(document, LayerId(1)));
        QVERIFY(!recipeOf(document, LayerId(5)));
    }
    void givenUpMapsAreForgotten() {
        Document document;
        fill(document);
        Document other;
        restoreDocument(other, jsonWriter(document)());
        other.recovery().giveUp(LayerId(2));
        other.recovery().restore(LayerId(1), polarizedMap(4));
        QVERIFY(other.recovery().awaited().empty());
        QCOMPARE(other.view().shown().entry, LayerId(1));
        QCOMPARE(other.entries().size(), size_t{1});
    }
    void histogramTableComesWithTheMap() {
        Document document;
        document.addLayer(noiseMap(4), "a", {});
        ColorScale scale;
        scale.mapping.scale = Scale::Histogram;
        scale.cumulative[200] = 3.0F;
        document.drawings().setColorScale({LayerId(1), 0}, scale);
        Document other;
        restoreDocument(other, jsonWriter(document)());
        other.recovery().restore(LayerId(1), noiseMap(4));
        other.drawings().setDrawable({LayerId(1), 0}, drawableOf(other.entries()[0], ramp(0, 255)));
        QCOMPARE(other.drawings().colorScale({LayerId(1), 0}).cumulative[200], 200.0F);
        QCOMPARE(other.drawings().colorScale({LayerId(1), 0}).mapping.scale, Scale::Histogram);
    }
    // The difference was a comparison mode in earlier versions; now it is a map.
    void oldFilesWithADifferenceShowOneMap() {
        Document document;
        fill(document);
        setComparison(document, Comparison::Swipe);
        QJsonObject saved = jsonWriter(document)();
        QJsonObject view = saved["view"].toObject();
        view["comparison"] = "difference";
        saved["view"] = view;
        restoreDocument(document, saved);
        QCOMPARE(document.view().comparison(), Comparison::Single);
    }
};

QTEST_GUILESS_MAIN(DocumentJsonTest)
#include "tst_document_json.moc"
