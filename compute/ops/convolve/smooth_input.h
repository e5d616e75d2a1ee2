// SPDX-License-Identifier: GPL-3.0-or-later
// The input of a smoothing plan, and a result.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "convolve/harmonic/whole_field.h"

namespace armilla {

// A map, the fields to smooth, and the device. Throws InvalidArgument for a field that does not
// exist.
class SmoothInput {
public:
    SmoothInput(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
                const Device& device);
    // A map that one smoothing may use up.
    SmoothInput(HealpixMap map, std::vector<int> fields, const Device& device);

    const HealpixMap& map() const { return *map_; }
    const std::vector<int>& fields() const { return fields_; }
    const Device& device() const { return device_; }
    bool onCuda() const { return device_.kind == DeviceKind::Cuda; }
    int wholeBand() const { return static_cast<int>(3 * map_->nside() - 1); }
    // Throws InvalidArgument unless `field` is an index of fields().
    void requireField(size_t field) const;
    // Brings a multi-order map to one order at the first call.
    void flatten(JobContext& job);
    // The values of a field in RING order; they leave a map that may be used up, if all are good.
    std::vector<double> takeValues(int field, JobContext& job);
    // The same for a field without bad pixels; none for others (whole_field.h).
    std::optional<WholeField> takeWhole(int field, AboutMean aboutMean, SpareArrays& arrays,
                                        JobContext& job);
    // The map, if this smoothing may use up the values of all fields(); else null.
    HealpixMap* takeMap();
    // The field of the result with these RING values.
    Field result(int field, std::vector<double> values, JobContext& job) const;
    // Throws InvalidArgument if an earlier smoothing has used the map up.
    void requireMap() const;

private:
    // The map if a smoothing may use the field up, else null.
    HealpixMap* ownOf(int field);

    std::shared_ptr<const HealpixMap> map_;
    std::shared_ptr<HealpixMap> usable_;  // `map_`, if one smoothing may use it up
    bool isUsedUp_ = false;
    std::vector<int> fields_;
    Device device_;
};

struct SmoothedMap {
    HealpixMap map;
    SmoothReport report;
};

}  // namespace armilla
