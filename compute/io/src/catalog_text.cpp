// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs as delimited text: the first line that is no comment names the columns.
#include <algorithm>

#include "catalog_build.h"
#include "core/error.h"
#include "fits_file.h"
#include "text_file.h"

namespace armilla {

namespace {

// The delimiter that occurs most often in the line of names.
char delimiterOf(std::string_view line) {
    char best = ',';
    long most = 0;
    for (const char candidate : {',', ';', '\t', '|'}) {
        const long count = std::count(line.begin(), line.end(), candidate);
        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    return best;
}

// Takes one record off `text` from `at` on (RFC 4180: quoted cells may hold delimiters, quotes
// written twice, and line ends).
std::vector<std::string> takeRecord(std::string_view text, size_t& at, char delimiter) {
    std::vector<std::string> cells(1);
    bool insideQuotes = false;
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
            insideQuotes = true;
        } else if (c == delimiter) {
            cells.emplace_back();
        } else if (c == '\n') {
            ++at;
            break;
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return cells;
}

// "RA (deg)" or "RA [deg]" taken apart into name and unit.
void splitUnit(const std::string& heading, std::string& name, std::string& unit) {
    name = trimmed(heading);
    for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
        const size_t at = name.find(open);
        if (at == std::string::npos || at == 0 || name.back() != close) continue;
        unit = trimmed(name.substr(at + 1, name.size() - at - 2));
        name = trimmed(name.substr(0, at));
        return;
    }
}

}  // namespace

Catalog readCsv(const std::string& path, JobContext& job) {
    std::string text = readTextFile(path);
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // byte order mark
    size_t at = 0, record = 0;
    char delimiter = ',';
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> cells;
    while (at < text.size()) {
        const size_t lineEnd = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, lineEnd - at);
        if (trimmed(line).empty() || line.front() == '#') {
            at = lineEnd + 1;
            continue;
        }
        if (headings.empty()) delimiter = delimiterOf(line);
        std::vector<std::string> row = takeRecord(text, at, delimiter);
        ++record;
        if ((record & 0xfff) == 0)
            job.report(0.9 * static_cast<double>(at) / static_cast<double>(text.size()), "reading");
        if (headings.empty()) {
            headings = std::move(row);
            cells.resize(headings.size());
            continue;
        }
        if (row.size() != headings.size())
            refuse(path, std::to_string(headings.size()) + " cells as in the line of names",
                   std::to_string(row.size()) + " in record " + std::to_string(record));
        for (size_t i = 0; i < row.size(); ++i) cells[i].push_back(std::move(row[i]));
    }
    std::vector<CatalogColumn> columns;
    for (size_t i = 0; i < headings.size(); ++i) {
        job.poll();
        std::string name, unit;
        splitUnit(headings[i], name, unit);
        columns.push_back(columnFromTexts(std::move(name), std::move(unit), std::move(cells[i])));
    }
    return catalogFromColumns(path, std::move(columns), job);
}

}  // namespace armilla
