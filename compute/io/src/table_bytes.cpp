// SPDX-License-Identifier: GPL-3.0-or-later
// Fixed-width text that describes itself byte by byte, as the catalogs of the CDS and of journals
// do ("Standards for Astronomical Catalogues", version 2.0, section 3.2):
//
//     Byte-by-byte Description of file: table.dat
//     ------------------------------------------
//        Bytes Format Units   Label   Explanations
//     ------------------------------------------
//        1-  2  I2    h       RAh     Right ascension
//
// The description precedes the values, after '#' or before the last line of dashes. Explanations
// may start with a range and with a marker for no value: "[0/9]?=-99.99 Flux".
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr std::string_view kTitle = "byte-by-byte description";

struct ByteColumn {
    size_t first = 0, last = 0;  // bytes of a line, from 1
    bool isText = false;
    std::string name, unit, description;
    std::optional<double> null;  // the number that stands for "no value"
};

// Returns the line at `at` and moves `at` to the next line.
std::string_view takeLine(std::string_view text, size_t& at) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool isTitle(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t#"), line.size()));
    return startsInAnyCase(line, kTitle);
}

bool isRule(std::string_view line) {
    return line.find("-----") != std::string_view::npos &&
           line.find_first_not_of("-= #\t\r") == std::string_view::npos;
}

// True if the first line from `at` on that is not empty is a line of dashes. A title without one is
// a sentence about a description.
bool isRuleNext(std::string_view text, size_t at) {
    while (at < text.size()) {
        const std::string_view line = takeLine(text, at);
        if (line.find_first_not_of(" \t#") != std::string_view::npos) return isRule(line);
    }
    return false;
}

// The marker number of "?=-99.99 Flux", "[-5/20]?=99 Magnitude"; none for "? Flux" (blanks only).
std::optional<double> nullOf(std::string_view explanation) {
    const auto skip = [&](std::string_view signs) {
        explanation.remove_prefix(
            std::min(explanation.find_first_not_of(signs), explanation.size()));
    };
    skip("* ");
    if (explanation.starts_with('[') || explanation.starts_with(']')) {
        const size_t end = explanation.find_first_of("[]", 1);
        if (end == std::string_view::npos) return std::nullopt;
        explanation.remove_prefix(end + 1);
        skip(" ");
    }
    if (!explanation.starts_with("?=")) return std::nullopt;
    explanation.remove_prefix(2);
    std::string_view number =
        explanation.substr(0, explanation.find_first_not_of("+-.0123456789eEdD"));
    // "?=99.Depth" has a letter that is no exponent.
    for (; !number.empty(); number.remove_suffix(1))
        if (const auto value = parseReal(number)) return value;
    return std::nullopt;
}

// Parses "  5-  8  F4.1  s       RAs      Right ascension"; none for continuation lines.
std::optional<ByteColumn> columnOf(std::string_view line) {
    size_t at = 0;
    const auto skipBlanks = [&] {
        while (at < line.size() && line[at] == ' ') ++at;
    };
    const auto number = [&] {
        size_t value = 0;
        const size_t from = at;
        for (; at < line.size() && isDigit(line[at]); ++at)
            value = std::min<size_t>(10 * value + static_cast<size_t>(line[at] - '0'), 1000000);
        return at > from ? value : 0;
    };
    const auto word = [&] {
        skipBlanks();
        const size_t from = at;
        while (at < line.size() && line[at] != ' ') ++at;
        return std::string(line.substr(from, at - from));
    };
    ByteColumn column;
    skipBlanks();
    column.first = column.last = number();
    skipBlanks();
    if (at < line.size() && line[at] == '-') {
        ++at;
        skipBlanks();
        column.last = number();
    }
    const std::string format = word();
    column.unit = word();
    column.name = word();
    if (column.first == 0 || column.last < column.first || column.name.empty() ||
        std::string_view("AIFED").find(format.empty() ? ' ' : format[0]) == std::string_view::npos)
        return std::nullopt;
    column.isText = format[0] == 'A';
    if (column.unit.find_first_not_of('-') == std::string::npos) column.unit.clear();
    column.description = trimmed(std::string(line.substr(at)));
    return column;
}

struct Description {
    std::vector<ByteColumn> columns;
    std::vector<std::string_view> rows;
    std::string notes;  // text after the columns, lines joined
};

// Parses "Note on Flux_[band] and e_Flux_[band] A sentinel value of -9.9 is entered ...": a number
// that means no value in the columns of the note.
void readSentinels(Description& description) {
    constexpr std::string_view kNote = "Note on ", kSentinel = "sentinel value of ";
    const std::string_view notes = description.notes;
    for (size_t at = notes.find(kNote); at != std::string_view::npos;) {
        const size_t next = notes.find(kNote, at + kNote.size());
        const std::string_view note = notes.substr(at + kNote.size(), next - at - kNote.size());
        at = next;
        const size_t said = note.find(kSentinel);
        if (said == std::string_view::npos) continue;
        const std::string_view from = note.substr(said + kSentinel.size());
        const auto value = parseReal(from.substr(0, from.find(' ')));
        if (!value) continue;
        // Parses leading names; "[band]" matches anything.
        for (std::string_view rest = note.substr(0, said); !rest.empty();) {
            const size_t end = std::min(rest.find_first_of(" ,:"), rest.size());
            const std::string_view word = rest.substr(0, end);
            const size_t open = word.find('[');
            const bool isAny = open != std::string_view::npos && word.ends_with(']');
            for (ByteColumn& column : description.columns)
                if (!column.isText && !word.empty() &&
                    (isAny ? open > 0 && column.name.starts_with(word.substr(0, open))
                           : column.name == word))
                    column.null = value;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
}

Description describe(std::string_view text) {
    Description found;
    bool isOpen = false;
    int rules = 0;
    for (size_t at = 0; at < text.size();) {
        std::string_view line = takeLine(text, at);
        const bool isComment = line.starts_with('#');
        if (isTitle(line) && isRuleNext(text, at)) {
            found = {};
            isOpen = true;
            rules = 0;
        } else if (isRule(line)) {
            ++rules;
            // Lines before a line of dashes are no values.
            found.rows.clear();
        } else if (isOpen && rules == 2) {
            if (isComment) line.remove_prefix(1);
            if (auto column = columnOf(line))
                found.columns.push_back(std::move(*column));
            else if (const std::string more = trimmed(std::string(line));
                     !more.empty() && !found.columns.empty())
                found.columns.back().description += ' ' + more;
        } else if (rules > 2 && isComment) {
            found.notes += trimmed(std::string(line.substr(1))) + ' ';
        } else if (rules > 2 && !trimmed(std::string(line)).empty()) {
            found.rows.push_back(line);
        }
    }
    for (ByteColumn& column : found.columns) column.null = nullOf(column.description);
    readSentinels(found);
    return found;
}

std::vector<std::string> cellsOf(const Description& description, const ByteColumn& column) {
    std::vector<std::string> cells;
    for (const std::string_view line : description.rows)
        cells.push_back(column.first <= line.size()
                            ? trimmed(std::string(
                                  line.substr(column.first - 1, column.last - column.first + 1)))
                            : std::string());
    return cells;
}

// A cell of a numeric column in a form that columnFromTexts parses. Removes leading zeros, which
// mark names elsewhere ("007"). Empty for text that is no number and for the marker of no value.
std::string numberCell(std::string cell, const std::optional<double>& null) {
    const auto value = parseReal(cell);
    if (!value || std::isnan(*value) || value == null) return {};
    const size_t first = cell[0] == '-' || cell[0] == '+' ? 1 : 0;
    size_t last = first;
    while (last + 1 < cell.size() && cell[last] == '0' && isDigit(cell[last + 1])) ++last;
    return cell.erase(first, last - first);
}

// The FK4 frame that an explanation names: "B1950", "Equinox 1950.0", "FK4".
std::optional<EquatorialFrame> oldFrameOf(std::string_view explanation) {
    const auto digitAt = [&](size_t at) {
        return at < explanation.size() && isDigit(explanation[at]);
    };
    for (const std::string_view year : {"1855", "1875", "1900", "1950"})
        for (size_t at = explanation.find(year); at != std::string_view::npos;
             at = explanation.find(year, at + 1))
            if (!digitAt(at + year.size()) && (at == 0 || !digitAt(at - 1)))
                return equatorialFrameOf("FK4", equinoxYear(year));
    if (explanation.find("FK4") == std::string_view::npos) return std::nullopt;
    return equatorialFrameOf("FK4", std::nullopt);
}

// Adds right ascension and declination in degrees from their sexagesimal parts.
void addPositions(Table& table, const Description& description) {
    const auto part = [&](const char* name) -> const TableColumn* {
        const auto index = table.find(name);
        return index ? &table.columns[static_cast<size_t>(*index)] : nullptr;
    };
    const TableColumn *hours = part("RAh"), *degrees = part("DEd"), *sign = part("DE-");
    if (!hours || !degrees || table.find("RA") || table.find("DEC")) return;
    const auto oldFrame = oldFrameOf(hours->description) ? oldFrameOf(hours->description)
                                                         : oldFrameOf(degrees->description);
    const auto number = [](const TableColumn& column, int64_t row) {
        return column.isText() ? parseReal(column.text(row)).value_or(std::nan(""))
                               : column.number(row);
    };
    const auto sum = [&](const TableColumn& whole, const char* minutes, const char* seconds,
                         int64_t row) {
        double value = std::abs(number(whole, row));
        if (const TableColumn* m = part(minutes)) value += number(*m, row) / 60.0;
        if (const TableColumn* s = part(seconds); s && std::isfinite(number(*s, row)))
            value += number(*s, row) / 3600.0;
        return value;
    };
    // The sign of "-00" is only in the text.
    const auto degreesAt = static_cast<size_t>(degrees - table.columns.data());
    const std::vector<std::string> signedCells =
        cellsOf(description, description.columns[degreesAt]);
    std::vector<double> lons, lats;
    for (int64_t row = 0; row < table.rows(); ++row) {
        lons.push_back(15.0 * sum(*hours, "RAm", "RAs", row));
        const double lat = sum(*degrees, "DEm", "DEs", row);
        const bool isSouth = (sign && sign->text(row) == "-") ||
                             signedCells[static_cast<size_t>(row)].starts_with('-');
        lats.push_back(isSouth ? -lat : lat);
    }
    const auto add = [&](const char* name, const char* ucd, std::vector<double> values) {
        TableColumn column;
        column.name = name;
        column.unit = "deg";
        column.ucd = ucd;
        column.values = std::move(values);
        column.equatorial = oldFrame;
        table.columns.push_back(std::move(column));
    };
    add("RA", "pos.eq.ra;meta.main", std::move(lons));
    add("DEC", "pos.eq.dec;meta.main", std::move(lats));
}

}  // namespace

bool isByteTable(const std::string& path) {
    constexpr size_t kLooked = 16384, kRowsLooked = 1 << 20;
    const std::string start = startOfTextFile(path, kLooked);
    bool isDescribed = false;
    for (size_t at = 0; at < start.size() && !isDescribed;)
        isDescribed = isTitle(takeLine(start, at)) && isRuleNext(start, at);
    if (!isDescribed) return false;
    // The description may belong to a table from which a delimited file was made. Its rows then
    // have delimiters in place of digits.
    const std::string text = startOfTextFile(path, kRowsLooked);
    const Description description = describe(text);
    for (const ByteColumn& column : description.columns)
        if (!column.isText)
            for (const std::string& cell : cellsOf(description, column))
                if (cell.find_first_of(",;\t|") != std::string::npos) return false;
    return true;
}

Table readByteTable(const std::string& path, const TableReadOptions& options, JobContext& job) {
    const std::string text = readTextFile(path);
    const Description description = describe(text);
    if (description.columns.empty())
        refuse(path, "columns in its description byte by byte", "none");
    if (description.rows.empty()) refuse(path, "values below their description", "none");
    Table table;
    for (const ByteColumn& column : description.columns) {
        job.poll();
        std::vector<std::string> cells = cellsOf(description, column);
        if (column.isText) {
            table.columns.emplace_back();
            table.columns.back().name = column.name;
            table.columns.back().unit = column.unit;
            table.columns.back().values = std::move(cells);
        } else {
            for (std::string& cell : cells) cell = numberCell(std::move(cell), column.null);
            table.columns.push_back(columnFromTexts(column.name, column.unit, std::move(cells)));
        }
        table.columns.back().description = column.description;
    }
    addPositions(table, description);
    keepChosen(table, path, options);
    return table;
}

}  // namespace armilla
