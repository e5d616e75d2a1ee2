// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"
#include "byte_source.h"
#include "fits_file.h"
#include "parquet/read_parquet.h"
#include "spectrum_names.h"
#include "table_formats.h"
#include "text_records.h"

namespace armilla {

namespace {

// Text spectra and beams have thousands of lines; this limit also admits wide catalogs.
constexpr int64_t kMaxTextBytes = int64_t{4} << 30;

std::vector<double> numbersOfLine(std::string_view line, const std::string& path, size_t number) {
    std::vector<double> values;
    size_t at = 0;
    const std::string_view separators = " \t,;\r";
    while ((at = line.find_first_not_of(separators, at)) != std::string_view::npos) {
        const size_t end = std::min(line.find_first_of(separators, at), line.size());
        const auto value = parseReal(line.substr(at, end - at));
        if (!value)
            refuse(path, "columns of numbers",
                   inQuotes(line.substr(at, end - at)) + " in line " + std::to_string(number));
        values.push_back(*value);
        at = end;
    }
    return values;
}

}  // namespace

void appendUtf8(std::string& text, uint32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | code >> 6);
        text += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        text += static_cast<char>(0xE0 | (code >> 12 & 0x0f));
        text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
        text += static_cast<char>(0x80 | (code & 0x3f));
    }
}

bool isTextStart(std::string_view start) {
    return !start.empty() && std::none_of(start.begin(), start.end(), [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return (u < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || u == 127;
    });
}

bool looksLikeText(const std::string& path) {
    std::array<std::byte, 512> start{};
    const size_t got = openByteSource(path)->readAt(0, start);
    const std::string_view text(reinterpret_cast<const char*>(start.data()), got);
    return !text.starts_with("SIMPLE  =") && isTextStart(text);
}

std::string readTextFile(const std::string& path) {
    const auto source = openByteSource(path);
    std::string text;
    for (;;) {
        constexpr size_t kStep = size_t{1} << 22;
        const size_t before = text.size();
        text.resize(before + kStep);
        const size_t got =
            source->readAt(static_cast<int64_t>(before),
                           std::as_writable_bytes(std::span(text.data() + before, kStep)));
        text.resize(before + got);
        if (got < kStep) {
            // Old Macintosh programs end lines with only a carriage return.
            if (text.find('\n') == std::string::npos)
                std::replace(text.begin(), text.end(), '\r', '\n');
            return text;
        }
        if (static_cast<int64_t>(text.size()) > kMaxTextBytes)
            refuse(path, "a text file of at most 4 GB", "a larger one");
        requireMemory(path, static_cast<int64_t>(text.size()));
    }
}

bool isCommentLine(std::string_view line) {
    line = trimmedView(line);
    if (line.starts_with('#')) return true;
    if (!line.starts_with('%') && !line.starts_with('!')) return false;
    return line.size() == 1 || isBlank(line[1]) || line[1] == line[0];
}

TextTable readTextTable(const std::string& path) {
    const std::string text = readTextFile(path);
    TextTable table;
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = std::string_view(text).substr(at, end - at);
        at = end + 1;
        ++number;
        const size_t hash = isCommentLine(line) ? line.find_first_of("#%!") : line.find('#');
        if (hash != std::string_view::npos) {
            table.comments.push_back(trimmed(line.substr(hash + 1)));
            if (table.columns.empty() && trimmed(line.substr(0, hash)).empty())
                table.leading = table.comments.size();
            line = line.substr(0, hash);
        }
        const std::vector<double> values = numbersOfLine(line, path, number);
        if (values.empty()) continue;
        if (table.columns.empty()) table.columns.resize(values.size());
        if (values.size() != table.columns.size())
            refuse(path, counted(table.columns.size(), "column") + " as in the first line",
                   std::to_string(values.size()) + " in line " + std::to_string(number));
        for (size_t i = 0; i < values.size(); ++i) table.columns[i].push_back(values[i]);
    }
    if (table.columns.empty()) refuse(path, "columns of numbers", "none");
    return table;
}

std::string startOfTextFile(const std::string& path, size_t bytes) {
    std::string start(bytes, '\0');
    start.resize(openByteSource(path)->readAt(0, std::as_writable_bytes(std::span(start))));
    if (start.starts_with("\xEF\xBB\xBF")) start.erase(0, 3);
    return start;
}

bool isXml(const std::string& path) {
    return trimmed(startOfTextFile(path)).starts_with("<");
}

bool hasLineOfNames(const std::string& path) {
    const auto source = openByteSource(path);
    TextRecords lines(*source, path, lineEndOf(*source));
    for (; lines.next(); lines.skip()) {
        std::string line = trimmed(lines.line());
        if (isCommentLine(line)) continue;
        // A comment behind numbers holds no names.
        line.resize(std::min(line.size(), line.find('#')));
        return line.find_first_not_of("0123456789+-.eEdD,; \t\r") != std::string::npos;
    }
    return false;
}

namespace {

// A long text of which blocks of rows are read.
std::optional<TableBlocks> longText(const std::string& path, JobContext& job) {
    if (!looksLikeText(path)) return std::nullopt;
    return TableBlocks::open(path, TableBlocks::Choice::FirstTable, job);
}

// The catalog without its rows, whose positions are checked block by block. None for frames by rows
// and positions in text, which all rows decide.
std::optional<Catalog> outlineOfCatalog(const std::string& path, const TableBlocks& rows,
                                        JobContext& job) {
    const Table& outline = rows.outline();
    const std::vector<std::string> places = columnsOfPlaces(outline);
    if (!findPositions(outline) || places.size() > 2) return std::nullopt;
    MissingPlaces missing;
    constexpr int64_t kRows = 1 << 20;
    for (const TableBlocks::Block& block : rows.blocks(kRows, {}, job))
        placeRows(rows.read(block, places, job), path, missing, job);
    try {
        missing.line();
    } catch (IoError& error) {
        error.addContext(path);
        throw;
    }
    return placeRows(outline, path, missing, job);
}

FileSummary summarizeCatalog(const std::string& path) {
    JobContext job;
    const auto rows = longText(path, job);
    std::optional<Catalog> outline;
    if (rows) outline = outlineOfCatalog(path, *rows, job);
    const Catalog catalog = outline ? *std::move(outline) : readCatalog(path, job);
    FileSummary summary;
    summary.kind = FileKind::Catalog;
    summary.hdu = 0;
    summary.frame = catalog.frame();
    summary.rows = rows ? rows->rows() : catalog.rows();
    for (const TableColumn& column : catalog.table.columns)
        summary.columns.push_back({column.name, column.unit,
                                   column.isInteger() ? DiskType::Int64 : DiskType::Float64,
                                   column.width});
    return summary;
}

// Tables with names: a beam or a spectrum if the first column is l, otherwise a catalog.
FileSummary summarizeTable(const std::string& path) {
    JobContext job;
    TableReadOptions options;
    options.variableLength = TableReadOptions::VariableLength::LeaveOut;
    const auto isOfMultipoles = [](const Table& table) {
        const std::string first =
            table.columns.empty() ? std::string() : upperTrimmed(table.columns[0].name);
        return (first == "L" || first == "ELL" || first == "MULTIPOLE") && !findPositions(table);
    };
    if (const auto rows = longText(path, job); rows && !isOfMultipoles(rows->outline()))
        return summarizeCatalog(path);
    const Table table = readTable(path, options, job);
    if (!isOfMultipoles(table)) return summarizeCatalog(path);
    for (int64_t row = 0; row < table.rows() && !table.columns[0].isText(); ++row)
        if (const double l = table.columns[0].number(row); l != std::floor(l))
            refuse(path, "whole l (a spectrum in bins of l is a curve)", std::to_string(l));
    FileSummary summary;
    const std::string second =
        table.columns.size() > 1 ? upperTrimmed(table.columns[1].name) : std::string();
    const bool beam = second == "T" || second == "BL" || second == "B_L";
    summary.kind = beam ? FileKind::Beam : FileKind::Spectrum;
    summary.hdu = 0;
    summary.rows = table.rows();
    const double last = table.rows() > 0 ? table.columns[0].number(table.rows() - 1) : -1.0;
    summary.lmax = last >= 0.0 && last < 1e9 ? static_cast<int>(last) : -1;
    for (size_t i = 1; i < table.columns.size(); ++i)
        summary.columns.push_back(
            {table.columns[i].name, table.columns[i].unit, DiskType::Float64, 1});
    return summary;
}

// The meaning of the first column according to comments before the numbers.
enum class FirstColumn { Multipole, Longitude, Other, Unsaid };

bool hasAny(const std::vector<std::string>& words, std::initializer_list<std::string_view> known) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(known.begin(), known.end(), upperTrimmed(word)) != known.end();
    });
}

bool speaksOfMultipoles(const std::string& comment) {
    const std::vector<std::string> words = namesOfComment(comment);
    return (!words.empty() && isMultipoleName(words[0])) ||
           hasAny(words,
                  {"SPECTRUM", "SPECTRA", "CL", "CLS", "DL", "DLS", "MULTIPOLE", "MULTIPOLES"});
}

// True if comments state a beam over l, false for a spectrum; none without a statement.
std::optional<bool> saysBeam(std::span<const std::string> comments) {
    for (const std::string& comment : comments) {
        const std::vector<std::string> words = namesOfComment(comment);
        if (hasAny(words, {"BEAM", "BL", "B_L", "BT", "WINDOW"})) return true;
        const bool isNamed = words.size() > 1 && isMultipoleName(words[0]);
        if (isNamed && upperTrimmed(words[1]) != "T" && spectrumColumnOf(words[1])) return false;
    }
    if (saysDl({comments.begin(), comments.end()})) return false;
    return std::nullopt;
}

// Names that identify the columns as a curve; other words in a comment have no effect.
FirstColumn firstColumnOf(const std::string& path, const TextTable& text) {
    const std::span<const std::string> comments(text.comments.data(), text.leading);
    const std::vector<std::string> names = comments.empty()
                                               ? std::vector<std::string>()
                                               : headingsIn(text.columns.size(), comments.back());
    JobContext job;
    if (!names.empty()) {
        const Table table = readTable(path, {}, job);
        if (findPositions(table) || findTextPositions(table)) return FirstColumn::Longitude;
    }
    if (std::any_of(comments.begin(), comments.end(), speaksOfMultipoles) ||
        saysDl({comments.begin(), comments.end()}))
        return FirstColumn::Multipole;
    return !names.empty() && findCurve(path, job) ? FirstColumn::Other : FirstColumn::Unsaid;
}

bool isWhole(double x) {
    return x == std::floor(x);
}

}  // namespace

std::optional<FileSummary> inspectTextFile(const std::string& path) {
    if (isHdf5(path)) {
        FileSummary samples = summarizeCatalog(path);
        samples.kind = FileKind::Samples;
        return samples;
    }
    if (isParquet(path)) {
        auto catalog = inspectParquetCatalog(path);
        return catalog ? std::move(catalog) : summarizeTable(path);
    }
    if (!looksLikeText(path)) return std::nullopt;
    if (isXml(path) || isEcsv(path) || isByteTable(path) || isSExtractorTable(path) ||
        hasLineOfNames(path))
        return summarizeTable(path);
    const TextTable table = readTextTable(path);
    const FirstColumn first = firstColumnOf(path, table);
    if (first == FirstColumn::Longitude) return summarizeCatalog(path);
    std::vector<double> l = table.columns[0];
    if (l.front() > l.back()) std::reverse(l.begin(), l.end());
    const bool mayStartAtOne = first == FirstColumn::Multipole || table.columns.size() > 2;
    const bool starts = l[0] == 0.0 || l[0] == 2.0 || (l[0] == 1.0 && mayStartAtOne);
    const bool counts = table.columns.size() >= 2 && starts && first != FirstColumn::Other &&
                        std::adjacent_find(l.begin(), l.end(), [](double a, double b) {
                            return b != a + 1.0;
                        }) == l.end();
    // Rows may be missing if the header names l.
    const bool ascends = table.columns.size() >= 2 && first == FirstColumn::Multipole &&
                         l[0] >= 0.0 && std::all_of(l.begin(), l.end(), isWhole) &&
                         std::adjacent_find(l.begin(), l.end(), std::greater_equal<>()) == l.end();
    if (!counts && !ascends)
        refuse(path,
               "a line of names, l in the first column (spectrum or beam), or two columns, the "
               "first of them ascending (curve)",
               counted(table.columns.size(), "column") + " of numbers without names");
    FileSummary summary;
    // A beam window starts at 1, and a spectrum with a monopole of 1 is improbable.
    const bool beginsAtOne = l[0] == 0.0 && std::abs(table.columns[1][0] - 1.0) < 1e-3;
    const bool beam =
        saysBeam(std::span(table.comments).first(table.leading)).value_or(beginsAtOne);
    summary.kind = beam ? FileKind::Beam : FileKind::Spectrum;
    summary.hdu = 0;
    summary.rows = static_cast<int64_t>(l.size());
    summary.lmax = static_cast<int>(l.back());
    // For spectra, their reader decides between C_l and D_l.
    if (beam && first == FirstColumn::Unsaid)
        summary.assumed = "the file names no columns: taken as l and B_l";
    for (size_t i = 1; i < table.columns.size(); ++i)
        summary.columns.push_back({"column " + std::to_string(i + 1), "", DiskType::Float64, 1});
    return summary;
}

}  // namespace armilla
