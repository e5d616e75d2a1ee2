// SPDX-License-Identifier: GPL-3.0-or-later
// Live previews of a document without a session around it.
#include "armilla/core/units.h"
#include "armilla/session/live_preview.h"
#include "part_desk.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Desk : PartDesk {
    LivePreview preview{document, runner,  followers,
                        pictures, notices, [] { return Device::cpu(); }};
    QSignalSpy busy{&preview, &LivePreview::previewBusyChanged};
    LayerId map = addMap(noiseMap(32));

    Desk() { document.view().setShown({map, 0, Quantity::Field}); }
    void smooth() {
        SmoothParameters parameters;
        parameters.fwhm = 10.0 * kDegree;
        preview.previewSmooth(parameters);
    }
    bool finish() {
        return QTest::qWaitFor([this] { return !preview.isPreviewBusy(); }, kPatience);
    }
};

}  // namespace

class LivePreviewTest : public QObject {
    Q_OBJECT
private slots:
    void previewsEndAsLayers() {
        Desk desk;
        QVERIFY(!desk.preview.source());
        desk.smooth();
        QVERIFY(desk.preview.isPreviewBusy() && !desk.preview.isFilterPreviewed());
        QCOMPARE(desk.preview.source()->entry, desk.map);
        QVERIFY(desk.finish());
        QCOMPARE(desk.busy.size(), 2);
        QVERIFY(desk.document.live());
        desk.preview.keepSmooth();
        QVERIFY(!desk.document.live() && !desk.preview.source());
        QCOMPARE(desk.document.entries().size(), size_t{2});
        QVERIFY(desk.document.entries()[1].recipe.kind == RecipeKind::Smooth);
        QCOMPARE(desk.document.entries()[1].recipe.input, desk.map);
        QCOMPARE(desk.errors(), QStringList());
    }
    // The act runs once, when the live map is complete.
    void actsWaitForTheCompleteMap() {
        Desk desk;
        int runs = 0;
        const auto act = [&] { ++runs; };
        desk.smooth();
        QTRY_VERIFY_WITH_TIMEOUT(desk.document.live(), kPatience);
        const LayerId live = desk.document.live()->id;
        QVERIFY(!desk.preview.postpone(desk.map, QStringLiteral("/a.fits"), act));
        const bool waits = desk.preview.postpone(live, QStringLiteral("/a.fits"), act);
        // A refinement may end before the live map is seen here.
        QCOMPARE(waits, desk.preview.isPreviewBusy());
        QVERIFY(desk.finish());
        QCOMPARE(runs, waits ? 1 : 0);
        QVERIFY(!desk.preview.postpone(live, QStringLiteral("/a.fits"), act));
    }
    void stoppedPreviewsDropTheirActs() {
        Desk desk;
        int runs = 0;
        desk.smooth();
        connect(&desk.preview, &LivePreview::smoothReportChanged, this, [&] {
            if (desk.preview.postpone(desk.document.live()->id, QStringLiteral("/a.fits"),
                                      [&] { ++runs; }))
                desk.preview.stopPreview();
        });
        QVERIFY(desk.finish());
        QVERIFY(desk.settle());
        QCOMPARE(runs, 0);
        QVERIFY(!desk.document.live());
        QCOMPARE(desk.errors().size(), 1);
    }
    void closedMapsEndThePreview() {
        Desk desk;
        desk.smooth();
        QVERIFY(desk.finish());
        QVERIFY(desk.preview.planBytes() > 0);
        desk.document.removeLayer(desk.document.live()->id);
        QVERIFY(!desk.preview.source());
        desk.document.removeLayer(desk.map);
        QCOMPARE(desk.preview.planBytes(), int64_t{0});
    }
    void nothingToSmoothIsAnError() {
        Desk desk;
        desk.document.removeLayer(desk.map);
        desk.smooth();
        QVERIFY(!desk.preview.isPreviewBusy());
        QCOMPARE(desk.errors().size(), 1);
        desk.preview.keepSmooth();
        QCOMPARE(desk.errors().size(), 2);
        QCOMPARE(desk.busy.size(), 0);
    }
};

QTEST_GUILESS_MAIN(LivePreviewTest)
#include "tst_live_preview.moc"
