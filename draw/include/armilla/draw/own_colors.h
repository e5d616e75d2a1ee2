// SPDX-License-Identifier: GPL-3.0-or-later
// User-defined color maps, named by their colors.
#pragma once

#include <string_view>

namespace armilla {

// True for a name that `colorTable` accepts: one of colorMapNames(), or a list of 2 to 256 colors
// from the low end to the high one, "#000000,#ff8800,#ffffff", evenly spaced and linearly
// interpolated.
bool isColorMap(std::string_view name);

}  // namespace armilla
