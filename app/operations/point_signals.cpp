// SPDX-License-Identifier: GPL-3.0-or-later
// Signals of a point source in maps of several frequencies.
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "armilla/operations/usage_error.h"
#include "armilla/ops/brightness.h"
#include "point_filter.h"

namespace armilla {

namespace {

void requireCount(const char* option, size_t found, size_t expected) {
    if (found != expected)
        throw UsageError("--" + std::string(option) + ": expected one for each of " +
                         std::to_string(expected) + " --map2, found " + std::to_string(found));
}

double janskyOfPeak(const ObservedMap& map, const PointBeam& beam, double frequency) {
    const auto jansky = janskyOf(map.unit, frequency, beam.solidAngle, map.pixelArea);
    if (!jansky)
        throw InvalidArgument(map.name + ": expected a unit of brightness for --index, found '" +
                              map.unit + "'; use --response2");
    return *jansky;
}

}  // namespace

std::vector<PointSignal> pointSignals(
    Context& context, const Inputs& inputs, const PointFilterOptions& options,
    const std::vector<ObservedMap>& observed,
    const std::function<PointBeam(const Input* file, double fwhm, size_t i)>& beamOf) {
    const size_t others = observed.size() - 1;
    const std::vector<const Input*> beams = inputs.several("beam2");
    if (beams.empty()) requireCount("fwhm2", options.fwhm2.size(), others);
    if (!beams.empty()) requireCount("beam2", beams.size(), others);
    if (options.index) requireCount("frequency2", options.frequency2.size(), others);
    if (!options.index) requireCount("response2", options.response2.size(), others);
    std::vector<PointSignal> signals;
    signals.push_back({beamOf(inputs.find("beam"), options.fwhm.value_or(0.0), 0), 1.0});
    Json responses = Json::array();
    for (size_t i = 1; i <= others; ++i) {
        PointSignal signal;
        signal.beam =
            beams.empty() ? beamOf(nullptr, options.fwhm2[i - 1], i) : beamOf(beams[i - 1], 0.0, i);
        if (options.index) {
            // The flux densities have the ratio (nu2 / nu1)^index.
            const double nu1 = *frequencyOf(options.frequency),
                         nu2 = *frequencyOf(options.frequency2[i - 1]);
            signal.response = std::pow(nu2 / nu1, *options.index) *
                              janskyOfPeak(observed[0], signals[0].beam, nu1) /
                              janskyOfPeak(observed[i], signal.beam, nu2);
        } else {
            signal.response = options.response2[i - 1];
        }
        responses.add(signal.response);
        signals.push_back(std::move(signal));
    }
    if (options.index)
        for (size_t i = 0; i <= others; ++i)
            noteKelvins(context, observed[i].name, observed[i].unit,
                        frequencyOf(i == 0 ? options.frequency : options.frequency2[i - 1]));
    context.figures.set("response2", std::move(responses));
    return signals;
}

void tellCombination(Context& context, size_t count, double noiseAlone, double noiseTogether,
                     const std::string& remark) {
    context.figures.set("maps", static_cast<int64_t>(count));
    context.figures.set("noise_of_first_alone", noiseAlone);
    context.figures.set("noise_of_all", noiseTogether);
    if (!remark.empty()) context.note(remark);
    std::array<char, 96> words{};
    std::snprintf(words.data(), words.size(), "%zu maps: noise %.4g, of the first alone %.4g",
                  count, noiseTogether, noiseAlone);
    context.note(words.data());
}

}  // namespace armilla
