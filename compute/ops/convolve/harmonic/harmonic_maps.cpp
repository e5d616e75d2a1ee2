// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/harmonic/harmonic_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/map_samples.h"
#include "armilla/core/nan.h"
#include "armilla/core/unset_vector.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// In single precision, unless it cannot hold the values.
Field previewField(const Field& like, std::vector<double> values) {
    double largest = 0.0;
    for (const double value : values)
        if (std::abs(value) > largest) largest = std::abs(value);
    using Single = std::numeric_limits<float>;
    if (largest <= Single::max() && (largest == 0.0 || largest >= Single::min()))
        return {like.name, like.unit, DiskType::Float32,
                std::vector<float>(values.begin(), values.end())};
    return {like.name, like.unit, DiskType::Float64, std::move(values)};
}

// Whether synthesized samples are those of the result, in its order and precision.
bool isOfOneForm(const SmoothInput& input, const Analysis& analysis) {
    const HealpixMap& map = input.map();
    const auto isSingle = [&](int field) { return map.field(field).isSingle(); };
    const std::vector<int>& fields = input.fields();
    return map.coverage() == Coverage::Full && map.ordering() == Ordering::Ring &&
           analysis.isWhole &&
           std::all_of(analysis.exponent.begin(), analysis.exponent.end(),
                       [](int exponent) { return exponent == 0; }) &&
           std::all_of(fields.begin(), fields.end(),
                       [&](int field) { return isSingle(field) == isSingle(fields.front()); });
}

// Fields of the result, whose samples have no values yet.
std::vector<Field> unsetFields(const SmoothInput& input, JobContext& job) {
    const int64_t pixels = input.map().pixelCount();
    std::vector<Field> fields;
    for (const int of : input.fields()) {
        const Field& like = input.map().field(of);
        if (like.isSingle())
            fields.push_back(
                {like.name, like.unit, DiskType::Float32, unsetVector<float>(pixels, job)});
        else
            fields.push_back(
                {like.name, like.unit, DiskType::Float64, unsetVector<double>(pixels, job)});
    }
    return fields;
}

}  // namespace

SmoothedMap smoothHarmonic(const SmoothInput& input, const ResolvedSmoothing& request,
                           KeptAnalyses& kept, JobContext& job) {
    const SmoothParameters& p = request.parameters;
    const HealpixMap& map = input.map();
    const int lmax = request.lmax, reach = request.reach, band = input.onCuda() ? lmax : reach;
    JobContext analyzing = job.part(0.0, 0.6), planning = job.part(0.6, 0.62);
    JobContext synthesizing = job.part(0.62, 0.95), writing = job.part(0.95, 1.0);
    const Analysis& analysis = kept.whole(
        {map.nside(), band, p.iterations, p.weights, p.polarization}, lmax, p.masked, analyzing);
    if (!analysis.mask.empty() && p.masked == Masked::Normalize && request.compensated())
        refuseZeroIntegral();
    const ShtPlan& synthesis = kept.synthesis(map.nside(), reach, planning);
    std::vector<Field> fields;
    if (isOfOneForm(input, analysis)) {
        fields = unsetFields(input, synthesizing);
        std::vector<MapSamples> samples;
        for (Field& field : fields)
            std::visit([&](auto& values) { samples.emplace_back(std::span(values)); },
                       field.values);
        smooth(analysis, request.beam, reach, synthesis, samples, kept.arrays(), synthesizing);
    } else {
        std::vector<std::vector<double>> values = smoothed(analysis, request.beam, reach, p.masked,
                                                           synthesis, kept.arrays(), synthesizing);
        for (size_t i = 0; i < values.size(); ++i)
            fields.push_back(input.result(input.fields()[i], std::move(values[i]), writing));
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    SmoothReport report = request.report();
    report.estimatedError = harmonicError(analysis, request.beam, band, lmax, silent);
    HealpixMap result = mapLike(map, std::move(fields));
    writing.report(1.0, "smoothing");
    return {std::move(result), report};
}

SmoothedMap smoothPreview(const SmoothInput& input, const SmoothParameters& parameters,
                          int64_t nside, KeptAnalyses& kept, JobContext& job) {
    const HealpixMap& map = input.map();
    if (nside < 1 || nside > map.nside())
        throw InvalidArgument("expected nside from 1 to " + std::to_string(map.nside()) +
                              " for a preview, found " + std::to_string(nside));
    // On the preview's grid if its pixels are unions of the map's pixels, else on the map's own
    // grid.
    const bool divides = map.nside() % nside == 0;
    const int64_t grid = divides ? nside : map.nside();
    const int limit = parameters.lmax < 0 ? input.wholeBand() : parameters.lmax;
    const int lmax = std::min(limit, static_cast<int>(2 * nside));
    const Applied applied = appliedKernel(parameters, parameters.truncate);
    const Beam beam = beamOf(applied, lmax, job);
    // Ring weights instead of pixel weights, which take long to compute.
    const Weights weights =
        parameters.weights == Weights::Pixel ? Weights::Ring : parameters.weights;
    const AnalysisKey key{grid, lmax, 0, weights, parameters.polarization};
    JobContext first = job.part(0.0, 0.7), planning = job.part(0.7, 0.72);
    JobContext second = job.part(0.72, 1.0);
    const CoarseAnalysis* coarse = divides ? &kept.coarse(key, parameters.masked, first) : nullptr;
    const Analysis& analysis =
        coarse ? coarse->analysis : kept.whole(key, lmax, parameters.masked, first);
    const int reach = std::min(lmax, reachOf(beam));
    if (!analysis.mask.empty() && parameters.masked == Masked::Normalize &&
        applied.kernel.compensated())
        refuseZeroIntegral();
    std::vector<std::vector<double>> values =
        smoothed(analysis, beam, reach, parameters.masked, kept.synthesis(nside, reach, planning),
                 kept.arrays(), second);
    std::vector<Field> fields;
    for (size_t i = 0; i < values.size(); ++i) {
        if (coarse)
            for (size_t p = 0; p < values[i].size(); ++p)
                if (coarse->good[i][p] <= 0.5F) values[i][p] = kNan;
        fields.push_back(previewField(map.field(input.fields()[i]), std::move(values[i])));
    }
    HealpixMap result(nside, Ordering::Ring, map.frame(), std::move(fields));
    result.metadata() = map.metadata();
    return {std::move(result), {SmoothMethod::Harmonic, lmax, applied.radius, applied.norm, 0.0}};
}

}  // namespace armilla
