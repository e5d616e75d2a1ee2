// SPDX-License-Identifier: GPL-3.0-or-later
// Graticule and polarization of a document, without the document around them.
#include <QSignalSpy>
#include <QtTest>

#include "armilla/session/history.h"
#include "armilla/session/overlays.h"
#include "layer_list.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

class OverlaysTest : public QObject {
    Q_OBJECT
private slots:
    void onlyStepsOfTheGraticuleMergeInAGesture() {
        LayerList layers;
        History history(layers);
        Overlays overlays(layers, history);
        QSignalSpy changed(&overlays, &Overlays::changed);
        for (const double step : {0.1, 0.2, 0.3}) overlays.setGraticule(true, step);
        QCOMPARE(history.stack()->count(), 1);
        history.endGesture();
        overlays.setGraticule(true, 0.4);
        overlays.setRodsVisible(true);
        overlays.setRodsVisible(false);
        QCOMPARE(history.stack()->count(), 4);
        QCOMPARE(changed.size(), 6);
        for (int i = 0; i < 3; ++i) history.stack()->undo();
        QCOMPARE(overlays.graticuleStep(), 0.3);
        history.stack()->undo();
        QCOMPARE(overlays.state(), OverlayState{});
        overlays.setGraticule(true, 0.0);
        QVERIFY(history.stack()->canRedo());  // nothing changed, so nothing was pushed
    }
    void aClosedLayerSetsNoLengths() {
        LayerList layers;
        History history(layers);
        Overlays overlays(layers, history);
        const LayerId id = layers.newId();
        layers.append(layers.made(id, noiseMap(1), QStringLiteral("map"), {}, {}));
        PolarizationLook look;
        look.lengthLayer = id;
        overlays.setPolarizationLook(look);
        QCOMPARE(overlays.rodLengths(), layers.find(id));
        std::optional<size_t> place;
        layers.take({id}, place);
        QVERIFY(!overlays.rodLengths());
    }
};

QTEST_GUILESS_MAIN(OverlaysTest)
#include "tst_overlays.moc"
