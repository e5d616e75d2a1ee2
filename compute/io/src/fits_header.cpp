// SPDX-License-Identifier: GPL-3.0-or-later
#include "fits_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "utf8_text.h"

namespace armilla {

std::string upperTrimmed(std::string_view text) {
    return upperCase(trimmedView(text));
}

std::string cardKeyword(std::string_view card) {
    std::string key(card.substr(0, 8));
    while (!key.empty() && key.back() == ' ') key.pop_back();
    return key;
}

std::optional<double> parseReal(std::string_view text) {
    std::string number = trimmed(text);
    for (char& c : number)
        if (c == 'D' || c == 'd') c = 'E';
    const char* first = number.data();
    const char* last = first + number.size();
    if (first != last && *first == '+') ++first;
    double value = 0.0;
    const auto [end, code] = std::from_chars(first, last, value);
    if (end != last || first == last) return std::nullopt;
    if (code == std::errc::result_out_of_range) {
        // Beyond the range of double: infinity, or zero if the exponent is negative.
        const size_t exponent = number.find_first_of("eE");
        const bool tiny = exponent != std::string::npos && exponent + 1 < number.size() &&
                          number[exponent + 1] == '-';
        return tiny ? 0.0 : HUGE_VAL;
    }
    if (code != std::errc()) return std::nullopt;
    return value;
}

std::optional<int64_t> parseInteger(std::string_view text) {
    std::string number = trimmed(text);
    const char* first = number.data();
    const char* last = first + number.size();
    if (first != last && *first == '+') ++first;
    int64_t value = 0;
    const auto [end, code] = std::from_chars(first, last, value);
    if (code == std::errc() && end == last && first != last) return value;
    // "2048.0" and "2.048E3" are also integers; beyond 2^53 a double would hide digits.
    const auto real = parseReal(number);
    if (real && std::abs(*real) <= 9007199254740992.0 && *real == std::floor(*real))
        return static_cast<int64_t>(*real);
    return std::nullopt;
}

std::string inQuotes(std::string_view text) {
    std::string result = "'";
    for (const char c : text.substr(0, 60))
        result += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return result + (text.size() > 60 ? "...'" : "'");
}

FitsHeader::FitsHeader(std::vector<std::string> cards) : cards_(std::move(cards)) {
    for (size_t i = 0; i < cards_.size(); ++i)
        if (cards_[i].size() >= 10 && cards_[i][8] == '=')
            index_.try_emplace(upperTrimmed(cardKeyword(cards_[i])), i);
}

const std::string* FitsHeader::find(std::string_view key) const {
    const auto found = index_.find(std::string(key));
    return found == index_.end() ? nullptr : &cards_[found->second];
}

std::optional<std::string> FitsHeader::text(std::string_view key) const {
    const std::string* card = find(key);
    if (card == nullptr) return std::nullopt;
    const std::string_view field = std::string_view(*card).substr(9);
    const size_t start = field.find_first_not_of(' ');
    if (start == std::string_view::npos) return std::string();
    if (field[start] != '\'')
        return inUtf8(trimmed(field.substr(start, field.find('/', start) - start)));
    std::string value;
    for (size_t i = start + 1; i < field.size(); ++i) {
        if (field[i] == '\'') {
            if (i + 1 >= field.size() || field[i + 1] != '\'') break;
            ++i;
        }
        value += field[i];
    }
    while (!value.empty() && value.back() == ' ') value.pop_back();
    return inUtf8(std::move(value));
}

std::string FitsHeader::comment(std::string_view key) const {
    const std::string* card = find(key);
    if (card == nullptr) return {};
    bool inside = false;  // inside quotes; a doubled quote ends and restarts the text
    for (size_t i = 10; i < card->size(); ++i) {
        if ((*card)[i] == '\'') inside = !inside;
        if ((*card)[i] == '/' && !inside) return trimmed(std::string_view(*card).substr(i + 1));
    }
    return {};
}

std::optional<int64_t> FitsHeader::integer(std::string_view key) const {
    const auto value = text(key);
    return value ? parseInteger(*value) : std::nullopt;
}

std::optional<double> FitsHeader::real(std::string_view key) const {
    const auto value = text(key);
    return value ? parseReal(*value) : std::nullopt;
}

std::optional<bool> FitsHeader::logical(std::string_view key) const {
    const auto value = text(key);
    if (!value) return std::nullopt;
    const std::string word = upperTrimmed(*value);
    if (word == "T" || word == "TRUE" || word == ".TRUE." || word == "YES" || word == "1")
        return true;
    if (word == "F" || word == "FALSE" || word == ".FALSE." || word == "NO" || word == "0")
        return false;
    return std::nullopt;
}

}  // namespace armilla
