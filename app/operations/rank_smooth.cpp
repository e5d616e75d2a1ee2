// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla smooth` over ranks: the harmonic method on full maps.
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/operations/map_values.h"
#include "armilla/operations/smooth.h"
#include "armilla/ops/distributed_smooth.h"
#include "rank_files.h"
#include "rank_operations.h"
#include "smooth_beam.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

// Parameters of the smoothing, with the beam or kernel read from its file.
SmoothParameters parametersOf(RankCall& call, const SmoothOptions& options, JobContext& job) {
    Inputs beside;
    for (const auto& [slot, path] : call.inputs) {
        if (!slot->isOption) continue;
        ReadRequest request = call.reading;
        request.isBeside = true;
        beside.all.push_back(readInput(*slot, call.parameters, path, request, job));
    }
    return smoothParameters(options, beside);
}

const std::string& mapPath(const RankCall& call) {
    for (const auto& [slot, path] : call.inputs)
        if (slot->kind == DataKind::Map) return path;
    throw InvalidArgument("expected a map to smooth, found none");
}

Columns columnsOf(const RankCall& call) {
    return call.operation.inputs.front().columns(call.parameters);
}

}  // namespace

std::string reasonOfSmooth(RankCall& call) {
    SmoothOptions options = call.parameters.as<SmoothOptions>();
    const auto given = [&](DataKind kind) {
        return std::count_if(call.inputs.begin(), call.inputs.end(),
                             [&](const auto& input) { return input.first->kind == kind; });
    };
    if (given(DataKind::Map) > 1 || given(DataKind::Beam) > 1 || options.fwhms.size() > 1)
        return "several maps and beams are not shared";
    if (options.fwhmMinor) return "elliptical beams are not shared";
    if (std::string reason = reasonOfMaps(call, columnsOf(call)); !reason.empty()) return reason;
    JobContext& job = call.context.job;
    const MapInput input(call, mapPath(call), columnsOf(call), job);
    if (input.outline().coverage != Coverage::Full)
        return "smoothing of a part of the sky is not shared";
    const int64_t nside = input.outline().nside;
    if (!options.lmax) options.lmax = defaultLmax(nside);
    try {
        const SmoothMethod method =
            smoothMethod(parametersOf(call, options, job), nside, call.threadsAlone, job);
        return method == SmoothMethod::Harmonic ? "" : "sums over pixels are not shared";
    } catch (const Error&) {
        // the rank that does the work reports the reason
        return "smoothing of this kind is not shared";
    }
}

std::string smoothOverRanks(RankCall& call) {
    auto& options = call.parameters.as<SmoothOptions>();
    JobContext reading = call.context.job.part(0.0, 0.1), working = call.context.job.part(0.1, 0.9);
    JobContext writing = call.context.job.part(0.9, 1.0);
    MapInput input(call, mapPath(call), columnsOf(call), reading);
    const MapOutline& from = input.outline();
    if (!options.lmax) options.lmax = defaultLmax(from.nside);
    checkResolved(call);
    SmoothParameters parameters = parametersOf(call, options, reading);
    parameters.method = SmoothMethod::Harmonic;
    const auto count = static_cast<size_t>(from.like.fieldCount());
    return naming(input.name(), [&] {
        DistributedSmooth smooth(parameters, from.nside, count, call.ranks, reading,
                                 call.context.device);
        const RunsOfRanks runs = smooth.runsOfRanks();
        std::vector<Field> fields = input.read(runs, call.ranks, reading);
        std::vector<std::vector<double>> values;
        for (Field& field : fields) {
            if (call.context.precision == StoredPrecision::Double) widen(field, reading);
            std::vector<double> all;
            std::visit([&](const auto& some) { all.assign(some.begin(), some.end()); },
                       field.values);
            values.push_back(std::move(all));
        }
        values = smooth.execute(std::move(values), working);
        const std::vector<std::string> units = unitsOf(fields);
        const BeamChange beam = beamAfterSmoothing(from.like.metadata().cards, units,
                                                   kernelEllipse(options), parameters, reading);
        noteBeam(call.context, input.name(), units, beam);
        // Pixels that are bad in the input are bad in the result.
        for (size_t i = 0; i < count; ++i) {
            fields[i].diskType = fields[i].isSingle() ? DiskType::Float32 : DiskType::Float64;
            std::visit(
                [&]<typename T>(std::vector<T>& some) {
                    for (size_t s = 0; s < some.size(); ++s)
                        some[s] = std::isnan(some[s])
                                      ? std::numeric_limits<T>::quiet_NaN()
                                      : static_cast<T>(beam.factors[i] * values[i][s]);
                },
                fields[i].values);
            values[i] = {};
        }
        const Ordering ordering = from.like.ordering();
        MapOutline outline = outlineOf(from.nside, ordering,
                                       framedAsPixels(from.like.frame(), call.reading), fields);
        outline.like.metadata() = from.like.metadata();
        setBeamCards(outline.like.metadata().cards, beam.to);
        const SmoothReport& report = smooth.report();
        std::string summary =
            saySmoothing(call.context, parameters, options, report, outline.like, from.nside);
        if (ordering == Ordering::Ring) {
            const auto& own = runs[static_cast<size_t>(call.ranks.rank())];
            writeMapOfRanks(outline, fields, elementsOf(own), call, writing);
        } else {
            const ElementRun part =
                equalRun(pixelCount(from.nside), call.ranks.rank(), call.ranks.size());
            writeMapOfRanks(outline, toNested(fields, from.nside, runs, call.ranks, writing),
                            {&part, 1}, call, writing);
        }
        setRankFigures(call, smooth.steps());
        return summary;
    });
}

}  // namespace armilla
