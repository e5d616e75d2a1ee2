// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/map_values.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include "armilla/core/free_name.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/physical_unit.h"
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

void widen(Field& field, JobContext& job) {
    const auto* single = std::get_if<std::vector<float>>(&field.values);
    if (single == nullptr) return;
    auto wide = newVector<double>(static_cast<int64_t>(single->size()), job);
    parallelFor(job, static_cast<long long>(wide.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    std::copy(single->begin() + begin, single->begin() + end, wide.begin() + begin);
                });
    field.values = std::move(wide);
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

std::string freeFieldName(const std::vector<Field>& fields, const std::string& wanted) {
    return freeName(wanted, [&](const std::string& name) {
        return std::any_of(fields.begin(), fields.end(),
                           [&](const Field& field) { return field.name == name; });
    });
}

void bringToOneUnit(std::span<Field* const> fields,
                    const std::function<void(const std::string&)>& note) {
    const Field& first = *fields.front();
    for (Field* const each : fields.subspan(1)) {
        Field& field = *each;
        if (field.unit == first.unit) continue;
        const auto ratio = unitRatio(field.unit, first.unit);
        if (!ratio)
            throw InvalidArgument("expected " + first.name + " and " + field.name +
                                  " in units of one kind, found '" + first.unit + "' and '" +
                                  field.unit + "'");
        if (*ratio != 1.0) {
            if (note)
                note(field.name + ": converted from " + field.unit + " to " + first.unit +
                     ", the unit of " + first.name);
            std::visit(
                [factor = *ratio](auto& values) {
                    for (auto& value : values)
                        value = static_cast<std::decay_t<decltype(value)>>(factor * value);
                },
                field.values);
        }
        field.unit = first.unit;
    }
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
    if (map.ordering() == Ordering::Nested) map = reordered(std::move(map), Ordering::Ring, job);
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
