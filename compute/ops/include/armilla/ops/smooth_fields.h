// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of the fields of many maps, each once, on one or several devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "armilla/ops/convolve.h"

namespace armilla {

// Fields of a map to smooth as one SmoothPlan does.
struct FieldsToSmooth {
    std::shared_ptr<const HealpixMap> map;
    std::vector<int> fields;
    SmoothParameters parameters;
    std::string name = {};  // names the map in errors
};
struct SmoothedFields {
    HealpixMap map;
    SmoothReport report;
};

// The result of each. Devices smooth different maps at the same time, and maps of one form share
// their transforms. If there are more devices than maps, all devices share each transform. The
// results are those of one device, to the bit. Throws as SmoothPlan.
std::vector<SmoothedFields> smoothFields(const std::vector<FieldsToSmooth>& maps,
                                         const Device& device, JobContext& job);
// The smoothed fields of one map, with the largest estimated error of the fields. Several devices
// share the fields, unless polarization smooths them together. Results take the memory of the map
// where SmoothPlan does so.
SmoothedFields smoothFields(HealpixMap map, const std::vector<int>& fields,
                            const SmoothParameters& parameters, const Device& device,
                            JobContext& job);

}  // namespace armilla
