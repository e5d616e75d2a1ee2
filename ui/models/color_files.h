// SPDX-License-Identifier: GPL-3.0-or-later
// User-defined color maps from table files of other programs.
#pragma once

#include <QString>

namespace armilla {

// Reads a color map from rows of red, green and blue (further columns are ignored), low end first.
// Separators are blanks, commas, semicolons or tabs. Values range from 0 to 255, or from 0 to 1 if
// none is larger; a row may also hold one "#rrggbb". Rows without a number, and rows that begin
// with # but hold no color, are skipped.
//
// Returns the name of a color map with at most 256 colors. Throws IoError, or InvalidArgument with
// the line.
QString colorsOfFile(const QString& path);

}  // namespace armilla
