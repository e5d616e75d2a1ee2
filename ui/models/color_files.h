// SPDX-License-Identifier: GPL-3.0-or-later
// Colors of the user's own, from tables as other programs have them.
#pragma once

#include <QString>

namespace armilla {

// Rows of red, green and blue (further columns are ignored) between blanks, commas, semicolons or
// tabs, from 0 to 255, or from 0 to 1 where none is larger; or one "#rrggbb" in each row. The low
// end first; rows that begin with # and are no color, and those without a number, are left out. As
// the name of a color map, of at most 256 colors. Throws IoError, InvalidArgument with the line.
QString colorsOfFile(const QString& path);

}  // namespace armilla
