// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace armilla {

// Writes the file with its tile-compressed tables unpacked (fpack -table) to a temporary file that
// has no name any more, and returns its descriptor. Throws IoError.
int unpackTileCompressedTables(const std::string& path);

}  // namespace armilla
