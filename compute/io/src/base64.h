// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace armilla {

// Decodes base64 (RFC 4648), ignoring blanks and line ends. None for invalid text.
std::optional<std::string> fromBase64(std::string_view text);

}  // namespace armilla
