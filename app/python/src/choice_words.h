// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of transforms from the arguments of Python.
#pragma once

#include <string>

#include "armilla/core/error.h"
#include "armilla/operations/choices.h"
#include "armilla/ops/sht.h"

namespace armilla::python {

inline Weights weightsOf(const std::string& word) {
    for (const auto& choice : kWeightsChoices)
        if (choice.word == word) return choice.value;
    throw InvalidArgument("weights: expected none, ring or pixel, found '" + word + "'");
}

// The parameters of both plans of the module.
inline ShtParameters shtParameters(int64_t nside, int lmax, int mmax, const std::string& weights,
                                   int iterations, double tolerance) {
    ShtParameters parameters;
    parameters.nside = nside;
    parameters.lmax = lmax;
    parameters.mmax = mmax;
    parameters.weights = weightsOf(weights);
    parameters.iterations = iterations;
    parameters.tolerance = tolerance;
    return parameters;
}

}  // namespace armilla::python
