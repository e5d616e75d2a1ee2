// SPDX-License-Identifier: GPL-3.0-or-later
// The cards of one FITS header, parsed with tolerance for common deviations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "armilla/core/ascii_text.h"

namespace armilla {

class FitsHeader {
public:
    FitsHeader() = default;
    // Cards of 80 columns, without END.
    explicit FitsHeader(std::vector<std::string> cards);

    const std::vector<std::string>& cards() const { return cards_; }
    bool has(std::string_view key) const { return find(key) != nullptr; }
    // The value as text: a string without its quotes and trailing blanks, any other value as
    // written.
    std::optional<std::string> text(std::string_view key) const;
    // The comment after the value and a slash; empty if absent.
    std::string comment(std::string_view key) const;
    // An integer, also in quotes (NSIDE = '64'); none for any other value.
    std::optional<int64_t> integer(std::string_view key) const;
    std::optional<double> real(std::string_view key) const;
    // T or F, also in quotes and as '.true.', 'TRUE', 'yes', 1.
    std::optional<bool> logical(std::string_view key) const;

private:
    const std::string* find(std::string_view key) const;
    std::vector<std::string> cards_;
    std::unordered_map<std::string, size_t> index_;  // the first card of each keyword
};

// Keyword of a card: columns 1 to 8 without trailing blanks.
std::string cardKeyword(std::string_view card);
// Upper case of ASCII, blanks at both ends removed.
std::string upperTrimmed(std::string_view text);
// A number if the whole of `text` is one (with D exponents, as in Fortran), otherwise none.
std::optional<double> parseReal(std::string_view text);
std::optional<int64_t> parseInteger(std::string_view text);
// Text of a file in a form for one line of a message: printable, at most 60 characters, quoted.
std::string inQuotes(std::string_view text);

}  // namespace armilla
