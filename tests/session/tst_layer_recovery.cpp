// SPDX-License-Identifier: GPL-3.0-or-later
// Awaited and missing layers of a document, without the document around them.
#include <QSignalSpy>
#include <QtTest>

#include "armilla/session/document_view.h"
#include "armilla/session/history.h"
#include "armilla/session/layer_drawings.h"
#include "armilla/session/layer_recovery.h"
#include "layer_list.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Two files and, as the last layer, one made from the second file.
struct Desk {
    LayerList layers;
    History history{layers};
    LayerDrawings drawings{layers, history};
    DocumentView view{layers, drawings, history};
    LayerRecovery recovery{layers, view};
    Desk() {
        std::vector<AwaitedLayer> planned(3);
        for (int i = 0; i < 3; ++i) {
            planned[static_cast<size_t>(i)].id = LayerId(i + 1);
            planned[static_cast<size_t>(i)].name = QString::number(i + 1);
        }
        planned[2].recipe.kind = RecipeKind::Smooth;
        planned[2].recipe.input = LayerId(2);
        layers.reset(planned);
        ViewState seen;
        seen.shown = {LayerId(2)};
        recovery.reset(planned, seen, LayerId(1));
    }
};

}  // namespace

class LayerRecoveryTest : public QObject {
    Q_OBJECT
private slots:
    void layersReturnToTheirPlacesAndTheViewFollows() {
        Desk desk;
        QCOMPARE(desk.recovery.completed({}).shown, Shown{LayerId(2)});
        for (const LayerId id : {LayerId(3), LayerId(1), LayerId(2)})
            desk.recovery.restore(id, noiseMap(1));
        QVERIFY(desk.recovery.awaited().empty());
        for (size_t i = 0; i < 3; ++i)
            QCOMPARE(desk.layers.entries()[i].id, LayerId(static_cast<int>(i) + 1));
        QCOMPARE(desk.view.shown(), Shown{LayerId(2)});
        QCOMPARE(desk.layers.active(), LayerId(1));
    }
    void aMissingFileIsRetriedWithItsResults() {
        Desk desk;
        QSignalSpy awaited(&desk.recovery, &LayerRecovery::layersAwaited);
        desk.recovery.restore(LayerId(1), noiseMap(1));
        desk.recovery.setMissing(LayerId(2), QStringLiteral("no such file"));
        desk.recovery.setMissing(LayerId(3), QStringLiteral("input is missing"));
        QVERIFY(desk.recovery.awaited().empty());
        QCOMPARE(desk.recovery.missing().size(), size_t{2});
        desk.recovery.retry(LayerId(2), QStringLiteral("/moved.fits"));
        QCOMPARE(awaited.size(), 1);
        QVERIFY(desk.recovery.missing().empty());
        QVERIFY(desk.recovery.isAwaited(LayerId(2)) && desk.recovery.isAwaited(LayerId(3)));
        QCOMPARE(desk.layers.known().at(LayerId(2)).recipe.path, QStringLiteral("/moved.fits"));
    }
};

QTEST_GUILESS_MAIN(LayerRecoveryTest)
#include "tst_layer_recovery.moc"
