// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in text columns of tables: sexagesimal angles.
#pragma once

#include <optional>
#include <string_view>

#include "armilla/core/table.h"

namespace armilla {

// Degrees, or hours, of "12:34:56.7", "12 34 56.7", "12h34m56.7s", "-1d2m3s", "40d"; none for other
// text.
std::optional<double> parseSexagesimal(std::string_view text);

// Appends a column NAME_DEG in degrees for each position column of text, and makes `positions`
// refer to it. Right ascensions are hours unless the text holds a letter d or is a plain number.
// Empty cells become NaN. Throws InvalidArgument for a cell that is no angle.
void addDegrees(Table& table, PositionColumns& positions);

// positionsNamed of armilla/core/table.h, for columns of text as well (addDegrees).
PositionColumns positionsInDegrees(Table& table, std::string_view lon, std::string_view lat);

}  // namespace armilla
