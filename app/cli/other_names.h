// SPDX-License-Identifier: GPL-3.0-or-later
// Names of other programs for options and commands of this one, as hints for users.
#pragma once

#include <string>
#include <string_view>

namespace armilla::cli {

// "--iterations" for "--iter" of healpy; empty if unknown.
std::string otherOption(std::string_view word);
// "render --projection mollweide" for "mollview".
std::string otherCommand(std::string_view word);

}  // namespace armilla::cli
