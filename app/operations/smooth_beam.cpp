// SPDX-License-Identifier: GPL-3.0-or-later
#include "smooth_beam.h"

#include <cmath>

#include "armilla/operations/map_beam.h"

namespace armilla {

namespace {

// The beam or radial profile as a kernel; none if it changes the mean of a map.
std::optional<Kernel> meanKeepingKernel(const SmoothParameters& parameters) {
    constexpr double kSameMean = 1e-6;
    const Kernel kernel =
        parameters.beam ? Kernel::harmonic(*parameters.beam) : Kernel::profile(*parameters.kernel);
    const bool isDivided =
        parameters.norm ? *parameters.norm == KernelNorm::Integral : parameters.kernel.has_value();
    if (kernel.compensated() || (!isDivided && std::abs(kernel.integral() - 1.0) > kSameMean))
        return std::nullopt;
    return kernel;
}

}  // namespace

BeamChange beamAfterSmoothing(const std::vector<std::string>& cards,
                              const std::vector<std::string>& units,
                              const std::optional<BeamEllipse>& ellipse,
                              const SmoothParameters& parameters, JobContext& job) {
    BeamChange change{beamOfCards(cards), {}, std::vector<double>(units.size(), 1.0)};
    if (!change.from || parameters.norm == KernelNorm::Peak) return change;
    if (ellipse) {
        change.to = convolvedBeam(*change.from, *ellipse);
    } else if (!parameters.beam && !parameters.kernel) {
        change.to = convolvedBeam(*change.from, BeamEllipse{parameters.fwhm, parameters.fwhm, 0.0});
    } else if (const auto kernel = meanKeepingKernel(parameters)) {
        JobContext silent(job.stopToken(), {}, job.threads());
        change.to = convolvedBeam(*change.from, *kernel, silent);
    }
    if (change.to)
        for (size_t i = 0; i < units.size(); ++i)
            change.factors[i] = perBeamFactor(units[i], *change.from, *change.to);
    return change;
}

std::optional<BeamEllipse> kernelEllipse(const SmoothOptions& options) {
    if (!options.fwhmMinor) return std::nullopt;
    return BeamEllipse{*options.fwhm, *options.fwhmMinor, options.positionAngle};
}

std::vector<std::string> unitsOf(const std::vector<Field>& fields) {
    std::vector<std::string> units;
    for (const Field& field : fields) units.push_back(field.unit);
    return units;
}

void scaleValues(std::variant<std::vector<float>, std::vector<double>>& values, double factor) {
    if (factor == 1.0) return;
    std::visit(
        [&]<typename T>(std::vector<T>& all) {
            for (T& value : all) value = static_cast<T>(static_cast<double>(value) * factor);
        },
        values);
}

namespace {

std::string takeBeam(HealpixMap& smoothed, const std::optional<BeamEllipse>& ellipse,
                     const SmoothParameters& parameters, JobContext& job) {
    std::vector<std::string>& cards = smoothed.metadata().cards;
    const std::vector<std::string> units = unitsOf(smoothed.fields());
    const BeamChange change = beamAfterSmoothing(cards, units, ellipse, parameters, job);
    for (int i = 0; i < smoothed.fieldCount(); ++i)
        scaleValues(smoothed.field(i).values, change.factors[static_cast<size_t>(i)]);
    setBeamCards(cards, change.to);
    return beamLine(units, change);
}

}  // namespace

std::string takeSmoothedBeam(HealpixMap& smoothed, const SmoothParameters& parameters,
                             JobContext& job) {
    return takeBeam(smoothed, {}, parameters, job);
}

void takeBeam(Context& context, const std::string& name, const SmoothOptions& options,
              const SmoothParameters& parameters, HealpixMap& smoothed) {
    const std::string line = takeBeam(smoothed, kernelEllipse(options), parameters, context.job);
    if (!line.empty() && context.note) context.note(name + ": " + line);
}

}  // namespace armilla
