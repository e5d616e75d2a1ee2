// SPDX-License-Identifier: GPL-3.0-or-later
#include "base64.h"

#include <algorithm>
#include <cstdint>

namespace armilla {

std::optional<std::string> fromBase64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    uint32_t group = 0;
    int letters = 0, padding = 0;
    for (const char c : text) {
        int value = -1;
        if (c >= 'A' && c <= 'Z') value = c - 'A';
        if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
        if (c >= '0' && c <= '9') value = c - '0' + 52;
        if (c == '+') value = 62;
        if (c == '/') value = 63;
        if (c == '=') ++padding;
        if (value < 0 && c != '=') {
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
            return std::nullopt;
        }
        if (padding > 0 && value >= 0) return std::nullopt;
        group = group << 6 | static_cast<uint32_t>(std::max(value, 0));
        if (++letters < 4) continue;
        for (int shift = 16; shift >= 8 * padding && shift >= 0; shift -= 8)
            bytes += static_cast<char>(group >> shift & 0xff);
        if (padding > 2) return std::nullopt;
        letters = 0;
        group = 0;
    }
    if (letters != 0) return std::nullopt;
    return bytes;
}

}  // namespace armilla
