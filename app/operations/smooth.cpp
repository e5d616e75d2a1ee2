// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla smooth MAP OUT`: convolution with a radial kernel.
#include "operations/smooth.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "core/units.h"
#include "operation_list.h"
#include "operations/choices.h"
#include "operations/map_values.h"
#include "ops/resample.h"
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
    const int kernels = (options.fwhm ? 1 : 0) + (given.contains("beam") ? 1 : 0) +
                        (given.contains("kernel") ? 1 : 0);
    if (kernels != 1)
        problems.push_back({"", "expected one of --fwhm ANGLE, --beam FILE, --kernel FILE, found " +
                                    std::string(kernels == 0 ? "none" : "several")});
    if (options.truncate && !hasEdge(options.method))
        problems.push_back({"truncate", "expected --method ring or direct beside it, found " +
                                            methodName(options.method)});
    return problems;
}

void resolve(SmoothOptions& options, const Inputs& inputs) {
    const HealpixMap& map = inputs["MAP"].map();
    if (!options.lmax)
        options.lmax = defaultLmax(map.coverage() == Coverage::MultiOrder
                                       ? std::min(map.nside(), kMaxFlattenNside)
                                       : map.nside());
}

}  // namespace

SmoothParameters smoothParameters(const SmoothOptions& options, const Inputs& inputs) {
    SmoothParameters parameters;
    parameters.fwhm = options.fwhm.value_or(0.0);
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

std::string saySmoothing(Context& context, const SmoothParameters& parameters,
                         const SmoothOptions& options, const SmoothReport& report,
                         const HealpixMap& like, int64_t nside) {
    if (report.method == SmoothMethod::Harmonic) {
        noteWeights(context, parameters.weights, nside);
        context.note(describeWay(parameters.weights, parameters.iterations));
    }
    if (parameters.kernel.has_value() && options.normalize == Normalize::Auto &&
        report.norm == KernelNorm::None)
        context.note(
            "the kernel's integral is zero beside it: applied as it is, not divided by it");
    if (report.narrow)
        context.note("the kernel is narrower than a FWHM of 2.5 pixels: method " +
                     methodName(report.method) + " keeps what pixels alias; harmonic does not");
    Json& figures = context.figures;
    figures.set("method", methodName(report.method));
    figures.set("nside", nside);
    const bool harmonic = report.method == SmoothMethod::Harmonic;
    if (harmonic) figures.set("lmax", report.lmax);
    if (report.radius > 0.0) figures.set("radius_deg", report.radius / kDegree);
    figures.set("normalized_by", normName(report.norm));
    figures.set("iterations", parameters.iterations);
    figures.set("estimated_error", report.estimatedError);
    figures.set("polarization", parameters.polarization);
    std::array<char, 32> error{};
    std::snprintf(error.data(), error.size(), "%.1e", report.estimatedError);
    return summaryOf(like, nside) + "; method " + methodName(report.method) +
           (harmonic ? ", lmax " + std::to_string(report.lmax)
                     : ", radius " + formatAngle(report.radius)) +
           ", estimated error " + error.data() + " of the map's rms";
}

namespace {

Outputs run(Context& context, Inputs& inputs, const SmoothOptions& options) {
    Input& input = inputs["MAP"];
    const SmoothParameters parameters = smoothParameters(options, inputs);
    JobContext preparing = context.job.part(0.0, 0.1), working = context.job.part(0.1, 1.0);
    HealpixMap map = input.takeMap();
    if (map.coverage() == Coverage::MultiOrder) {
        map = naming(input.name, [&] { return flattened(map, 0, preparing); });
        context.note(input.name + ": cells of several orders, smoothed at nside " +
                     std::to_string(map.nside()));
    }
    if (context.precision == StoredPrecision::Double)
        for (const int field : input.fields) widen(map.field(field));
    const int64_t nside = map.nside();
    naming(input.name, [&] { requireGoodPixels(map, input.fields); });
    noteBandLimit(context, options.lmax, nside);
    if (!options.polarization) noteScalars(context, map, input.fields);
    SmoothPlan plan(std::make_shared<const HealpixMap>(std::move(map)), input.fields,
                    context.device);
    HealpixMap smoothed = naming(input.name, [&] { return plan.execute(parameters, working); });
    const std::string summary =
        saySmoothing(context, parameters, options, plan.report(), smoothed, nside);
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(smoothed)), summary}};
}

}  // namespace

void describe(Description& d, SmoothOptions& p) {
    d.angle("fwhm", p.fwhm,
            {.unit = "arcmin",
             .least = 0.0,
             .most = kPi,
             .sliderMost = 10.0 * kDegree,
             .label = "FWHM"},
            "width of a Gaussian beam");
    d.choice("method", p.method, kSmoothMethodChoices, {}, "of the convolution");
    d.integer("lmax", p.lmax,
              {.unit = "none",
               .least = 0,
               .most = kMostLmax,
               .advanced = true,
               .standard = "3 nside - 1"},
              "largest l");
    d.integer(
        "iterations", p.iterations,
        {.unit = "none", .least = 0, .most = kMaxShtIterations, .sliderMost = 10, .advanced = true},
        "of the analysis, after its first pass");
    d.choice("weights", p.weights, kWeightsChoices, {.advanced = true}, "quadrature weights");
    d.choice("normalize", p.normalize, kNormalize, {.advanced = true},
             "the kernel's integral or peak is 1, or none: as it is (auto: a --kernel by its "
             "integral, unless that is zero)");
    d.angle("truncate", p.truncate,
            {.unit = "deg", .least = 0.0, .most = kPi, .aboveLeast = true, .advanced = true},
            "radius where the kernel ends, for --method ring or direct");
    d.choice("masked", p.masked, kMaskedChoices, {},
             "bad pixels count as zero, or the rest is weighted up");
    d.flag("polarization", p.polarization, {}, "T, Q, U together, through T, E, B");
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
         .help = "convolution of a map with a beam or radial kernel",
         .inputs = {{.name = "MAP", .kind = DataKind::Map, .help = "the map", .columns = columns},
                    {.name = "beam",
                     .kind = DataKind::Beam,
                     .help = "B_l of T [E [B]], FITS or text",
                     .isOption = true,
                     .isOptional = true},
                    {.name = "kernel",
                     .kind = DataKind::Kernel,
                     .help = "radial profile: angle, value",
                     .isOption = true,
                     .isOptional = true}},
         .outputs = {{.name = "OUT",
                      .kind = DataKind::Map,
                      .help = "the smoothed map: the smoothed fields only"}},
         .devices = kShtSupport,
         .devicesOf =
             [](const ParameterSet& parameters) {
                 const SmoothOptions& p = parameters.as<SmoothOptions>();
                 // Polarization is summed over pixels by the CPU alone.
                 const bool onPixels =
                     p.method == SmoothMethod::Direct || p.method == SmoothMethod::Ring;
                 return p.polarization && onPixels ? DeviceSupport{} : kShtSupport;
             },
         .keyParameters = "fwhm"},
        {.check = check, .resolve = resolve, .run = run});
}

}  // namespace armilla
