// SPDX-License-Identifier: GPL-3.0-or-later
#include "utf8_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text_file.h"

namespace armilla {

bool isUtf8(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        const auto byte = [&](size_t k) {
            return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U;
        };
        const unsigned lead = byte(0);
        const size_t length = lead < 0x80 ? 1 : lead >> 5U == 6 ? 2 : lead >> 4U == 14 ? 3 : 4;
        if (length == 4 && lead >> 3U != 30) return false;
        uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
        for (size_t k = 1; k < length; ++k) {
            if (byte(k) >> 6U != 2) return false;
            code = code << 6U | (byte(k) & 0x3fU);
        }
        constexpr std::array<uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
        if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return false;
        i += length;
    }
    return true;
}

std::string inUtf8(std::string text) {
    if (isUtf8(text)) return text;
    // Characters of the bytes 0x80 to 0x9F; five bytes are undefined.
    constexpr std::array<uint16_t, 32> kHigh{
        0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
        0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
        0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178};
    std::string result;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        appendUtf8(result, code >= 0x80 && code < 0xa0 ? kHigh[code - 0x80U] : code);
    }
    return result;
}

}  // namespace armilla
