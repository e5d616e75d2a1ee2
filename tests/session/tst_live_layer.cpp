// SPDX-License-Identifier: GPL-3.0-or-later
// The live result of a tool: shown in place of its parent, kept or dropped.
#include <QSignalSpy>
#include <QtTest>

#include "armilla/session/document.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

class LiveLayerTest : public QObject {
    Q_OBJECT
private slots:
    void aLiveMapTakesThePlaceOfItsParentUntilItIsDropped() {
        Document document;
        const LayerId parent = document.addLayer(polarizedMap(2), QStringLiteral("map"), {});
        document.view().setShown({parent, 2});
        const int steps = document.history().stack()->count();
        LiveLayer& live = document.liveLayer();
        const LayerId id = live.set(polarizedMap(2), QStringLiteral("smoothed"), {}, parent);
        QCOMPARE(document.view().shown(), (Shown{id, 2}));  // the field of the same name
        QCOMPARE(live.viewWithout().shown, (Shown{parent, 2}));
        QCOMPARE(live.set(polarizedMap(2), QStringLiteral("smoothed"), {}, parent), id);
        live.drop();
        QCOMPARE(document.view().shown(), (Shown{parent, 2}));
        QVERIFY(!document.live());
        QCOMPARE(document.history().stack()->count(), steps);
    }
    void aKeptMapIsAStep() {
        Document document;
        const LayerId parent = document.addLayer(noiseMap(2), QStringLiteral("map"), {});
        const LayerId id =
            document.liveLayer().set(noiseMap(2), QStringLiteral("smoothed"), {}, parent);
        QCOMPARE(document.liveLayer().keep(), id);
        QVERIFY(!document.live() && document.entry(id));
        QCOMPARE(document.liveLayer().keep(), LayerId());
        document.history().stack()->undo();
        QVERIFY(!document.entry(id));
        QCOMPARE(document.view().shown(), Shown{parent});
    }
};

QTEST_GUILESS_MAIN(LiveLayerTest)
#include "tst_live_layer.moc"
