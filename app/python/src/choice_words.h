// SPDX-License-Identifier: GPL-3.0-or-later
// Choices by the words of the command line.
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

}  // namespace armilla::python
