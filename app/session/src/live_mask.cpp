// SPDX-License-Identifier: GPL-3.0-or-later
// Live form of operations that make masks: the pixels in a close view or wide pixels first, then
// the result of Run.
#include <QCoreApplication>
#include <QJsonDocument>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/seen_frame.h"
#include "armilla/operations/live_form.h"
#include "armilla/ops/mask.h"
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
        if (!given.layer.isValid()) continue;
        LayerValue& value = values.at(next++);
        if (!value.map || value.map->coverage() == Coverage::MultiOrder ||
            value.map->nside() <= kWideNside)
            continue;
        // The operation takes the chosen field of MAP and the first one of other inputs; a credible
        // level finds its own among all.
        const bool isMap = given.slot == QLatin1String("MAP");
        const int field = !isMap || given.fields.empty() ? 0 : given.fields.front();
        const ParameterValue level = request.parameters.value("credible");
        const auto* credible = std::get_if<std::string>(&level);
        if (isMap && credible && !credible->empty() && value.map->fieldCount() > 1) continue;
        value = sampledAtCenters(*value.map, field, kWideNside, job);
        given.fields = {0};
        isWide = true;
    }
    return isWide;
}

std::optional<double> angleIn(const ParameterSet& parameters, std::string_view name) {
    const ParameterValue value = parameters.value(name);
    const auto* angle = std::get_if<double>(&value);
    return angle ? std::optional(*angle) : std::nullopt;
}

MaskEdges edgesOf(const ParameterSet& parameters) {
    MaskEdges edges{angleIn(parameters, "shrink"), angleIn(parameters, "grow"),
                    angleIn(parameters, "apodize")};
    const ParameterValue kind = parameters.value("apodization");
    const auto* word = std::get_if<std::string>(&kind);
    if (word && *word == "c1") edges.apodization = Apodization::C1;
    if (word && *word == "gaussian") edges.apodization = Apodization::Gaussian;
    return edges;
}

OperationRequest withoutEdges(OperationRequest request) {
    const std::vector<Parameter> rows = request.parameters.rows();
    for (const std::string_view name : liveFormOf(*request.operation).lastStep)
        findParameter(rows, name)->put({});
    request.parameters.set("apodization", "c2");
    return request;
}

QByteArray recordTextOf(const OperationRequest& request) {
    return QByteArray::fromStdString(toJson(recordOf(withoutEdges(request))).text());
}

bool isSame(const std::vector<LayerValue>& a, const std::vector<LayerValue>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const LayerValue& one, const LayerValue& other) {
                          return one.map == other.map && one.catalog == other.catalog &&
                                 one.image == other.image && one.curve == other.curve;
                      });
}

// The finest nside of a close view whose pixels, and those that can change them, are computed
// within the time of a frame.
int64_t nsideInView(int64_t nside, double radius, const MaskEdges& edges) {
    // Near the second limit, 0.15 s of CPU time for 60 degrees around a view (nside 2048, AVX-512).
    constexpr double kSeen = 8e5, kSampled = 2e7;
    const double soft = edges.apodization == Apodization::Gaussian ? 3.0 : 1.0;
    const double reach =
        std::min(kPi, radius + edges.shrink.value_or(0.0) + edges.grow.value_or(0.0) +
                          soft * edges.apodize.value_or(0.0));
    const auto pixelsWithin = [&](double angle) {
        return static_cast<double>(pixelCount(nside)) * 0.5 * (1.0 - std::cos(angle));
    };
    while (nside > kWideNside && nside % 2 == 0 &&
           (pixelsWithin(radius) > kSeen || pixelsWithin(reach) > kSampled))
        nside /= 2;
    return nside;
}

std::optional<LivePass> passInView(const HealpixMap& mask, const MaskEdges& edges,
                                   const LookedAt& seen, JobContext& job) {
    const int64_t nside = nsideInView(mask.nside(), seen.radius, edges);
    if (nside <= kWideNside) return std::nullopt;
    const MaskDisc disc{seenRotation(mask.frame(), seen.frame) * seen.center, seen.radius, nside};
    const DiskType type = mask.field(0).isSingle() ? DiskType::Float32 : DiskType::Float64;
    const auto made =
        std::make_shared<const HealpixMap>(maskWithEdgesIn(disc, mask, edges, job, type));
    LivePass pass;
    pass.value.map = made;
    pass.isOfView = true;
    pass.growth = static_cast<double>(mask.pixelCount()) /
                  static_cast<double>(std::max<int64_t>(1, made->elementCount()));
    pass.words = nside == mask.nside()
                     ? QCoreApplication::translate("LiveTool", "all pixels in view")
                     : QCoreApplication::translate("LiveTool", "wide pixels in view");
    return pass;
}

}  // namespace

bool hasMaskEdges(const OperationRequest& request) {
    const std::vector<std::string_view>& angles = liveFormOf(*request.operation).lastStep;
    if (angles.empty()) return false;
    // A file of regions may change between two passes.
    const ParameterValue regions = request.parameters.value("regions");
    const auto* file = std::get_if<std::string>(&regions);
    return (!file || file->empty()) &&
           std::any_of(angles.begin(), angles.end(), [&](std::string_view name) {
               return angleIn(request.parameters, name).has_value();
           });
}

MapPointer KeptMask::get(const OperationRequest& request, const std::vector<LayerValue>& values,
                         const QStringList& names, const Device& device, JobContext& job) {
    std::unique_lock computing(computing_, std::defer_lock);
    while (!computing.try_lock_for(std::chrono::milliseconds(10))) job.poll();
    if (MapPointer kept = find(request, values)) return kept;
    OperationResult made = runRequest(withoutEdges(request), values, names, device, job);
    const std::lock_guard lock(guard_);
    record_ = recordTextOf(request);
    values_ = values;
    mask_ = made.layers.front().value.map;
    return mask_;
}

MapPointer KeptMask::find(const OperationRequest& request,
                          const std::vector<LayerValue>& values) const {
    const QByteArray record = recordTextOf(request);
    const std::lock_guard lock(guard_);
    return record == record_ && isSame(values, values_) ? mask_ : nullptr;
}

std::optional<LivePass> pixelsPass(OperationRequest request, std::vector<LayerValue> values,
                                   const QStringList& names, int stage, const Device& device,
                                   JobContext& job, const LiveSurroundings& around) {
    if (stage > 1) return std::nullopt;
    const MaskEdges edges = edgesOf(request.parameters);
    const bool takesKept = around.mask && hasMaskEdges(request);
    if (stage == 0 && takesKept && around.seen)
        if (const MapPointer kept = around.mask->find(request, values))
            if (auto pass = passInView(*kept, edges, *around.seen, job)) return pass;
    LivePass pass;
    pass.isWhole = stage == 1 || !widen(request, values, job);
    // Pixels grow by (2048 / 256)^2 for the usual large map.
    pass.growth = 64.0;
    if (pass.isWhole && takesKept) {
        const MapPointer kept = around.mask->get(request, values, names, device, job);
        if (!kept) return std::nullopt;
        const DiskType type = kept->field(0).isSingle() ? DiskType::Float32 : DiskType::Float64;
        pass.value.map = std::make_shared<const HealpixMap>(maskWithEdges(*kept, edges, job, type));
    } else {
        OperationResult made = runRequest(request, values, names, device, job);
        pass.value = made.layers.front().value;
        if (!pass.value.map) return std::nullopt;
    }
    pass.words = pass.isWhole ? QCoreApplication::translate("LiveTool", "all pixels")
                              : QCoreApplication::translate("LiveTool", "wide pixels");
    return pass;
}

}  // namespace armilla
