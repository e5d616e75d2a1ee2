// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"
#include "spin_fields.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

// The fields of an input in the form of an analysis: all pixels in RING order, of one unit and
// type, with 0 where they were bad.
struct FieldsToAnalyze {
    HealpixMap own{};  // without a view
    std::vector<ConstMapSamples> samples{};
    double level = 0.0;  // to subtract from the first field of a view
    int64_t nside = 0, bad = 0;
    Frame frame = Frame::Unknown;
    std::string unit{};
    TakenOut taken{};  // part of the first field, subtracted or in `level`
};

// Takes the fields of a map in RING order, with 0 at bad pixels and of one type.
void takeFields(FieldsToAnalyze& fields, HealpixMap map, JobContext& job) {
    bool mixed = false;
    for (int i = 0; i < map.fieldCount(); ++i) {
        fields.bad = std::max(fields.bad, fillBadPixels(map.field(i), job));
        mixed = mixed || map.field(i).isSingle() != map.field(0).isSingle();
    }
    for (int i = 0; mixed && i < map.fieldCount(); ++i) widen(map.field(i), job);
    fields.own = std::move(map);
    for (const Field& field : fields.own.fields()) fields.samples.push_back(samplesOf(field));
}

// `spin`: 0 for scalars and for T, Q and U.
FieldsToAnalyze ownFields(Context& context, Input& input, const TransformOptions& options, int spin,
                          JobContext& job) {
    const std::string name = input.name;
    if (spin > 0) input.fields = naming(name, [&] { return componentsOf(input, spin); });
    HealpixMap map = atOneOrder(input.takeMap(), name, "analyzed", context.note, job);
    FieldsToAnalyze fields{.nside = map.nside(), .frame = map.frame(), .unit = map.field(0).unit};
    noteBandLimit(context, options.lmax, map.nside());
    if (spin == 0 && !options.polarization) noteScalars(context, map, {0});
    naming(name, [&] {
        if (spin > 0)
            bringToOneUnit(std::array{&map.field(0), &map.field(1)}, context.note);
        else if (options.polarization)
            bringToOneUnit(std::array{&map.field(0), &map.field(1), &map.field(2)}, context.note);
        map = fullRing(std::move(map), job);
    });
    // Single precision loses nothing here: a difference has fewer digits than its terms.
    if (spin == 0)
        fields.taken =
            naming(name, [&] { return takeOut(options.remove, samplesOf(map.field(0)), job); });
    takeFields(fields, std::move(map), job);
    return fields;
}

FieldsToAnalyze fieldsInPlace(Context& context, const Input& input, const TransformOptions& options,
                              JobContext& job) {
    const HealpixMap& outline = input.view->outline;
    const int first = input.fields.front();
    FieldsToAnalyze fields{
        .nside = outline.nside(), .frame = outline.frame(), .unit = outline.field(first).unit};
    noteBandLimit(context, options.lmax, outline.nside());
    if (!options.polarization) noteScalars(context, outline, {first});
    for (const int index : input.fields)
        fields.samples.push_back(input.view->samples.at(static_cast<size_t>(index)));
    naming(input.name, [&] {
        fields.taken = meanToTakeOut(fields.samples.front(), job);
        fields.level = fields.taken.fitted.monopole;
    });
    return fields;
}

}  // namespace

AnalyzedMap analyze(Context& context, Input& input, const TransformOptions& options, int spin,
                    const JobContext& job) {
    JobContext preparing = job.part(0.0, 0.1), planning = job.part(0.1, 0.15),
               working = job.part(0.15, 1.0);
    const std::string name = input.name;
    ARMILLA_ASSERT(!input.view || options.remove == Remove::None);
    FieldsToAnalyze fields = input.view ? fieldsInPlace(context, input, options, preparing)
                                        : ownFields(context, input, options, spin, preparing);
    AnalyzedMap result;
    result.set.frame = fields.frame;
    result.set.unit = fields.unit;
    result.set.spin = spin;
    result.nside = fields.nside;
    result.taken = fields.taken;
    noteBadPixels(context, name, fields.bad, pixelCount(result.nside));
    result.goodShare =
        1.0 - static_cast<double>(fields.bad) / static_cast<double>(pixelCount(result.nside));
    noteMean(context, name, result.taken, result.set.unit);
    return naming(name, [&] {
        const ShtParameters parameters = parametersOf(options, result.nside);
        const ShtPlan plan(parameters, context.device, planning);
        if (!plan.remark().empty()) context.note(plan.remark());
        result.parameters = plan.parameters();
        const std::vector<ConstMapSamples>& samples = fields.samples;
        if (spin > 0)
            result.set.alm = plan.analysisSpin(spin, samples.at(0), samples.at(1), working);
        else if (options.polarization)
            result.set.alm = plan.analysisPolarized(samples.at(0), samples.at(1), samples.at(2),
                                                    working, fields.level);
        else
            result.set.alm.push_back(plan.analysis(samples.front(), working, fields.level));
        result.taken.putBack(result.set.alm.front());
        result.convergence = plan.convergence();
        noteWeights(context, result.parameters.weights, result.nside);
        context.note(strategyOf(result));
        return std::move(result);
    });
}

}  // namespace armilla
