// SPDX-License-Identifier: GPL-3.0-or-later
// Live form of the operation `mask`: wide pixels first, then the result of Run.
#include <QCoreApplication>
#include <algorithm>

#include "armilla/core/pixel_geometry.h"
#include "live_forms.h"
#include "map_work.h"
#include "operation_values.h"

namespace armilla {

namespace {

// Thresholds, cuts and distances of 786 432 pixels take about 60 ms of one core.
constexpr int64_t kWideNside = 256;

// The field of a map at the centers of wider pixels.
MapPointer sampledAtCenters(const HealpixMap& map, int field, int64_t nside, JobContext& job) {
    const Field& from = map.field(field);
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    parallelFor(
        job, static_cast<long long>(values.size()), 4096, [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p)
                values[static_cast<size_t>(p)] =
                    static_cast<float>(map.value(field, map.pixelAt(directionFromRing(nside, p))));
        });
    Field to;
    to.name = from.name;
    to.unit = from.unit;
    to.values = std::move(values);
    return std::make_shared<const HealpixMap>(nside, Ordering::Ring, map.frame(),
                                              std::vector<Field>{std::move(to)});
}

// Replaces finer maps and a finer target by wide pixels. Returns true if one was replaced.
bool widen(OperationRequest& request, std::vector<LayerValue>& values, JobContext& job) {
    bool isWide = false;
    const ParameterValue nside = request.parameters.value("nside");
    if (const auto* n = std::get_if<int64_t>(&nside); n && *n > kWideNside) {
        request.parameters.set("nside", std::to_string(kWideNside));
        isWide = true;
    }
    size_t next = 0;
    for (OperationRequest::Given& given : request.inputs) {
        if (given.layer < 0) continue;
        LayerValue& value = values.at(next++);
        if (!value.map || value.map->coverage() == Coverage::MultiOrder ||
            value.map->nside() <= kWideNside)
            continue;
        const int field = given.fields.empty() ? 0 : given.fields.front();
        // The first field of a mask has a meaning of its own (mask.cpp).
        if (field != 0 && request.parameters.value("above").index() == 0 &&
            request.parameters.value("below").index() == 0)
            continue;
        value = sampledAtCenters(*value.map, field, kWideNside, job);
        given.fields = {0};
        isWide = true;
    }
    return isWide;
}

}  // namespace

std::optional<LivePass> maskPass(OperationRequest request, std::vector<LayerValue> values,
                                 const QStringList& names, int stage, const Device& device,
                                 JobContext& job) {
    if (stage > 1) return std::nullopt;
    LivePass pass;
    pass.isWhole = stage == 1 || !widen(request, values, job);
    // Pixels grow by (2048 / 256)^2 for the usual large map.
    pass.growth = 64.0;
    OperationResult made = runRequest(request, values, names, device, job);
    pass.value = made.layers.front().value;
    if (!pass.value.map) return std::nullopt;
    pass.words = pass.isWhole ? QCoreApplication::translate("LiveTool", "all pixels")
                              : QCoreApplication::translate("LiveTool", "wide pixels");
    return pass;
}

}  // namespace armilla
