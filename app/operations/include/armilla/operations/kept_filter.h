// SPDX-License-Identifier: GPL-3.0-or-later
// Repeated runs of `filter` on one map, which keep the plan between runs.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "armilla/operations/operation.h"
#include "armilla/ops/filter.h"

namespace armilla {

// Plan that runs of `filter` share through Context::keptFilter. Not thread-safe.
class KeptFilter {
public:
    // Returns the plan, made anew for another map, field or device. The plan of the CPU is kept
    // while a device is in use, because the device may fail.
    FilterPlan& planFor(const std::shared_ptr<const HealpixMap>& map, int field,
                        const Device& device);
    // The present plan; nullptr if it is for another map or field.
    FilterPlan* planOf(const HealpixMap* map, int field);
    bool isOf(const Device& device) const { return last_ && last_->device == device.label(); }
    // Result of the last run, whose memory the next run reuses.
    FilteredSky sky;
    // Map of the plan; nullptr before the first run.
    const HealpixMap* map() const { return last_ ? last_->map.get() : nullptr; }
    // Bytes on the host that are kept between runs.
    int64_t memoryBytes() const;
    void release();

private:
    struct Kept {
        std::shared_ptr<const HealpixMap> map;
        int field;
        std::string device;  // label of the device
        FilterPlan plan;
    };
    std::optional<Kept> last_, ofCpu_;
};

// Request of `filter` from its parameters and inputs.
struct FilterArguments {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    FilterParameters parameters;
};
// None if a map must be made first (several maps, cells of several orders) or if the result has
// another unit. Throws as the operation.
std::optional<FilterArguments> filterArguments(const ParameterSet& parameters, Inputs& inputs,
                                               const Device& device, JobContext& job);

}  // namespace armilla
