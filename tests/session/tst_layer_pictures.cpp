// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of layers, prepared in jobs for a document.
#include <QSignalSpy>
#include <QtTest>
#include <future>

#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "job_followers.h"
#include "layer_pictures.h"
#include "layer_samples.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Bench {
    Document document;
    Notices notices{document};
    JobRunner runner;
    JobFollowers followers{runner};
    LayerPictures pictures{document, runner, followers, notices};
    QSignalSpy raised{&notices, &Notices::messageRaised};
    QSignalSpy finished{&runner, &JobRunner::jobFinished};
};

}  // namespace

class LayerPicturesTest : public QObject {
    Q_OBJECT
private slots:
    // A map without a picture gets one by itself, of its present revision.
    void lackingMapsAreDrawn() {
        Bench bench;
        const LayerId id = bench.document.addLayer(noiseMap(4), QStringLiteral("map"), {});
        QVERIFY(!bench.document.drawings().drawable({id, 0, Quantity::Field}));
        QTRY_VERIFY_WITH_TIMEOUT(bench.document.drawings().drawable({id, 0, Quantity::Field}),
                                 kPatience);
        QCOMPARE(bench.document.drawings().drawable({id, 0, Quantity::Field})->revision,
                 bench.document.entry(id)->revision);
        // Nothing lacks, so that no further job starts.
        QTRY_VERIFY_WITH_TIMEOUT(bench.runner.isIdle(), kPatience);
        const auto jobs = bench.finished.size();
        bench.pictures.drawSoon();
        QCoreApplication::processEvents();
        QVERIFY(bench.runner.isIdle());
        QCOMPARE(bench.finished.size(), jobs);
        QCOMPARE(bench.raised.size(), 0);
    }
    void lackingMarkersAreDrawn() {
        Bench bench;
        const LayerId id = bench.document.addLayer(
            std::make_shared<const Catalog>(randomCatalog(20)), QStringLiteral("stars"), {});
        QTRY_VERIFY_WITH_TIMEOUT(bench.document.drawings().markers(id), kPatience);
    }
    // The layer appears together with its picture.
    void layersAreAddedWithTheirPictures() {
        Bench bench;
        bool isDrawnWhenAdded = false;
        LayerId added;
        bench.pictures.prepare(
            noiseMap(4), QStringLiteral("map"),
            [&](const LayerPicture& picture) {
                added = bench.pictures.add(noiseMap(4), QStringLiteral("map"), {}, {}, picture);
                isDrawnWhenAdded =
                    bench.document.drawings().drawable({added, 0, Quantity::Field}) != nullptr;
            },
            {});
        QVERIFY(bench.document.entries().empty());
        QTRY_VERIFY_WITH_TIMEOUT(added.isValid(), kPatience);
        QVERIFY(isDrawnWhenAdded);
        bench.pictures.addDrawn(noiseMap(2), QStringLiteral("second"), {}, {});
        QTRY_COMPARE_WITH_TIMEOUT(bench.document.entries().size(), size_t{2}, kPatience);
        const LayerId second = bench.document.entries().back().id;
        QVERIFY(bench.document.drawings().drawable({second, 0, Quantity::Field}));
    }
    // A cancelled picture is prepared at the next occasion. Jobs that fill every worker of the lane
    // hold the picture in the queue until it is cancelled.
    void cancelledPicturesAreRetried() {
        std::promise<void> gate;
        const std::shared_future<void> open = gate.get_future().share();
        Bench bench;
        constexpr size_t kBlockers = 8;  // more than the lane has workers, which are two
        for (size_t i = 0; i < kBlockers; ++i)
            bench.runner.run<bool>(
                QStringLiteral("block"), JobLane::Preview, {}, nullptr,
                [open](JobContext&) {
                    open.wait();
                    return true;
                },
                [](bool) {});
        const LayerId id = bench.document.addLayer(noiseMap(4), QStringLiteral("map"), {});
        QTRY_COMPARE_WITH_TIMEOUT(bench.runner.jobs().size(), kBlockers + 1, kPatience);
        QSignalSpy cancelled(&bench.runner, &JobRunner::jobCancelled);
        bench.runner.cancel(bench.runner.jobs().back().id);
        QCOMPARE(cancelled.size(), 1);
        gate.set_value();
        QTRY_VERIFY_WITH_TIMEOUT(bench.runner.isIdle(), kPatience);
        QVERIFY(!bench.document.drawings().drawable({id, 0, Quantity::Field}));
        bench.pictures.drawSoon();
        QTRY_VERIFY_WITH_TIMEOUT(bench.document.drawings().drawable({id, 0, Quantity::Field}),
                                 kPatience);
    }
    // A picture for a closed layer is dropped.
    void closedLayersTakeNoPicture() {
        Bench bench;
        bench.pictures.give(LayerId(7), {});
        QVERIFY(bench.document.entries().empty());
    }
};

QTEST_GUILESS_MAIN(LayerPicturesTest)
#include "tst_layer_pictures.moc"
