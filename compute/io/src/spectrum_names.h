// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/harmonics.h"

namespace armilla {

// Meaning of a column name of common programs: TT, TEMPERATURE, G-T, "Temperature C_l", D_TT, ...
struct SpectrumColumn {
    SpectrumKind kind = SpectrumKind::TT;
    // l (l + 1) / (2 pi) C_l; none if the name fits C_l and D_l
    std::optional<bool> isDl;
};
std::optional<SpectrumColumn> spectrumColumnOf(std::string_view columnName);

// True for names of a column of l.
bool isMultipoleName(const std::string& name);

// True for names of a power or cross power of the lensing potential: PP, PT, phiphi, TPhi, ...
bool isLensingName(const std::string& name);

// The words of a comment that may name columns: split at blanks, commas and bars, without units in
// brackets, "TT [uK^2]", and column numbers, "2:TT".
std::vector<std::string> namesOfComment(const std::string& comment);

// True if comments of a text state D_l, false for C_l; none without a statement. A comment that is
// only "C_l" or "D_l" takes precedence. A comment with both means D_l, as in "[l(l+1)/2pi] C_l's".
std::optional<bool> saysDl(const std::vector<std::string>& comments);

}  // namespace armilla
