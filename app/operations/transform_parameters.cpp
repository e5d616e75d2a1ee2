// SPDX-License-Identifier: GPL-3.0-or-later
#include "transform_parameters.h"

#include <cstdio>

#include "ops/quadrature_weights.h"

namespace armilla {

std::optional<int64_t> defaultLmax(int64_t nside) {
    const int64_t lmax = 3 * nside - 1;
    return lmax <= kMostLmax ? std::optional(lmax) : std::nullopt;
}

std::string_view weightsName(Weights weights) {
    for (const auto& choice : kWeightsChoices)
        if (choice.value == weights) return choice.word;
    return "";
}

std::string describeWay(Weights weights, int iterations) {
    return (weights == Weights::None ? "no" : std::string(weightsName(weights))) + " weights, " +
           std::to_string(iterations) + (iterations == 1 ? " iteration" : " iterations");
}

void noteWeights(const Context& context, Weights weights, int64_t nside) {
    if (weights == Weights::Pixel) context.note("pixel weights " + pixelWeightOrigin(nside));
}

std::string shortText(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2g", value);
    return text.data();
}

}  // namespace armilla
