// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/device_fields.h"

#include <algorithm>
#include <atomic>
#include <cmath>
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

LiveField liveField(const HealpixMap& map, int field, JobContext& job) {
    LiveField live;
    live.single = map.field(field).isSingle();
    const std::vector<double> ring = ringValues(map, field, job);
    const auto words = static_cast<long long>((ring.size() + 31) / 32);
    std::vector<uint32_t> bad = newVector<uint32_t>(words, job);
    std::atomic<bool> any{false};
    parallelFor(job, words, kPixelGrain / 32, [&](long long begin, long long end) {
        bool found = false;
        for (auto w = static_cast<size_t>(begin); w < static_cast<size_t>(end); ++w) {
            const size_t last = std::min(ring.size(), 32 * (w + 1));
            for (size_t p = 32 * w; p < last; ++p)
                if (std::isnan(ring[p])) bad[w] |= uint32_t{1} << (p % 32);
            found = found || bad[w] != 0;
        }
        if (found) any = true;
    });
    if (any) live.bad = std::move(bad);
    return live;
}

}  // namespace armilla
