// SPDX-License-Identifier: GPL-3.0-or-later
// Live smoothing on the device that draws. Each request becomes a picture in device memory, and a
// map in host memory when the slider rests.
#include "armilla/core/error.h"
#include "armilla/operations/map_beam.h"
#include "armilla/session/failure.h"
#include "live_preview_state.h"

namespace armilla {

namespace {

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

// True if the host must convert values per beam; pictures in device memory stay as smoothed.
bool convertsOnHost(const Document& document, const LiveRequest& request) {
    const auto* smooth = std::get_if<SmoothRequest>(&request);
    const Layer* source = smooth ? document.entry(smooth->of.entry) : nullptr;
    return source && source->map && smoothingScales(*source->map, smooth->fields);
}

}  // namespace

bool rotatesOnHost(const Document& document, const LiveRequest& request) {
    const auto* smooth = std::get_if<SmoothRequest>(&request);
    if (!smooth || !smooth->parameters.polarization) return false;
    const Layer* source = document.entry(smooth->of.entry);
    return source && source->map &&
           turnedTo(*source->map, smooth->of, document.view().camera().frame) != Frame::Unknown;
}

void LivePreview::setPictureDevice(std::optional<int> device) {
    State& state = *state_;
    if (!state.device.setDrawing(device)) return;
    // The shown picture lies on a device that no longer draws.
    if (state.document.liveLayer().picture()) {
        state.document.liveLayer().setPicture({}, nullptr);
        if (state.wanted) state.startCoarse();
    }
}

void LivePreview::notePresented(const FrameLatencyMarks& frame) {
    if (state_->frames.presented(frame)) emit livePresented(liveMarks().milliseconds());
}

const LiveLatencyMarks& LivePreview::liveMarks() const {
    return state_->frames.marks();
}

bool LivePreview::State::drawsOnDevice() const {
    return wanted && subjectOf(*wanted).of.quantity == Quantity::Field && device.draws() &&
           !rotatesOnHost(document, *wanted) && !convertsOnHost(document, *wanted);
}

void LivePreview::State::restDevice(const QString& line) {
    if (device.rest()) notices.say(line);
}

void LivePreview::State::leaveDevice(const QString& line) {
    restDevice(LivePreview::tr(
                   "no live picture in the memory of %1, pictures pass through host memory: %2")
                   .arg(QString::fromStdString(device.chosen().label()), line));
    document.liveLayer().setPicture({}, nullptr);
    if (wanted) startCoarse();
}

void LivePreview::notePictureFailed(const QString& line) {
    state_->frames.drop();
    state_->leaveDevice(line);
}

void LivePreview::State::requestFrame(bool quick) {
    const LiveSubject& subject = subjectOf(*wanted);
    const auto* source = document.entry(subject.of.entry);
    previewJob = -1;
    runner.cancelSlot(kSmoothSlot);
    runner.cancelSlot(kRefineSlot);
    setLiveRegion({});
    setStage(LiveStage::OnDevice);
    LiveFrames::Request next;
    // The first picture comes with its panel data; later pictures do not wait for panel data.
    const bool isFirst = !document.live() || document.live()->parent != subject.of.entry;
    next.make = [map = source->map, request = *wanted, plan = plans.fine, filters = plans.filter,
                 on = device.chosen(), isFirst, quick](JobContext& job) {
        const auto* filter = std::get_if<FilterRequest>(&request);
        LiveFrame frame =
            filter ? filters->picture(*filter, on, job)
                   : plan->picture(map, std::get<SmoothRequest>(request), quick, on, job);
        if (isFirst) frame.readout = readoutOf(*frame.picture, map->frame(), job);
        return frame;
    };
    next.frame = source->map->frame();
    next.taken = [this, request = *wanted, asked = std::chrono::steady_clock::now()](
                     const LiveFrame& frame) { takeFrame(request, frame, asked); };
    next.readoutMade = [this, request = *wanted](const std::shared_ptr<DrawableField>& readout) {
        showReadout(request, readout);
    };
    next.failed = [this](const std::exception_ptr& failure) { failFrame(failure); };
    frames.request(std::move(next));
}

void LivePreview::State::takeFrame(const LiveRequest& request, const LiveFrame& frame,
                                   StopTime asked) {
    const LiveSubject& subject = subjectOf(request);
    const auto* source = document.entry(subject.of.entry);
    if (!wanted || !source || source->revision != subject.revision) return preview.stopPreview();
    device.succeeded();
    report = frame.report;
    if (frame.readout) showReadout(request, frame.readout);
    const auto* live = document.live();
    if (!live || live->parent != subject.of.entry) return;
    document.liveLayer().setPicture(
        document.liveLayer().counterpart(subject.of, live->id, *live->map), frame.picture);
    frames.show(frame, asked);
    if (keepWhenDone || stage == LiveStage::OnDeviceAtRest) copyLive();
}

// Panel data of the live map, at most ten times a second. It may arrive after the map itself.
void LivePreview::State::showReadout(const LiveRequest& request,
                                     const std::shared_ptr<DrawableField>& readout) {
    const LiveSubject& subject = subjectOf(request);
    const auto* source = document.entry(subject.of.entry);
    if (!wanted || stage == LiveStage::Whole || !source || source->revision != subject.revision)
        return;
    const MapPointer map = withoutValues(*source->map, subject.fields);
    const LayerId id = showLive(request, map);
    readout->revision = document.entry(id)->revision;
    document.drawings().setDrawable(document.liveLayer().counterpart(subject.of, id, *map),
                                    readout);
    emit preview.smoothReportChanged();
}

// A picture and the same bits in host memory, from the plan that made the picture; equal to an
// exported file.
void LivePreview::State::copyLive() {
    frames.stopRest();
    const auto* source = wanted ? wantedSource() : nullptr;
    if (!source) return;
    if (!frames.isSum()) return startRefined(source->map->nside());
    requestFrame(false);
    stage = LiveStage::OnDeviceAtRest;
}

// Computes maps whose sums serve later widths.
void LivePreview::State::growSums(const LiveRequest& request) {
    const auto* smooth = std::get_if<SmoothRequest>(&request);
    const Layer* source = smooth ? document.entry(smooth->of.entry) : nullptr;
    if (!source || !drawsOnDevice() || plans.fine->isGrown(source->map, *smooth)) return;
    runner.run<bool>(tr("Prepare smoothing · %1").arg(source->name), JobLane::Preview, kPrepareSlot,
                     &preview,
                     [map = source->map, smooth = *smooth, plan = plans.fine,
                      on = device.chosen()](JobContext& job) {
                         plan->growSums(map, smooth, on, job);
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
