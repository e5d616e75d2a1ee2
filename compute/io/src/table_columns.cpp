// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of readers of text tables: types and selection of columns.
#include <algorithm>
#include <cctype>
#include <limits>

#include "armilla/core/error.h"
#include "table_formats.h"

namespace armilla {

namespace {

enum class CellKind { Missing, Integer, Real, Text };

bool isMissing(const std::string& cell) {
    const std::string upper = upperTrimmed(cell);
    return upper.empty() || upper == "NULL" || upper == "N/A" || upper == "NA" || upper == "-" ||
           upper == "--";
}

// Digits with a sign. "007" counts as a name, because a number would lose its zeros.
CellKind kindOf(const std::string& cell) {
    if (isMissing(cell)) return CellKind::Missing;
    const std::string text = trimmed(cell);
    const size_t digits = text[0] == '-' || text[0] == '+' ? 1 : 0;
    const bool whole =
        text.size() > digits && text.find_first_not_of("0123456789", digits) == std::string::npos;
    if (whole && text[digits] == '0' && text.size() > digits + 1) return CellKind::Text;
    if (whole && parseInteger(text)) return CellKind::Integer;
    return parseReal(text) ? CellKind::Real : CellKind::Text;
}

}  // namespace

int64_t unusedInteger(const std::vector<int64_t>& values) {
    int64_t candidate = std::numeric_limits<int64_t>::min();
    while (std::find(values.begin(), values.end(), candidate) != values.end()) ++candidate;
    return candidate;
}

TableColumn columnFromTexts(std::string name, std::string unit, std::vector<std::string> cells) {
    TableColumn column;
    column.name = std::move(name);
    column.unit = std::move(unit);
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
                if (isMissing(cells[i])) values[i] = *column.null;
        }
        column.values = std::move(values);
        return column;
    }
    std::vector<double> values;
    values.reserve(cells.size());
    for (const std::string& cell : cells)
        values.push_back(isMissing(cell) ? std::numeric_limits<double>::quiet_NaN()
                                         : parseReal(cell).value_or(0.0));
    column.values = std::move(values);
    return column;
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
    std::vector<std::string> names;
    for (const TableColumn& column : table.columns) names.push_back(column.name);
    std::vector<TableColumn> kept;
    // A column may be selected twice.
    for (const int index : chosenColumns(path, names, options))
        kept.push_back(table.columns[static_cast<size_t>(index)]);
    table.columns = std::move(kept);
}

}  // namespace armilla
