// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/device_fields.h"

#include <span>
#include <variant>
#include <vector>

#include "convolve/sky_values.h"
#include "core/new_vector.h"

namespace armilla {

void addField(DirectCuda& to, const HealpixMap& map, int field, const LiveField* pictured,
              JobContext& job) {
    if (map.coverage() == Coverage::Full && map.ordering() == Ordering::Ring)
        std::visit([&](const auto& values) { to.add(std::span(values), pictured, job); },
                   map.field(field).values);
    else if (const std::vector<double> values = ringValues(map, field, job);
             map.field(field).isSingle())
        to.add(std::span<const float>(std::vector<float>(values.begin(), values.end())), pictured,
               job);
    else
        to.add(std::span<const double>(values), pictured, job);
}

Field smoothOnDevice(DirectCuda& on, DirectCuda::Request request, const HealpixMap& map, int field,
                     JobContext& job) {
    std::vector<double> ring = newVector<double>(map.pixelCount(), job);
    on.execute(request, std::span<double>(ring), job);
    return fieldFromRing(map, map.field(field), ring, job);
}

}  // namespace armilla
