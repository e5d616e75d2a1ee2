// SPDX-License-Identifier: GPL-3.0-or-later
// Words of enumerations that options, recipes and panels share.
#pragma once

#include <array>

#include "armilla/operations/parameter.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/sht.h"

namespace armilla {

inline constexpr auto kSmoothMethodChoices =
    std::to_array<Choice<SmoothMethod>>({{"auto", SmoothMethod::Auto, "automatic"},
                                         {"harmonic", SmoothMethod::Harmonic},
                                         {"ring", SmoothMethod::Ring},
                                         {"direct", SmoothMethod::Direct}});
inline constexpr auto kMaskedChoices =
    std::to_array<Choice<Masked>>({{"ignore", Masked::Ignore}, {"normalize", Masked::Normalize}});
inline constexpr auto kWeightsChoices = std::to_array<Choice<Weights>>(
    {{"none", Weights::None}, {"ring", Weights::Ring}, {"pixel", Weights::Pixel}});
inline constexpr auto kOrderingChoices =
    std::to_array<Choice<Ordering>>({{"ring", Ordering::Ring}, {"nested", Ordering::Nested}});
inline constexpr auto kRemoveChoices = std::to_array<Choice<Remove>>(
    {{"none", Remove::None}, {"monopole", Remove::Monopole}, {"dipole", Remove::Dipole}});

// Whether a row is a choice between numbers. The first of them is the value of the bare option, and
// of `true` in JSON.
bool isNumbered(const Parameter& row);

}  // namespace armilla
