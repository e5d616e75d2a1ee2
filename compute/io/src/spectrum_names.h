// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/harmonics.h"

namespace armilla {

// What a column name of the field's programs means: TT, TEMPERATURE, G-T, "Temperature C_l", D_TT,
// ...
struct SpectrumColumn {
    SpectrumKind kind = SpectrumKind::TT;
    std::optional<bool> isDl;  // l (l + 1) / (2 pi) C_l; none where the name does not say
};
std::optional<SpectrumColumn> spectrumColumnOf(std::string_view columnName);

// Whether comments of a text say D_l or C_l; none if they say neither, or both.
std::optional<bool> saysDl(const std::vector<std::string>& comments);

}  // namespace armilla
