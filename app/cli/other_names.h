// SPDX-License-Identifier: GPL-3.0-or-later
// Names of other programs for options and commands of this one, as hints for users.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace armilla::cli {

// "--iterations" for "--iter" of healpy; empty if unknown.
std::string otherOption(std::string_view word);
// "render --projection mollweide" for "mollview".
std::string otherCommand(std::string_view word);
// The one of `names` that differs from a misspelled word by at most two letters, and by less than
// half of them; empty if there is none or more than one.
std::string nearestName(std::string_view word, const std::vector<std::string>& names);

}  // namespace armilla::cli
