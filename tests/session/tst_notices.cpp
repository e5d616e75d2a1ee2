// SPDX-License-Identifier: GPL-3.0-or-later
// Messages to the user: errors, withdrawn errors, and questions about a missing frame.
#include <QJsonObject>
#include <QSignalSpy>
#include <QtTest>
#include <stdexcept>

#include "armilla/core/error.h"
#include "armilla/session/document.h"
#include "armilla/session/document_json.h"
#include "armilla/session/notices.h"
#include "session_maps.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Recipe fileRecipe(const QString& path) {
    Recipe recipe;
    recipe.path = path;
    return recipe;
}

// A document, and its messages.
struct Desk {
    Document document;
    Notices notices{document};
    QSignalSpy raised{&notices, &Notices::messageRaised};
    QSignalSpy withdrawn{&notices, &Notices::messageWithdrawn};
    QSignalSpy needed{&notices, &Notices::frameNeeded};
    LayerId add(Frame frame) {
        return document.addLayer(noiseMap(1, {"TEMPERATURE"}, frame), QStringLiteral("map"),
                                 fileRecipe(QStringLiteral("/map.fits")));
    }
};

const QString kFrameError = QStringLiteral("expected a frame, found none: give --input-frame");

}  // namespace

class NoticesTest : public QObject {
    Q_OBJECT
private slots:
    void newsAndErrorsDiffer() {
        Desk desk;
        desk.notices.say(QStringLiteral("saved"));
        desk.notices.complain(QStringLiteral("expected a file, found none"));
        QCOMPARE(desk.raised.size(), 2);
        QCOMPARE(desk.raised[0], (QList<QVariant>{QStringLiteral("saved"), false}));
        QCOMPARE(desk.raised[1],
                 (QList<QVariant>{QStringLiteral("expected a file, found none"), true}));
    }
    // A cancelled action is no error.
    void thrownErrorsBecomeMessages() {
        Desk desk;
        desk.notices.guarded([] { throw InvalidArgument("expected one map, found two"); });
        desk.notices.guarded([] { throw Cancelled(); });
        desk.notices.guarded([] {});
        QCOMPARE(desk.raised.size(), 1);
        QCOMPARE(desk.raised[0],
                 (QList<QVariant>{QStringLiteral("expected one map, found two"), true}));
    }
    // An error of a preview goes with the next preview; the next error of the cause replaces it.
    void anErrorEndsWithItsCause() {
        Desk desk;
        const QString cause = QStringLiteral("preview");
        desk.notices.settle(cause);
        QCOMPARE(desk.withdrawn.size(), 0);
        desk.notices.complainWhile(cause, QStringLiteral("use --method harmonic"));
        QCOMPARE(desk.raised.size(), 1);
        QCOMPARE(desk.raised[0][0].toString(), QStringLiteral("use Method harmonic"));
        desk.notices.complainWhile(cause, QStringLiteral("expected a width, found none"));
        QCOMPARE(desk.withdrawn.size(), 1);
        QCOMPARE(desk.withdrawn[0][0], desk.raised[0][0]);
        desk.notices.settle(cause);
        desk.notices.settle(cause);
        QCOMPARE(desk.withdrawn.size(), 2);
        QCOMPARE(desk.withdrawn[1][0], desk.raised[1][0]);
    }
    void missingFramesAreAskedFor() {
        Desk desk;
        const LayerId framed = desk.add(Frame::Galactic), unframed = desk.add(Frame::Unknown);
        int runs = 0;
        QVERIFY(desk.notices.complainOrAskFrame(kFrameError, {framed, unframed}, [&] { ++runs; }));
        QCOMPARE(desk.raised.size(), 0);
        QCOMPARE(desk.needed.size(), 1);
        QCOMPARE(desk.needed[0][0].value<LayerId>(), unframed);
        // The command is taken once.
        const auto again = desk.notices.takeWaiting(unframed);
        QVERIFY(again);
        again();
        QCOMPARE(runs, 1);
        QVERIFY(!desk.notices.takeWaiting(unframed));
        // An answer for another layer drops the command.
        QVERIFY(desk.notices.askFrame(unframed, [&] { ++runs; }));
        QVERIFY(!desk.notices.takeWaiting(framed));
        QVERIFY(!desk.notices.takeWaiting(unframed));
        QCOMPARE(runs, 1);
    }
    void otherErrorsAreShown() {
        Desk desk;
        const LayerId framed = desk.add(Frame::Galactic);
        QVERIFY(!desk.notices.complainOrAskFrame(kFrameError, {framed, LayerId()}, {}));
        const LayerId unframed = desk.add(Frame::Unknown);
        QVERIFY(!desk.notices.complainOrAskFrame(QStringLiteral("expected a file, found none"),
                                                 {unframed}, {}));
        QVERIFY(!desk.notices.askFrame(framed, {}));
        QCOMPARE(desk.needed.size(), 0);
        QCOMPARE(desk.raised.size(), 2);
    }
    // The message of a missing layer is withdrawn when that layer is retried, and no other one.
    void obsoleteErrorsAreWithdrawn() {
        Desk first;
        const LayerId a = first.add(Frame::Galactic), b = first.add(Frame::Galactic);
        Desk desk;
        restoreDocument(desk.document, jsonWriter(first.document)());
        for (const LayerId id : {a, b}) {
            desk.document.recovery().setMissing(id, QStringLiteral("gone"));
            desk.notices.complainOf(id, QStringLiteral("layer %1 is gone").arg(id.number()));
        }
        QCOMPARE(desk.raised.size(), 2);
        QCOMPARE(desk.withdrawn.size(), 0);
        desk.document.recovery().removeMissing(a);
        QCOMPARE(desk.withdrawn.size(), 1);
        QCOMPARE(desk.withdrawn[0][0].toString(),
                 QStringLiteral("layer %1 is gone").arg(a.number()));
        desk.document.recovery().retry(b);
        QCOMPARE(desk.withdrawn.size(), 2);
        QCOMPARE(desk.withdrawn[1][0].toString(),
                 QStringLiteral("layer %1 is gone").arg(b.number()));
    }
};

QTEST_GUILESS_MAIN(NoticesTest)
#include "tst_notices.moc"
