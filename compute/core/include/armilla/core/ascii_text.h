// SPDX-License-Identifier: GPL-3.0-or-later
// Letters, digits, blanks and case in ASCII. No function depends on the locale; bytes of UTF-8
// beyond ASCII are letters without case.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace armilla {

constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
// The blanks of isspace in the C locale.
constexpr bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr char lowerCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upperCase(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

inline std::string lowerCase(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = lowerCase(c);
    return result;
}
inline std::string upperCase(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = upperCase(c);
    return result;
}

// The text without blanks at both ends: a view into `text`, or a copy. Some writers of FITS fill
// cells with NUL, which goes too.
constexpr std::string_view trimmedView(std::string_view text) {
    const auto isFill = [](char c) { return isBlank(c) || c == '\0'; };
    while (!text.empty() && isFill(text.front())) text.remove_prefix(1);
    while (!text.empty() && isFill(text.back())) text.remove_suffix(1);
    return text;
}
inline std::string trimmed(std::string_view text) {
    return std::string(trimmedView(text));
}

// A character of UTF-8 and its spelling in ASCII.
struct AsciiSpelling {
    std::string_view letter, plain;
};
// Raised signs and digits, as in "cm⁻²", and the minus sign.
inline constexpr AsciiSpelling kExponentLetters[] = {
    {"⁻", "-"}, {"⁺", "+"}, {"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"},
    {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"}, {"−", "-"}};
// The spelling of the character at the start of `text`; null if the table has none.
constexpr const AsciiSpelling* spellingAt(std::string_view text,
                                          std::span<const AsciiSpelling> table) {
    for (const AsciiSpelling& each : table)
        if (text.starts_with(each.letter)) return &each;
    return nullptr;
}

constexpr bool equalInAnyCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lowerCase(x) == lowerCase(y); });
}
constexpr bool startsInAnyCase(std::string_view text, std::string_view start) {
    return text.size() >= start.size() && equalInAnyCase(text.substr(0, start.size()), start);
}

}  // namespace armilla
