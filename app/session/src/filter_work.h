// SPDX-License-Identifier: GPL-3.0-or-later
// A filter for sources whose sliders move: pictures of it, and what it makes once they rest.
#pragma once

#include <QStringList>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "map_work.h"
#include "operations/kept_filter.h"
#include "session/operation_run.h"

namespace armilla {

// A wish to run `filter`, with the layers as they were when asked.
struct FilterRequest {
    OperationRequest operation;
    std::vector<LayerValue> values;
    QStringList names;
};

// Keeps the plan from request to request. Requests come from jobs, one at a time.
class FilterWorkshop {
public:
    struct Result {
        MapPointer map;
        bool isWhole = false;  // what the operation makes
        QString note;          // the device failed, the CPU went on
    };
    // What the operation makes, to the bit.
    Result make(const FilterRequest& request, const Device& device, JobContext& job);
    // The same as coarse as `nside`, of what the last `make` knows of the sky; `make` where it
    // knows nothing. Throws Unsupported for requests that have no preview.
    Result preview(const FilterRequest& request, int64_t nside, const Device& device,
                   JobContext& job);
    // In the memory of a CUDA device, which is done with it. Throws as FilterPlan::draw.
    LiveFrame picture(const FilterRequest& request, const Device& device, JobContext& job);

    // As SmoothWorkshop.
    void releaseUnless(const std::set<const void*>& openMaps);
    int64_t memoryBytes();

private:
    // With the lock held.
    Result made(const FilterRequest& request, const Device& device, JobContext& job);
    FilterPlan* planThatKnows(const FilterWish& wish, const Device& device);

    std::mutex guard_;  // the plan is not thread-safe
    KeptFilter kept_;
    std::optional<DevicePictures> pictures_;
    int64_t memoryBytes_ = 0;
};

}  // namespace armilla
