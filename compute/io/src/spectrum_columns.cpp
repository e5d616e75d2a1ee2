// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum_columns.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/io/table_io.h"
#include "fits_table.h"
#include "map_table.h"
#include "spectrum_names.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"

namespace armilla {

namespace {

// healpy writes HEALPix's column names in HEALPix's order over its own order, TT EE BB TE EB TB.
// HEALPix itself writes ASYMCL and comment cards; healpy writes neither.
bool writtenByHealpy(const FitsHdu& hdu, const NamedColumns& columns) {
    static const std::vector<std::string> kNames = {"TEMPERATURE", "GRADIENT", "CURL",
                                                    "G-T",         "C-T",      "C-G"};
    if (columns.names != kNames || hdu.header.has("ASYMCL")) return false;
    return std::none_of(hdu.header.cards().begin(), hdu.header.cards().end(),
                        [](const std::string& card) { return cardKeyword(card) == "COMMENT"; });
}

}  // namespace

NamedColumns readColumns(FitsFile& file, const FitsHdu& hdu) {
    const TableLayout table = tableLayout(file, hdu);
    JobContext job;
    NamedColumns result;
    for (const FitsColumn& column : table.columns) {
        if (!column.isNumeric()) continue;
        if (static_cast<double>(table.rows) * static_cast<double>(column.repeat) > kMaxL)
            refuse(file.path(), "at most " + std::to_string(1 << 24) + " multipoles",
                   counted(table.rows, "row") + " of " + std::to_string(column.repeat));
        result.names.push_back(column.name);
        result.units.push_back(column.unit);
        result.values.push_back(readColumn(file, hdu, table, column, job));
    }
    file.verifyRest(job);
    result.healpy = writtenByHealpy(hdu, result);
    return result;
}

namespace {

// Takes column names from the last comment that begins with L or ELL and has one word per column. A
// comment that names spectra, but a different number, is kept in otherNames.
void takeNamesOfComments(const TextTable& text, NamedColumns& columns) {
    for (const std::string& comment : text.comments) {
        std::vector<std::string> words = namesOfComment(comment);
        if (words.size() < 2 || !isMultipoleName(words[0])) continue;
        // Words after the names are no columns: "in muK^2".
        while (words.size() > text.columns.size() && !spectrumColumnOf(words.back()))
            words.pop_back();
        if (words.size() == text.columns.size())
            columns.names = std::move(words);
        else if (words.size() > 2 && spectrumColumnOf(words[1]) && spectrumColumnOf(words[2]))
            columns.otherNames = std::move(words);
    }
}

NamedColumns columnsOfTable(const Table& table) {
    NamedColumns columns;
    for (const TableColumn& column : table.columns) {
        if (column.isText() || column.width != 1) continue;
        columns.names.push_back(column.name);
        columns.units.push_back(column.unit);
        columns.values.emplace_back();
        for (int64_t row = 0; row < column.rows(); ++row)
            columns.values.back().push_back(column.number(row));
    }
    return columns;
}

// Whole numbers from 0 on, in either order.
bool mayBeMultipoles(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](double x) { return x >= 0.0 && x == std::floor(x); });
}

// "3" for 3.0.
std::string numberText(double x) {
    const bool isWhole = x == std::floor(x) && std::abs(x) < 1e15;
    return isWhole ? std::to_string(static_cast<int64_t>(x)) : std::to_string(x);
}

// The power of temperature in a text, "[muK^2]", "(units: [microK]^2)"; empty if there is none.
std::string squareIn(const std::string& text) {
    std::string dense;
    for (const char c : text)
        if (std::string_view("[](){}\\$^* \t").find(c) == std::string_view::npos) dense += c;
    for (const char* micro : {"\u00b5K2", "\u03bcK2", "microK2", "muK2", "uK2"})
        if (dense.find(micro) != std::string::npos) return "uK^2";
    if (dense.find("mK2") != std::string::npos) return "mK^2";
    return dense.ends_with("K2") ? "K^2" : "";
}

// The common unit of all columns: in the program's own form, "unit K^2", or within other words.
std::string unitSaidIn(const std::vector<std::string>& comments) {
    constexpr std::string_view kMark = "unit ";
    for (const std::string& comment : comments)
        if (comment.starts_with(kMark)) return trimmed(comment.substr(kMark.size()));
    for (const std::string& comment : comments)
        if (const std::string unit = squareIn(comment); !unit.empty()) return unit;
    return {};
}

// The comments before a line of names, which the reader of tables skips.
std::vector<std::string> commentsBefore(const std::string& path) {
    const std::string text = readTextFile(path);
    std::vector<std::string> comments;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = trimmed(std::string_view(text).substr(at, end - at));
        at = end + 1;
        if (line.empty()) continue;
        if (!isCommentLine(line)) break;
        comments.push_back(trimmed(std::string_view(line).substr(1)));
    }
    return comments;
}

}  // namespace

NamedColumns readColumns(const std::string& path) {
    if (isHdf5OrParquet(path)) {
        JobContext job;
        return columnsOfTable(readTable(path, {}, job));
    }
    if (hasLineOfNames(path)) {
        JobContext job;
        NamedColumns columns = columnsOfTable(readTable(path, {}, job));
        columns.isText = true;
        // Comments of ECSV are its header.
        if (isXml(path) || isEcsv(path)) return columns;
        const std::vector<std::string> comments = commentsBefore(path);
        columns.isDl = saysDl(comments);
        for (std::string& unit : columns.units)
            if (unit.empty()) unit = unitSaidIn(comments);
        return columns;
    }
    const TextTable text = readTextTable(path);
    NamedColumns columns;
    columns.isText = true;
    columns.isDl = saysDl(text.comments);
    columns.values = text.columns;
    takeNamesOfComments(text, columns);
    columns.isUnnamed = columns.names.empty();
    columns.names.resize(text.columns.size());
    columns.units.assign(text.columns.size(), unitSaidIn(text.comments));
    if (columns.values.size() > 1 && mayBeMultipoles(columns.values[0])) columns.names[0] = "L";
    return columns;
}

const FitsHdu& selectedTable(FitsFile& file, const std::optional<std::string>& selector,
                             std::initializer_list<FileKind> kinds, std::string_view what) {
    // Tables are found, and their columns read, one after the other.
    JobContext job;
    file.unpack(job);
    if (selector) return file.selected(*selector);
    for (const FileKind wanted : kinds)
        for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i)
            if (hduKind(file, *hdu) == wanted) return *hdu;
    refuse(file.path(), std::string(what), describeHdus(file));
}

std::vector<double> takeMultipoles(const std::string& path, NamedColumns& columns) {
    const auto named = std::find_if(columns.names.begin(), columns.names.end(), isMultipoleName);
    if (named == columns.names.end()) return {};
    const auto at = named - columns.names.begin();
    // Rows may descend in l.
    if (const auto& rows = columns.values[static_cast<size_t>(at)];
        !rows.empty() && rows.front() > rows.back())
        for (auto& values : columns.values) std::reverse(values.begin(), values.end());
    const std::vector<double> l = columns.values[static_cast<size_t>(at)];
    columns.names.erase(columns.names.begin() + at);
    columns.units.erase(columns.units.begin() + at);
    columns.values.erase(columns.values.begin() + at);
    if (l.empty()) refuse(path, "rows of l and a value", "none");
    double last = -1.0;
    for (const double x : l) {
        if (!(x > last) || x != std::floor(x) || x > kMaxL)
            refuse(path, "ascending whole l in the column of l",
                   numberText(x) + (last < 0.0 ? " first" : " after " + numberText(last)));
        last = x;
    }
    for (const auto& values : columns.values)
        if (values.size() != l.size())
            refuse(path, "columns as long as that of l", std::to_string(values.size()));
    return l;
}

MissingMultipoles missingMultipoles(const std::vector<double>& l) {
    MissingMultipoles missing;
    for (size_t i = 1; i < l.size(); ++i) {
        const auto step = static_cast<int64_t>(l[i] - l[i - 1]) - 1;
        if (step > 0 && missing.count == 0) missing.first = l[i - 1] + 1.0;
        missing.count += step;
    }
    return missing;
}

void requireEveryMultipole(const std::string& path, const std::vector<double>& l,
                           std::optional<int> first, const std::string& what) {
    if (first && l.front() != *first)
        refuse(path, what + " from l = " + std::to_string(*first),
               "l = " + numberText(l.front()) + " in the first row");
    const MissingMultipoles missing = missingMultipoles(l);
    if (missing.count > 0)
        refuse(path, what + " at every l",
               "none at " + counted(missing.count, "multipole") +
                   ", the first l = " + numberText(missing.first) +
                   " (a spectrum with gaps or in bins is a curve; interpolate it first)");
}

void requireFinite(const std::string& path, const std::vector<double>& values,
                   const std::string& what) {
    for (size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            refuse(path, "finite values of " + what,
                   "another value in row " + std::to_string(i + 1));
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return inQuotes(text);
}

}  // namespace armilla
