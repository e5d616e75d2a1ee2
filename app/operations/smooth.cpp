// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla smooth MAP OUT`: convolution with a radial kernel.
#include "armilla/operations/smooth.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "armilla/core/counted.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/units.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/smooth_fields.h"
#include "operation_list.h"
#include "smooth_beam.h"
#include "smooth_image.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

constexpr std::array<Choice<Normalize>, 4> kNormalize{{{"auto", Normalize::Auto},
                                                       {"integral", Normalize::Integral},
                                                       {"peak", Normalize::Peak},
                                                       {"none", Normalize::None}}};

std::string methodName(SmoothMethod method) {
    for (const auto& choice : kSmoothMethodChoices)
        if (choice.value == method) return std::string(choice.word);
    return "";
}

std::string normName(KernelNorm norm) {
    switch (norm) {
        case KernelNorm::Integral: return "integral";
        case KernelNorm::Peak: return "peak";
        case KernelNorm::None: return "none";
    }
    return "";
}

bool hasEdge(SmoothMethod method) {
    return method == SmoothMethod::Ring || method == SmoothMethod::Direct;
}

Problems check(const SmoothOptions& options, const GivenSlots& given) {
    Problems problems;
    const int kernels = (options.fwhm ? 1 : 0) + (options.fwhms.empty() ? 0 : 1) +
                        (given.contains("beam") ? 1 : 0) + (given.contains("kernel") ? 1 : 0);
    if (kernels != 1)
        problems.push_back({"",
                            "expected one of --fwhm ANGLE, --fwhms ANGLE,..., --beam FILE, "
                            "--kernel FILE, found " +
                                std::string(kernels == 0 ? "none" : "several")});
    if (options.fwhmMinor) {
        if (!options.fwhm)
            problems.push_back(
                {"fwhm-minor", "expected --fwhm as well, the width of the major axis, found none"});
        else if (*options.fwhmMinor > *options.fwhm)
            problems.push_back({"fwhm-minor", "expected at most the width of the major axis, " +
                                                  formatAngle(*options.fwhm) + ", found " +
                                                  formatAngle(*options.fwhmMinor)});
        const bool isLeft = options.polarization || options.iterations > 0 || options.truncate ||
                            options.method == SmoothMethod::Harmonic;
        if (isLeft)
            problems.push_back({"fwhm-minor",
                                "expected neither --polarization, --iterations, --truncate nor "
                                "--method harmonic, found one"});
        return problems;
    }
    if (options.truncate && !hasEdge(options.method))
        problems.push_back({"truncate", "expected --method ring or direct as well, found " +
                                            methodName(options.method)});
    return problems;
}

void resolve(SmoothOptions& options, const Inputs& inputs) {
    if (options.fwhmMinor) return;  // sums over pixels have no lmax
    // Each of several maps has its own lmax.
    if (isImage(inputs["MAP"]) || inputs.several("MAP").size() > 1) return;
    const HealpixMap& map = inputs["MAP"].map();
    if (!options.lmax)
        options.lmax = defaultLmax(map.coverage() == Coverage::MultiOrder
                                       ? std::min(map.nside(), kMaxFlattenNside)
                                       : map.nside());
}

}  // namespace

SmoothParameters smoothParameters(const SmoothOptions& options, const Inputs& inputs) {
    SmoothParameters parameters;
    parameters.fwhm = options.fwhm.value_or(options.fwhms.empty() ? 0.0 : options.fwhms.front());
    if (inputs.has("beam")) parameters.beam = inputs["beam"].beam();
    if (inputs.has("kernel")) parameters.kernel = inputs["kernel"].kernel();
    if (options.normalize == Normalize::Integral) parameters.norm = KernelNorm::Integral;
    if (options.normalize == Normalize::Peak) parameters.norm = KernelNorm::Peak;
    if (options.normalize == Normalize::None) parameters.norm = KernelNorm::None;
    parameters.truncate = options.truncate.value_or(0.0);
    parameters.method = options.method;
    parameters.lmax = static_cast<int>(options.lmax.value_or(-1));
    parameters.iterations = options.iterations;
    parameters.weights = options.weights;
    parameters.masked = options.masked;
    parameters.polarization = options.polarization;
    return parameters;
}

std::string sayMethod(Context& context, const SmoothParameters& parameters,
                      const SmoothOptions& options, const SmoothReport& report) {
    if (parameters.kernel.has_value() && options.normalize == Normalize::Auto &&
        report.norm == KernelNorm::None)
        context.note(
            "the integral of the kernel is negligible: the kernel is applied unnormalized");
    Json& figures = context.figures;
    figures.set("method", methodName(report.method));
    const bool harmonic = report.method == SmoothMethod::Harmonic;
    if (harmonic) figures.set("lmax", report.lmax);
    if (report.radius > 0.0) figures.set("radius_deg", report.radius / kDegree);
    figures.set("normalized_by", normName(report.norm));
    figures.set("iterations", parameters.iterations);
    figures.set("estimated_error", report.estimatedError);
    figures.set("polarization", parameters.polarization);
    std::array<char, 32> error{};
    std::snprintf(error.data(), error.size(), "%.1e", report.estimatedError);
    return "; method " + methodName(report.method) +
           (harmonic ? ", lmax " + std::to_string(report.lmax)
                     : ", radius " + formatAngle(report.radius)) +
           ", estimated error " + error.data() + " of the map's rms";
}

std::string saySmoothing(Context& context, const SmoothParameters& parameters,
                         const SmoothOptions& options, const SmoothReport& report,
                         const HealpixMap& like, int64_t nside) {
    if (report.method == SmoothMethod::Harmonic) {
        noteWeights(context, parameters.weights, nside);
        context.note(describeStrategy(parameters.weights, parameters.iterations));
    }
    context.figures.set("nside", nside);
    return summaryOf(like, nside) + sayMethod(context, parameters, options, report);
}

EllipticalBeam ellipseOf(const SmoothOptions& options) {
    return {*options.fwhm, *options.fwhmMinor, options.positionAngle};
}

SmoothParameters smoothParametersOf(const SmoothParameters& all, const SmoothOptions& options,
                                    const Inputs& inputs, size_t index) {
    SmoothParameters parameters = all;
    if (options.fwhms.size() > 1) parameters.fwhm = options.fwhms.at(index);
    const std::vector<const Input*> beams = inputs.several("beam");
    if (beams.size() > 1) parameters.beam = beams.at(index)->beam();
    return parameters;
}

size_t requireBeams(const SmoothOptions& options, const Inputs& inputs, size_t count) {
    const size_t beams = std::max({size_t{1}, options.fwhms.size(), inputs.several("beam").size()});
    if (beams != 1 && beams != count)
        throw InvalidArgument("expected one beam for all, or " + std::to_string(count) +
                              ", one for each " +
                              (options.polarization ? "map" : "field or plane in their order") +
                              ", found " + std::to_string(beams));
    return beams;
}

namespace {

// Smoothed fields of several maps, or of one map with a beam for each field.
struct Made {
    std::shared_ptr<const HealpixMap> first;  // the map that defines the pixels
    std::vector<Field> fields;
    // cards of the first map, with the beam that all fields now have
    std::vector<std::string> cards;
    bool isOneBeam = true;
    Json figures = Json::array();
};

HealpixMap takenMap(Context& context, Input& input, JobContext& job) {
    HealpixMap map = atOneOrder(input.takeMap(), input.name, "smoothed", context.note, job);
    if (context.precision == StoredPrecision::Double)
        for (const int field : input.fields) widen(map.field(field), job);
    return map;
}

void requireSamePixels(const HealpixMap& first, const HealpixMap& map, const std::string& name) {
    const bool same = first.nside() == map.nside() && first.ordering() == map.ordering() &&
                      first.frame() == map.frame() && first.coverage() == map.coverage() &&
                      std::ranges::equal(first.pixels(), map.pixels());
    if (!same)
        throw InvalidArgument(name + ": expected the pixels of the first map (" + summaryOf(first) +
                              "), found " + summaryOf(map) +
                              (first.nside() == map.nside() ? " or other ones" : ""));
}

// Notes a large mean, which makes holes of bad pixels that count as zero.
void noteIgnored(const Context& context, const SmoothParameters& parameters, const HealpixMap& map,
                 const std::vector<int>& fields) {
    if (parameters.masked != Masked::Ignore || !context.note) return;
    JobContext silent(context.job.stopToken(), {}, context.job.threads());
    for (const int index : fields) {
        const Field& field = map.field(index);
        const FieldStatistics found = fieldStatistics(map, index, silent);
        if (isHalfOfPolarization(field) || !(found.finite < 1.0)) continue;
        if (const auto line = meanLine(found.mean, found.standardDeviation, field.unit))
            context.note(field.name + ": " + *line +
                         ", and bad pixels count as zero; --masked normalize corrects for them");
    }
}

// Adds smoothed fields to the result.
std::string addSmoothed(Context& context, const FieldsToSmooth& group, SmoothedFields result,
                        const SmoothOptions& options, Made& made) {
    const SmoothParameters& parameters = group.parameters;
    auto& [smoothed, report] = result;
    std::string summary =
        saySmoothing(context, parameters, options, report, smoothed, group.map->nside());
    takeBeam(context, group.name, options, parameters, smoothed);
    const auto beam = beamOfCards(smoothed.metadata().cards), before = beamOfCards(made.cards);
    if (!made.first)
        made.cards = smoothed.metadata().cards;
    else if (beam.has_value() != before.has_value() ||
             (beam && (beam->major != before->major || beam->minor != before->minor ||
                       beam->angle != before->angle)))
        made.isOneBeam = false;
    if (!made.first) made.first = group.map;
    requireSamePixels(*made.first, *group.map, "another map");
    for (int i = 0; i < smoothed.fieldCount(); ++i) {
        Field& field = smoothed.field(i);
        field.name = freeFieldName(made.fields, field.name);
        Json row = Json::object();
        row.set("field", field.name);
        if (!parameters.beam && !parameters.kernel)
            row.set("fwhm_arcmin", parameters.fwhm / kArcmin);
        row.set("method", methodName(report.method));
        row.set("estimated_error", report.estimatedError);
        made.figures.add(std::move(row));
        made.fields.push_back(std::move(field));
    }
    return summary;
}

Outputs smoothSeveral(Context& context, Inputs& inputs, const SmoothOptions& options,
                      const SmoothParameters& parameters) {
    std::vector<Input*> maps;
    size_t units = 0;
    for (Input& input : inputs.all)
        if (input.slot == "MAP") {
            if (isImage(input))
                throw InvalidArgument(
                    input.name +
                    ": expected only maps if there are several inputs, found an image");
            // Maps with cells of several orders are compared after their conversion to pixels.
            if (input.map().coverage() != Coverage::MultiOrder)
                requireSamePixels(inputs["MAP"].map(), input.map(), input.name);
            maps.push_back(&input);
            units += options.polarization ? 1 : input.fields.size();
        }
    const size_t beams = requireBeams(options, inputs, units);
    if (options.fwhmMinor) throw Unsupported("elliptical beams: expected one map, found several");
    std::vector<FieldsToSmooth> groups;
    size_t unit = 0;
    for (Input* const input : maps) {
        naming(input->name, [&] {
            JobContext reading = context.job.part(0.0, 0.0);
            const auto map = std::make_shared<const HealpixMap>(takenMap(context, *input, reading));
            const auto add = [&](std::vector<int> fields) {
                groups.push_back({map, std::move(fields),
                                  smoothParametersOf(parameters, options, inputs, unit),
                                  input->name});
                unit += options.polarization ? 1 : groups.back().fields.size();
            };
            if (beams == 1 || options.polarization)
                add(input->fields);
            else
                for (const int field : input->fields) add({field});
        });
    }
    for (const FieldsToSmooth& group : groups)
        noteIgnored(context, group.parameters, *group.map, group.fields);
    std::vector<SmoothedFields> smoothed = smoothFields(groups, context.device, context.job);
    Made made;
    std::string summary;
    for (size_t i = 0; i < groups.size(); ++i)
        summary = naming(groups[i].name, [&] {
            return addSmoothed(context, groups[i], std::move(smoothed[i]), options, made);
        });
    const size_t fields = made.fields.size();
    const HealpixMap& like = *made.first;
    auto result = std::make_shared<HealpixMap>(
        like.coverage() == Coverage::Full
            ? HealpixMap(like.nside(), like.ordering(), like.frame(), std::move(made.fields))
            : HealpixMap::partial(like.nside(), like.ordering(), like.frame(),
                                  {like.pixels().begin(), like.pixels().end()},
                                  std::move(made.fields)));
    result->metadata() = like.metadata();
    result->metadata().cards = std::move(made.cards);
    if (!made.isOneBeam) {
        setBeamCards(result->metadata().cards, {});
        context.note("fields have beams of several widths: BMAJ is not written");
    }
    context.figures.set("fields", std::move(made.figures));
    return {{"OUT", std::shared_ptr<const HealpixMap>(std::move(result)),
             counted(fields, "field") + ", " + counted(beams, "beam") + ", " + summary}};
}

Outputs smoothByEllipse(Context& context, Input& input, const SmoothOptions& options,
                        const SmoothParameters& parameters) {
    if (options.method == SmoothMethod::Ring)
        throw Unsupported(
            "method ring: expected a radial beam for maps, found an elliptical one; use --method "
            "direct");
    JobContext preparing = context.job.part(0.0, 0.1), working = context.job.part(0.1, 1.0);
    const HealpixMap map = takenMap(context, input, preparing);
    noteScalars(context, map, input.fields);
    SmoothReport report;
    HealpixMap smoothed = naming(input.name, [&] {
        return smoothElliptical(map, input.fields, ellipseOf(options), parameters, context.device,
                                report, working);
    });
    takeBeam(context, input.name, options, parameters, smoothed);
    const std::string summary =
        saySmoothing(context, parameters, options, report, smoothed, map.nside());
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(smoothed)), summary}};
}

// Throws UsageError for a kernel that is too narrow for the method on this map.
Outputs run(Context& context, Inputs& inputs, const SmoothOptions& options) try {
    Input& input = inputs["MAP"];
    const SmoothParameters parameters = smoothParameters(options, inputs);
    const bool isSingle = inputs.several("MAP").size() == 1;
    if (isSingle && isImage(input)) return smoothImage(context, input, options, parameters, inputs);
    if (!isSingle || options.fwhms.size() > 1 || inputs.several("beam").size() > 1)
        return smoothSeveral(context, inputs, options, parameters);
    if (options.fwhmMinor) return smoothByEllipse(context, input, options, parameters);
    JobContext preparing = context.job.part(0.0, 0.1), working = context.job.part(0.1, 1.0);
    HealpixMap map = takenMap(context, input, preparing);
    const int64_t nside = map.nside();
    naming(input.name, [&] { requireGoodPixels(map, input.fields); });
    noteBandLimit(context, options.lmax, nside);
    if (!options.polarization) noteScalars(context, map, input.fields);
    noteIgnored(context, parameters, map, input.fields);
    if (inputs.has("beam")) noteBeamEnd(context, inputs["beam"], static_cast<int>(*options.lmax));
    auto [smoothed, report] = naming(input.name, [&] {
        return smoothFields(std::move(map), input.fields, parameters, context.device, working);
    });
    takeBeam(context, input.name, options, parameters, smoothed);
    const std::string summary = saySmoothing(context, parameters, options, report, smoothed, nside);
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(smoothed)), summary}};
} catch (const NarrowKernel& narrow) {
    throw UsageError(narrow.what());
}

}  // namespace

void describe(Description& d, SmoothOptions& p) {
    d.angle("fwhm", p.fwhm, beamFacts(), "FWHM of the Gaussian beam");
    d.angles(
        "fwhms", p.fwhms,
        {.unit = "arcmin", .least = 0.0, .most = kPi, .advanced = true, .label = "FWHM of each"},
        "FWHMs of Gaussian beams, in order: one for each field, for each map with --polarization, "
        "for each plane of an image");
    d.angle("fwhm-minor", p.fwhmMinor,
            {.unit = "arcmin",
             .least = 0.0,
             .most = kPi,
             .aboveLeast = true,
             .advanced = true,
             .label = "Minor FWHM"},
            "FWHM of the minor axis of an elliptical beam; --fwhm is the major axis");
    d.angle("position-angle", p.positionAngle,
            {.unit = "deg",
             .least = -kTwoPi,
             .most = kTwoPi,
             .advanced = true,
             .applies = [&p] { return p.fwhmMinor.has_value(); }},
            "position angle of the major axis of an elliptical beam, from north through east on "
            "the map");
    d.choice("method", p.method, kSmoothMethodChoices, {},
             "method of the convolution; auto takes the fastest that serves the kernel");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 0,
               .most = kMostLmax,
               .advanced = true,
               .standard = "3 nside - 1"},
              "largest multipole l");
    d.integer(
        "iterations", p.iterations,
        {.unit = "none", .least = 0, .most = kMaxShtIterations, .sliderMost = 10, .advanced = true},
        "Jacobi iterations of the analysis after the first pass");
    d.choice("weights", p.weights, kWeightsChoices, {.advanced = true},
             "quadrature weights of the analysis");
    d.choice("normalize", p.normalize, kNormalize, {.advanced = true},
             "normalization of the kernel: to integral 1, to peak 1, or none; auto: a --kernel to "
             "integral 1, unless its integral is negligible, all others none");
    d.angle("truncate", p.truncate,
            {.unit = "deg", .least = 0.0, .most = kPi, .aboveLeast = true, .advanced = true},
            "radius where the kernel ends, for --method ring or direct");
    d.choice("masked", p.masked, kMaskedChoices, {},
             "treatment of bad pixels: they count as zero (ignore), or the result is divided by "
             "the smoothed mask (normalize)");
    d.flag("polarization", p.polarization, {}, "smooth T, Q and U together, through T, E and B");
}

Operation smoothOperation() {
    const auto columns = [](const ParameterSet& parameters) {
        return Columns{parameters.as<SmoothOptions>().polarization ? Columns::Choice::Polarization
                                                                   : Columns::Choice::Several,
                       {}};
    };
    return define<SmoothOptions>(
        {.id = "smooth",
         .title = "Smooth",
         .help = "convolve a map with a beam or radial kernel",
         .inputs =
             {{.name = "MAP",
               .kind = DataKind::Map,
               .help =
                   "input map, or a FITS image whose rows are rings or parts of rings (CAR); the "
                   "fields of several maps go to one output",
               .isRepeatable = true,
               .orImage = true,
               .frame = FrameRule::Turned,
               .columns = columns},
              {.name = "beam",
               .kind = DataKind::Beam,
               .help = "file of B_l for T [E [B]], FITS or text; repeat for each field (each "
                       "map, with --polarization)",
               .isOption = true,
               .isOptional = true,
               .isRepeatable = true},
              {.name = "kernel",
               .kind = DataKind::Kernel,
               .help = "file of a radial profile: angle, value",
               .isOption = true,
               .isOptional = true}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "output map with the smoothed fields, or output image",
                      .continues = "MAP"}},
         .devices = kShtSupport,
         .keyParameters = "fwhm"},
        {.check = check, .resolve = resolve, .run = run});
}

}  // namespace armilla
