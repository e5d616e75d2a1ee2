// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/map_values.h"

#include <atomic>
#include <cmath>
#include <span>

#include "armilla/core/nan.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/operations/data.h"
#include "armilla/ops/resample.h"

namespace armilla {

ConstMapSamples samplesOf(const Field& field) {
    return std::visit([](const auto& values) { return ConstMapSamples(std::span(values)); },
                      field.values);
}
MapSamples samplesOf(Field& field) {
    return std::visit([](auto& values) { return MapSamples(std::span(values)); }, field.values);
}

void widen(Field& field) {
    if (const auto* single = std::get_if<std::vector<float>>(&field.values))
        field.values = std::vector<double>(single->begin(), single->end());
}

double interpolatedValue(const HealpixMap& map, int field, Vec3 at) {
    if (std::isnan(map.value(field, map.pixelAt(at)))) return kNan;
    const Interpolation four = interpolation(map.nside(), map.ordering(), at);
    double sum = 0.0, weights = 0.0;
    for (size_t i = 0; i < four.pixels.size(); ++i) {
        const double value = map.value(field, four.pixels[i]);
        if (std::isnan(value)) continue;
        sum += four.weights[i] * value;
        weights += four.weights[i];
    }
    return weights > 0.0 ? sum / weights : kNan;
}

int64_t fillBadPixels(Field& field, JobContext& job) {
    std::atomic<int64_t> count{0};
    std::visit(
        [&](auto& values) {
            parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                        [&](long long begin, long long end) {
                            int64_t bad = 0;
                            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end);
                                 ++i) {
                                if (!std::isnan(values[i])) continue;
                                values[i] = 0;
                                ++bad;
                            }
                            count += bad;
                        });
        },
        field.values);
    return count;
}

HealpixMap atOneOrder(HealpixMap map, const std::string& name, std::string_view done,
                      const std::function<void(const std::string&)>& note, JobContext& job) {
    if (map.coverage() != Coverage::MultiOrder) return map;
    map = naming(name, [&] { return flattened(map, 0, job); });
    if (note)
        note(name + ": cells of several orders, " + std::string(done) + " at nside " +
             std::to_string(map.nside()));
    return map;
}

HealpixMap fullRing(HealpixMap map, JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder) map = flattened(map, 0, job);
    if (map.coverage() == Coverage::Partial) map = toFull(map, job);
    if (map.ordering() == Ordering::Nested) map = reordered(map, Ordering::Ring, job);
    return map;
}

std::string_view orderingName(Ordering ordering) {
    return ordering == Ordering::Ring ? "RING" : "NESTED";
}

std::string summaryOf(const HealpixMap& map) {
    return summaryOf(map, map.nside());
}

std::string summaryOf(const HealpixMap& map, int64_t nside) {
    return "nside " + std::to_string(nside) + ", " +
           (map.coverage() == Coverage::MultiOrder ? "several orders"
                                                   : std::string(orderingName(map.ordering()))) +
           ", " + std::string(frameName(map.frame())) +
           (map.coverage() == Coverage::Partial ? ", part of the sky" : "");
}

}  // namespace armilla
