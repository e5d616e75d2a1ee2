// SPDX-License-Identifier: GPL-3.0-or-later
// Live source filter: previews while the sliders move, and the full result when the sliders rest.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "armilla/operations/kept_filter.h"
#include "live_request.h"
#include "smooth_plan_cache.h"

namespace armilla {

// Keeps the plan between requests. Requests come from jobs, one at a time.
class FilterPlanCache {
public:
    struct Result {
        MapPointer map;
        bool isWhole = false;     // equal to the result of the operation
        bool isEstimate = false;  // from an averaged map, without the statistics of the sky
        QString note;             // the device failed, the CPU was used
    };
    // Equal to the result of the operation, to the bit.
    Result make(const FilterRequest& request, const Device& device, JobContext& job);
    // The result at a coarse `nside`, with the sky statistics of the last make(); without such
    // statistics an estimate from the map averaged to `estimateNside`, which costs several
    // transforms. Throws Unsupported for requests without a preview.
    Result preview(const FilterRequest& request, int64_t nside, int64_t estimateNside,
                   const Device& device, JobContext& job);
    // A finished picture in the memory of a CUDA device. Throws as FilterPlan::draw.
    LiveFrame picture(const FilterRequest& request, const Device& device, JobContext& job);

    // See SmoothPlanCache.
    void releaseUnless(const std::set<const void*>& openMaps);
    int64_t memoryBytes();

private:
    // Call with the lock held.
    Result made(const FilterRequest& request, const Device& device, JobContext& job);
    static std::optional<Result> estimated(const FilterRequest& request, int64_t nside,
                                           const Device& device, JobContext& job);
    FilterPlan* planThatKnows(const FilterArguments& arguments, const Device& device);

    std::mutex guard_;  // the plan is not thread-safe
    KeptFilter kept_;
    std::optional<DevicePictures> pictures_;
    int64_t memoryBytes_ = 0;
};

}  // namespace armilla
