// SPDX-License-Identifier: GPL-3.0-or-later
// Text tables whose header describes the columns: SExtractor (ASCII_HEAD) and IPAC.
#include <algorithm>
#include <array>
#include <optional>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "fits_equatorial.h"
#include "fits_header.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

std::string_view takeLine(std::string_view text, size_t& at) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

struct Heading {
    int64_t number = 0;  // column number, from 1
    std::string name, unit, description;
};

// "#   3 ALPHA_J2000   Right ascension of barycenter (J2000)   [deg]".
std::optional<Heading> headingOf(std::string_view line) {
    if (!line.starts_with('#')) return std::nullopt;
    line.remove_prefix(1);
    size_t at = 0;
    const std::vector<std::string> words = takeRecord(line, at, '\0');
    const auto number = words.size() > 1 ? parseInteger(words[0]) : std::nullopt;
    // Far above the columns of any table; the header alone defines columns without rows.
    constexpr int64_t kMostColumns = 1 << 16;
    if (!number || *number < 1 || *number > kMostColumns) return std::nullopt;
    Heading heading{*number, words[1], {}, {}};
    std::string rest = trimmed(line.substr(line.find(words[1]) + words[1].size()));
    if (const size_t open = rest.rfind('['); open != std::string::npos && rest.ends_with(']')) {
        heading.unit = trimmed(rest.substr(open + 1, rest.size() - open - 2));
        rest = trimmed(rest.substr(0, open));
    }
    heading.description = rest;
    return heading;
}

// The names of all columns; one without a heading is a further element of the column before.
std::vector<Heading> allHeadings(const std::vector<Heading>& said, size_t count) {
    std::vector<Heading> all;
    for (const Heading& heading : said) {
        if (!all.empty())
            for (int64_t element = 2; std::ssize(all) + 1 < heading.number; ++element) {
                Heading next = said[static_cast<size_t>(&heading - said.data() - 1)];
                next.name += "_" + std::to_string(element);
                all.push_back(std::move(next));
            }
        all.push_back(heading);
    }
    for (int64_t element = 2; !said.empty() && all.size() < count; ++element) {
        Heading next = said.back();
        next.name += "_" + std::to_string(element);
        all.push_back(std::move(next));
    }
    return all;
}

Table tableOf(std::vector<Heading> headings, std::vector<std::vector<std::string>> cells) {
    Table table;
    for (size_t i = 0; i < headings.size(); ++i) {
        table.columns.push_back(columnFromTexts(std::move(headings[i].name),
                                                std::move(headings[i].unit), std::move(cells[i])));
        table.columns.back().description = std::move(headings[i].description);
    }
    return table;
}

// The header lines of IPAC tables, between bars: names, then types, units and markers of no value.
bool isBarLine(std::string_view line) {
    const std::string text = trimmed(line);
    return text.size() > 2 && text.front() == '|' && text.back() == '|';
}

// Appends the frame in a keyword line of an IPAC table as a card: "\\EQUINOX = 'B1950'", or with a
// type before the name, "\\char RADESYS = 'FK4'". Lines that begin with a backslash and a blank are
// comments.
void takeFrame(std::string_view line, std::vector<std::string>& cards) {
    if (!line.starts_with('\\') || line.size() < 2 || isBlank(line[1])) return;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    std::string key = upperTrimmed(line.substr(1, equals - 1));
    key.erase(0, key.find_last_of(" \t") + 1);
    constexpr std::array<std::string_view, 6> kKeys{"RADESYS", "RADECSYS", "EQUINOX",
                                                    "EPOCH",   "DATE-OBS", "MJD-OBS"};
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) return;
    std::string value = trimmed(line.substr(equals + 1));
    for (const char quote : {'\'', '"'}) std::erase(value, quote);
    key.resize(8, ' ');
    if (key != "MJD-OBS ") value.insert(0, 1, '\'').push_back('\'');
    cards.push_back(key + "= " + value);
}

std::vector<std::string> cellsBetween(std::string_view line, const std::vector<size_t>& bars) {
    std::vector<std::string> cells;
    for (size_t i = 0; i + 1 < bars.size(); ++i) {
        // A value may start under the bar before its column; the last one extends to the line's
        // end.
        const size_t begin = std::min(line.size(), bars[i]);
        const size_t end = i + 2 == bars.size() ? line.size() : std::min(line.size(), bars[i + 1]);
        std::string cell = trimmed(line.substr(begin, end - begin));
        std::erase(cell, '|');
        cells.push_back(trimmed(cell));
    }
    return cells;
}

}  // namespace

bool isSExtractorTable(const std::string& path) {
    const std::string start = startOfTextFile(path);
    size_t at = 0;
    const auto first = headingOf(takeLine(start, at));
    const auto second = headingOf(takeLine(start, at));
    // "# 1 sigma" may begin any comment. The next line must continue the numbers, or be the first
    // row.
    const bool isOne = first && first->number == 1;
    return isOne && (second ? second->number > 1 : !takeLine(start, at).starts_with('#'));
}

Table readSExtractorTable(const std::string& path, const TableReadOptions& options,
                          JobContext& job) {
    const std::string text = readTextFile(path);
    std::vector<Heading> said, headings;
    std::vector<std::vector<std::string>> cells;
    int64_t number = 0;
    for (size_t at = 0; at < text.size();) {
        if ((++number & 0xfff) == 0)
            job.report(static_cast<double>(at) / static_cast<double>(text.size()), "reading");
        const std::string_view line = takeLine(text, at);
        if (line.starts_with('#')) {
            const auto heading = headingOf(line);
            if (heading && cells.empty() && (said.empty() || heading->number > said.back().number))
                said.push_back(*heading);
            continue;
        }
        size_t within = 0;
        std::vector<std::string> row = takeRecord(line, within, '\0');
        if (trimmed(line).empty()) continue;
        if (cells.empty()) {
            if (!said.empty() && said.back().number > std::ssize(row))
                refuse(path,
                       std::to_string(said.back().number) + " columns as numbered in the header",
                       std::to_string(row.size()) + " in line " + std::to_string(number));
            headings = allHeadings(said, row.size());
            cells.resize(headings.size());
        }
        if (row.size() != headings.size())
            refuse(path, counted(headings.size(), "column") + " as numbered in the header",
                   std::to_string(row.size()) + " in line " + std::to_string(number));
        for (size_t i = 0; i < row.size(); ++i) cells[i].push_back(std::move(row[i]));
    }
    if (cells.empty()) {
        headings = allHeadings(said, 0);
        cells.resize(headings.size());
    }
    Table table = tableOf(std::move(headings), std::move(cells));
    keepChosen(table, path, options);
    return table;
}

bool isIpacTable(const std::string& path) {
    const std::string start = startOfTextFile(path, 65536);
    for (size_t at = 0; at < start.size();) {
        const std::string_view line = takeLine(start, at);
        if (line.starts_with('\\') || trimmed(line).empty()) continue;
        if (!isBarLine(line)) return false;
        // In a bar-separated table the rows also have bars; in an IPAC table types or values
        // follow.
        const std::string_view next = takeLine(start, at);
        if (!isBarLine(next)) return next.find('|') == std::string_view::npos;
        constexpr std::array<std::string_view, 7> kTypes{"DOUBLE", "FLOAT", "REAL", "CHAR",
                                                         "INT",    "LONG",  "DATE"};
        const std::string types = upperTrimmed(next);
        return std::any_of(kTypes.begin(), kTypes.end(), [&](std::string_view type) {
            return types.find(type) != std::string::npos;
        });
    }
    return false;
}

Table readIpacTable(const std::string& path, const TableReadOptions& options, JobContext& job) {
    const std::string text = readTextFile(path);
    std::vector<size_t> bars;
    std::vector<std::vector<std::string>> header, cells;
    std::vector<std::string> frameCards;
    int64_t number = 0;
    for (size_t at = 0; at < text.size();) {
        if ((++number & 0xfff) == 0)
            job.report(static_cast<double>(at) / static_cast<double>(text.size()), "reading");
        const std::string_view line = takeLine(text, at);
        takeFrame(line, frameCards);
        if (line.starts_with('\\') || trimmed(line).empty()) continue;
        if (isBarLine(line) && cells.empty()) {
            if (bars.empty())
                for (size_t i = 0; i < line.size(); ++i)
                    if (line[i] == '|') bars.push_back(i);
            header.push_back(cellsBetween(line, bars));
            continue;
        }
        if (header.empty()) refuse(path, "names of columns between bars", "a row before any names");
        if (cells.empty()) cells.resize(bars.size() - 1);
        std::vector<std::string> row = cellsBetween(line, bars);
        for (size_t i = 0; i < row.size(); ++i) {
            const bool isNull = row[i] == "null" || (header.size() > 3 && row[i] == header[3][i]);
            cells[i].push_back(isNull ? std::string() : std::move(row[i]));
        }
    }
    if (header.empty()) refuse(path, "names of columns between bars", "none");
    cells.resize(bars.size() - 1);
    std::vector<Heading> headings;
    for (size_t i = 0; i + 1 < bars.size(); ++i) {
        const std::string unit = header.size() > 2 ? header[2][i] : "";
        headings.push_back({0, header[0][i], unit == "-" ? "" : unit, {}});
    }
    Table table = tableOf(std::move(headings), std::move(cells));
    const FitsHeader frame(frameCards);
    table.equatorial = equatorialOf(frame);
    setUnknownSystem(table, frame.text("RADESYS").value_or(frame.text("RADECSYS").value_or("")));
    keepChosen(table, path, options);
    return table;
}

}  // namespace armilla
