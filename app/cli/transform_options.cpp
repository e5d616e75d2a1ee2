// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/transform_options.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <variant>

#include "cli/command.h"
#include "cli/files.h"
#include "ops/quadrature_weights.h"

namespace armilla::cli {

namespace {

// 2^15 is past any map that fits in memory (nside 8192 has lmax 24575), and keeps lmax^2 in an int.
constexpr int64_t kMostLmax = 32768;

std::string_view weightsName(Weights weights) {
    switch (weights) {
        case Weights::None: return "none";
        case Weights::Ring: return "ring";
        case Weights::Pixel: return "pixel";
    }
    return "";
}

std::string shortText(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g", value);
    return text.data();
}

std::string nameOf(Weights weights) {
    return (weights == Weights::None ? "no" : std::string(weightsName(weights))) + " weights";
}

// Of an analysis that was done.
std::string wayOf(const Analysis& analysis) {
    const ShtParameters& p = analysis.parameters;
    if (p.tolerance == 0.0) return describeWay(p.weights, p.iterations);
    return nameOf(p.weights) + ", tolerance " + shortText(p.tolerance) + ": residual " +
           shortText(analysis.convergence.residual) + " after " +
           std::to_string(analysis.convergence.steps) + " steps";
}

}  // namespace

std::string describeWay(Weights weights, int iterations) {
    return nameOf(weights) + ", " + std::to_string(iterations) +
           (iterations == 1 ? " iteration" : " iterations");
}

void noteWeights(Run& run, Weights weights, int64_t nside) {
    if (weights == Weights::Pixel) run.note("pixel weights " + pixelWeightOrigin(nside));
}

void addLmax(CLI::App& app, std::optional<int64_t>& lmax, const std::string& help) {
    addInteger(app, "--lmax", lmax, 0, kMostLmax, help);
}

void addIterations(CLI::App& app, std::optional<int64_t>& iterations) {
    addInteger(app, "--iterations", iterations, 0, kMaxShtIterations,
               "of the analysis, after its first pass (0)");
}

void addWeights(CLI::App& app, Weights& weights, const std::string& standard) {
    addChoice(app, "--weights", weights,
              {{"none", Weights::None}, {"ring", Weights::Ring}, {"pixel", Weights::Pixel}},
              "quadrature weights (" + standard + ")");
}

void addTransformOptions(CLI::App& app, TransformOptions& options) {
    addLmax(app, options.lmax, "largest l (3 nside - 1)");
    addInteger(app, "--mmax", options.mmax, 0, kMostLmax, "largest m (lmax)");
    addIterations(app, options.iterations);
    addNumber(app, "--tolerance", options.tolerance,
              "least-squares analysis to this relative residual, instead of --iterations");
    addWeights(app, options.weights, "none");
    app.add_flag("--polarization", options.polarization, "T, Q, U to T, E, B");
}

void checkTransformOptions(const TransformOptions& options) {
    if (options.lmax && options.mmax && *options.mmax > *options.lmax)
        throw UsageError("--mmax: expected at most lmax " + std::to_string(*options.lmax) +
                         ", found " + std::to_string(*options.mmax));
    if (options.tolerance && !(*options.tolerance >= kMinShtTolerance && *options.tolerance < 1.0))
        throw UsageError("--tolerance: expected a number from " + shortText(kMinShtTolerance) +
                         " to below 1, found " + shortText(*options.tolerance));
    if (options.tolerance && options.iterations)
        throw UsageError("expected --iterations or --tolerance, found both");
}

void noteBadPixels(Run& run, const std::string& path, int64_t count, int64_t total) {
    if (count == 0) return;
    std::array<char, 32> share{};
    std::snprintf(share.data(), share.size(), "%.3g",
                  100.0 * static_cast<double>(count) / static_cast<double>(total));
    run.note(path + ": " + std::to_string(count) + " bad or missing pixels (" + share.data() +
             " % of the sky) count as zero");
}

void setParameters(Json& json, const Analysis& analysis) {
    const ShtParameters& parameters = analysis.parameters;
    json.set("nside", parameters.nside);
    json.set("lmax", parameters.lmax);
    json.set("mmax", parameters.mmax);
    json.set("iterations", parameters.iterations);
    if (parameters.tolerance > 0.0) {
        json.set("tolerance", parameters.tolerance);
        json.set("residual", analysis.convergence.residual);
        json.set("steps", analysis.convergence.steps);
    }
    json.set("weights", weightsName(parameters.weights));
}

Analysis analyze(Run& run, const std::string& path, const TransformOptions& options,
                 JobContext& job) {
    JobContext reading = job.part(0.0, 0.1);
    Analysis result;
    HealpixMap map = options.polarization ? readPolarization(run, path, reading)
                                          : readOneField(run, path, reading);
    result.frame = map.frame();
    result.unit = map.field(0).unit;
    withFile(path, [&] { map = fullRing(std::move(map), reading); });
    result.nside = map.nside();
    int64_t bad = 0;
    bool mixed = false;
    for (int i = 0; i < map.fieldCount(); ++i) {
        bad = std::max(bad, fillBadPixels(map.field(i), reading));
        mixed = mixed || map.field(i).isSingle() != map.field(0).isSingle();
    }
    for (int i = 0; mixed && i < map.fieldCount(); ++i) widen(map.field(i));
    noteBadPixels(run, path, bad, pixelCount(result.nside));

    // As checkTransformOptions, now that the default is known.
    if (!options.lmax && options.mmax.value_or(0) > 3 * result.nside - 1)
        throw UsageError("--mmax: expected at most lmax " + std::to_string(3 * result.nside - 1) +
                         ", found " + std::to_string(*options.mmax));
    return withFile(path, [&] {
        ShtParameters parameters;
        parameters.nside = result.nside;
        parameters.lmax = static_cast<int>(options.lmax.value_or(-1));
        parameters.mmax = static_cast<int>(options.mmax.value_or(-1));
        parameters.weights = options.weights;
        parameters.iterations = static_cast<int>(options.iterations.value_or(0));
        parameters.tolerance = options.tolerance.value_or(0.0);
        JobContext planning = job.part(0.1, 0.15), working = job.part(0.15, 1.0);
        const ShtPlan plan(parameters, run.device(), planning);
        if (!plan.remark().empty()) run.note(plan.remark());
        result.parameters = plan.parameters();
        const auto samples = [&](int i) { return samplesOf(std::as_const(map).field(i)); };
        if (options.polarization)
            result.alm = plan.analysisPolarized(samples(0), samples(1), samples(2), working);
        else
            result.alm.push_back(plan.analysis(samples(0), working));
        result.convergence = plan.convergence();
        noteWeights(run, result.parameters.weights, result.nside);
        run.note(wayOf(result));
        return std::move(result);
    });
}

}  // namespace armilla::cli
