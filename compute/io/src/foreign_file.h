// SPDX-License-Identifier: GPL-3.0-or-later
// Names the format of a file that no reader supports, for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace armilla {

// Description of the start of a file for messages: "a PNG image", "an empty file", "text", "binary
// data".
std::string foreignWords(std::string_view start);

// foreignWords for a file that begins as no supported format of tables, maps or images; none if the
// file may have a supported format, damaged or not.
std::optional<std::string> foreignFormat(const std::string& path);

// Throws IoError if foreignFormat has a result.
void requireKnownFormat(const std::string& path);

}  // namespace armilla
