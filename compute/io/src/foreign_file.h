// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is that no reader takes, for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace armilla {

// What begins so, in words behind "found": "a PNG image", "an empty file", "text", "binary data".
std::string foreignWords(std::string_view start);

// The same of a file that begins as no format with tables, maps or images that the program reads
// does; none where it may be one of them, damaged or not.
std::optional<std::string> foreignFormat(const std::string& path);

// Throws IoError if there is something in foreignFormat.
void requireKnownFormat(const std::string& path);

}  // namespace armilla
