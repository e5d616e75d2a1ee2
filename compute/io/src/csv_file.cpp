// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of delimited text: the first line that is no comment contains the column names.
#include "csv_file.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/equatorial_frame.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/table_rows.h"
#include "fits_header.h"
#include "table_formats.h"
#include "text_file.h"
#include "utf8_text.h"

namespace armilla {

namespace {

constexpr char kBlanks = '\0';

// The most frequent delimiter in the line of names; blanks if there is none.
char delimiterOf(std::string_view line) {
    char best = kBlanks;
    long most = 0;
    for (const char candidate : {',', ';', '\t', '|'}) {
        const long count = std::count(line.begin(), line.end(), candidate);
        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    // "RA" alone, and "RA [deg]", are one column; "RA DEC" are two.
    return best;
}

bool isSpaceOrTab(char c) {
    return c == ' ' || c == '\t';
}

// A text with brackets at its end: "RA (deg)".
struct Bracketed {
    std::string before, inside;
};

std::optional<Bracketed> bracketAtEnd(const std::string& text) {
    for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
        if (!text.ends_with(close)) continue;
        int depth = 0;
        for (size_t at = text.size(); at-- > 1;) {
            if (text[at] == close) ++depth;
            if (text[at] == open && --depth == 0)
                return Bracketed{trimmed(text.substr(0, at)),
                                 trimmed(text.substr(at + 1, text.size() - at - 2))};
        }
    }
    return std::nullopt;
}

// True for "J2000", "FK4" and the like.
bool isSystem(const std::string& text) {
    return !text.empty() && (equatorialFrameOf(text, std::nullopt) || equinoxYear(text));
}

// Splits "RA (deg)" or "RA [deg]" into name and unit. A system in brackets belongs to the name,
// which becomes RA_J2000.
void splitUnit(const std::string& heading, std::string& name, std::string& unit) {
    name = trimmed(heading);
    std::optional<Bracketed> last = bracketAtEnd(name);
    if (last && !isSystem(last->inside)) {
        name = last->before;
        unit = last->inside;
        last = bracketAtEnd(name);
    }
    if (!last || !isSystem(last->inside)) return;
    name = last->before + "_" + last->inside;
    if (name.ends_with(".0")) name.resize(name.size() - 2);  // J2000.0
}

bool isNumber(const std::string& cell) {
    return parseReal(cell).has_value();
}

bool allNumbers(const std::vector<std::string>& cells) {
    return std::all_of(cells.begin(), cells.end(), isNumber);
}

// Removes a comment behind the cells of a row: words from one that begins with '#', after as many
// cells as the table has columns (0: not known yet), or after numbers alone.
void dropComment(std::vector<std::string>& row, size_t columns) {
    for (size_t i = 1; i < row.size(); ++i) {
        if (!row[i].starts_with('#')) continue;
        const bool isBehind =
            columns > 0
                ? i == columns
                : std::all_of(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(i), isNumber);
        if (isBehind) row.resize(i);
        return;
    }
}

// Headings of a table without a line of names: from the last comment, otherwise "col1", "col2", ...
std::vector<std::string> headingsFor(size_t count, std::string_view comment) {
    std::vector<std::string> words = headingsIn(count, comment);
    for (size_t i = words.size(); i < count; ++i) words.push_back("col" + std::to_string(i + 1));
    return words;
}

// True if a first row contains values, not names. That is a row of numbers, or a row with some
// numbers below a comment with column names only.
bool holdsValues(const std::vector<std::string>& row, std::string_view comment) {
    if (allNumbers(row)) return true;
    const std::vector<std::string> words = headingsIn(row.size(), comment);
    return !words.empty() && std::none_of(words.begin(), words.end(), isNumber) &&
           std::any_of(row.begin(), row.end(), isNumber);
}

// "1,5" with a decimal point, for delimiters other than the comma; none for other forms.
std::string withPoint(const std::string& cell) {
    if (std::count(cell.begin(), cell.end(), ',') != 1 || cell.find('.') != std::string::npos)
        return cell;
    std::string number = cell;
    std::replace(number.begin(), number.end(), ',', '.');
    return isNumber(number) ? number : cell;
}

bool isRule(const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("-:") == std::string::npos;
}

// The first records below the names, by columns: at most a line of types, of units and of rules,
// and one of values.
constexpr size_t kHead = 4;
using Head = std::vector<std::vector<std::string>>;

// True for a first row without a number, with a unit of angle above a column of numbers.
// `areNumbers`: the columns with numbers alone in all records below the head.
bool isUnitsRow(const Head& cells, const std::vector<bool>& areNumbers) {
    bool hasAngle = false;
    for (size_t i = 0; i < cells.size(); ++i) {
        const std::vector<std::string>& column = cells[i];
        if (column.size() < 2 || isNumber(column[0])) return false;
        const std::string unit = trimmed(column[0]);
        hasAngle =
            hasAngle || (!unit.empty() && !isRule(unit) && angleUnit(unit) &&
                         std::all_of(column.begin() + 1, column.end(), isNumber) && areNumbers[i]);
    }
    return hasAngle;
}

// Removes a line of rules below the names, as in Markdown. Also removes a line of units between
// names and rules, as in tab-separated tables of VizieR. `units` receives the units.
void takeRules(Head& cells, const std::vector<bool>& areNumbers, std::vector<std::string>& units) {
    if (isUnitsRow(cells, areNumbers)) {
        for (size_t i = 0; i < cells.size(); ++i) {
            units[i] = trimmed(cells[i][0]);
            cells[i].erase(cells[i].begin());
        }
        return;
    }
    for (const size_t at : {size_t{0}, size_t{1}}) {
        bool any = false, all = true;
        for (const auto& column : cells) {
            const std::string cell = column.size() > at ? trimmed(column[at]) : "";
            any = any || isRule(cell);
            all = all && (cell.empty() || isRule(cell));
        }
        if (!any || !all) continue;
        for (size_t i = 0; i < cells.size(); ++i) {
            if (at == 1) units[i] = trimmed(cells[i][0]);
            cells[i].erase(cells[i].begin(), cells[i].begin() + static_cast<long>(at + 1));
        }
        return;
    }
}

// True for a type of RDB: a width, and S (text), N (number) or M (month).
bool isRdbType(const std::string& cell) {
    const std::string type = upperTrimmed(cell);
    return !type.empty() && std::string_view("SNM").find(type.back()) != std::string_view::npos &&
           type.find_first_not_of("0123456789") == type.size() - 1;
}

// Removes the line of types below the names of an RDB table (Starbase, astropy).
void takeTypes(Head& cells) {
    bool hasNumbers = false;
    for (const std::vector<std::string>& column : cells) {
        if (column.empty() || !isRdbType(column[0])) return;
        hasNumbers = hasNumbers || (upperTrimmed(column[0]).ends_with('N') && column.size() > 1 &&
                                    isNumber(column[1]));
    }
    if (!hasNumbers) return;
    for (std::vector<std::string>& column : cells) column.erase(column.begin());
}

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr size_t kLeastLetters = 20;  // "-9223372036854775808"
// Records between two known offsets: few enough that a block starts soon behind one.
constexpr int64_t kStep = 1 << 14;
// Records between two polls: less than a millisecond each hundred.
constexpr int64_t kPoll = 1 << 12;

// The kinds of a column's cells.
struct Kinds {
    bool integer = false, real = false, text = false, missing = false, least = false;
    void add(const std::string& cell) {
        if (text) return;
        switch (kindOf(cell)) {
            case CellKind::Missing: missing = true; break;
            case CellKind::Integer:
                integer = true;
                least = least || (cell.size() >= kLeastLetters && parseInteger(cell) == kLeast);
                break;
            case CellKind::Real: real = true; break;
            case CellKind::Text: text = true; break;
        }
    }
};

// Commas stand for decimal points unless they separate cells.
bool mayHaveCommas(char delimiter) {
    return delimiter != ',' && delimiter != kBlanks;
}

// Facts about a column, found cell by cell.
struct Facts {
    Kinds asWritten, withPoints;  // withPoints: decimal commas as points
    bool areNumbers = true;
    bool arePoints = true;  // each cell is blank or a number, with commas as points
    bool areBlank = true;
    // `hasCommas`: cells may have decimal commas. `withNumbers`: finds areNumbers.
    void add(const std::string& cell, bool hasCommas, bool withNumbers) {
        const bool isEmpty = trimmedView(cell).empty();
        areBlank = areBlank && isEmpty;
        if (withNumbers) areNumbers = areNumbers && isNumber(cell);
        asWritten.add(cell);
        if (!hasCommas || !arePoints) return;
        const std::string point = withPoint(cell);
        arePoints = isEmpty || isNumber(point);
        withPoints.add(point);
    }
};

// True if one of the first two records may be a line of units.
bool startsWithoutNumbers(const Head& head) {
    for (const size_t record : {size_t{0}, size_t{1}})
        if (std::none_of(head.begin(), head.end(),
                         [&](const auto& column) { return isNumber(column[record]); }))
            return true;
    return false;
}

}  // namespace

// The first pass over a file.
struct CsvFile::Reading {
    std::string comment;
    std::vector<std::string> headings;
    Head head;
    std::vector<Facts> facts;
};

std::vector<std::string> headingsIn(size_t count, std::string_view comment) {
    std::vector<std::string> words;
    size_t at = 0;
    if (!trimmed(comment).empty()) words = takeRecord(comment, at, delimiterOf(comment));
    // "RA [deg]" is one heading, even with blanks as delimiter.
    for (size_t i = 1; i < words.size();) {
        const bool isUnit = (words[i].starts_with('[') && words[i].ends_with(']')) ||
                            (words[i].starts_with('(') && words[i].ends_with(')'));
        if (isUnit) {
            words[i - 1] += " " + words[i];
            words.erase(words.begin() + static_cast<long>(i));
        } else {
            ++i;
        }
    }
    if (words.size() != count || allNumbers(words)) words.clear();
    return words;
}

std::vector<std::string> takeRecord(std::string_view text, size_t& at, char delimiter,
                                    bool* isOpen) {
    std::vector<std::string> cells(1);
    bool insideQuotes = false, wasQuoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (insideQuotes) {
            if (c != '"') {
                cells.back() += c;
            } else if (at + 1 < text.size() && text[at + 1] == '"') {
                cells.back() += '"';
                ++at;
            } else {
                insideQuotes = false;
            }
        } else if (c == '"' && trimmed(cells.back()).empty()) {
            cells.back().clear();
            insideQuotes = wasQuoted = true;
        } else if (c == '\n') {
            ++at;
            break;
        } else if (delimiter == kBlanks ? isSpaceOrTab(c) : c == delimiter) {
            // A run of blanks is one delimiter; blanks before the first cell are ignored.
            if (delimiter != kBlanks || !cells.back().empty() || wasQuoted) cells.emplace_back();
            wasQuoted = false;
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    if (delimiter == kBlanks && cells.size() > 1 && cells.back().empty() && !wasQuoted)
        cells.pop_back();
    if (isOpen != nullptr) *isOpen = insideQuotes;
    return cells;
}

void CsvFile::scan(Reading& found, JobContext& job) {
    TextRecords records(*source_, path_, lineEnd_);
    const double length = static_cast<double>(std::max<int64_t>(1, source_->sizeLimit()));
    bool mayHaveUnits = false;
    for (int64_t record = 1; records.next(found.headings.empty() ? &found.comment : nullptr);
         ++record) {
        const int64_t offset = records.offset();
        const bool isFirst = found.headings.empty();
        if (isFirst) delimiter_ = delimiterOf(records.line());
        std::vector<std::string> cells = records.take(delimiter_);
        if (delimiter_ == kBlanks) dropComment(cells, cells_);
        if (record % kPoll == 0) job.report(0.5 * static_cast<double>(offset) / length, "reading");
        if (isFirst) {
            cells_ = cells.size();
            found.head.resize(cells_);
            found.facts.resize(cells_);
            const bool isOfValues = holdsValues(cells, found.comment);
            found.headings = isOfValues ? headingsFor(cells_, found.comment) : cells;
            if (!isOfValues) continue;
        }
        if (cells.size() != cells_) refuseCells(record, cells);
        if (rows_ % kStep == 0) offsets_.push_back(offset);
        if (rows_ == static_cast<int64_t>(kHead)) mayHaveUnits = startsWithoutNumbers(found.head);
        const bool isHead = rows_++ < static_cast<int64_t>(kHead);
        for (size_t i = 0; i < cells_; ++i)
            if (isHead)
                found.head[i].push_back(std::move(cells[i]));
            else
                found.facts[i].add(cells[i], mayHaveCommas(delimiter_), mayHaveUnits);
    }
}

void CsvFile::refuseCells(int64_t record, const std::vector<std::string>& cells) const {
    const bool isProse =
        delimiter_ == kBlanks && record == 2 && std::none_of(cells.begin(), cells.end(), isNumber);
    if (isProse)
        refuse(
            path_, "a table with as many words in each row as in its line of names",
            "text, lines of " + std::to_string(cells_) + " and " + counted(cells.size(), "word"));
    refuse(path_, counted(cells_, "cell") + " as in the line of names",
           std::to_string(cells.size()) + " in record " + std::to_string(record));
}

CsvFile::CsvFile(const std::string& path, JobContext& job)
    : path_(path), source_(openByteSource(path, job.stopToken())), lineEnd_(lineEndOf(*source_)) {
    Reading found;
    scan(found, job);
    if (found.headings.empty()) refuse(path, "a table with a line of names", "an empty one");
    if (cells_ == 1 && rows_ == 0)
        refuse(path, "a table, a line of names and rows below", "a line of text");
    std::vector<std::string> units(cells_);
    std::vector<bool> areNumbers;
    for (const Facts& facts : found.facts) areNumbers.push_back(facts.areNumbers);
    const auto before = static_cast<int64_t>(found.head[0].size());
    if (delimiter_ == '\t') takeTypes(found.head);
    takeRules(found.head, areNumbers, units);
    skipped_ = before - static_cast<int64_t>(found.head[0].size());
    rows_ -= skipped_;
    for (size_t i = 0; i < cells_; ++i) {
        Facts& facts = found.facts[i];
        for (const std::string& cell : found.head[i])
            facts.add(cell, mayHaveCommas(delimiter_), false);
        std::string name, unit;
        splitUnit(found.headings[i], name, unit);
        if (unit.empty()) unit = units[i];
        // Delimiters at the ends of lines create empty columns.
        if (name.empty() && facts.areBlank) continue;
        const bool decimalCommas = mayHaveCommas(delimiter_) && facts.arePoints;
        const Kinds& kinds = decimalCommas ? facts.withPoints : facts.asWritten;
        columns_.push_back({i, decimalCommas, kinds.least});
        TableColumn& column = outline_.columns.emplace_back();
        column.name = inUtf8(std::move(name));
        column.unit = inUtf8(std::move(unit));
        if (kinds.text) {
            column.values = std::vector<std::string>();
        } else if (kinds.integer && !kinds.real) {
            column.values = std::vector<int64_t>();
            if (kinds.missing) column.null = kLeast;
        }
    }
}

bool CsvFile::needsOtherNull() const {
    for (size_t i = 0; i < columns_.size(); ++i)
        if (columns_[i].hasLeast && outline_.columns[i].null) return true;
    return false;
}

// Appends a cell to a column; `missing` receives the places of missing integers. Throws IoError for
// a cell that the first pass did not find.
void CsvFile::append(const Column& from, const std::string& text, TableColumn& to,
                     std::vector<size_t>& missing) const {
    const std::string cell = from.decimalCommas ? withPoint(text) : text;
    if (auto* texts = std::get_if<std::vector<std::string>>(&to.values)) {
        texts->push_back(inUtf8(cell));
    } else if (auto* integers = std::get_if<std::vector<int64_t>>(&to.values)) {
        const bool isMissing = isMissingCell(cell);
        const auto value = isMissing ? std::optional<int64_t>(0) : parseInteger(cell);
        if (!value || (isMissing && !to.null)) refuseChange();
        if (isMissing) missing.push_back(integers->size());
        integers->push_back(*value);
    } else {
        const auto value = isMissingCell(cell) ? std::optional<double>(kNan) : parseReal(cell);
        if (!value) refuseChange();
        std::get<std::vector<double>>(to.values).push_back(*value);
    }
}

Table CsvFile::read(std::span<const int> columns, int64_t first, int64_t count,
                    JobContext& job) const {
    Table table;
    for (const int index : columns)
        table.columns.push_back(outline_.columns[static_cast<size_t>(index)]);
    requireMemory(path_, rowBytes(table) * count);
    for (TableColumn& column : table.columns)
        std::visit([&](auto& values) { values.reserve(static_cast<size_t>(count)); },
                   column.values);
    if (count == 0) return table;
    std::vector<std::vector<size_t>> missing(columns.size());
    const int64_t begin = skipped_ + first, end = begin + count;
    TextRecords records(*source_, path_, lineEnd_, offsets_[static_cast<size_t>(begin / kStep)]);
    for (int64_t record = begin / kStep * kStep; record < end; ++record) {
        if (record % kPoll == 0)
            job.report(0.5 + 0.5 * static_cast<double>(record - begin) / static_cast<double>(count),
                       "reading");
        if (!records.next()) refuseChange();
        std::vector<std::string> cells = records.take(delimiter_);
        if (delimiter_ == kBlanks) dropComment(cells, cells_);
        if (cells.size() != cells_) refuseChange();
        if (record < begin) continue;
        for (size_t i = 0; i < columns.size(); ++i) {
            const Column& from = columns_[static_cast<size_t>(columns[i])];
            append(from, cells[from.cell], table.columns[i], missing[i]);
        }
    }
    for (size_t i = 0; i < columns.size(); ++i) {
        if (missing[i].empty()) continue;
        TableColumn& column = table.columns[i];
        auto& values = std::get<std::vector<int64_t>>(column.values);
        if (columns_[static_cast<size_t>(columns[i])].hasLeast) column.null = unusedInteger(values);
        for (const size_t at : missing[i]) values[at] = *column.null;
    }
    return table;
}

void CsvFile::refuseChange() const {
    refuse(path_, "a file that stays the same while it is read", "other cells or rows");
}

Table readCsv(const std::string& path, const TableReadOptions& options, JobContext& job) {
    const CsvFile file(path, job);
    return file.read(chosenColumns(path, namesOf(file.outline()), options), 0, file.rows(), job);
}

}  // namespace armilla
