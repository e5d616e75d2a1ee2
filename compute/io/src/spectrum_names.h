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

// Whether a column of this name holds l.
bool isMultipoleName(const std::string& name);

// Whether a column of this name holds a power or cross power of the lensing potential: PP, PT,
// phiphi, TPhi, ...
bool isLensingName(const std::string& name);

// The words of a comment that may name columns: at blanks, commas and bars, without units in
// brackets, "TT [uK^2]", and the numbers of columns, "2:TT".
std::vector<std::string> namesOfComment(const std::string& comment);

// Whether comments of a text say D_l or C_l; none if they say neither. A comment that is nothing
// but "C_l" or "D_l" counts first; then D_l where both are named, as "[l(l+1)/2pi] C_l's".
std::optional<bool> saysDl(const std::vector<std::string>& comments);

}  // namespace armilla
