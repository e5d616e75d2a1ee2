// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/device_fields.h"

#include <span>
#include <variant>
#include <vector>

#include "armilla/core/new_vector.h"
#include "armilla/ops/monopole.h"
#include "convolve/sky_values.h"

namespace armilla {

void addField(DirectCuda& to, const HealpixMap& map, int field, const LiveField* pictured,
              JobContext& job) {
    const auto add = [&](const ConstMapSamples& ring) {
        to.add(ring, pictured, job, meanOfWhole(ring, job).value_or(0.0));
    };
    if (map.coverage() == Coverage::Full && map.ordering() == Ordering::Ring)
        std::visit([&](const auto& values) { add(std::span(values)); }, map.field(field).values);
    else if (const std::vector<double> values = ringValues(map, field, job);
             map.field(field).isSingle())
        add(std::span<const float>(std::vector<float>(values.begin(), values.end())));
    else
        add(std::span<const double>(values));
}

Field smoothOnDevice(DirectCuda& on, DirectCuda::Request request, const HealpixMap& map, int field,
                     JobContext& job) {
    std::vector<double> ring = newVector<double>(map.pixelCount(), job);
    on.execute(request, std::span<double>(ring), job);
    return fieldFromRing(map, map.field(field), ring, job);
}

}  // namespace armilla
