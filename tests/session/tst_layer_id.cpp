// SPDX-License-Identifier: GPL-3.0-or-later
// Ids of layers: which numbers name a layer, in memory and in session files.
#include <QHash>
#include <QJsonObject>
#include <QVariant>
#include <QtTest>
#include <type_traits>
#include <unordered_set>

#include "armilla/core/error.h"
#include "armilla/session/layer_id.h"
#include "json_fields.h"

using namespace armilla;

// A number that counts something else does not become an id, nor an id a number, without a word.
static_assert(!std::is_convertible_v<int, LayerId> && !std::is_convertible_v<LayerId, int>);

class LayerIdTest : public QObject {
    Q_OBJECT
private slots:
    void validNumbersBeginAtOne() {
        QVERIFY(!LayerId().isValid());
        for (const int none : {0, -1, -7}) QCOMPARE(LayerId(none), LayerId());
        QCOMPARE(LayerId().number(), -1);
        QVERIFY(LayerId(1).isValid());
        QCOMPARE(LayerId(12).number(), 12);
    }
    void idsAreKeys() {
        QVERIFY(LayerId(2) != LayerId(3));
        QVERIFY(LayerId(2) < LayerId(3));
        QHash<LayerId, int> places{{LayerId(2), 20}, {LayerId(3), 30}};
        QCOMPARE(places.value(LayerId(3)), 30);
        QVERIFY(!places.contains(LayerId()));
        const std::unordered_set<LayerId> ids{LayerId(5), LayerId(5), LayerId(6)};
        QCOMPARE(ids.size(), size_t{2});
        QCOMPARE(QVariant::fromValue(LayerId(4)).value<LayerId>(), LayerId(4));
    }
    // A layer itself has a number from 1 on; a reference may name no layer, which is -1 in a file.
    void idsInSessionFiles() {
        const QJsonObject object{{"id", 3}, {"none", -1}, {"zero", 0}, {"far", -2}};
        QCOMPARE(json::layerId(object, "id"), LayerId(3));
        QCOMPARE(json::layerIdOrNone(object, "id"), LayerId(3));
        QCOMPARE(json::layerIdOrNone(object, "none"), LayerId());
        QCOMPARE(json::layerIdOrNone(object, "zero"), LayerId());
        for (const char* wrong : {"none", "zero", "far", "absent"})
            QVERIFY_THROWS_EXCEPTION(Error, json::layerId(object, wrong));
        QVERIFY_THROWS_EXCEPTION(Error, json::layerIdOrNone(object, "far"));
    }
};

QTEST_GUILESS_MAIN(LayerIdTest)
#include "tst_layer_id.moc"
