// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla map2alm MAP ALM`: spherical harmonic analysis.
#include <algorithm>

#include "armilla/operations/mask_weights.h"
#include "armilla/ops/resample.h"
#include "masked_fields.h"
#include "operation_list.h"
#include "ring_harmonics.h"
#include "spin_fields.h"
#include "transform_parameters.h"

namespace armilla {

std::string productUnit(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return "";
    return a == b ? "(" + a + ")^2" : a + " " + b;
}

int64_t nsideOf(const HealpixMap& map) {
    return map.coverage() == Coverage::MultiOrder ? std::min(map.nside(), kMaxFlattenNside)
                                                  : map.nside();
}

namespace {

void resolveMap2Alm(Map2AlmOptions& options, const Inputs& inputs) {
    const Input& input = inputs["MAP"];
    if (options.lmax) return;
    options.lmax = isImage(input) ? naming(input.name, [&] { return mostLmax(input.image()); })
                                  : defaultLmax(nsideOf(input));
}

// The analysis of weights times the map, as anafast takes masks.
AnalyzedMap analyzeWithMask(Context& context, Input& input, const Input& mask,
                            const Map2AlmOptions& options, const JobContext& job) {
    if (!isImage(input)) requireHealpixMask(mask);
    AnafastOptions masked;
    static_cast<TransformOptions&>(masked) = options;
    MaskedFields fields =
        analyzeMasked(context, input, &mask, masked, job, AnalysisFor::CoefficientsOfMap);
    AnalyzedMap result;
    result.set = std::move(fields.set);
    result.nside = fields.parameters.nside;
    if (fields.image) {
        result.rows = fields.image->rows.count;
        result.columns = fields.image->width;
    }
    result.parameters = fields.parameters;
    result.taken = fields.taken;
    return result;
}

Outputs map2alm(Context& context, Inputs& inputs, const Map2AlmOptions& options) {
    const int spin = options.spinTaken();
    const JobContext whole = context.job.part(0.0, 1.0);
    Input& input = inputs["MAP"];
    const Input* const mask = inputs.find("mask");
    AnalyzedMap analysis = mask != nullptr  ? analyzeWithMask(context, input, *mask, options, whole)
                           : isImage(input) ? analyzeImage(context, input, options, spin, whole)
                                            : analyze(context, input, options, spin, whole);
    context.figures.set("spin", spin);
    context.figures.set("polarization", options.polarization);
    setFigures(context.figures, analysis);
    const ShtParameters parameters = analysis.parameters;
    const std::string words = setsInWords(analysis.set);
    return {{"ALM", std::make_shared<const AlmSet>(std::move(analysis.set)),
             words + ", lmax " + std::to_string(parameters.lmax) + ", mmax " +
                 std::to_string(parameters.mmax)}};
}

Problems check(const Map2AlmOptions& options, const GivenSlots& given) {
    Problems problems = checkTransform(options);
    checkSpin(options.spin, options.qu, problems);
    if (given.contains("mask") && options.spinTaken() > 0)
        problems.push_back({"mask", "expected a scalar field or --polarization beside it, found " +
                                        std::string(options.qu ? "--qu" : "--spin") +
                                        " (armilla calc multiplies map and mask)"});
    if (given.contains("mask") && options.tolerance)
        problems.push_back({"mask", "expected --iterations beside it, found --tolerance"});
    if (options.spinTaken() > 0 && (options.polarization || options.remove != Remove::None))
        problems.push_back({options.qu ? "qu" : "spin",
                            "expected neither --polarization nor --remove beside it, found " +
                                std::string(options.polarization ? "--polarization" : "--remove")});
    return problems;
}

// A fit is subtracted from the samples, and components of a spin are copied in any case.
bool readsInPlace(const ParameterSet& parameters, const GivenSlots& given) {
    const auto& options = parameters.as<Map2AlmOptions>();
    return options.remove == Remove::None && options.spinTaken() == 0 && !given.contains("mask");
}

}  // namespace

Operation map2almOperation() {
    return define<Map2AlmOptions>(
        {.id = "map2alm",
         .title = "Harmonic analysis",
         .help = "compute the harmonic coefficients of a map",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "input map, or a FITS image on rings of an equidistant grid (CAR); "
                             "bad pixels count as zero",
                     .orImage = true,
                     .columns = map2almColumns,
                     .readsInPlace = readsInPlace},
                    {.name = "mask",
                     .kind = DataKind::Map,
                     .help = "weights of the pixels, 0 to 1, which multiply the map: a map of any "
                             "nside, ordering and frame, or for an image an image of its grid",
                     .isOption = true,
                     .isOptional = true,
                     .orImage = true}},
         .outputs = {{.name = "ALM", .kind = DataKind::Alm, .help = "output coefficients"}},
         .devices = kShtSupport,
         .manual =
             "With --spin S the input is the two components (real, imaginary) of a field of spin "
             "S: Q and U, or the fields that --field names as A,B, or the two fields of the map. "
             "The output holds gradient and curl coefficients, in the convention of healpy's "
             "map2alm_spin; those of Q and U are E and B. --qu takes Q and U, without T.\n\nA FITS "
             "image serves as a map if its rows lie on rings of an equidistant grid from pole to "
             "pole (plate carree, CAR). The analysis of the whole sky is exact up to the largest "
             "lmax. In an image of a part of the sky, absent rows and columns count as zero. "
             "--field names a plane, and --polarization takes the planes I, Q and U.",
         .keyParameters = "lmax"},
        {.check = check, .resolve = resolveMap2Alm, .run = map2alm});
}

}  // namespace armilla
