// SPDX-License-Identifier: GPL-3.0-or-later
// The input of a smoothing plan, and a result.
#pragma once

#include <memory>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"

namespace armilla {

// A map, the fields to smooth, and the device. Throws InvalidArgument for a field that does not
// exist.
class SmoothInput {
public:
    SmoothInput(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
                const Device& device);

    const HealpixMap& map() const { return *map_; }
    const std::vector<int>& fields() const { return fields_; }
    const Device& device() const { return device_; }
    bool onCuda() const { return device_.kind == DeviceKind::Cuda; }
    int wholeBand() const { return static_cast<int>(3 * map_->nside() - 1); }
    // Throws InvalidArgument unless `field` is an index of fields().
    void requireField(size_t field) const;
    // Brings a multi-order map to one order at the first call.
    void flatten(JobContext& job);

private:
    std::shared_ptr<const HealpixMap> map_;
    std::vector<int> fields_;
    Device device_;
};

struct SmoothedMap {
    HealpixMap map;
    SmoothReport report;
};

}  // namespace armilla
