// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive smoothing: the live map, its later use, and its devices.
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/session/exporter.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/operation_runner.h"
#include "live_probe.h"
#include "map_work.h"
#include "session_bench.h"
#include "support/patience.h"

using namespace armilla;
using namespace armilla::test;

// A device that no machine has.
Device goneDevice() {
    Device gone;
    gone.kind = DeviceKind::Cuda;
    gone.index = 99;
    gone.name = "none";
    return gone;
}

class LiveSmoothingTest : public QObject {
    Q_OBJECT
private slots:
    // An export of a preview waits for the complete map and writes it.
    void exportsOfAPreviewWait() {
        Bench bench;
        const auto map = noiseMap(512);
        bench.open({bench.write(*map, "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 2.0 * kDegree;
        bool asked = false;
        connect(&bench.session.preview(), &LivePreview::smoothReportChanged, this, [&] {
            if (std::exchange(asked, true)) return;
            QVERIFY(bench.document().live()->map->nside() < 512);
            bench.session.exporter().exportLayer(bench.document().live()->id,
                                                 bench.path("live.fits"), false);
        });
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QVERIFY(asked);
        QVERIFY2(bench.news[0].contains("once the preview is complete"), qPrintable(bench.news[0]));
        const HealpixMap back = readBack(bench.path("live.fits"));
        QCOMPARE(back.nside(), int64_t{512});
        QCOMPARE(largestDifference(back, *bench.document().live()->map), 0.0);
        // A cancelled export reports that nothing was written.
        asked = false;
        parameters.fwhm = 3.0 * kDegree;
        connect(
            &bench.session.preview(), &LivePreview::smoothReportChanged, &bench.session,
            [&] { bench.session.preview().stopPreview(); }, Qt::QueuedConnection);
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
    }
    void smoothKeepExportReopen() {
        Bench bench;
        const auto map = noiseMap(512);
        bench.open({bench.write(*map, "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 2.0 * kDegree;
        QSignalSpy busy(&bench.session.preview(), &LivePreview::previewBusyChanged);
        std::vector<int64_t> nsides;
        connect(&bench.session.preview(), &LivePreview::smoothReportChanged, this,
                [&] { nsides.push_back(bench.document().live()->map->nside()); });
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.session.preview().isPreviewBusy());
        bench.session.preview().keepSmooth();  // waits for the full map
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(nsides, (std::vector<int64_t>{256, 512}));
        QCOMPARE(busy.count(), 2);
        QVERIFY(!bench.document().live());
        QCOMPARE(bench.document().entries().size(), size_t{2});
        const Layer kept = bench.document().entries()[1];
        QCOMPARE(bench.document().view().shown().entry, kept.id);
        QCOMPARE(kept.parent, bench.document().entries()[0].id);
        QVERIFY(bench.document().drawings().drawable({kept.id, 0}));
        QVERIFY(kept.name.startsWith("smoothed 2"));
        QCOMPARE(bench.session.preview().smoothReport().method, SmoothMethod::Harmonic);

        // The kept map equals the plan's own result.
        JobContext job;
        SmoothPlan plan(map, {0}, Device::cpu());
        const HealpixMap direct = plan.execute(parameters, job);
        QVERIFY(largestDifference(*kept.map, direct) < 1e-6);  // single precision values of ~ 0.03

        bench.session.exporter().exportLayer(kept.id, bench.path("out.fits"), false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const HealpixMap back = readBack(bench.path("out.fits"));
        QCOMPARE(largestDifference(back, *kept.map), 0.0);
        QCOMPARE(back.frame(), Frame::Galactic);
        const auto& history = back.metadata().history;
        const std::string all = [&] {
            std::string text;
            for (const auto& line : history) text += line;
            return text;
        }();
        QVERIFY2(all.find("armilla smooth") != std::string::npos, all.c_str());
        QVERIFY2(all.find("--fwhm 2deg") != std::string::npos, all.c_str());

        // An existing file is replaced only on request.
        bench.session.exporter().exportLayer(kept.id, bench.path("out.fits"), false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        bench.session.exporter().exportLayer(kept.id, bench.path("out.fits"), true);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
    }
    // In a close view the exact result appears first in the viewed region, which is dropped when
    // the whole result exists.
    void whatIsLookedAtComesFirst() {
        Bench bench;
        constexpr int64_t nside = 512;
        const auto map = noiseMap(nside);
        bench.open({bench.write(*map, "in.fits")});
        // The view may be in another frame than the map.
        const Vec3 center = direction({1.0, 0.4});
        bench.session.preview().setLookedAt([&] {
            return LookedAt{frameRotation(Frame::Equatorial, Frame::Galactic) * center,
                            2.0 * kDegree, Frame::Equatorial};
        });
        SmoothParameters parameters;
        parameters.fwhm = 30.0 * kArcmin;
        parameters.method = SmoothMethod::Direct;
        JobContext job;
        const HealpixMap truth = SmoothPlan(map, {0}, Device::cpu()).execute(parameters, job);
        QStringList came;
        connect(&bench.session.preview(), &LivePreview::liveRegionChanged, this,
                [&](const LiveRegion& region) {
                    came << (region.mesh ? "region" : "none");
                    if (!region.mesh) return;
                    const ImageMesh* const mesh = region.mesh.get();
                    // The value of the pixel under the center of each image pixel; some centers lie
                    // within rounding of a border.
                    const auto& values = mesh->level(0);
                    int64_t inside = 0, wrong = 0;
                    for (int64_t y = 0; y < values.height; ++y)
                        for (int64_t x = 0; x < values.width; ++x) {
                            const double column[] = {static_cast<double>(x)};
                            const double row[] = {static_cast<double>(y)};
                            Vec3 at;
                            mesh->places().directions(column, row, {&at, 1});
                            const float found =
                                values.values[static_cast<size_t>(y * values.width + x)];
                            if (angularDistance(at, center) > 1.9 * kDegree) continue;
                            ++inside;
                            const double expected = truth.value(0, truth.pixelAt(at));
                            if (!(std::abs(static_cast<double>(found) - expected) < 1e-6)) ++wrong;
                        }
                    QVERIFY(inside > 1000);
                    QVERIFY2(wrong < inside / 100,
                             qPrintable(QString("%1 of %2").arg(wrong).arg(inside)));
                });
        connect(&bench.session.preview(), &LivePreview::smoothReportChanged, this, [&] {
            const auto nsideNow = bench.document().live()->map->nside();
            came << QString::number(nsideNow);
            // Until the whole result exists.
            QVERIFY(bench.session.preview().liveRegion().mesh);
        });
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(came, (QStringList{"region", "256", "512", "none"}));
        QVERIFY(!bench.session.preview().liveRegion().mesh);
        QCOMPARE(largestDifference(*bench.document().live()->map, truth), 0.0);
        // A kernel so wide that such sums take long: coarse first, and no result of the last width.
        came.clear();
        parameters.fwhm = 20.0 * kDegree;
        parameters.method = SmoothMethod::Auto;
        disconnect(&bench.session.preview(), &LivePreview::smoothReportChanged, this, nullptr);
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(came.isEmpty());
        // No region with another map in the same panel.
        parameters.fwhm = 30.0 * kArcmin;
        bench.document().view().compare({bench.document().entries()[0].id, 0},
                                        {bench.document().live()->id, 0}, Comparison::Swipe);
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(came.isEmpty());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    // A third of a pixel; direct sums would multiply the map by eight.
    void narrowWidthsGoByHarmonics() {
        Bench bench;
        const auto map = noiseMap(128);
        bench.open({bench.write(*map, "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 9.0 * kArcmin;
        parameters.method = SmoothMethod::Direct;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const Layer* live = bench.document().live();
        QVERIFY(live);
        QCOMPARE(live->recipe.smooth.method, SmoothMethod::Harmonic);
        QCOMPARE(bench.session.preview().smoothReport().method, SmoothMethod::Harmonic);
        parameters.method = SmoothMethod::Harmonic;
        JobContext job;
        const HealpixMap truth = SmoothPlan(map, {0}, Device::cpu()).execute(parameters, job);
        QCOMPARE(largestDifference(*live->map, truth), 0.0);
    }
    void sliderInMotion() {
        Bench bench;
        bench.open({bench.write(*noiseMap(128), "in.fits")});
        int pictures = 0;
        connect(&bench.session.preview(), &LivePreview::smoothReportChanged, this,
                [&] { ++pictures; });
        SmoothParameters parameters;
        for (int i = 1; i <= 40; ++i) {
            parameters.fwhm = 0.1 * i * kDegree;
            bench.session.preview().previewSmooth(parameters);
            QTest::qWait(5);
        }
        QVERIFY(bench.settle());
        QVERIFY(bench.errors.isEmpty());
        QVERIFY(pictures >= 2 && pictures <= 80);
        const Layer* live = bench.document().live();
        QVERIFY(live);
        // The latest request has won, at full resolution.
        QCOMPARE(live->recipe.smooth.fwhm, parameters.fwhm);
        QCOMPARE(live->map->nside(), int64_t{128});
        QCOMPARE(bench.document().history().stack()->count(), 1);  // only the opening
        // The live map is smoothed from the original, not from itself.
        QCOMPARE(live->parent, bench.document().entries()[0].id);
        bench.session.preview().stopPreview();
        QVERIFY(!bench.document().live());
        QVERIFY(!bench.session.preview().isPreviewBusy());
        bench.session.preview().keepSmooth();
        QCOMPARE(bench.errors.size(), 1);
    }
    void aRefinementDoesNotHoldUpTheNextPicture() {
        Bench bench;
        bench.open({bench.write(*noiseMap(1024), "in.fits")});
        std::vector<std::pair<double, int64_t>> made;  // width, nside
        connect(&bench.session.preview(), &LivePreview::smoothReportChanged, this, [&] {
            const Layer* live = bench.document().live();
            made.emplace_back(live->recipe.smooth.fwhm, live->map->nside());
        });
        SmoothParameters parameters;
        parameters.fwhm = 2.0 * kDegree;
        bench.session.preview().previewSmooth(parameters);
        QTRY_VERIFY_WITH_TIMEOUT(!made.empty(), kPatience);  // its refinement runs from here on
        parameters.fwhm = 3.0 * kDegree;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        // Whatever happened to the first width, only results of the second follow its first one,
        // from coarse to fine.
        const auto second = std::find_if(made.begin(), made.end(), [&](const auto& picture) {
            return picture.first == parameters.fwhm;
        });
        QVERIFY(std::all_of(second, made.end(),
                            [&](const auto& picture) { return picture.first == parameters.fwhm; }));
        QCOMPARE(made.end() - second, 3);
        QVERIFY(std::is_sorted(second, made.end()));
        QCOMPARE(made.back().second, int64_t{1024});
    }
    void previewsArePrepared() {
        Bench bench;
        bench.session.preview().prepareSmooth({});  // nothing is open
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 2.0 * kDegree;
        bench.session.preview().prepareSmooth(parameters);
        QVERIFY(!bench.session.jobs().isIdle());
        QVERIFY(bench.settle());
        QVERIFY(!bench.document().live());
        QVERIFY(!bench.session.preview().isPreviewBusy());
        // A map that cannot be smoothed is reported at the request, not now.
        SmoothParameters wrong = parameters;
        wrong.polarization = true;
        bench.session.preview().prepareSmooth(wrong);
        wrong = parameters;
        wrong.lmax = -7;
        bench.session.preview().prepareSmooth(wrong);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QVERIFY(bench.session.jobs().jobs().empty());
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().live()->map->nside(), int64_t{512});
    }
    void polarizationIsSmoothedTogether() {
        Bench bench;
        bench.open({bench.write(*polarizedMap(32), "p.fits")});
        const LayerId id = bench.document().entries()[0].id;
        bench.document().view().setShown({id, 0, Quantity::PolarizedAmplitude});
        SmoothParameters parameters;
        parameters.fwhm = 5.0 * kDegree;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().live()->map->fieldCount(), 3);
        QCOMPARE(bench.document().view().shown().quantity, Quantity::PolarizedAmplitude);
        QVERIFY(bench.document().live()->recipe.smooth.polarization);
    }
    void smoothingNeedsSomethingToSmooth() {
        Bench bench;
        bench.session.preview().previewSmooth({});
        QCOMPARE(bench.errors.size(), 1);
        bench.open({bench.write(*noiseMap(8), "t.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 0.1;
        parameters.polarization = true;
        bench.session.preview().previewSmooth(parameters);
        QCOMPARE(bench.errors.size(), 2);
        QVERIFY(!bench.session.preview().isPreviewBusy());
        // A request that the operation refuses.
        parameters.polarization = false;
        parameters.lmax = -7;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 3);
        QVERIFY(!bench.session.preview().isPreviewBusy());
        QVERIFY(!bench.document().live());
    }
    void cancelInThePanelEndsThePreview() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = kDegree;
        bench.session.preview().previewSmooth(parameters);
        bench.session.jobs().cancelAll();
        QVERIFY(bench.settle());
        QVERIFY(!bench.session.preview().isPreviewBusy());
        QVERIFY(bench.errors.isEmpty());
        // The next request works.
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().live());
    }
    void closingTheMapEndsItsPreview() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = kDegree;
        bench.session.preview().previewSmooth(parameters);
        bench.document().removeLayer(bench.document().entries()[0].id);
        QVERIFY(bench.settle());
        QVERIFY(!bench.document().live());
        QVERIFY(!bench.session.preview().isPreviewBusy());
        QVERIFY(bench.document().entries().empty());
    }
    // The list closes a preview like any other layer, while finer passes are in progress.
    void closedPreviewsStayClosed() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = kDegree;
        bool asked = false;
        connect(&bench.session.preview(), &LivePreview::smoothReportChanged, &bench.session, [&] {
            if (!std::exchange(asked, true))
                QTimer::singleShot(0, &bench.session, [&bench] {
                    bench.document().removeLayer(bench.document().live()->id);
                });
        });
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(asked);
        QVERIFY(!bench.document().live());
        QVERIFY(!bench.session.preview().isPreviewBusy());
        QCOMPARE(bench.document().entries().size(), size_t{1});
        // The next request works, also for another map.
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().live());
        const LayerId first = bench.document().entries()[0].id;
        bench.open({bench.path("in.fits")});
        bench.document().view().setShown({bench.document().entries()[1].id, 0, Quantity::Field});
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY(bench.document().live());
        QVERIFY(bench.document().live()->parent != first);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    void maskedWaysAreCompared() {
        Bench bench;
        auto map = *noiseMap(32);
        auto& values = std::get<std::vector<float>>(map.field(0).values);
        for (size_t i = 0; i < values.size() / 3; ++i) values[i] = std::nanf("");
        bench.open({bench.write(map, "holes.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 5.0 * kDegree;
        bench.session.operations().showMaskedDifference(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.document().entries().size(), size_t{2});
        const auto& made = bench.document().entries()[1];
        JobContext job;
        double size = 0.0;
        for (int64_t i = 0; i < made.map->elementCount(); ++i)
            if (std::isfinite(made.map->field(0).at(i)))
                size = std::max(size, std::abs(made.map->field(0).at(i)));
        QVERIFY(size > 0.0);
        Bench nothing;
        nothing.session.operations().showMaskedDifference(parameters);
        QCOMPARE(nothing.errors.size(), 1);
    }
    void devicesThatFailGiveWayToTheCpu() {
        // A kind of device that this machine may lack: the request continues with a message.
        Bench bench;
        bench.session.setDevice(goneDevice());
        QCOMPARE(bench.session.device().index, 99);
        bench.open({bench.write(*noiseMap(32), "in.fits")});
        SmoothParameters parameters;
        parameters.fwhm = 0.1;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QVERIFY(bench.document().live());
        QCOMPARE(bench.news.size(), 1);
        QVERIFY2(bench.news[0].contains("the CPU goes on"), qPrintable(bench.news[0]));
        // Reported once, also for the next request; the device stays the user's choice.
        parameters.fwhm = 0.2;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(bench.settle());
        QCOMPARE(bench.news.size(), 1);
        QCOMPARE(bench.session.device().index, 99);
    }
    // A device that fails while it makes pictures, for instance without memory: pictures continue
    // through the host with one message, and the device is retried later.
    void livePicturesGiveWayToTheHost() {
        Bench bench;
        bench.session.setDevice(goneDevice());
        bench.session.preview().setPictureDevice(99);
        bench.open({bench.write(*noiseMap(32), "in.fits")});
        int asked = 0;
        SmoothParameters parameters;
        const auto smoothedTo = [&](double fwhm) {
            parameters.fwhm = fwhm;
            bench.session.preview().previewSmooth(parameters);
            asked += LivePreviewProbe::isOnDevice(bench.session.preview()) ? 1 : 0;
            const auto isThere = [&] {
                const Layer* live = bench.document().live();
                return live && live->recipe.smooth.fwhm == fwhm && live->map->elementCount() > 0;
            };
            return QTest::qWaitFor(isThere, kPatience) && bench.settle();
        };
        QVERIFY(smoothedTo(0.1));
        QCOMPARE(asked, 1);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        QCOMPARE(bench.news.size(), 1);
        QVERIFY2(bench.news[0].contains("no live picture"), qPrintable(bench.news[0]));
        QVERIFY(!bench.document().liveLayer().picture());
        // The device pauses, and the CPU replaces it.
        QVERIFY(smoothedTo(0.2));
        QCOMPARE(asked, 1);
        QTest::qWait(5100);
        QVERIFY(smoothedTo(0.3));
        QCOMPARE(asked, 2);
        QCOMPARE(bench.news.size(), 1);
    }
    // The same if the window lacks memory to draw a picture.
    void picturesThatCannotBeDrawnGiveWay() {
        Bench bench;
        bench.session.setDevice(goneDevice());
        bench.session.preview().setPictureDevice(99);
        bench.open({bench.write(*noiseMap(32), "in.fits")});
        bench.session.preview().notePictureFailed("expected room for a picture, found none");
        QCOMPARE(bench.news.size(), 1);
        QVERIFY2(bench.news[0].contains("expected room"), qPrintable(bench.news[0]));
        SmoothParameters parameters;
        parameters.fwhm = 0.1;
        bench.session.preview().previewSmooth(parameters);
        QVERIFY(!LivePreviewProbe::isOnDevice(bench.session.preview()));
        QVERIFY(bench.settle());
        QVERIFY(bench.document().live());
        QVERIFY(bench.document().live()->map->elementCount() > 0);
        QCOMPARE(bench.news.size(), 1);
    }
};

QTEST_GUILESS_MAIN(LiveSmoothingTest)
#include "tst_live_smoothing.moc"
