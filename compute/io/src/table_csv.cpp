// SPDX-License-Identifier: GPL-3.0-or-later
// Delimited text: the first line that is no comment contains the column names.
#include <algorithm>
#include <cctype>
#include <optional>

#include "armilla/core/counted.h"
#include "armilla/core/equatorial_frame.h"
#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "fits_writer.h"
#include "table_formats.h"
#include "text_file.h"

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

// Converts a column with decimal commas if all of its cells are numbers then.
void takeDecimalCommas(std::vector<std::string>& cells) {
    std::vector<std::string> points;
    for (const std::string& cell : cells) {
        points.push_back(withPoint(cell));
        if (!trimmed(cell).empty() && !isNumber(points.back())) return;
    }
    cells = std::move(points);
}

bool isRule(const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("-:") == std::string::npos;
}

// True for a first row without a number, with a unit of angle above a column of numbers.
bool isUnitsRow(const std::vector<std::vector<std::string>>& cells) {
    bool hasAngle = false;
    for (const std::vector<std::string>& column : cells) {
        if (column.size() < 2 || isNumber(column[0])) return false;
        const std::string unit = trimmed(column[0]);
        hasAngle = hasAngle || (!unit.empty() && !isRule(unit) && angleUnit(unit) &&
                                std::all_of(column.begin() + 1, column.end(), isNumber));
    }
    return hasAngle;
}

// Removes a line of rules below the names, as in Markdown. Also removes a line of units between
// names and rules, as in tab-separated tables of VizieR. `units` receives the units.
void takeRules(std::vector<std::vector<std::string>>& cells, std::vector<std::string>& units) {
    if (isUnitsRow(cells)) {
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
void takeTypes(std::vector<std::vector<std::string>>& cells) {
    bool hasNumbers = false;
    for (const std::vector<std::string>& column : cells) {
        if (column.empty() || !isRdbType(column[0])) return;
        hasNumbers = hasNumbers || (upperTrimmed(column[0]).ends_with('N') && column.size() > 1 &&
                                    isNumber(column[1]));
    }
    if (!hasNumbers) return;
    for (std::vector<std::string>& column : cells) column.erase(column.begin());
}

std::string inDoubleQuotes(const std::string& cell) {
    std::string result = "\"";
    for (const char c : cell) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

}  // namespace

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos && trimmed(text) == text &&
        !text.starts_with('#'))
        return text;
    return inDoubleQuotes(text);
}

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

Table readCsv(const std::string& path, const TableReadOptions& options, JobContext& job) {
    std::string text = readTextFile(path);
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // byte order mark
    size_t at = 0, record = 0;
    char delimiter = ',';
    std::string_view comment;
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> cells;
    while (at < text.size()) {
        const size_t lineEnd = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, lineEnd - at);
        if (trimmed(line).empty() || (!isBlank(line.front()) && isCommentLine(line))) {
            if (headings.empty() && !trimmed(line).empty()) comment = line.substr(1);
            at = lineEnd + 1;
            continue;
        }
        if (headings.empty()) delimiter = delimiterOf(line);
        bool isOpen = false;
        std::vector<std::string> row = takeRecord(text, at, delimiter, &isOpen);
        if (isOpen) refuse(path, "a quote that ends its text", "the end of the file");
        if (delimiter == kBlanks) dropComment(row, headings.size());
        ++record;
        if ((record & 0xfff) == 0)
            job.report(0.9 * static_cast<double>(at) / static_cast<double>(text.size()), "reading");
        if (headings.empty()) {
            cells.resize(row.size());
            const bool isOfValues = holdsValues(row, comment);
            headings = isOfValues ? headingsFor(row.size(), comment) : row;
            if (!isOfValues) continue;
        }
        const bool isProse =
            delimiter == kBlanks && record == 2 && std::none_of(row.begin(), row.end(), isNumber);
        if (row.size() != headings.size() && isProse)
            refuse(path, "a table with as many words in each row as in its line of names",
                   "text, lines of " + std::to_string(headings.size()) + " and " +
                       counted(row.size(), "word"));
        if (row.size() != headings.size())
            refuse(path, counted(headings.size(), "cell") + " as in the line of names",
                   std::to_string(row.size()) + " in record " + std::to_string(record));
        for (size_t i = 0; i < row.size(); ++i) cells[i].push_back(std::move(row[i]));
    }
    if (headings.empty()) refuse(path, "a table with a line of names", "an empty one");
    if (headings.size() == 1 && cells[0].empty())
        refuse(path, "a table, a line of names and rows below", "a line of text");
    std::vector<std::string> units(headings.size());
    if (delimiter == '\t') takeTypes(cells);
    takeRules(cells, units);
    Table table;
    for (size_t i = 0; i < headings.size(); ++i) {
        job.poll();
        std::string name, unit;
        splitUnit(headings[i], name, unit);
        if (unit.empty()) unit = units[i];
        if (delimiter != ',' && delimiter != kBlanks) takeDecimalCommas(cells[i]);
        // Delimiters at the ends of lines create empty columns.
        if (name.empty() && std::all_of(cells[i].begin(), cells[i].end(),
                                        [](const auto& cell) { return trimmed(cell).empty(); }))
            continue;
        table.columns.push_back(
            columnFromTexts(std::move(name), std::move(unit), std::move(cells[i])));
    }
    keepChosen(table, path, options);
    return table;
}

namespace {

// True for each column of positions in another unit than degrees. A reader of the file takes
// positions without a unit as degrees, so that their headings must state the unit.
std::vector<bool> needsUnit(const Table& table) {
    Table outline;
    for (const TableColumn& column : table.columns) {
        outline.columns.emplace_back();
        outline.columns.back().name = column.name;
        outline.columns.back().ucd = column.ucd;
        outline.columns.back().unit = column.isText() ? std::string() : column.unit;
    }
    std::vector<bool> needs(table.columns.size(), false);
    while (const auto found = findPositions(outline)) {
        for (const int index : {found->lon, found->lat}) {
            TableColumn& column = outline.columns[static_cast<size_t>(index)];
            const auto unit = angleUnit(column.unit);
            needs[static_cast<size_t>(index)] = unit && !column.unit.empty() && *unit != kDegree;
            column = {};  // another pair may follow
        }
    }
    return needs;
}

void addCsvNames(TextSink& sink, const Table& table) {
    std::string line;
    const std::vector<bool> withUnit = needsUnit(table);
    for (size_t i = 0; i < table.columns.size(); ++i) {
        const TableColumn& column = table.columns[i];
        for (int64_t k = 1; k <= column.width; ++k) {
            std::string name =
                column.width == 1 ? column.name : column.name + "_" + std::to_string(k);
            if (withUnit[i]) name += " [" + column.unit + "]";
            line += (line.empty() ? "" : ",") + csvCell(name);
        }
    }
    sink.add(line + "\n");
}

void addCsvRows(TextSink& sink, const Table& table, JobContext& job) {
    std::string line;
    for (int64_t row = 0; row < table.rows(); ++row) {
        if ((row & 0xfff) == 0)
            job.report(static_cast<double>(row) / static_cast<double>(table.rows()), "writing");
        line.clear();
        bool first = true;
        for (const TableColumn& column : table.columns)
            for (int64_t k = 0; k < column.width; ++k) {
                if (!first) line += ',';
                first = false;
                line += csvCell(column.text(row, k));
            }
        // A row of one empty cell must differ from an empty line.
        if (line.empty()) line = "\"\"";
        sink.add(line + "\n");
    }
}

}  // namespace

void writeCsv(const Table& table, const std::string& path, const TableWriteOptions& options,
              JobContext& job) {
    TextSink sink(path, options.overwrite);
    addCsvNames(sink, table);
    addCsvRows(sink, table, job);
    sink.commit();
}

void writeCsv(const TableStream& stream, const std::string& path, const TableWriteOptions& options,
              JobContext& job) {
    TextSink sink(path, options.overwrite);
    addCsvNames(sink, stream.outline);
    stream.forBlocks(
        [&](const Table& block) {
            JobContext silent(job.stopToken(), {}, job.threads());
            addCsvRows(sink, block, silent);
        },
        job);
    sink.commit();
}

void writeTextTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                    JobContext& job) {
    TextSink sink(path, options.overwrite);
    for (const auto* lines : {&table.history, &options.history})
        for (const std::string& line : *lines) sink.add("# " + fitsText(line) + "\n");
    std::string line = "#";
    for (const TableColumn& column : table.columns)
        for (int64_t k = 1; k <= column.width; ++k)
            line += " " + column.name + (column.width == 1 ? "" : "_" + std::to_string(k)) +
                    (column.unit.empty() ? "" : " [" + column.unit + "]");
    sink.add(fitsText(line) + "\n");
    for (int64_t row = 0; row < table.rows(); ++row) {
        if ((row & 0xfff) == 0)
            job.report(static_cast<double>(row) / static_cast<double>(table.rows()), "writing");
        line.clear();
        for (const TableColumn& column : table.columns)
            for (int64_t k = 0; k < column.width; ++k) {
                const std::string cell = column.text(row, k);
                line += line.empty() ? "" : " ";
                line += column.isText() ? inDoubleQuotes(cell) : cell.empty() ? "nan" : cell;
            }
        sink.add(line + "\n");
    }
    sink.commit();
}

}  // namespace armilla
