// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla alm2map ALM MAP`: spherical harmonic synthesis.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <variant>

#include "armilla/core/memory_limit.h"
#include "armilla/core/number_text.h"
#include "armilla/core/unset_vector.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/spectrum.h"
#include "operation_list.h"
#include "ring_harmonics.h"
#include "spin_fields.h"
#include "transform_parameters.h"

namespace armilla {

constexpr std::array<Choice<int>, 2> kDerivatives{{{"1", 1}, {"2", 2}}};

ParameterFacts nsideFacts() {
    // RING ordering allows every nside.
    return {.unit = "none",
            .least = 1.0,
            .most = static_cast<double>(kMaxShtNside),
            .required = true,
            .label = "NSIDE"};
}

ParameterFacts beamFacts() {
    return {
        .unit = "arcmin", .least = 0.0, .most = kPi, .sliderMost = 10.0 * kDegree, .label = "FWHM"};
}
InputSlot beamSlot() {
    return {.name = "beam",
            .kind = DataKind::Beam,
            .help = "file of B_l for T [E [B]] to multiply with, FITS or text",
            .isOption = true,
            .isOptional = true};
}

void noteBeamEnd(const Context& context, const Input& input, int lmax) {
    constexpr double kNegligible = 1e-4;
    const std::vector<double>& bl = input.beam().bl[0];
    const auto isLess = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const double peak = std::abs(*std::max_element(bl.begin(), bl.end(), isLess));
    const double last = std::abs(bl.back()) / peak;
    if (!context.note || input.beam().lmax() >= lmax || !(last > kNegligible)) return;
    context.note(input.name + ": B_l ends at l = " + std::to_string(input.beam().lmax()) +
                 " with " + numberText(last) + " of its peak: multipoles from " +
                 std::to_string(input.beam().lmax() + 1) + " to " + std::to_string(lmax) +
                 " are removed");
}

void requireFinite(const Field& field, JobContext& job) {
    std::visit(
        [&](const auto& values) {
            parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                        [&](long long begin, long long end) {
                            if (std::all_of(values.begin() + begin, values.begin() + end,
                                            [](auto value) { return std::isfinite(value); }))
                                return;
                            throw InvalidArgument(
                                "expected values within " +
                                std::string(field.isSingle() ? "single" : "double") +
                                " precision in field " + field.name + ", found larger ones");
                        });
        },
        field.values);
}

void describe(Description& d, Alm2MapOptions& p) {
    ParameterFacts resolution = nsideFacts();
    resolution.required = false;
    resolution.standard = "pixels of --like";
    d.integer("nside", p.nside, resolution, "resolution of the map; required without --like");
    d.file("like", p.like, {.placeholder = "IMAGE"},
           "FITS image whose pixels and header the output takes instead of a map; its rows lie on "
           "rings of an equidistant grid (CAR)");
    d.angle("fwhm", p.fwhm, beamFacts(), "FWHM of a Gaussian beam to multiply with");
    d.flag("pixel-window", p.pixelWindow, {}, "multiply by the pixel window of --nside");
    d.choice("derivatives", p.derivatives, kDerivatives, {.advanced = true, .standard = "none"},
             "add derivatives of one set of coefficients (T, or --field), per radian: 1 adds DX_T "
             "(d/dtheta) and DY_T (1/sin(theta) d/dphi), 2 also DXX_T, DXY_T, DYY_T");
    describeSpin(d, p.spin, p.qu);
    d.frame("frame", p.frame, {.standard = "frame of the input"},
            "frame of the output; coefficients are rotated to it");
}

size_t almIndex(const std::string& field, size_t count) {
    const std::vector<std::string> names = count == 2 ? std::vector<std::string>{"GRADIENT", "CURL"}
                                                      : std::vector<std::string>{"T", "E", "B"};
    if (field.empty()) return 0;
    for (size_t i = 0; i < std::min(count, names.size()); ++i)
        if (field == names[i] || field == std::to_string(i + 1)) return i;
    throw InvalidArgument("expected --field 1 to " + std::to_string(count) +
                          (count == 2 ? " (GRADIENT, CURL)" : " (T, E, B)") + ", found '" + field +
                          "'");
}

bool isTurned(std::optional<Frame> requested, Frame frame) {
    if (!requested || *requested == frame) return false;
    if (frame == Frame::Unknown)
        throw InvalidArgument(
            "expected coefficients that name their frame (COORDSYS), to rotate them to --frame, "
            "found none; state it with --input-frame G|E|C");
    return true;
}

void multiplyBeams(std::array<std::vector<double>, 3>& product, const Beam& factor) {
    for (size_t i = 0; i < product.size(); ++i)
        for (size_t l = 0; l < product[i].size(); ++l)
            product[i][l] *= l < factor.bl[i].size() ? factor.bl[i][l] : 0.0;
}

void requireSets(size_t count) {
    if (count != 1 && count != 3)
        throw IoError("expected one set of coefficients or three (T, E, B), found " +
                      std::to_string(count) + "; choose one with --field" +
                      (count == 2 ? ", or take both as gradient and curl of a spin field (alm2map "
                                    "--spin)"
                                  : ""));
}

std::string setsInWords(const AlmSet& set) {
    if (set.alm.size() == 3) return "T, E, B";
    if (set.alm.size() == 1) return "one set";
    return (set.spin > 0 ? "spin " + std::to_string(set.spin) + ", " : std::string()) +
           "gradient and curl";
}

std::vector<Field> synthesizedFields(const SynthesisRequest& request, size_t sets, bool single) {
    // Names, and the number of derivatives in each.
    std::vector<std::pair<std::string, int>> names{{"TEMPERATURE", 0}};
    if (request.spin > 0) {
        const std::array<std::string, 2> pair = spinFieldNames(request.spin);
        names = {{pair[0], 0}, {pair[1], 0}};
    } else if (request.derivatives > 0) {
        for (size_t i = 0; i < (request.derivatives > 1 ? 5 : 2); ++i)
            names.emplace_back(kDerivativeNames[i], i < 2 ? 1 : 2);
    } else if (sets == 3) {
        names.insert(names.end(), {{"Q_POLARISATION", 0}, {"U_POLARISATION", 0}});
    }
    std::vector<Field> fields;
    for (const auto& [name, order] : names) {
        std::string unit = request.unit;
        if (!unit.empty() && order > 0) unit += order == 1 ? "/rad" : "/rad2";
        Field field{name, unit, single ? DiskType::Float32 : DiskType::Float64, {}};
        if (!single) field.values = std::vector<double>();
        fields.push_back(std::move(field));
    }
    return fields;
}

namespace {

Outputs imageOutput(Context& context, std::vector<Alm> alm, const SynthesisTarget& target,
                    const SynthesisRequest& request, const std::string& like,
                    const JobContext& job) {
    auto image = naming(
        like, [&] { return synthesizeImage(context, std::move(alm), target, request, job); });
    context.figures.set("width", image->width);
    context.figures.set("height", image->height);
    context.figures.set("planes", static_cast<int64_t>(image->planes.size()));
    const std::string summary = std::to_string(image->width) + " x " +
                                std::to_string(image->height) + " pixels, as " + like + ", " +
                                std::string(frameName(image->frame));
    return {{"MAP", std::move(image), summary}};
}

Outputs alm2map(Context& context, Inputs& inputs, const Alm2MapOptions& options) {
    Input& input = inputs["ALM"];
    const int spin = options.spinTaken();
    if (spin > 0 && !input.field.empty())
        throw UsageError(std::string(options.qu ? "--qu" : "--spin") +
                         ": expected no --field, because gradient and curl are transformed "
                         "together, found '" +
                         input.field + "'");
    AlmSet set = input.takeAlm();
    JobContext preparing = context.job.part(0.0, 0.1), working = context.job.part(0.1, 1.0);
    std::optional<SynthesisTarget> like;
    if (!options.like.empty()) like = synthesisTarget(context, options, preparing);
    const std::optional<Frame> frame = like ? like->image.frame : options.frame;
    const SynthesisRequest request{options.nside.value_or(0), frame.value_or(set.frame), set.unit,
                                   options.derivatives.value_or(0), spin};
    std::vector<Alm> alm = naming(input.name, [&]() -> std::vector<Alm> {
        if (spin > 0) return gradientAndCurl(std::move(set), spin);
        if (input.field.empty()) requireSets(set.alm.size());
        if (!input.field.empty() || options.derivatives)
            return {std::move(set.alm[almIndex(input.field, set.alm.size())])};
        return std::move(set.alm);
    });
    const int lmax = alm.front().lmax();
    if (!like) noteBandLimit(context, lmax, request.nside);
    if (naming(input.name, [&] { return isTurned(frame, set.frame); })) {
        JobContext turning = preparing.part(0.0, 0.9);
        rotateAlm(alm, frameRotation(*frame, set.frame), context.device, turning);
    }
    if (options.fwhm > 0.0)
        applyBeam(alm,
                  spin > 0 ? spinBeam(options.fwhm, lmax, spin) : gaussianBeam(options.fwhm, lmax),
                  preparing);
    if (options.pixelWindow) {
        Beam window = pixelWindow(request.nside, lmax, preparing);
        if (spin > 0) window.bl[0] = window.bl[1];
        applyBeam(alm, window, preparing);
    }
    context.figures.set("lmax", alm.front().lmax());
    context.figures.set("mmax", alm.front().mmax());
    context.figures.set("spin", spin);
    if (like) return imageOutput(context, std::move(alm), *like, request, options.like, working);
    HealpixMap map = naming(input.name, [&] { return synthesize(context, alm, request, working); });
    context.figures.set("nside", map.nside());
    const std::string summary = summaryOf(map);
    return {{"MAP", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

Problems check(const Alm2MapOptions& options, const GivenSlots& /*given*/) {
    Problems problems;
    checkSpin(options.spin, options.qu, problems);
    const int spin = options.spinTaken();
    if (options.nside.has_value() != options.like.empty())
        problems.push_back({"", std::string("expected --nside N or --like IMAGE, found ") +
                                    (options.nside ? "both" : "none")});
    if (!options.like.empty() && (options.derivatives || options.pixelWindow))
        problems.push_back({"like", std::string("expected no --") +
                                        (options.derivatives ? "derivatives" : "pixel-window") +
                                        " beside it, found one"});
    if (spin > 0 && options.derivatives)
        problems.push_back(
            {"derivatives", "expected coefficients of spin 0, found spin " + std::to_string(spin)});
    if (options.pixelWindow && (spin == 1 || spin == 3))
        problems.push_back(
            {"pixel-window",
             "expected spin 0 or 2, whose windows are known, found " + std::to_string(spin)});
    return problems;
}

}  // namespace

std::vector<Field> synthesizedValues(const Context& context, const ShtPlan& plan,
                                     const std::vector<Alm>& alm, const SynthesisRequest& request,
                                     JobContext& job) {
    const bool single = context.precision == StoredPrecision::Single;
    std::vector<Field> fields = synthesizedFields(request, alm.size(), single);
    if (request.derivatives > 1) {
        fillSecondDerivatives(plan, alm.front(), request.nside, single, fields, job);
        for (const Field& field : fields) requireFinite(field, job);
        return fields;
    }
    std::array<MapSamples, 3> to;
    for (size_t i = 0; i < fields.size(); ++i) {
        if (single)
            fields[i].values = unsetVector<float>(pixelCount(request.nside), job);
        else
            fields[i].values = unsetVector<double>(pixelCount(request.nside), job);
        to[i] = samplesOf(fields[i]);
    }
    if (request.spin > 0)
        plan.synthesisSpin(request.spin, std::span<const Alm, 2>(alm.data(), 2), to[0], to[1], job);
    else if (request.derivatives > 0)
        plan.synthesisGradient(alm.front(), to[0], to[1], to[2], job);
    else if (alm.size() == 3)
        plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), to[0], to[1], to[2], job);
    else
        plan.synthesis(alm.front(), to[0], job);
    for (const Field& field : fields) requireFinite(field, job);
    return fields;
}

HealpixMap synthesize(Context& context, const std::vector<Alm>& alm,
                      const SynthesisRequest& request, const JobContext& job) {
    ShtParameters parameters;
    parameters.nside = request.nside;
    parameters.lmax = alm.front().lmax();
    parameters.mmax = alm.front().mmax();
    const bool single =
        context.precision == StoredPrecision::Single;  // precision of the stored map
    // Checked before the plan, whose tables take seconds for large maps.
    const auto count = static_cast<int64_t>(synthesizedFields(request, alm.size(), single).size());
    // Second derivatives are combined in double precision.
    const int64_t pixelBytes =
        request.derivatives > 1 ? 8 * count + (single ? 4 : 0) : count * (single ? 4 : 8);
    requireMemory("a map of nside " + std::to_string(request.nside),
                  pixelBytes * pixelCount(request.nside));
    JobContext planning = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    const ShtPlan plan(parameters, context.device, planning);
    if (!plan.remark().empty()) context.note(plan.remark());
    HealpixMap map(request.nside, Ordering::Ring, request.frame,
                   synthesizedValues(context, plan, alm, request, working));
    map.metadata().object = "FULLSKY";
    return map;
}

Operation alm2mapOperation() {
    return define<Alm2MapOptions>(
        {.id = "alm2map",
         .title = "Harmonic synthesis",
         .help = "make a map from harmonic coefficients",
         .inputs = {{.name = "ALM",
                     .kind = DataKind::Alm,
                     .help = "input coefficients: T, or T, E, B, or gradient and curl"}},
         .outputs = {{.name = "MAP",
                      .kind = DataKind::Map,
                      .help = "output map, or output image with --like"}},
         .devices = kShtSupport,
         .manual =
             "With --spin S two sets of coefficients, gradient and curl, make the two components "
             "of a field of spin S, in the convention of healpy's alm2map_spin; T, E, B give E "
             "and B. --qu makes Q and U, without T. Second derivatives are DXX_T = d2T/dtheta2, "
             "DXY_T = d2T/(dtheta dphi)/sin(theta) and DYY_T = d2T/dphi2/sin2(theta).\n\n"
             "With --like the output is a FITS image of T, or of planes I, Q and U, in the frame "
             "of IMAGE. The sign of U is that of POLCCONV in IMAGE, or COSMO without it.",
         .keyParameters = "nside"},
        {.check = check, .run = alm2map});
}

}  // namespace armilla
