// SPDX-License-Identifier: GPL-3.0-or-later
// Live smoothing on the device that draws. Each request becomes a picture in device memory, and a
// map in host memory when the slider rests.
#include "armilla/core/error.h"
#include "armilla/operations/map_beam.h"
#include "armilla/session/failure.h"
#include "live_preview_state.h"

namespace armilla {

namespace {

// After this rest the map is copied to the host, for read-outs and derived results.
constexpr int kRestMilliseconds = 250;
// Update interval of panels while a slider moves.
constexpr qint64 kToldMilliseconds = 100;
// Time until a failed device is retried.
constexpr int kDeviceRestMilliseconds = 5000;

// A map that covers no pixel; host memory holds no values until the slider rests.
MapPointer withoutValues(const HealpixMap& map, const std::vector<int>& fields) {
    std::vector<Field> empty;
    for (const int index : fields) {
        const Field& like = map.field(index);
        Field field{like.name, like.unit, like.diskType, std::vector<double>()};
        if (like.isSingle()) field.values = std::vector<float>();
        empty.push_back(std::move(field));
    }
    return std::make_shared<const HealpixMap>(
        HealpixMap::partial(map.nside(), map.ordering(), map.frame(), {}, std::move(empty)));
}

}  // namespace

void LivePreview::setPictureDevice(std::optional<int> device) {
    State& state = *state_;
    if (std::exchange(state.pictureDevice, device) == device) return;
    // The shown picture lies on a device that no longer draws.
    if (state.document.liveLayer().picture()) {
        state.document.liveLayer().setPicture({}, nullptr);
        if (state.wanted) state.startCoarse();
    }
}

void LivePreview::notePresented(const FrameLatencyMarks& frame) {
    State& state = *state_;
    if (!state.liveLoop) return;
    state.liveLoop->presented();
    if (!state.frameMarks) return;
    state.lastMarks = *std::exchange(state.frameMarks, std::nullopt);
    state.lastMarks.frame = frame;
    emit livePresented(state.lastMarks.milliseconds());
}

const LiveLatencyMarks& LivePreview::liveMarks() const {
    return state_->lastMarks;
}

bool LivePreview::State::asksDevice() const {
    return wanted && wanted->of.quantity == Quantity::Field && device().kind == DeviceKind::Cuda &&
           pictureDevice == device().index && deviceRests.hasExpired() && !turnsLive() &&
           !scalesLive();
}

// True if the host must convert values per beam; pictures in device memory stay as smoothed.
bool LivePreview::State::scalesLive() const {
    const Layer* source = document.entry(wanted->of.entry);
    return !wanted->filter && source && source->map &&
           smoothingScales(*source->map, wanted->fields);
}

// True if the host must rotate Q and U, smoothed together, to the frame of the view.
bool LivePreview::State::turnsLive() const {
    const Layer* source = document.entry(wanted->of.entry);
    return wanted->parameters.polarization && source && source->map &&
           turnedTo(*source->map, wanted->of, document.view().camera().frame) != Frame::Unknown;
}

Device LivePreview::State::deviceNow() const {
    return deviceRests.hasExpired() ? device() : Device::cpu();
}

void LivePreview::State::restDevice(const QString& line) {
    deviceRests.setRemainingTime(kDeviceRestMilliseconds);
    if (!std::exchange(deviceFailureTold, true)) notices.say(line);
}

void LivePreview::State::leaveDevice(const QString& line) {
    restDevice(LivePreview::tr("no live picture on %1, the way through the host goes on: %2")
                   .arg(QString::fromStdString(device().label()), line));
    document.liveLayer().setPicture({}, nullptr);
    if (wanted) startCoarse();
}

void LivePreview::notePictureFailed(const QString& line) {
    if (state_->liveLoop) state_->liveLoop->drop();
    state_->leaveDevice(line);
}

void LivePreview::State::askDevice(bool quick) {
    const auto* source = document.entry(wanted->of.entry);
    previewJob = -1;
    runner.cancelSlot(kSmoothSlot);
    runner.cancelSlot(kRefineSlot);
    coarseRuns = wantedIsNewer = liveIsFull = isResting = false;
    setLiveRegion({});
    setPreviewBusy(true);
    liveRest.stop();
    if (!liveLoop) {
        liveLoop = std::make_unique<LiveLoop<LiveFrame>>([this](std::function<void()> act) {
            QMetaObject::invokeMethod(&preview, std::move(act), Qt::QueuedConnection);
        });
        liveRest.setSingleShot(true);
        liveRest.setInterval(kRestMilliseconds);
        QObject::connect(&liveRest, &QTimer::timeout, &preview, [this] { copyLive(); });
    }
    LiveLoop<LiveFrame>::Request ask;
    // The first picture comes with its panel data; later pictures do not wait for panel data.
    const bool isFirst = !document.live() || document.live()->parent != wanted->of.entry;
    ask.make = [map = source->map, request = *wanted, shop = planCache, filters = filterShop,
                on = device(), isFirst, quick](JobContext& job) {
        LiveFrame frame = request.filter ? filters->picture(*request.filter, on, job)
                                         : shop->picture(map, request, quick, on, job);
        if (isFirst) frame.readout = readoutOf(*frame.picture, map->frame(), job);
        return frame;
    };
    ask.done = [this, request = *wanted, asked = std::chrono::steady_clock::now()](
                   const LiveFrame& frame) { takeFrame(request, frame, asked); };
    ask.after = [this, frame = source->map->frame(), request = *wanted, since = sinceTold](
                    const LiveFrame& made, JobContext& job) -> std::function<void()> {
        if (since->isValid() && since->elapsed() < kToldMilliseconds) return {};
        since->start();
        if (made.readout) return {};
        return [this, request, readout = readoutOf(*made.picture, frame, job)] {
            tellFrame(request, readout);
        };
    };
    ask.failed = [this](const std::exception_ptr& failure) { failFrame(failure); };
    liveLoop->ask(std::move(ask));
    emit preview.livePictureAsked();
}

void LivePreview::State::takeFrame(const SmoothRequest& request, const LiveFrame& frame,
                                   StopTime asked) {
    const auto* source = document.entry(request.of.entry);
    if (!wanted || !source || source->revision != request.revision) return preview.stopPreview();
    deviceFailureTold = false;
    report = frame.report;
    if (frame.readout) tellFrame(request, frame.readout);
    const auto* live = document.live();
    if (!live || live->parent != request.of.entry) return;
    frameMarks = frame.marks;
    frameMarks->asked = asked;
    frameMarks->taken = std::chrono::steady_clock::now();
    document.liveLayer().setPicture(
        document.liveLayer().counterpart(request.of, live->id, *live->map), frame.picture);
    liveIsSum = !frame.isWhole;
    liveRest.start();
    if (keepWhenDone || isResting) copyLive();
}

// Panel data of the live map, at most ten times a second. It may arrive after the map itself.
void LivePreview::State::tellFrame(const SmoothRequest& request,
                                   const std::shared_ptr<DrawableField>& readout) {
    const auto* source = document.entry(request.of.entry);
    if (!wanted || liveIsFull || !source || source->revision != request.revision) return;
    const MapPointer map = withoutValues(*source->map, request.fields);
    const int id = showLive(request, map);
    readout->revision = document.entry(id)->revision;
    document.drawings().setDrawable(document.liveLayer().counterpart(request.of, id, *map),
                                    readout);
    emit preview.smoothReportChanged();
}

// A picture and the same bits in host memory, from the plan that made the picture; equal to an
// exported file.
void LivePreview::State::copyLive() {
    liveRest.stop();
    const auto* source = wanted ? document.entry(wanted->of.entry) : nullptr;
    if (!source || source->revision != wanted->revision) return;
    if (!liveIsSum) return startRefined(source->map->nside());
    askDevice(false);
    isResting = true;
}

// Computes maps whose sums serve later widths.
void LivePreview::State::growSums(const SmoothRequest& request) {
    const Layer* source = document.entry(request.of.entry);
    if (!source || !asksDevice() || request.filter || planCache->isGrown(source->map, request))
        return;
    runner.run<bool>(
        tr("Prepare smoothing · %1").arg(source->name), JobLane::Preview, kPrepareSlot, &preview,
        [map = source->map, request, shop = planCache, on = device()](JobContext& job) {
            shop->growSums(map, request, on, job);
            return true;
        },
        {});
}

void LivePreview::State::failFrame(const std::exception_ptr& failure) {
    const auto line = failureLine(failure);
    if (!line) return;
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Device || error.code() == ErrorCode::OutOfMemory ||
            error.code() == ErrorCode::Unsupported) {
            return leaveDevice(*line);
        }
    } catch (...) {
        // Reported below.
    }
    failPreview(*line);
}

}  // namespace armilla
