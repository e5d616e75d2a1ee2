// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla map2alm MAP ALM` and `armilla anafast MAP [MAP2] CL`: spherical harmonic analysis.
#include <algorithm>

#include "operation_list.h"
#include "ops/resample.h"
#include "ops/spectrum.h"
#include "transform_parameters.h"

namespace armilla {

std::string productUnit(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return "";
    return a == b ? "(" + a + ")^2" : a + " " + b;
}

namespace {

int64_t nsideOf(const Input& input) {
    const HealpixMap& map = input.map();
    return map.coverage() == Coverage::MultiOrder ? std::min(map.nside(), kMaxFlattenNside)
                                                  : map.nside();
}

void resolveMap2Alm(TransformOptions& options, const Inputs& inputs) {
    if (!options.lmax) options.lmax = defaultLmax(nsideOf(inputs["MAP"]));
}

Outputs map2alm(Context& context, Inputs& inputs, const TransformOptions& options) {
    AnalyzedMap analysis = analyze(context, inputs["MAP"], options, context.job.part(0.0, 1.0));
    context.figures.set("polarization", options.polarization);
    setFigures(context.figures, analysis);
    const ShtParameters& parameters = analysis.parameters;
    return {{"ALM", std::make_shared<const AlmSet>(std::move(analysis.set)),
             std::string(options.polarization ? "T, E, B" : "one set") + ", lmax " +
                 std::to_string(parameters.lmax) + ", mmax " + std::to_string(parameters.mmax)}};
}

// Two maps of different resolutions have no common band limit. The user then has to give --lmax.
void resolveAnafast(TransformOptions& options, const Inputs& inputs) {
    const Input* second = inputs.find("MAP2");
    const int64_t nside = nsideOf(inputs["MAP"]);
    if (!options.lmax && (second == nullptr || nsideOf(*second) == nside))
        options.lmax = defaultLmax(nside);
}

Outputs anafast(Context& context, Inputs& inputs, const TransformOptions& options) {
    Input* second = inputs.find("MAP2");
    const AnalyzedMap a = analyze(context, inputs["MAP"], options,
                                  context.job.part(0.0, second == nullptr ? 0.95 : 0.5));
    JobContext summing = context.job.part(0.95, 1.0);
    auto spectra = std::make_shared<Spectra>();
    if (second != nullptr) {
        const std::string name = second->name;
        AnalyzedMap b = analyze(context, *second, options, context.job.part(0.5, 0.9));
        if (a.parameters.lmax != b.parameters.lmax || a.parameters.mmax != b.parameters.mmax)
            throw InvalidArgument(name + ": expected the lmax of the first map, " +
                                  std::to_string(a.parameters.lmax) + ", found " +
                                  std::to_string(b.parameters.lmax) + "; set both with --lmax");
        if (a.set.frame != b.set.frame) {
            // A rotation mixes all m of an l, so it needs mmax = lmax.
            if (a.parameters.mmax < a.parameters.lmax)
                throw InvalidArgument(name + ": expected with --mmax the frame of the first map, " +
                                      std::string(frameName(a.set.frame)) + ", found " +
                                      std::string(frameName(b.set.frame)));
            JobContext turning = context.job.part(0.9, 0.95);
            rotateAlm(b.set.alm, frameRotation(a.set.frame, b.set.frame), context.device, turning);
        }
        *spectra = powerSpectra(a.set.alm, b.set.alm, summing);
        spectra->unit = productUnit(a.set.unit, b.set.unit);
    } else {
        *spectra = powerSpectra(a.set.alm, summing);
        spectra->unit = productUnit(a.set.unit, a.set.unit);
    }
    context.figures.set("polarization", options.polarization);
    setFigures(context.figures, a);
    return {{"CL", std::shared_ptr<const Spectra>(spectra),
             std::string(second != nullptr ? "cross" : "auto") + " spectrum, lmax " +
                 std::to_string(a.parameters.lmax)}};
}

Problems check(const TransformOptions& options, const GivenSlots& /*given*/) {
    return checkTransform(options);
}

}  // namespace

Operation map2almOperation() {
    return define<TransformOptions>(
        {.id = "map2alm",
         .title = "Harmonic analysis",
         .help = "compute the harmonic coefficients of a map",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "input map; bad pixels count as zero",
                     .columns = transformColumns}},
         .outputs = {{.name = "ALM", .kind = DataKind::Alm, .help = "output coefficients"}},
         .devices = kShtSupport,
         .keyParameters = "lmax"},
        {.check = check, .resolve = resolveMap2Alm, .run = map2alm});
}

Operation anafastOperation() {
    return define<TransformOptions>(
        {.id = "anafast",
         .title = "Power spectrum",
         .help = "compute the power spectrum of a map, or the cross spectrum of two",
         .inputs = {{.name = "MAP",
                     .kind = DataKind::Map,
                     .help = "input map",
                     .columns = transformColumns},
                    {.name = "MAP2",
                     .kind = DataKind::Map,
                     .help = "second map, for the cross spectrum; its coefficients are rotated to "
                             "the frame of MAP",
                     .isOptional = true,
                     .frame = FrameRule::Compared,
                     .columns = transformColumns}},
         .outputs = {{.name = "CL", .kind = DataKind::Spectra, .help = "output spectrum"}},
         .devices = kShtSupport,
         .keyParameters = "lmax"},
        {.check = check, .resolve = resolveAnafast, .run = anafast});
}

}  // namespace armilla
