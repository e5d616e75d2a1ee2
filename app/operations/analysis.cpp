// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla map2alm MAP ALM`: spherical harmonic analysis.
#include <algorithm>

#include "armilla/ops/resample.h"
#include "operation_list.h"
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

}  // namespace armilla
