// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of live smoothing and live filtering that pass through host memory.
#pragma once

#include <memory>

#include "filter_work.h"
#include "live_plans.h"

namespace armilla {

struct SmoothPicture {
    SmoothPlanCache::Result result;
    std::shared_ptr<DrawableField> drawable;
    int field = 0;
    Quantity quantity = Quantity::Field;
    bool isWhole = false;     // equal to the requested result
    bool isEstimate = false;  // see FilterPlanCache::Result
};

// Runs in a job: the request at `nside`, smoothed by `plan`.
std::shared_ptr<SmoothPicture> smoothPicture(const MapPointer& map, SmoothPlanCache& plan,
                                             const SmoothRequest& request, int64_t nside,
                                             int64_t maxDrawNside, const Device& device,
                                             JobContext& job);
// The same for a filter; `estimateNside`: see FilterPlanCache::preview; `nside` 0: the result of
// the operation.
std::shared_ptr<SmoothPicture> filterPicture(const FilterRequest& request, FilterPlanCache& plan,
                                             int64_t nside, int64_t estimateNside,
                                             int64_t maxDrawNside, const Device& device,
                                             JobContext& job);

}  // namespace armilla
