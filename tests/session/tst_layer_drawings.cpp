// SPDX-License-Identifier: GPL-3.0-or-later
// Styles, colors and prepared drawings of layers, without a document around them.
#include <QSignalSpy>
#include <QtTest>

#include "armilla/session/history.h"
#include "armilla/session/layer_drawings.h"
#include "document_parts.h"
#include "layer_list.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Desk {
    LayerList layers;
    History history{layers};
    LayerDrawings drawings{layers, history};
    LayerId id;
    Desk() : id(layers.newId()) {
        layers.append(layers.made(id, noiseMap(4), QStringLiteral("map"), {}, {}));
    }
    const Layer& layer() { return *layers.find(id); }
};

}  // namespace

class LayerDrawingsTest : public QObject {
    Q_OBJECT
private slots:
    void stepsOfOneSliderMergeUntilTheGestureEnds() {
        Desk desk;
        LayerStyle style = desk.layer().style;
        for (const double opacity : {0.9, 0.5, -1.0}) {
            style.opacity = opacity;
            desk.drawings.setStyle(desk.id, style);
        }
        QCOMPARE(desk.history.stack()->count(), 1);
        QCOMPARE(desk.layer().style.opacity, 0.0);  // the least opacity
        desk.history.endGesture();
        style.opacity = 0.5;
        desk.drawings.setStyle(desk.id, style);
        QCOMPARE(desk.history.stack()->count(), 2);
        desk.history.stack()->undo();
        desk.history.stack()->undo();
        QCOMPARE(desk.layer().style.opacity, 1.0);
    }
    void theFirstDrawableSetsTheColors() {
        Desk desk;
        const Shown shown{desk.id};
        QSignalSpy colors(&desk.drawings, &LayerDrawings::colorScaleChanged);
        const auto drawn = drawableOf(desk.layer(), ramp(-1.0F, 1.0F));
        desk.drawings.setDrawable(shown, drawn);
        QCOMPARE(colors.size(), 1);
        QCOMPARE(desk.drawings.drawable(shown), std::shared_ptr<const DrawableField>(drawn));
        QCOMPARE(desk.drawings.pictureBytes(desk.id), drawn->memoryBytes());
        desk.drawings.setDrawable(shown, drawn);
        QCOMPARE(colors.size(), 1);
        // A drawable of an older value of the map is refused.
        auto old = std::make_shared<DrawableField>(*drawn);
        old->revision = drawn->revision + 1;
        desk.drawings.setDrawable(shown, old);
        QCOMPARE(desk.drawings.drawable(shown), std::shared_ptr<const DrawableField>(drawn));
    }
    void closedLayersLeaveNoDrawings() {
        Desk desk;
        desk.drawings.setDrawable({desk.id}, drawableOf(desk.layer(), ramp(0.0F, 1.0F)));
        std::optional<size_t> place;
        desk.layers.take({desk.id}, place);
        desk.drawings.forgetClosed();
        QCOMPARE(desk.drawings.pictureBytes(desk.id), 0);
    }
};

QTEST_GUILESS_MAIN(LayerDrawingsTest)
#include "tst_layer_drawings.moc"
