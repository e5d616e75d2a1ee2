// SPDX-License-Identifier: GPL-3.0-or-later
// Live smoothing of the viewed region on the CPU. A close view contains only a few rings of pixels,
// so its exact result takes no longer than a coarse whole-sky picture.
#include "armilla/core/frames.h"
#include "armilla/core/seen_frame.h"
#include "live_preview_state.h"

namespace armilla {

void LivePreview::setLookedAt(std::function<std::optional<LookedAt>()> asked) {
    state_->looksAt = std::move(asked);
}

const LiveRegion& LivePreview::liveRegion() const {
    return state_->liveRegion;
}

void LivePreview::State::setLiveRegion(const LiveRegion& region) {
    if (!region.mesh && !liveRegion.mesh) return;
    liveRegion = region;
    emit preview.liveRegionChanged(liveRegion);
}

void LivePreview::State::startPreview() {
    if (startRegion()) return;
    setLiveRegion({});  // the region has another width
    startCoarse();
}

bool LivePreview::State::startRegion() {
    const auto* smooth = std::get_if<SmoothRequest>(&*wanted);
    const Layer* source = wantedSource();
    const bool seenAlone = document.view().comparison() == Comparison::Single ||
                           document.view().comparison() == Comparison::SideBySide;
    if (!source || !smooth || !looksAt || !seenAlone || smooth->of.quantity != Quantity::Field ||
        device.now().kind != DeviceKind::Cpu || source->map->coverage() == Coverage::MultiOrder)
        return false;
    auto seen = looksAt();
    if (!seen) return false;
    seen->center = seenRotation(source->map->frame(), seen->frame) * seen->center;
    setStage(LiveStage::Coarse);
    const SmoothRequest request = *smooth;
    previewJob = -1;
    runner.cancelSlot(kRefineSlot);
    previewJob = runner.run<std::optional<RegionPicture>>(
        tr("Preview %1 · %2").arg(nameOf(request), source->name), JobLane::Preview, kSmoothSlot,
        &preview,
        [map = source->map, request, plan = plans.region, seen = *seen](JobContext& job) {
            return plan->around(map, request, seen.center, seen.radius, job);
        },
        [this, request, begun = std::chrono::steady_clock::now()](
            const std::optional<RegionPicture>& region) { takeRegion(request, region, begun); },
        [this](const QString& line) { failPreview(line); });
    followers.onCancel(previewJob, [this, job = previewJob] { endCancelled(job); });
    return true;
}

// The surrounding sky follows when the slider rests.
void LivePreview::State::takeRegion(const SmoothRequest& request,
                                    const std::optional<RegionPicture>& region, StopTime begun) {
    stage = afterCoarse(stage);
    const Layer* source = document.entry(request.of.entry);
    if (!wanted || !source || source->revision != request.revision) return preview.stopPreview();
    if (!region) {
        setLiveRegion({});
    } else {
        report = region->report;
        const auto taken = std::chrono::steady_clock::now() - begun;
        setLiveRegion(
            {request.of, region->mesh, std::chrono::duration<double, std::milli>(taken).count()});
    }
    if (!wanted) return;  // the receiver of the signal has already cancelled
    if (stage == LiveStage::Outdated) return startPreview();
    startCoarse();
}

}  // namespace armilla
