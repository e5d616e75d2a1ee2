// SPDX-License-Identifier: GPL-3.0-or-later
// The names that other programs have for what ours does: told where they are typed.
#pragma once

#include <string>
#include <string_view>

namespace armilla::cli {

// "--iterations" for healpy's "--iter"; empty if nothing is known of it.
std::string otherOption(std::string_view word);
// "render --projection mollweide" for "mollview".
std::string otherCommand(std::string_view word);

}  // namespace armilla::cli
