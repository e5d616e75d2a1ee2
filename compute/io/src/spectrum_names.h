// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/harmonics.h"

namespace armilla {

// What a column name of the field's programs means: TT, TEMPERATURE, G-T, "Temperature C_l", D_TT,
// ...
struct SpectrumColumn {
    SpectrumKind kind = SpectrumKind::TT;
    bool isDl = false;  // l (l + 1) / (2 pi) C_l
};
std::optional<SpectrumColumn> spectrumColumnOf(std::string_view columnName);

}  // namespace armilla
