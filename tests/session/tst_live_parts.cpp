// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of live previews: their stages, the device that computes, pictures on it, kept plans.
#include <QtTest>

#include "armilla/core/error.h"
#include "live_device.h"
#include "live_frames.h"
#include "live_plans.h"
#include "live_stage.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

class TestLiveParts : public QObject {
    Q_OBJECT
private slots:
    // A picture is in progress from the request to its end; a newer request then starts next.
    void stagesOfACoarsePicture() {
        static_assert(isBusy(LiveStage::Coarse) && isCoarse(LiveStage::Coarse));
        static_assert(isBusy(LiveStage::CoarseOutdated) && isCoarse(LiveStage::CoarseOutdated));
        static_assert(!isBusy(LiveStage::None) && !isBusy(LiveStage::Whole));
        for (const LiveStage stage : {LiveStage::Outdated, LiveStage::Refined, LiveStage::OnDevice,
                                      LiveStage::OnDeviceAtRest}) {
            QVERIFY(isBusy(stage));
            QVERIFY(!isCoarse(stage));
            QCOMPARE(afterCoarse(stage), stage);
        }
        QCOMPARE(afterCoarse(LiveStage::Coarse), LiveStage::Refined);
        QCOMPARE(afterCoarse(LiveStage::CoarseOutdated), LiveStage::Outdated);
        QCOMPARE(afterCoarse(LiveStage::None), LiveStage::None);
    }
    // Only the chosen device draws live pictures; after a failure the CPU replaces it for a while.
    void aFailedDeviceRests() {
        Device chosen = Device::cpu();
        LiveDevice device([&] { return chosen; });
        QVERIFY(!device.draws());
        QVERIFY(!device.setDrawing(std::nullopt));
        QVERIFY(device.setDrawing(1));
        QVERIFY(!device.setDrawing(1));
        QVERIFY(!device.draws());  // the CPU is chosen
        chosen.kind = DeviceKind::Cuda;
        chosen.index = 0;
        QVERIFY(!device.draws());  // another device is chosen
        chosen.index = 1;
        QVERIFY(device.draws());
        QCOMPARE(device.now().kind, DeviceKind::Cuda);

        constexpr int kForever = 1000 * 60 * 60;
        QVERIFY(device.rest(kForever));
        QVERIFY(!device.rest(kForever));  // the user is notified once
        QVERIFY(!device.draws());
        QCOMPARE(device.now().kind, DeviceKind::Cpu);
        QCOMPARE(device.chosen().kind, DeviceKind::Cuda);
        QVERIFY(!device.rest(0));
        QVERIFY(device.draws());
        device.succeeded();
        QVERIFY(device.rest(0));
    }
    // Marks belong to the picture that was presented; the rest follows the last picture.
    void marksOfPresentedFrames() {
        int rested = 0, taken = 0;
        LiveFrames frames([&] { ++rested; });
        QVERIFY(!frames.presented({}));  // no request yet
        const StopTime asked = StopTime() + std::chrono::seconds(1);
        const auto ask = [&](bool isWhole) {
            LiveFrames::Request request;
            request.make = [isWhole](JobContext&) {
                LiveFrame frame;
                frame.isWhole = isWhole;
                frame.readout = std::make_shared<DrawableField>();
                return frame;
            };
            request.taken = [&](const LiveFrame& frame) {
                ++taken;
                frames.show(frame, asked);
            };
            request.readoutMade = [](const auto&) { QFAIL("the frame has a readout"); };
            request.failed = [](const std::exception_ptr&) { QFAIL("no failure was expected"); };
            frames.request(std::move(request));
        };
        ask(false);
        QTRY_COMPARE_WITH_TIMEOUT(taken, 1, kPatience);
        QVERIFY(frames.isSum());
        FrameLatencyMarks shown;
        shown.shown = asked + std::chrono::milliseconds(7);
        QVERIFY(frames.presented(shown));
        QCOMPARE(frames.marks().milliseconds(), 7.0);
        QVERIFY(!frames.presented(shown));  // no other picture is on its way
        ask(true);
        QVERIFY(!frames.isToRest());  // a newer request is in progress
        QTRY_COMPARE_WITH_TIMEOUT(taken, 2, kPatience);
        QVERIFY(!frames.isSum());
        QTRY_COMPARE_WITH_TIMEOUT(rested, 1, kPatience);
        QVERIFY(!frames.isToRest());
        ask(true);
        QTRY_COMPARE_WITH_TIMEOUT(taken, 3, kPatience);
        frames.drop();
        QVERIFY(!frames.isToRest());
    }
    void failuresOfFrames() {
        int failures = 0;
        LiveFrames frames([] { QFAIL("no picture was shown"); });
        LiveFrames::Request request;
        request.make = [](JobContext&) -> LiveFrame {
            throw OutOfMemory("expected free memory, found none");
        };
        request.taken = [](const LiveFrame&) { QFAIL("no frame was expected"); };
        request.failed = [&](const std::exception_ptr& failure) {
            QVERIFY_EXCEPTION_THROWN(std::rethrow_exception(failure), OutOfMemory);
            ++failures;
        };
        frames.request(std::move(request));
        QTRY_COMPARE_WITH_TIMEOUT(failures, 1, kPatience);
    }
    // Plans stay while their map is open.
    void plansOfClosedMapsGo() {
        const LivePlans plans;
        QCOMPARE(plans.memoryBytes(), int64_t(0));
        const int64_t nside = 8;
        const auto map = std::make_shared<const HealpixMap>(
            nside, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{{"I", "K", {}, std::vector<double>(12 * nside * nside, 1.0)}});
        SmoothParameters parameters;
        parameters.fwhm = 0.5;
        JobContext job;
        for (const auto& plan : {plans.coarse, plans.fine})
            plan->smooth(map, {0}, parameters, nside, Device::cpu(), job);
        const int64_t both = plans.memoryBytes();
        QVERIFY(both > 0);
        plans.releaseUnless({map.get()});
        QCOMPARE(plans.memoryBytes(), both);
        plans.releaseUnless({});
        QCOMPARE(plans.memoryBytes(), int64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestLiveParts)
#include "tst_live_parts.moc"
