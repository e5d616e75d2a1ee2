// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a document without the document around it.
#include <QSignalSpy>
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/session/document_view.h"
#include "armilla/session/history.h"
#include "armilla/session/layer_drawings.h"
#include "layer_list.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A view of two maps: the second was made from the first.
struct Desk {
    LayerList layers;
    History history{layers};
    LayerDrawings drawings{layers, history};
    DocumentView view{layers, drawings, history};
    LayerId first, second;
    Desk() : first(layers.newId()), second(layers.newId()) {
        layers.append(layers.made(first, polarizedMap(2), QStringLiteral("first"), {}, {}));
        layers.append(layers.made(second, noiseMap(2), QStringLiteral("second"), {}, first));
        layers.noteOrder();
    }
};

}  // namespace

class DocumentViewTest : public QObject {
    Q_OBJECT
private slots:
    void aShownMapIsAStepAndBecomesActive() {
        Desk desk;
        QSignalSpy shown(&desk.view, &DocumentView::shownChanged);
        desk.view.setShown({desk.first, 1});
        QCOMPARE(desk.view.shown(), (Shown{desk.first, 1}));
        QCOMPARE(desk.layers.active(), desk.first);
        QCOMPARE(desk.view.camera().frame, Frame::Galactic);
        QCOMPARE(desk.history.stack()->undoText(), QStringLiteral("Show Q_POLARISATION of first"));
        desk.history.stack()->undo();
        QCOMPARE(desk.view.shown(), Shown{});
        QCOMPARE(shown.size(), 2);
    }
    void fieldsThatAMapLacksAreRefused() {
        Desk desk;
        const Shown none{desk.second, 1}, amplitude{desk.second, 0, Quantity::PolarizedAmplitude};
        QVERIFY_EXCEPTION_THROWN(desk.view.setShown(none), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(desk.view.setShown(amplitude), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(desk.view.glance({LayerId(99)}, {}, Comparison::Single),
                                 InvalidArgument);
        QCOMPARE(desk.history.stack()->count(), 0);
    }
    void glancesLeaveNoStep() {
        Desk desk;
        desk.view.glance({desk.first}, {desk.second}, Comparison::Blink);
        QCOMPARE(desk.view.compared(), Shown{desk.second});
        QCOMPARE(desk.view.comparison(), Comparison::Blink);
        QCOMPARE(desk.history.stack()->count(), 0);
    }
    void theNearestOpenAncestorReplacesAClosedMap() {
        Desk desk;
        desk.view.setShown({desk.second});
        std::optional<size_t> place;
        desk.layers.take({desk.second}, place);
        QCOMPARE(place, std::optional<size_t>(1));
        desk.view.leaveClosed();
        QCOMPARE(desk.view.shown(), Shown{desk.first});
    }
};

QTEST_GUILESS_MAIN(DocumentViewTest)
#include "tst_document_view.moc"
