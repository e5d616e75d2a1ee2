// SPDX-License-Identifier: GPL-3.0-or-later
#include "smooth_plan_cache.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/operations/map_beam.h"
#include "layer_files.h"
#include "live_forms.h"

namespace armilla {

namespace {

// Limit of the estimated time of the sums, so that the picture is there within 100 ms.
constexpr double kMostSeconds = 0.05;
// Width of the picture in pixels, which are smaller than map pixels in a close view.
constexpr int kAcross = 480;

// Index of the request's field among the fields that the request smooths.
size_t fieldOf(const SmoothRequest& request) {
    const auto found = std::find(request.fields.begin(), request.fields.end(), request.of.field);
    return found == request.fields.end() ? 0 : static_cast<size_t>(found - request.fields.begin());
}

}  // namespace

SmoothPlan& SmoothPlanCache::planFor(const MapPointer& map, const std::vector<int>& fields,
                                     const Device& on) {
    if (!plan_ || map_ != map || fields_ != fields || device_ != on.label()) {
        plan_.reset();
        forgetGrown();
        plan_.emplace(map, fields, on);
        map_ = map;
        fields_ = fields;
        device_ = on.label();
    }
    return *plan_;
}

void SmoothPlanCache::releaseUnless(const std::set<const void*>& openMaps) {
    // If the plan is in use now, this function is called again at the end of that work.
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (!lock || !map_ || openMaps.contains(map_.get())) return;
    plan_.reset();
    pictures_.reset();
    map_.reset();
    fields_.clear();
    forgetGrown();
}

int64_t SmoothPlanCache::memoryBytes() {
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (lock) memoryBytes_ = plan_ ? plan_->memoryBytes() : 0;
    return memoryBytes_;
}

void SmoothPlanCache::prepare(const MapPointer& map, const std::vector<int>& fields,
                              const SmoothParameters& parameters, const Device& device,
                              JobContext& job) {
    const std::lock_guard lock(guard_);
    planFor(map, fields, device).prepare(parameters, job);
}

SmoothPlanCache::Grown SmoothPlanCache::grownOf(const MapPointer& map,
                                                const SmoothRequest& request) {
    Grown grown{map.get(), request.of.field, request.parameters};
    grown.parameters.fwhm = 0.0;
    return grown;
}

void SmoothPlanCache::forgetGrown() {
    const std::lock_guard lock(growth_);
    grown_.reset();
}

bool SmoothPlanCache::isGrown(const MapPointer& map, const SmoothRequest& request) const {
    const std::lock_guard lock(growth_);
    return grown_ == grownOf(map, request);
}

bool SmoothPlanCache::isSliderMoving() const {
    constexpr std::chrono::milliseconds kRest{200};
    const std::lock_guard lock(growth_);
    return std::chrono::steady_clock::now() - requested_ < kRest;
}

// A requested picture takes precedence over the next map of a series, and interrupts a long step.
void SmoothPlanCache::stopGrowing() {
    const std::lock_guard lock(growth_);
    requested_ = std::chrono::steady_clock::now();
    growing_.request_stop();
}

void SmoothPlanCache::growSums(const MapPointer& map, const SmoothRequest& request,
                               const Device& device, JobContext& job) try {
    Growth growth = isGrown(map, request) ? Growth::Done : Growth::Next;
    while (growth == Growth::Next) {
        job.poll();
        if (isSliderMoving())
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        else
            growth = grow(map, request, device, job);
    }
    if (growth == Growth::Foreign) return;
    const std::lock_guard lock(growth_);
    grown_ = grownOf(map, request);
} catch (const Error&) {
    // No sums then: each width is computed by itself, and a failure there is reported.
    const std::lock_guard lock(growth_);
    grown_ = grownOf(map, request);
}

// Computes one more map, or none if a picture is requested meanwhile.
SmoothPlanCache::Growth SmoothPlanCache::grow(const MapPointer& map, const SmoothRequest& request,
                                              const Device& device, JobContext& job) try {
    std::stop_source source;
    {
        const std::lock_guard lock(growth_);
        growing_ = source;
    }
    const std::stop_callback ended(job.stopToken(), [&source] { source.request_stop(); });
    JobContext step(source.get_token(), {}, job.threads());
    const std::lock_guard lock(guard_);
    if (!plan_ || map_ != map || fields_ != request.fields || device_ != device.label())
        return Growth::Foreign;
    const bool mayFollow = plan_->growSeries(request.parameters, fieldOf(request), step);
    return mayFollow ? Growth::Next : Growth::Done;
} catch (const Cancelled&) {
    return Growth::Next;
}

LiveFrame SmoothPlanCache::picture(const MapPointer& map, const SmoothRequest& request, bool quick,
                                   const Device& device, JobContext& job) {
    const StopTime begun = std::chrono::steady_clock::now();
    stopGrowing();
    // One picture is on the screen and one is being presented. If all are in use, as in a hidden
    // window, other threads may use the plan meanwhile.
    while (true) {
        {
            const std::lock_guard lock(guard_);
            LiveFrame frame = pictureIfFree(map, request, quick, device, job);
            frame.marks.begun = begun;
            if (frame.picture) return frame;
        }
        job.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

// Call with the lock held. Returns no picture if none is free.
LiveFrame SmoothPlanCache::pictureIfFree(const MapPointer& map, const SmoothRequest& request,
                                         bool quick, const Device& device, JobContext& job) {
    SmoothPlan& plan = planFor(map, request.fields, device);
    if (!pictures_ || pictures_->nside() != plan.pictureNside()) {
        pictures_.reset();
        pictures_.emplace(device.index, plan.pictureNside());
    }
    LiveFrame frame;
    frame.picture = pictures_->next();
    if (!frame.picture) return frame;
    frame.marks.prepared = std::chrono::steady_clock::now();
    const size_t field = fieldOf(request);
    frame.isWhole = !quick || !plan.enqueueSum(request.parameters, field, *frame.picture);
    if (frame.isWhole) {
        plan.prepare(request.parameters, job);
        frame.marks.prepared = std::chrono::steady_clock::now();
        plan.enqueue(request.parameters, field, *frame.picture);
    }
    frame.marks.enqueued = std::chrono::steady_clock::now();
    frame.report = plan.report();
    frame.picture->wait();
    frame.marks.made = std::chrono::steady_clock::now();
    return frame;
}

SmoothPlanCache::Result SmoothPlanCache::smooth(const MapPointer& map,
                                                const std::vector<int>& fields,
                                                const SmoothParameters& parameters, int64_t nside,
                                                const Device& device, JobContext& job) {
    const std::lock_guard lock(guard_);
    Result result;
    const auto execute = [&](const Device& on) {
        SmoothPlan& plan = planFor(map, fields, on);
        HealpixMap made = nside < map->nside() ? plan.preview(parameters, nside, job)
                                               : plan.execute(parameters, job);
        result.beamLine = QString::fromStdString(takeSmoothedBeam(made, parameters, job));
        return made;
    };
    result.map = onDevice(device, result.note, [&](const Device& on) {
        return MapPointer(sharedAndFreedAside(execute(on)));
    });
    result.report = plan_->report();
    return result;
}

std::optional<RegionPicture> SmoothPlanCache::around(const MapPointer& map,
                                                     const SmoothRequest& request, Vec3 center,
                                                     double radius, JobContext& job) {
    const std::lock_guard lock(guard_);
    SmoothPlan& plan = planFor(map, request.fields, Device::cpu());
    const auto seconds = plan.secondsAround(request.parameters, radius, job);
    if (!seconds || *seconds > kMostSeconds) return std::nullopt;
    JobContext smoothing = job.part(0.0, 0.7), drawing = job.part(0.7, 1.0);
    HealpixMap part = plan.executeAround(request.parameters, center, radius, smoothing);
    takeSmoothedBeam(part, request.parameters, smoothing);
    RegionPicture region;
    region.report = plan.report();
    if (part.elementCount() == 0) return std::nullopt;
    region.mesh = prepareLayer(imageOfMap(part, drawing, kAcross), 1, drawing).mesh;
    return region;
}

}  // namespace armilla
