// SPDX-License-Identifier: GPL-3.0-or-later
// Text of files that state no encoding.
#pragma once

#include <string>
#include <string_view>

namespace armilla {

// True for UTF-8 (RFC 3629), without surrogates and overlong forms.
bool isUtf8(std::string_view text);
// The text in UTF-8: unchanged if it is UTF-8, otherwise read as Windows-1252, the encoding of most
// other files (its characters from 0xA0 on are those of ISO 8859-1).
std::string inUtf8(std::string text);

}  // namespace armilla
