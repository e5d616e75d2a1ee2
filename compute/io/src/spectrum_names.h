// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/harmonics.h"

namespace armilla {

// The spectrum that a column name of the field's programs means (TT, TEMPERATURE, G-T, TE, ...).
std::optional<SpectrumKind> spectrumKindOf(std::string_view columnName);

}  // namespace armilla
