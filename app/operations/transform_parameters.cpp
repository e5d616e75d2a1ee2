// SPDX-License-Identifier: GPL-3.0-or-later
#include "transform_parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/quadrature_weights.h"

namespace armilla {

namespace {

constexpr const char* kNoGoodPixel = "expected a good pixel in the field, found none";

std::string nameOf(Weights weights) {
    return (weights == Weights::None ? "no" : std::string(weightsName(weights))) + " weights";
}

}  // namespace

std::optional<int64_t> defaultLmax(int64_t nside) {
    const int64_t lmax = 3 * nside - 1;
    return lmax <= kMostLmax ? std::optional(lmax) : std::nullopt;
}

std::string_view weightsName(Weights weights) {
    for (const auto& choice : kWeightsChoices)
        if (choice.value == weights) return choice.word;
    return "";
}

std::string describeStrategy(Weights weights, int iterations) {
    return nameOf(weights) + ", " + counted(iterations, "iteration");
}

void noteWeights(const Context& context, Weights weights, int64_t nside) {
    if (weights == Weights::Pixel) context.note("pixel weights " + pixelWeightOrigin(nside));
}

void noteBandLimit(const Context& context, std::optional<int64_t> lmax, int64_t nside) {
    const int64_t most = 3 * nside - 1;
    if (lmax && *lmax > most)
        context.note("lmax " + std::to_string(*lmax) +
                     " is beyond 3 nside - 1 = " + std::to_string(most) + ": pixels of nside " +
                     std::to_string(nside) + " cannot distinguish such multipoles from lower ones");
}

void requireGoodPixels(const HealpixMap& map, const std::vector<int>& fields) {
    for (const int index : fields) {
        const Field& field = map.field(index);
        int64_t element = 0;
        while (element < field.size() && !std::isfinite(field.at(element))) ++element;
        if (element == field.size()) throw InvalidArgument(kNoGoodPixel);
    }
}

void noteScalars(const Context& context, const HealpixMap& map, const std::vector<int>& fields,
                 std::string_view otherStrategy) {
    for (const int field : fields) noteScalar(context, map.field(field), otherStrategy);
}

void noteScalar(const Context& context, const Field& field, std::string_view otherStrategy) {
    if (isHalfOfPolarization(field))
        context.note(field.name +
                     ": taken as a scalar, which mixes E and B where meridians converge" +
                     std::string(otherStrategy));
}

std::string shortText(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g", value);
    return text.data();
}

void describe(Description& d, TransformOptions& p) {
    d.integer(
        "lmax", p.lmax, {.unit = "none", .least = 0, .most = kMostLmax, .standard = "3 nside - 1"},
        "largest multipole l; default for images: all that the grid holds, rows - 2, or rows - "
        "1 without rows on the poles, or half the columns");
    d.integer("mmax", p.mmax,
              {.unit = "none", .least = 0, .most = kMostLmax, .advanced = true, .standard = "lmax"},
              "largest order m");
    d.integer("iterations", p.iterations,
              {.unit = "none", .least = 0, .most = kMaxShtIterations, .sliderMost = 10},
              "Jacobi iterations of the analysis after the first pass");
    d.number("tolerance", p.tolerance,
             {.unit = "none",
              .least = kMinShtTolerance,
              .most = 1.0,
              .belowMost = true,
              .advanced = true},
             "relative residual at which a least-squares analysis ends; instead of --iterations");
    d.choice("weights", p.weights, kWeightsChoices, {}, "quadrature weights of the analysis");
    d.flag("polarization", p.polarization, {}, "transform T, Q, U to T, E, B");
    d.choice("remove", p.remove, kRemoveChoices, {},
             "subtract the monopole, or monopole and dipole, fitted to the good pixels of the "
             "scalar field, before the analysis");
}

std::string meanNote(const std::string& name, const TakenOut& taken, const std::string& unit) {
    if (taken.how != Remove::None || taken.isWhole) return {};
    const auto line = meanLine(taken.mean, taken.rms, unit);
    if (!line) return {};
    return name + ": " + *line + ", which spreads over all l; --remove monopole subtracts it";
}

void noteMean(const Context& context, const std::string& name, const TakenOut& taken,
              const std::string& unit) {
    const std::string line = meanNote(name, taken, unit);
    if (!line.empty()) context.note(line);
}

Problems checkTransform(const TransformOptions& options) {
    Problems problems;
    if (options.lmax && options.mmax && *options.mmax > *options.lmax)
        problems.push_back({"mmax", "expected at most lmax " + std::to_string(*options.lmax) +
                                        ", found " + std::to_string(*options.mmax)});
    if (options.tolerance && options.iterations > 0)
        problems.push_back({"", "expected --iterations or --tolerance, found both"});
    return problems;
}

Columns transformColumns(const ParameterSet& parameters) {
    return {parameters.as<TransformOptions>().polarization ? Columns::Choice::Polarization
                                                           : Columns::Choice::One,
            {}};
}

std::string strategyOf(const AnalyzedMap& analysis) {
    const ShtParameters& p = analysis.parameters;
    if (p.tolerance == 0.0) return describeStrategy(p.weights, p.iterations);
    return nameOf(p.weights) + ", tolerance " + shortText(p.tolerance) + ": residual " +
           shortText(analysis.convergence.residual) + " after " +
           counted(analysis.convergence.steps, "step");
}

void noteBadPixels(const Context& context, const std::string& name, int64_t count, int64_t total) {
    if (count == 0) return;
    if (count >= total) throw InvalidArgument(name + ": " + kNoGoodPixel);
    std::array<char, 32> share{};
    std::snprintf(share.data(), share.size(), "%.3g",
                  100.0 * static_cast<double>(count) / static_cast<double>(total));
    context.note(name + ": " + counted(count, "bad or missing pixel") + " (" + share.data() +
                 " % of the sky) " + (count == 1 ? "counts" : "count") + " as zero");
}

void setFigures(Json& figures, const AnalyzedMap& analysis) {
    const ShtParameters& parameters = analysis.parameters;
    if (analysis.rows > 0) {
        figures.set("rows", analysis.rows);
        figures.set("columns", analysis.columns);
        figures.set("lmax", parameters.lmax);
        figures.set("mmax", parameters.mmax);
        setFitted(figures, analysis.taken.how, analysis.taken.fitted);
        return;
    }
    figures.set("nside", parameters.nside);
    figures.set("lmax", parameters.lmax);
    figures.set("mmax", parameters.mmax);
    figures.set("iterations", parameters.iterations);
    if (parameters.tolerance > 0.0) {
        figures.set("tolerance", parameters.tolerance);
        figures.set("residual", analysis.convergence.residual);
        figures.set("steps", analysis.convergence.steps);
    }
    figures.set("weights", weightsName(parameters.weights));
    setFitted(figures, analysis.taken.how, analysis.taken.fitted);
}

ShtParameters parametersOf(const TransformOptions& options, int64_t nside) {
    ShtParameters parameters;
    parameters.nside = nside;
    parameters.lmax = static_cast<int>(options.lmax.value_or(-1));
    parameters.mmax = static_cast<int>(options.mmax.value_or(-1));
    parameters.weights = options.weights;
    parameters.iterations = options.iterations;
    parameters.tolerance = options.tolerance.value_or(0.0);
    return parameters;
}

}  // namespace armilla
