// SPDX-License-Identifier: GPL-3.0-or-later
// A few lines about a file, for a file dialog.
#pragma once

#include <QString>
#include <QStringList>

namespace armilla {

// Reads only headers, or the first lines of a text file:
// - FITS: a line for each HDU with data, such as "Map: nside 64, NESTED, Galactic" or "Image: 512 x
//   512 (K)", and the columns with their units;
// - text and CSV: the first lines;
// - other files: nothing.
// At most `most` lines. Never throws; a file that cannot be read has no lines.
QStringList fileSummary(const QString& path, int most = 24) noexcept;

}  // namespace armilla
