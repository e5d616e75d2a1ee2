// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of a document without a session around it.
#include <QFile>
#include <algorithm>

#include "armilla/io/map_io.h"
#include "armilla/session/exporter.h"
#include "part_desk.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Desk : PartDesk {
    Device device = Device::cpu();
    std::function<void()> postponed;  // the export that waits
    bool isPreview = false;           // every layer is an unfinished preview
    Exporter exporter{document,
                      runner,
                      notices,
                      regions,
                      review,
                      [this] { return device; },
                      [this](LayerId, const QString&, std::function<void()> act) {
                          if (isPreview) postponed = std::move(act);
                          return isPreview;
                      }};
    QSignalSpy exported{&exporter, &Exporter::exported};

    LayerId addMap() {
        Recipe recipe;
        recipe.path = QStringLiteral("/data/map.fits");
        return document.addLayer(noiseMap(4), QStringLiteral("map"), recipe);
    }
};

}  // namespace

class ExporterTest : public QObject {
    Q_OBJECT
private slots:
    void layersAreWrittenWithTheirHistory() {
        Desk desk;
        desk.device.name = "machine of the test";
        const LayerId id = desk.addMap();
        desk.exporter.exportLayer(id, desk.path("out.fits"), false);
        QCOMPARE(desk.exported.size(), 0);  // the file is not there yet
        QVERIFY(desk.settle());
        QCOMPARE(desk.exported.size(), 1);
        QCOMPARE(desk.exported[0][0].value<LayerId>(), id);
        QCOMPARE(desk.raised.size(), 1);
        QCOMPARE(desk.raised[0],
                 (QList<QVariant>{QStringLiteral("saved ") + desk.path("out.fits"), false}));
        JobContext job;
        const HealpixMap written = readMap(desk.path("out.fits").toStdString(), {}, job);
        QCOMPARE(written.elementCount(), pixelCount(4));
        const auto& history = written.metadata().history;
        const auto holds = [&](const std::string& text) {
            return std::any_of(history.begin(), history.end(), [&](const std::string& line) {
                return line.find(text) != std::string::npos;
            });
        };
        QVERIFY(holds("command: armilla convert /data/map.fits "));
        QVERIFY(holds("machine of the test"));
    }
    void refusedExportsWriteNothing() {
        Desk desk;
        const LayerId id = desk.addMap();
        desk.exporter.exportLayer(LayerId(id.number() + 1), desk.path("other.fits"), false);
        QFile taken(desk.path("taken.fits"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        taken.close();
        desk.exporter.exportLayer(id, taken.fileName(), false);
        desk.exporter.exportRegions(desk.path("none.reg"), false, false);
        desk.exporter.exportVerdicts(Verdict::None, desk.path("none.fits"), false);
        desk.exporter.exportAcceptedMoc(3.0, desk.path("none.moc.fits"), false);
        desk.exporter.exportView(desk.path("taken.fits"), 20, 10, false);
        QVERIFY(desk.runner.isIdle());
        QCOMPARE(desk.raised.size(), 6);
        for (const auto& message : desk.raised) QVERIFY(message[1].toBool());
        QCOMPARE(taken.size(), qint64{0});
        QCOMPARE(QDir(desk.folder.path()).entryList(QDir::Files), QStringList{"taken.fits"});
        QCOMPARE(desk.exported.size(), 0);
    }
    // An unfinished preview is written when its owner runs the postponed export.
    void unfinishedPreviewsWait() {
        Desk desk;
        const LayerId id = desk.addMap();
        desk.isPreview = true;
        desk.exporter.exportLayer(id, desk.path("out.fits"), false);
        QVERIFY(desk.runner.isIdle() && desk.postponed);
        QVERIFY(!QFile::exists(desk.path("out.fits")));
        desk.isPreview = false;
        desk.postponed();
        QVERIFY(desk.settle());
        QVERIFY(QFile::exists(desk.path("out.fits")));
        QCOMPARE(desk.exported.size(), 1);
    }
    void commandsNameFileAndOutput() {
        Desk desk;
        const LayerId id = desk.addMap();
        QVERIFY(desk.exporter.commandFor(id, QStringLiteral("out.fits"))
                    .startsWith(QStringLiteral("armilla convert /data/map.fits out.fits")));
        QCOMPARE(desk.raised.size(), 0);
        QCOMPARE(desk.exporter.commandFor(LayerId(id.number() + 1)), QString());
        QCOMPARE(desk.raised.size(), 1);
    }
    // A field without a frame has no sky coordinates; the export runs after the answer.
    void viewsAskForTheirFrame() {
        Desk desk;
        const LayerId id = desk.document.addLayer(noiseMap(4, {"TEMPERATURE"}, Frame::Unknown),
                                                  QStringLiteral("map"), {});
        desk.document.view().setShown({id, 0, Quantity::Field});
        QSignalSpy needed(&desk.notices, &Notices::frameNeeded);
        desk.exporter.exportView(desk.path("view.fits"), 20, 10, false);
        QVERIFY(desk.runner.isIdle());
        QCOMPARE(needed.size(), 1);
        QCOMPARE(needed[0][0].value<LayerId>(), id);
        QVERIFY(desk.notices.takeWaiting(id));
    }
};

QTEST_GUILESS_MAIN(ExporterTest)
#include "tst_exporter.moc"
