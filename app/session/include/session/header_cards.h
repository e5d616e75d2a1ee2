// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a FITS file as text.
#pragma once

#include <QString>

namespace armilla {

// All cards of all HDUs as they stand in the file, a line each, behind a line that numbers the HDU.
// Bytes that are no printable ASCII show as '?'; at most 100 000 cards, and the end then says so.
// Throws IoError for a file that is absent or no plain FITS file: packed ones have to be unpacked.
QString headerCards(const QString& path);

}  // namespace armilla
