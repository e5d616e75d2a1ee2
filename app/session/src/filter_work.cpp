// SPDX-License-Identifier: GPL-3.0-or-later
#include "filter_work.h"

#include <thread>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/ops/resample.h"
#include "operation_values.h"

namespace armilla {

namespace {

FilterArguments requestOf(const FilterRequest& request, const Device& device, JobContext& job) {
    Inputs inputs = inputsOf(request.operation, request.values, request.names);
    try {
        auto arguments = filterArguments(request.operation.parameters, inputs, device, job);
        if (!arguments)
            throw Unsupported(
                "expected one map of pixels of one size, in its own unit, for a live filter, found "
                "another: Run makes it");
        return *std::move(arguments);
    } catch (const UsageError& error) {
        throw InvalidArgument(withLabels(error.what(), request.operation).toStdString());
    }
}

}  // namespace

FilterPlanCache::Result FilterPlanCache::made(const FilterRequest& request, const Device& device,
                                              JobContext& job) {
    try {
        OperationResult run =
            runRequest(request.operation, request.values, request.names, device, job, &kept_);
        Result result;
        result.map = run.layers.front().value.map;
        result.isWhole = true;
        result.note = run.deviceFailure;
        return result;
    } catch (const UsageError& error) {
        throw InvalidArgument(withLabels(error.what(), request.operation).toStdString());
    }
}

// The statistics are those of the averaged map, so the noise and the brightness are approximate.
// None if only the pixels of the map itself serve the request, as with a high lmax.
std::optional<FilterPlanCache::Result> FilterPlanCache::estimated(const FilterRequest& request,
                                                                  int64_t nside,
                                                                  const Device& device,
                                                                  JobContext& job) {
    JobContext averaging = job.part(0.0, 0.2), filtering = job.part(0.2, 1.0);
    FilterRequest coarse = request;
    try {
        for (LayerValue& value : coarse.values)
            if (value.map && value.map->nside() > nside)
                value = LayerValue(
                    std::make_shared<const HealpixMap>(udgraded(*value.map, nside, averaging)));
        const OperationResult run =
            runRequest(coarse.operation, coarse.values, coarse.names, device, filtering);
        Result result;
        result.map = run.layers.front().value.map;
        result.isEstimate = true;
        result.note = run.deviceFailure;
        return result;
    } catch (const Error&) {
        return std::nullopt;
    }
}

FilterPlanCache::Result FilterPlanCache::make(const FilterRequest& request, const Device& device,
                                              JobContext& job) {
    const std::lock_guard lock(guard_);
    return made(request, device, job);
}

FilterPlan* FilterPlanCache::planThatKnows(const FilterArguments& arguments, const Device& device) {
    FilterPlan* plan =
        kept_.isOf(device) ? kept_.planOf(arguments.map.get(), arguments.field) : nullptr;
    return plan != nullptr && plan->knows(arguments.parameters) ? plan : nullptr;
}

FilterPlanCache::Result FilterPlanCache::preview(const FilterRequest& request, int64_t nside,
                                                 int64_t estimateNside, const Device& device,
                                                 JobContext& job) {
    const std::lock_guard lock(guard_);
    const FilterArguments arguments = requestOf(request, device, job);
    FilterPlan* plan = planThatKnows(arguments, device);
    // The plan may have been made on the CPU after a device failure.
    if (plan == nullptr) plan = planThatKnows(arguments, Device::cpu());
    if (plan == nullptr && arguments.map->nside() > estimateNside)
        if (auto estimate = estimated(request, estimateNside, device, job))
            return *std::move(estimate);
    if (plan == nullptr) return made(request, device, job);
    Result result;
    result.map = sharedAndFreedAside(plan->preview(arguments.parameters, nside, job));
    return result;
}

LiveFrame FilterPlanCache::picture(const FilterRequest& request, const Device& device,
                                   JobContext& job) {
    LiveFrame frame;
    frame.marks.begun = std::chrono::steady_clock::now();
    while (true) {
        {
            const std::lock_guard lock(guard_);
            const FilterArguments arguments = requestOf(request, device, job);
            FilterPlan* plan = planThatKnows(arguments, device);
            if (plan == nullptr) {
                const Result tried = made(request, device, job);
                plan = planThatKnows(arguments, device);
                if (plan == nullptr)
                    throw DeviceError(tried.note.isEmpty() ? "expected a filter on " +
                                                                 device.label() + ", found none"
                                                           : tried.note.toStdString());
            }
            frame.marks.prepared = std::chrono::steady_clock::now();
            if (!pictures_ || pictures_->nside() != plan->pictureNside()) {
                pictures_.reset();
                pictures_.emplace(device.index, plan->pictureNside());
            }
            frame.picture = pictures_->next();
            if (frame.picture) {
                plan->draw(arguments.parameters, *frame.picture, job);
                frame.marks.enqueued = std::chrono::steady_clock::now();
                frame.picture->wait();
                frame.marks.made = std::chrono::steady_clock::now();
                return frame;
            }
        }
        // All pictures are in use, as in a hidden window; other threads may use the plan meanwhile.
        job.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void FilterPlanCache::releaseUnless(const std::set<const void*>& openMaps) {
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (!lock || kept_.map() == nullptr || openMaps.contains(kept_.map())) return;
    kept_.release();
    pictures_.reset();
    memoryBytes_ = 0;
}

int64_t FilterPlanCache::memoryBytes() {
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (lock) memoryBytes_ = kept_.memoryBytes();
    return memoryBytes_;
}

}  // namespace armilla
