// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/smooth_fields.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/device/side_by_side.h"
#include "convolve/harmonic/kept_transforms.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// The fields of all maps, which have the same pixels, with the metadata of the first.
HealpixMap joined(std::vector<SmoothedFields> parts) {
    std::vector<Field> fields;
    for (SmoothedFields& part : parts)
        for (int i = 0; i < part.map.fieldCount(); ++i)
            fields.push_back(std::move(part.map.field(i)));
    return mapLike(parts.front().map, std::move(fields));
}

}  // namespace

std::vector<SmoothedFields> smoothFields(const std::vector<FieldsToSmooth>& maps,
                                         const Device& device, JobContext& job) {
    int64_t pixels = 0;
    for (const FieldsToSmooth& one : maps) pixels = std::max(pixels, one.map->pixelCount());
    const std::vector<Device> lanes = lanesOf(device, maps.size(), pixels);
    std::vector<std::shared_ptr<KeptTransforms>> transforms(lanes.size());
    std::vector<std::optional<SmoothedFields>> made(maps.size());
    inLanes(job, lanes.size(), maps.size(), [&](size_t i, size_t lane, JobContext& own) {
        const FieldsToSmooth& one = maps[i];
        // One map alone needs no transforms after its own.
        if (!transforms[lane] && maps.size() > 1)
            transforms[lane] = std::make_shared<KeptTransforms>(lanes[lane], true);
        try {
            SmoothPlan plan(one.map, one.fields, lanes[lane], transforms[lane]);
            HealpixMap map = plan.execute(one.parameters, own);
            made[i] = {std::move(map), plan.report()};
        } catch (Error& error) {
            if (!one.name.empty()) error.addContext(one.name);
            throw;
        }
    });
    std::vector<SmoothedFields> results;
    for (std::optional<SmoothedFields>& one : made) results.push_back(std::move(*one));
    return results;
}

SmoothedFields smoothFields(HealpixMap map, const std::vector<int>& fields,
                            const SmoothParameters& parameters, const Device& device,
                            JobContext& job) {
    // One share for each device, because fields of one plan with equal masks transform them once.
    const size_t shares = parameters.polarization ? 1 : 1 + device.others.size();
    if (shares == 1 || fields.size() < shares) {
        SmoothPlan plan(std::move(map), fields, device);
        HealpixMap smoothed = plan.execute(parameters, job);
        return {std::move(smoothed), plan.report()};
    }
    const auto shared = std::make_shared<const HealpixMap>(std::move(map));
    std::vector<FieldsToSmooth> parts;
    for (size_t i = 0; i < shares; ++i) {
        const auto border = [&](size_t k) {
            return fields.begin() + static_cast<ptrdiff_t>(fields.size() * k / shares);
        };
        parts.push_back({shared, std::vector<int>(border(i), border(i + 1)), parameters});
    }
    std::vector<SmoothedFields> made = smoothFields(parts, device, job);
    SmoothReport report = made.front().report;
    for (const SmoothedFields& part : made)
        report.estimatedError = std::max(report.estimatedError, part.report.estimatedError);
    return {joined(std::move(made)), report};
}

}  // namespace armilla
