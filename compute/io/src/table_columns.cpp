// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of readers of text tables: types and selection of columns.
#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "table_formats.h"
#include "utf8_text.h"

namespace armilla {

namespace {

// Removes the values of masked elements.
void clearMasked(TableColumn& column, const TableColumn& mask) {
    const auto isMasked = [&](size_t i) {
        const auto at = static_cast<int64_t>(i);
        return mask.number(at / mask.width, at % mask.width) != 0.0;
    };
    if (auto* whole = std::get_if<std::vector<int64_t>>(&column.values); whole && !column.null)
        column.null = unusedInteger(*whole);
    std::visit(
        [&](auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            for (size_t i = 0; i < values.size(); ++i) {
                if (!isMasked(i)) continue;
                if constexpr (std::is_floating_point_v<T>)
                    values[i] = std::numeric_limits<T>::quiet_NaN();
                else if constexpr (std::is_same_v<T, int64_t>)
                    values[i] = *column.null;
                else
                    values[i].clear();
            }
        },
        column.values);
}

}  // namespace

bool isMissingCell(const std::string& cell) {
    constexpr std::array<std::string_view, 8> kWords{"NULL",  "NONE", "N/A", "NA",
                                                     "INDEF", "-",    "--",  "---"};
    constexpr size_t kLongest = 5;
    const std::string_view text = trimmedView(cell);
    if (text.empty()) return true;
    return text.size() <= kLongest &&
           std::find(kWords.begin(), kWords.end(), upperTrimmed(text)) != kWords.end();
}

// Digits with a sign. "007" counts as a name, because a number would lose its zeros.
CellKind kindOf(const std::string& cell) {
    if (isMissingCell(cell)) return CellKind::Missing;
    const std::string_view text = trimmedView(cell);
    const size_t digits = text[0] == '-' || text[0] == '+' ? 1 : 0;
    const bool whole = text.size() > digits &&
                       text.find_first_not_of("0123456789", digits) == std::string_view::npos;
    if (whole && text[digits] == '0' && text.size() > digits + 1) return CellKind::Text;
    if (whole && parseInteger(text)) return CellKind::Integer;
    return parseReal(text) ? CellKind::Real : CellKind::Text;
}

void applyMasks(Table& table) {
    constexpr std::string_view kMask = ".mask";
    for (size_t m = 0; m < table.columns.size();) {
        const TableColumn& mask = table.columns[m];
        const auto index = mask.name.ends_with(kMask)
                               ? table.find(mask.name.substr(0, mask.name.size() - kMask.size()))
                               : std::nullopt;
        TableColumn* column = index ? &table.columns[static_cast<size_t>(*index)] : nullptr;
        if (column == nullptr || mask.isText() || column->width != mask.width ||
            column->size() != mask.size()) {
            ++m;
            continue;
        }
        clearMasked(*column, mask);
        table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(m));
    }
}

int64_t unusedInteger(const std::vector<int64_t>& values) {
    int64_t candidate = std::numeric_limits<int64_t>::min();
    while (std::find(values.begin(), values.end(), candidate) != values.end()) ++candidate;
    return candidate;
}

void textsOfUnsigned(TableColumn& column) {
    const auto& values = std::get<std::vector<int64_t>>(column.values);
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const int64_t value : values)
        texts.push_back(value == column.null ? std::string()
                                             : std::to_string(static_cast<uint64_t>(value)));
    column.values = std::move(texts);
    column.null.reset();
}

void textsIfAbove63Bits(TableColumn& column, const OptionalRows& rows) {
    const auto& values = std::get<std::vector<int64_t>>(column.values);
    const bool isAbove = std::any_of(values.begin(), values.end(), [&](int64_t value) {
        return value < 0 && value != column.null;
    });
    if (!rows || rows->unsignedColumns == nullptr) {
        if (isAbove) textsOfUnsigned(column);
        return;
    }
    UnsignedColumns& columns = *rows->unsignedColumns;
    columns.found.insert(column.name);
    if (isAbove) columns.above.insert(column.name);
    if (columns.texts.contains(column.name)) textsOfUnsigned(column);
}

TableColumn columnFromTexts(std::string name, std::string unit, std::vector<std::string> cells) {
    TableColumn column;
    column.name = inUtf8(std::move(name));
    column.unit = inUtf8(std::move(unit));
    bool whole = true, numeric = true, missing = false, present = false;
    for (const std::string& cell : cells) {
        const CellKind kind = kindOf(cell);
        missing = missing || kind == CellKind::Missing;
        present = present || kind != CellKind::Missing;
        whole = whole && kind != CellKind::Real;
        if (kind == CellKind::Text) {
            numeric = false;
            break;
        }
    }
    if (!numeric) {
        for (std::string& cell : cells) cell = inUtf8(std::move(cell));
        column.values = std::move(cells);
        return column;
    }
    if (whole && present) {
        std::vector<int64_t> values;
        values.reserve(cells.size());
        for (const std::string& cell : cells) values.push_back(parseInteger(cell).value_or(0));
        if (missing) {
            column.null = unusedInteger(values);
            for (size_t i = 0; i < cells.size(); ++i)
                if (isMissingCell(cells[i])) values[i] = *column.null;
        }
        column.values = std::move(values);
        return column;
    }
    std::vector<double> values;
    values.reserve(cells.size());
    for (const std::string& cell : cells)
        values.push_back(isMissingCell(cell) ? kNan : parseReal(cell).value_or(0.0));
    column.values = std::move(values);
    return column;
}

std::vector<std::string> namesOf(const Table& table) {
    std::vector<std::string> names;
    for (const TableColumn& column : table.columns) names.push_back(column.name);
    return names;
}

std::vector<int> chosenColumns(const std::string& path, const std::vector<std::string>& names,
                               const TableReadOptions& options) {
    std::vector<int> chosen;
    if (options.columns.empty()) {
        for (size_t i = 0; i < names.size(); ++i) chosen.push_back(static_cast<int>(i));
        return chosen;
    }
    Table outline;
    for (const std::string& name : names) {
        outline.columns.emplace_back();
        outline.columns.back().name = name;
    }
    try {
        for (const std::string& wanted : options.columns)
            chosen.push_back(outline.columnIndex(wanted));
    } catch (const InvalidArgument& error) {
        throw IoError(path + ": " + error.message());
    }
    return chosen;
}

void keepChosen(Table& table, const std::string& path, const TableReadOptions& options) {
    if (options.columns.empty()) return;
    std::vector<TableColumn> kept;
    // A column may be selected twice.
    for (const int index : chosenColumns(path, namesOf(table), options))
        kept.push_back(table.columns[static_cast<size_t>(index)]);
    table.columns = std::move(kept);
}

}  // namespace armilla
