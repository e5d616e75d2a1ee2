// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/text_positions.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/free_name.h"
#include "armilla/core/nan.h"

namespace armilla {

namespace {

std::optional<double> parseNumber(std::string_view text) {
    text = trimmedView(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Typographic signs of angles, with the letters and marks that stand for these.
constexpr AsciiSpelling kAngleSigns[] = {
    {"\u2212", "-"},  {"\u00b0", "d"},  {"\u00ba", "d"}, {"\u2032", "'"}, {"\u2019", "'"},
    {"\u2033", "\""}, {"\u201d", "\""}, {"\u02b0", "h"}, {"\u1d50", "m"}, {"\u02e2", "s"}};

std::string withPlainSigns(std::string_view text) {
    if (std::none_of(text.begin(), text.end(), [](char letter) { return (letter & 0x80) != 0; }))
        return std::string(text);
    std::string plain;
    while (!text.empty()) {
        const AsciiSpelling* sign = spellingAt(text, kAngleSigns);
        plain += sign != nullptr ? sign->plain : text.substr(0, 1);
        text.remove_prefix(sign != nullptr ? sign->letter.size() : 1);
    }
    return plain;
}

enum class Axis { Longitude, Latitude };

std::vector<double> degreesOf(const TableColumn& column, Axis axis, Frame frame) {
    // Right ascensions may have a name that no rule for positions lists, such as ra_hms.
    const bool isRightAscension =
        axis == Axis::Longitude &&
        (frame == Frame::Equatorial || lowerCase(column.name).starts_with("ra"));
    std::vector<double> degrees;
    degrees.reserve(static_cast<size_t>(column.rows()));
    for (const std::string& written : std::get<std::vector<std::string>>(column.values)) {
        const std::string text = withPlainSigns(written);
        if (trimmedView(text).empty()) {
            degrees.push_back(kNan);
            continue;
        }
        const auto plain = parseNumber(text);
        const auto value = plain ? plain : parseSexagesimal(text);
        if (!value)
            throw InvalidArgument("expected positions in column '" + column.name + "', found '" +
                                  written + "' in row " + std::to_string(degrees.size() + 1));
        // The letters h and d state the unit. Without them, right ascensions are hours.
        const bool isHours = text.find('h') != std::string::npos ||
                             (isRightAscension && !plain && text.find('d') == std::string::npos);
        degrees.push_back(axis == Axis::Longitude && isHours ? 15.0 * *value : *value);
    }
    return degrees;
}

// True for a column of the same angles in degrees, which an earlier reading of the texts added.
bool holdsDegrees(const TableColumn& column, const std::vector<double>& degrees) {
    constexpr double kRounding = 1e-9;
    if (column.isText() || column.width != 1 || column.rows() != std::ssize(degrees) ||
        !(column.unit.empty() || angleUnit(column.unit) == kDegree))
        return false;
    for (int64_t row = 0; row < column.rows(); ++row) {
        const double held = column.number(row), wanted = degrees[static_cast<size_t>(row)];
        if (!(std::isnan(held) && std::isnan(wanted)) && !(std::abs(held - wanted) <= kRounding))
            return false;
    }
    return true;
}

void addColumn(Table& table, int& index, double& unit, Axis axis, Frame frame) {
    const TableColumn& text = table.columns[static_cast<size_t>(index)];
    if (!text.isText()) return;
    const std::string name = text.name + "_DEG";
    std::vector<double> degrees = degreesOf(text, axis, frame);
    const auto held = table.find(name);
    unit = kDegree;
    if (held && holdsDegrees(table.columns[static_cast<size_t>(*held)], degrees)) {
        index = *held;
        return;
    }
    TableColumn column;
    column.name =
        freeName(name, [&](const std::string& word) { return table.find(word).has_value(); });
    column.unit = "deg";
    column.equatorial = text.equatorial;
    column.values = std::move(degrees);
    table.columns.push_back(std::move(column));
    index = static_cast<int>(table.columns.size()) - 1;
}

}  // namespace

std::optional<double> parseSexagesimal(std::string_view text) {
    std::array<double, 3> parts{};
    size_t count = 0;
    std::string number;
    const std::string whole = withPlainSigns(trimmedView(text)) + " ";
    const bool isNegative = whole[0] == '-';
    for (size_t i = whole[0] == '-' || whole[0] == '+' ? 1 : 0; i < whole.size(); ++i) {
        const char c = whole[i];
        if (isDigit(c) || c == '.') {
            number += c;
        } else if (std::string_view(": hmsd'\"").find(c) != std::string_view::npos) {
            if (number.empty()) continue;
            const auto value = parseNumber(number);
            if (!value || count == 3) return std::nullopt;
            parts[count++] = *value;
            number.clear();
        } else {
            return std::nullopt;
        }
    }
    // One part is a plain number unless a letter states its unit.
    const bool hasUnit = whole.find_first_of("hd") != std::string::npos;
    if (count < (hasUnit ? 1U : 2U) || parts[1] >= 60.0 || parts[2] >= 60.0) return std::nullopt;
    const double value = parts[0] + parts[1] / 60.0 + parts[2] / 3600.0;
    return isNegative ? -value : value;
}

void addDegrees(Table& table, PositionColumns& positions) {
    addColumn(table, positions.lon, positions.lonUnit, Axis::Longitude, positions.frame);
    addColumn(table, positions.lat, positions.latUnit, Axis::Latitude, positions.frame);
}

PositionColumns positionsInDegrees(Table& table, std::string_view lon, std::string_view lat) {
    const int first = table.columnIndex(lon), second = table.columnIndex(lat);
    const auto at = [&](int index) -> const TableColumn& {
        return table.columns[static_cast<size_t>(index)];
    };
    if (!at(first).isText() && !at(second).isText()) return positionsNamed(table, lon, lat);
    // The frame follows from names and UCDs alone.
    Table outline;
    outline.frame = table.frame;
    for (const int index : {first, second}) {
        TableColumn column;
        column.name = at(index).name;
        column.ucd = at(index).ucd;
        column.unit = at(index).isText() ? "deg" : at(index).unit;
        outline.columns.push_back(std::move(column));
    }
    PositionColumns positions = positionsNamed(outline, "1", "2");
    positions.lon = first;
    positions.lat = second;
    addDegrees(table, positions);
    return positions;
}

}  // namespace armilla
