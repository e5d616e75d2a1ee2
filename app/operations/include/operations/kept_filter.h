// SPDX-License-Identifier: GPL-3.0-or-later
// `filter` for those who run it again and again on one map: its plan is kept from run to run.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "operations/operation.h"
#include "ops/filter.h"

namespace armilla {

// Runs of `filter` that are given it (Context::keptFilter) take its plan, and leave theirs. Not
// thread-safe.
class KeptFilter {
public:
    // Made anew for another map, field or device. That of the CPU stays while a device is tried: it
    // may fail, and the CPU goes on.
    FilterPlan& planFor(const std::shared_ptr<const HealpixMap>& map, int field,
                        const Device& device);
    // The one that is there; null where it is of another map or field.
    FilterPlan* planOf(const HealpixMap* map, int field);
    bool isOf(const Device& device) const { return last_ && last_->device == device.label(); }
    // The result of the last run, whose memory the next one takes.
    FilteredSky sky;
    // What it is of; null: nothing yet.
    const HealpixMap* map() const { return last_ ? last_->map.get() : nullptr; }
    // On the host, from run to run.
    int64_t memoryBytes() const;
    void release();

private:
    struct Kept {
        std::shared_ptr<const HealpixMap> map;
        int field;
        std::string device;  // its label
        FilterPlan plan;
    };
    std::optional<Kept> last_, ofCpu_;
};

// What `filter` makes of its parameters and inputs.
struct FilterWish {
    std::shared_ptr<const HealpixMap> map;
    int field = 0;
    FilterParameters parameters;
};
// None where the map is made first: of several maps, of cells of several orders; or where the
// result is in another unit. Throws as the operation.
std::optional<FilterWish> filterWish(const ParameterSet& parameters, Inputs& inputs,
                                     const Device& device, JobContext& job);

}  // namespace armilla
