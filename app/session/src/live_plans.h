// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of live smoothing and live filtering, kept between requests.
#pragma once

#include <memory>
#include <set>

#include "filter_work.h"
#include "smooth_plan_cache.h"

namespace armilla {

// Jobs share the plans. Coarse, fine and regional work have separate plans, so that none waits for
// another.
struct LivePlans {
    std::shared_ptr<SmoothPlanCache> coarse = std::make_shared<SmoothPlanCache>();
    std::shared_ptr<SmoothPlanCache> fine = std::make_shared<SmoothPlanCache>();
    std::shared_ptr<SmoothPlanCache> region = std::make_shared<SmoothPlanCache>();
    std::shared_ptr<FilterPlanCache> filter = std::make_shared<FilterPlanCache>();

    // Drops plans of maps that are no longer open.
    void releaseUnless(const std::set<const void*>& openMaps) const {
        for (const auto& plan : {coarse, fine, region}) plan->releaseUnless(openMaps);
        filter->releaseUnless(openMaps);
    }
    // Host memory.
    int64_t memoryBytes() const {
        int64_t bytes = filter->memoryBytes();
        for (const auto& plan : {coarse, fine, region}) bytes += plan->memoryBytes();
        return bytes;
    }
};

}  // namespace armilla
