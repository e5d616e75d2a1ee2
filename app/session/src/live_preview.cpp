// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/live_preview.h"
#include "armilla/session/stand_in.h"

#include <QFileInfo>
#include <set>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/map_beam.h"
#include "live_preview_state.h"
#include "operation_values.h"

namespace armilla {

namespace {

// The first picture: a synthesis at this nside takes some tens of milliseconds on two cores.
constexpr int64_t kCoarseNside = 256;
// The first estimate of a filter, which takes a dozen transforms: 70 ms of processor time.
constexpr int64_t kEstimateNside = 64;
// The error of a preview lasts until the next request.
const QString kPreviewCause = QStringLiteral("preview");

// True if a coarse picture downgrades the map and so has separate coefficients. Otherwise a
// separate plan would hold the same coefficients (or the expanded cells of a multi-order map)
// twice.
bool averagesForCoarse(const HealpixMap& map) {
    return map.coverage() != Coverage::MultiOrder && map.nside() > kCoarseNside &&
           map.nside() % kCoarseNside == 0;
}

// Uses harmonics if a Gaussian is too narrow for pixel sums, so that no width of the slider fails.
SmoothParameters servedByPixels(SmoothParameters parameters, int64_t nside) {
    const bool isGaussian = !parameters.beam && !parameters.kernel && !parameters.shape;
    const bool onPixels =
        parameters.method == SmoothMethod::Direct || parameters.method == SmoothMethod::Ring;
    if (!onPixels || !isGaussian || !isNarrowForPixels(parameters.fwhm, nside)) return parameters;
    parameters.method = SmoothMethod::Harmonic;
    parameters.truncate = 0.0;
    return parameters;
}

Recipe recipeOf(const FilterRequest& request) {
    const OperationRequest& asked = request.operation;
    Recipe recipe;
    recipe.kind = RecipeKind::Operation;
    recipe.record = toQt(toJson(recordOf(asked)));
    recipe.recordTitle = QString::fromStdString(titleOf(*asked.operation, asked.parameters));
    recipe.field = request.of.field;
    return recipe;
}

Recipe recipeOf(const SmoothRequest& request) {
    Recipe recipe;
    recipe.kind = RecipeKind::Smooth;
    recipe.input = request.of.entry;
    recipe.field = request.of.field;
    recipe.smooth = request.parameters;
    recipe.profilePath = request.profilePath;
    return recipe;
}

QString titleOfLayer(const FilterRequest& request) {
    const OperationRequest& asked = request.operation;
    return QString::fromStdString(shownTitleOf(*asked.operation, asked.parameters));
}

QString titleOfLayer(const SmoothRequest& request) {
    if (request.parameters.beam) return LivePreview::tr("smoothed with a beam");
    if (request.parameters.kernel) return LivePreview::tr("smoothed with a kernel");
    return LivePreview::tr("smoothed %1")
        .arg(QString::fromStdString(formatAngle(request.parameters.fwhm)));
}

}  // namespace

QString nameOf(const LiveRequest& request) {
    return std::visit([](const auto& each) { return titleOfLayer(each); }, request);
}

LivePreview::LivePreview(Document& document, JobRunner& runner, JobFollowers& followers,
                         LayerPictures& pictures, Notices& notices, std::function<Device()> device)
    : state_(std::make_unique<State>(Uses{*this, document, runner, followers, pictures, notices},
                                     std::move(device))) {
    connect(&document, &Document::entriesChanged, this, [this] {
        std::set<const void*> maps;
        for (const Layer& layer : state_->document.entries())
            if (layer.map) maps.insert(layer.map.get());
        state_->plans.releaseUnless(maps);
    });
    connect(&document, &Document::entriesChanged, this, [this] { state_->followClosedLive(); });
    connect(&document.view(), &DocumentView::cameraChanged, this,
            [this] { state_->followFrame(); });
}

LivePreview::~LivePreview() = default;

void LivePreview::previewSmooth(const SmoothParameters& parameters, const QString& profilePath) {
    State& state = *state_;
    state.notices.guarded([&] {
        const Layer* live = state_->document.live();
        Shown of = state_->document.view().shown();
        // Smoothing applies to the original map, not to its smoothed picture.
        if (live && of.entry == live->id && state.wanted) of = subjectOf(*state.wanted).of;
        const Layer* source = state_->document.entry(of.entry);
        if (!source || !source->map || source->live)
            throw InvalidArgument("expected a map that is shown, to smooth it, found none");
        if (const QString problem = sampleProblem(*source); !problem.isEmpty())
            throw InvalidArgument(problem.toStdString());
        SmoothRequest request{{of, source->revision, {}, state_->document.view().camera().frame},
                              parameters,
                              profilePath};
        if (of.quantity != Quantity::Field) request.parameters.polarization = true;
        request.parameters = servedByPixels(request.parameters, source->map->nside());
        request.fields = smoothedFields(*source->map, of.field, request.parameters);
        state.wanted = std::move(request);
        state.keepWhenDone = false;
        state.beginPreview();
    });
}

void LivePreview::State::beginPreview() {
    notices.settle(kPreviewCause);
    if (drawsOnDevice()) return requestFrame();
    if (isCoarse(stage))
        stage = LiveStage::CoarseOutdated;
    else
        startPreview();
}

// A failure here is reported when the preview is requested.
void LivePreview::prepareSmooth(const SmoothParameters& parameters) try {
    State& state = *state_;
    const Shown of = state_->document.view().shown();
    const Layer* source = state_->document.entry(of.entry);
    if (!source || !source->map || source->live) return;
    const bool onDevice = state.device.draws() && of.quantity == Quantity::Field &&
                          !smoothingScales(*source->map, {of.field});
    if (!onDevice && !averagesForCoarse(*source->map)) return;
    SmoothParameters wanted = servedByPixels(parameters, source->map->nside());
    if (of.quantity != Quantity::Field) wanted.polarization = true;
    const SmoothRequest request{
        {of, source->revision, smoothedFields(*source->map, of.field, wanted),
         state_->document.view().camera().frame},
        wanted,
        {}};
    state.runner.run<bool>(
        tr("Prepare smoothing · %1").arg(source->name), JobLane::Preview, kPrepareSlot, this,
        [map = source->map, request, onDevice, fine = state.plans.fine, coarse = state.plans.coarse,
         on = state.device.now()](JobContext& job) {
            try {
                if (onDevice) {
                    fine->prepare(map, request.fields, request.parameters, on, job);
                    fine->growSums(map, request, on, job);
                } else {
                    coarse->smooth(map, request.fields, request.parameters, kCoarseNside, on, job);
                }
            } catch (const Error&) {
                return false;
            }
            return true;
        },
        {});
} catch (const Error&) {
}

const Layer* LivePreview::State::wantedSource() const {
    const LiveSubject& subject = subjectOf(*wanted);
    const Layer* source = document.entry(subject.of.entry);
    return source && source->revision == subject.revision ? source : nullptr;
}

void LivePreview::State::startCoarse() {
    const Layer* source = wantedSource();
    if (!source) return preview.stopPreview();
    frames.stopRest();
    document.liveLayer().setPicture({}, nullptr);
    setStage(LiveStage::Coarse);
    const LiveRequest request = *wanted;
    const int64_t nside = std::min(kCoarseNside, source->map->nside());
    const auto& plan = averagesForCoarse(*source->map) ? plans.coarse : plans.fine;
    // Cancels a running refinement; with its own plan the coarse picture does not wait for it.
    previewJob = -1;
    runner.cancelSlot(kRefineSlot);
    previewJob = runner.run<std::shared_ptr<SmoothPicture>>(
        tr("Preview %1 · %2").arg(nameOf(request), source->name), JobLane::Preview, kSmoothSlot,
        &preview,
        [map = source->map, request, nside, plan, filters = plans.filter, limit = pictures.limit(),
         on = device.now()](JobContext& job) {
            if (const auto* filter = std::get_if<FilterRequest>(&request))
                return filterPicture(*filter, *filters, nside, std::min(nside, kEstimateNside),
                                     limit, on, job);
            return smoothPicture(map, *plan, std::get<SmoothRequest>(request), nside, limit, on,
                                 job);
        },
        [this, request, nside](const std::shared_ptr<SmoothPicture>& picture) {
            stage = afterCoarse(stage);
            takePicture(request, *picture, nside);
        },
        [this](const QString& line) { failPreview(line); });
    followers.onCancel(previewJob, [this, job = previewJob] { endCancelled(job); });
}

void LivePreview::State::startRefined(int64_t nside) {
    const LiveRequest request = *wanted;
    const Layer* source = document.entry(subjectOf(request).of.entry);
    setStage(LiveStage::Refined);
    previewJob = -1;
    previewJob = runner.run<std::shared_ptr<SmoothPicture>>(
        (std::holds_alternative<FilterRequest>(request) ? tr("Refine %1 · %2")
                                                        : tr("Smooth %1 · %2"))
            .arg(nameOf(request), source->name),
        JobLane::Compute, kRefineSlot, &preview,
        [map = source->map, request, nside, plan = plans.fine, filters = plans.filter,
         limit = pictures.limit(), on = device.now()](JobContext& job) {
            if (const auto* filter = std::get_if<FilterRequest>(&request))
                return filterPicture(*filter, *filters, nside == map->nside() ? 0 : nside, nside,
                                     limit, on, job);
            return smoothPicture(map, *plan, std::get<SmoothRequest>(request), nside, limit, on,
                                 job);
        },
        [this, request, nside](const std::shared_ptr<SmoothPicture>& picture) {
            takePicture(request, *picture, nside);
        },
        [this](const QString& line) { failPreview(line); });
    followers.onCancel(previewJob, [this, job = previewJob] { endCancelled(job); });
}

void LivePreview::State::takePicture(const LiveRequest& request, const SmoothPicture& picture,
                                     int64_t nside) {
    const LiveSubject& subject = subjectOf(request);
    const Layer* source = document.entry(subject.of.entry);
    if (!wanted || !source || source->revision != subject.revision) return preview.stopPreview();
    // Reported once, not at every slider step; the device is retried later.
    if (!picture.result.note.isEmpty()) restDevice(picture.result.note);
    const int64_t fullNside = source->map->nside();
    const LayerId id = showLive(request, picture.result.map);
    picture.drawable->revision = document.entry(id)->revision;
    document.drawings().setDrawable({id, picture.field, picture.quantity}, picture.drawable);
    report = picture.result.report;
    beamLine = picture.result.beamLine;
    emit preview.smoothReportChanged();
    if (!wanted) return;  // the receiver of the signal has already cancelled
    if (stage == LiveStage::Outdated) return startPreview();
    // A second estimate shows smaller sources, before the exact result of a large map.
    if (!picture.isWhole && picture.isEstimate)
        return startRefined(picture.result.map->nside() < nside ? nside : fullNside);
    if (!picture.isWhole) return startRefined(std::min(2 * nside, fullNside));
    setLiveRegion({});
    setStage(LiveStage::Whole);
    for (const auto& act : std::exchange(whenFull, {})) act();
    growSums(request);
    if (std::exchange(keepWhenDone, false)) preview.keepSmooth();
}

LayerId LivePreview::State::showLive(const LiveRequest& request, const MapPointer& map) {
    liveLayer = {};  // replaces the live layer of another map
    const Recipe recipe = std::visit([](const auto& each) { return recipeOf(each); }, request);
    liveLayer = document.liveLayer().set(map, nameOf(request), recipe, subjectOf(request).of.entry);
    return liveLayer;
}

// Closing the live map ends the preview.
void LivePreview::State::followClosedLive() {
    if (liveLayer.isValid() && !document.entry(liveLayer)) preview.stopPreview();
}

void LivePreview::State::failPreview(const QString& line) {
    stage = afterCoarse(stage);
    keepWhenDone = false;
    notices.complainWhile(kPreviewCause, line);
    if (previewJob >= 0) followers.reportedElsewhere(previewJob);
    // The slider may have moved to a valid value.
    if (stage == LiveStage::Outdated) return startPreview();
    setLiveRegion({});
    setStage(LiveStage::None);
    giveUpWaiting();
}

void LivePreview::State::giveUpWaiting() {
    if (std::exchange(whenFull, {}).empty()) return;
    notices.complain(
        tr("expected the preview to be completed before it is written, found it stopped"));
}

void LivePreview::State::endCancelled(int job) {
    if (job != previewJob) return;  // replaced by a newer request, not cancelled by the user
    keepWhenDone = false;
    setLiveRegion({});
    setStage(LiveStage::None);
    giveUpWaiting();
}

void LivePreview::State::setStage(LiveStage next) {
    const bool wasBusy = isBusy(std::exchange(stage, next));
    if (isBusy(next) != wasBusy) emit preview.previewBusyChanged(!wasBusy);
}

void LivePreview::stopPreview() {
    State& state = *state_;
    state.notices.settle(kPreviewCause);
    state.previewJob = -1;
    state.liveLayer = {};
    state.runner.cancelSlot(kSmoothSlot);
    state.runner.cancelSlot(kRefineSlot);
    state.frames.drop();
    state.wanted.reset();
    state.keepWhenDone = false;
    const bool wasBusy = isBusy(std::exchange(state.stage, LiveStage::None));
    state.setLiveRegion({});
    state.document.liveLayer().drop();
    if (wasBusy) emit previewBusyChanged(false);
    state.giveUpWaiting();
}

bool LivePreview::isPreviewBusy() const {
    return isBusy(state_->stage);
}

SmoothReport LivePreview::smoothReport() const {
    return state_->report;
}

void LivePreview::keepSmooth() {
    State& state = *state_;
    if (isBusy(state.stage)) {
        state.keepWhenDone = true;
        if (state.frames.isToRest()) state.copyLive();
        return;
    }
    if (!state_->document.live() || state.stage != LiveStage::Whole)
        return state.notices.complain(tr("expected a preview to keep, found none"));
    const QString name = state_->document.live()->name;
    state_->document.liveLayer().keep();
    if (!state.beamLine.isEmpty())
        state.notices.say(name + QStringLiteral(": ") + sizesTypeset(state.beamLine));
    state.liveLayer = {};
    state.wanted.reset();
    state.stage = LiveStage::None;
}

bool LivePreview::postpone(LayerId layer, const QString& path, std::function<void()> act) {
    State& state = *state_;
    const Layer* live = state.document.live();
    if (!live || live->id != layer || state.stage == LiveStage::Whole) return false;
    if (!isBusy(state.stage))
        throw InvalidArgument("expected a finished map to save, found a preview at nside " +
                              std::to_string(live->map->nside()) + " that was stopped");
    state.whenFull.push_back(std::move(act));
    state.notices.say(
        tr("%1 is written once the preview is complete").arg(QFileInfo(path).fileName()));
    if (state.frames.isToRest()) state.copyLive();
    return true;
}

int64_t LivePreview::planBytes() const {
    return state_->plans.memoryBytes();
}

std::optional<Shown> LivePreview::source() const {
    return state_->wanted ? std::optional(subjectOf(*state_->wanted).of) : std::nullopt;
}

void LivePreview::State::followFrame() {
    if (std::exchange(viewFrame, document.view().camera().frame) == document.view().camera().frame)
        return;
    if (wanted) subjectOf(*wanted).view = viewFrame;
    // The device holds the picture in the frame of the map.
    if (wanted && document.liveLayer().picture() && rotatesOnHost(document, *wanted)) startCoarse();
}

}  // namespace armilla

#include "armilla/session/moc_live_preview.cpp"
