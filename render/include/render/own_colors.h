// SPDX-License-Identifier: GPL-3.0-or-later
// Color maps of the user's own: their colors are their name.
#pragma once

#include <string_view>

namespace armilla {

// A name that `colorTable` knows: one of colorMapNames(), or colors of one's own from the low end
// to the high one, 2 to 256 of them, as "#000000,#ff8800,#ffffff", even steps apart and linear
// between.
bool isColorMap(std::string_view name);

}  // namespace armilla
