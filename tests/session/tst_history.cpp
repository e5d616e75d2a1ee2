// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of closed layers in the history of a document.
#include <QtTest>

#include "armilla/session/history.h"
#include "layer_list.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

class HistoryTest : public QObject {
    Q_OBJECT
private slots:
    void theLayersClosedFirstBecomeRecipes() {
        LayerList layers;
        History history(layers);
        const auto closed = [&](LayerId id) {
            LayerSplice splice;
            splice.before.push_back(
                layers.made(id, noiseMap(4, {"TEMPERATURE"}), QStringLiteral("map"), {}, {}));
            return splice;
        };
        LayerSplice older = closed(LayerId(1)), newer = closed(LayerId(2));
        history.hold(&older);
        history.hold(&newer);
        const int64_t each = 4 * pixelCount(4);  // single precision
        const UndoMemory all = history.memory();
        QCOMPARE(all.layers, 2);
        QVERIFY(all.bytes >= 2 * each);
        QCOMPARE(all.recipes, 0);
        history.setBudget(all.bytes - 1);
        QVERIFY(!older.before.front());
        QVERIFY(bool(newer.before.front()));
        QCOMPARE(history.memory().recipes, 1);
        QCOMPARE(history.memory().bytes, all.bytes / 2);
        history.release(&newer);
        QCOMPARE(history.memory().bytes, 0);
        history.release(&older);
    }
    // The history alone holds no open layer.
    void openLayersAreNotCounted() {
        LayerList layers;
        History history(layers);
        LayerSplice splice;
        splice.after.push_back(layers.made(LayerId(1), noiseMap(4), QStringLiteral("map"), {}, {}));
        layers.append(splice.after.front());
        history.hold(&splice);
        history.setBudget(0);
        QCOMPARE(history.memory().layers, 0);
        QVERIFY(bool(splice.after.front()));
        history.release(&splice);
    }
};

QTEST_GUILESS_MAIN(HistoryTest)
#include "tst_history.moc"
