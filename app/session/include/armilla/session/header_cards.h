// SPDX-License-Identifier: GPL-3.0-or-later
// The header of a FITS file as text.
#pragma once

#include <QString>

namespace armilla {

// All cards of all HDUs as stored in the file, one per line, after a line with the number of the
// HDU. Bytes that are not printable ASCII are shown as '?'. At most 100 000 cards; a last line
// reports the truncation. Throws IoError if the file is absent or is no uncompressed FITS file.
QString headerCards(const QString& path);

}  // namespace armilla
