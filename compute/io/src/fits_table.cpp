// SPDX-License-Identifier: GPL-3.0-or-later
#include "fits_table.h"

#include <algorithm>
#include <cstring>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"

namespace armilla {

namespace {

// TFORMn of a binary table: repeat count, type letter, rest.
bool parseBinaryForm(const std::string& form, FitsColumn& column) {
    size_t at = 0;
    int64_t repeat = 0;
    while (at < form.size() && isDigit(form[at])) {
        if (repeat > (int64_t{1} << 40)) return false;
        repeat = 10 * repeat + (form[at] - '0');
        ++at;
    }
    column.repeat = at == 0 ? 1 : repeat;
    if (at >= form.size()) return false;
    column.code = upperCase(form[at]);
    switch (column.code) {
        case 'L':
        case 'B':
        case 'A': column.width = 1; return true;
        case 'I': column.width = 2; return true;
        case 'J':
        case 'E': column.width = 4; return true;
        case 'K':
        case 'D':
        case 'C':
        case 'P': column.width = 8; return true;
        case 'M':
        case 'Q': column.width = 16; return true;
        case 'X':  // bits: the number of whole bytes that hold the bits
            column.bits = column.repeat;
            column.repeat = (column.repeat + 7) / 8;
            column.width = 1;
            return true;
        default: return false;
    }
}

// TFORMn of an ASCII table: A10, I6, F8.3, E15.7, D25.17.
bool parseAsciiForm(const std::string& form, FitsColumn& column) {
    if (form.empty()) return false;
    column.code = upperCase(form[0]);
    if (std::string_view("AIFED").find(column.code) == std::string_view::npos) return false;
    const auto width = parseInteger(form.substr(1, form.find('.') - 1));
    if (!width || *width < 1 || *width > 100000) return false;
    column.width = *width;
    return true;
}

// Some programs write a placeholder word for an unknown unit.
std::string unitOf(const std::string& card) {
    const std::string unit = trimmed(card);
    return unit == "None" ? std::string() : unit;
}

// Length of each text in a row of `total` letters: the first number of TDIMn = "(8,3)", or w of the
// form rAw. 0 if neither divides the row.
int64_t lettersOf(const std::string& form, const std::string& dimensions, int64_t total) {
    int64_t letters = 0;
    if (const size_t open = dimensions.find('('); open != std::string::npos)
        letters =
            parseInteger(dimensions.substr(open + 1, dimensions.find_first_of(",)") - open - 1))
                .value_or(0);
    else if (const size_t at = form.find_first_of("aA"); at + 1 < form.size())
        letters = parseInteger(form.substr(at + 1)).value_or(0);
    return letters > 0 && letters < total && total % letters == 0 ? letters : 0;
}

FitsColumn readColumnCards(const FitsFile& file, const FitsHdu& hdu, const TableLayout& layout,
                           int number) {
    const std::string n = std::to_string(number);
    FitsColumn column;
    column.number = number;
    column.name = trimmed(hdu.header.text("TTYPE" + n).value_or(""));
    column.unit = unitOf(hdu.header.text("TUNIT" + n).value_or(""));
    const std::string form = trimmed(hdu.header.text("TFORM" + n).value_or(""));
    const bool valid = layout.ascii ? parseAsciiForm(form, column) : parseBinaryForm(form, column);
    if (!valid) refuse(file.path(), "a column format in TFORM" + n, inQuotes(form));
    column.scale = hdu.header.real("TSCAL" + n).value_or(1.0);
    column.zero = hdu.header.real("TZERO" + n).value_or(0.0);
    column.null = hdu.header.integer("TNULL" + n);
    column.ucd = trimmed(hdu.header.text("TUCD" + n).value_or(""));
    column.description = trimmed(hdu.header.text("TCOMM" + n).value_or(""));
    if (column.description.empty()) column.description = hdu.header.comment("TTYPE" + n);
    if (!layout.ascii && column.code == 'A')
        column.letters = lettersOf(form, hdu.header.text("TDIM" + n).value_or(""), column.repeat);
    if (const auto text = hdu.header.text("TNULL" + n)) column.nullText = trimmed(*text);
    if (layout.ascii) {
        const auto start = hdu.header.integer("TBCOL" + n);
        if (!start || *start < 1 || *start > layout.rowBytes - column.width + 1)
            refuse(file.path(),
                   "TBCOL" + n + " within the " + std::to_string(layout.rowBytes) +
                       " characters of a row",
                   hdu.header.text("TBCOL" + n).value_or("none"));
        column.offset = *start - 1;
    }
    return column;
}

}  // namespace

bool FitsColumn::isNumeric() const {
    return repeat > 0 &&
           (areBits || std::string_view("LBIJKEDF").find(code) != std::string_view::npos);
}

bool FitsColumn::isInteger() const {
    return repeat > 0 && std::string_view("BIJK").find(code) != std::string_view::npos;
}

const FitsColumn* TableLayout::column(std::string_view name) const {
    for (const FitsColumn& candidate : columns)
        if (upperTrimmed(candidate.name) == upperTrimmed(name)) return &candidate;
    return nullptr;
}

TableLayout tableLayout(const FitsFile& file, const FitsHdu& hdu) {
    TableLayout layout;
    layout.ascii = hdu.type == HduType::AsciiTable;
    layout.rowBytes = hdu.header.integer("NAXIS1").value_or(-1);
    layout.rows = hdu.header.integer("NAXIS2").value_or(-1);
    const int64_t fields = hdu.header.integer("TFIELDS").value_or(-1);
    if (layout.rowBytes < 0 || layout.rows < 0 || hdu.header.integer("NAXIS") != 2)
        refuse(file.path(), "a table of two axes", "NAXIS1, NAXIS2 that give none");
    // FITS 4.0, sections 7.2.1 and 7.3.1. These checks ensure that rows * rowBytes lies within the
    // data.
    for (const auto& [key, value] : {std::pair{"BITPIX", 8}, std::pair{"GCOUNT", 1}})
        if (hdu.header.integer(key).value_or(value) != value)
            refuse(file.path(), std::string(key) + " = " + std::to_string(value) + " in a table",
                   hdu.header.text(key).value_or("none"));
    // 999 is the limit of the FITS standard.
    if (fields < 0 || fields > 999)
        refuse(file.path(), "TFIELDS from 0 to 999", hdu.header.text("TFIELDS").value_or("none"));
    int64_t end = 0;
    for (int number = 1; number <= fields; ++number) {
        FitsColumn column = readColumnCards(file, hdu, layout, number);
        if (!layout.ascii) {
            column.offset = end;
            end += column.repeat * column.width;
            if (end > layout.rowBytes)
                refuse(file.path(),
                       "columns that fit the " + std::to_string(layout.rowBytes) +
                           " bytes of a row (NAXIS1)",
                       "TFORM1 to TFORM" + std::to_string(number) + " of " + std::to_string(end));
        }
        layout.columns.push_back(std::move(column));
    }
    return layout;
}

DiskType diskTypeOf(const FitsColumn& column) {
    const bool unsignedOffset =
        column.scale == 1.0 && ((column.code == 'B' && column.zero == -128.0) ||
                                (column.code == 'I' && column.zero == 32768.0) ||
                                (column.code == 'J' && column.zero == 2147483648.0) ||
                                (column.code == 'K' && column.zero == 9223372036854775808.0));
    switch (column.code) {
        case 'L': return DiskType::Logical;
        case 'X': return column.areBits ? DiskType::Logical : DiskType::Float64;
        case 'E': return DiskType::Float32;
        case 'B':
            if (!column.isScaled()) return DiskType::UInt8;
            return unsignedOffset ? DiskType::Int16 : DiskType::Float32;
        case 'I':
            if (!column.isScaled()) return DiskType::Int16;
            return unsignedOffset ? DiskType::Int32 : DiskType::Float32;
        case 'J':
            if (!column.isScaled()) return DiskType::Int32;
            return unsignedOffset ? DiskType::Int64 : DiskType::Float64;
        case 'K': return !column.isScaled() || unsignedOffset ? DiskType::Int64 : DiskType::Float64;
        default: return DiskType::Float64;
    }
}

void forTablePieces(FitsFile& file, const FitsHdu& hdu, const TableLayout& layout, JobContext& job,
                    std::string_view stage,
                    const std::function<void(int64_t, int64_t, const std::byte*)>& body) {
    forTableRows(file, hdu, layout, 0, layout.rows, job, stage, body);
}

void forTableRows(FitsFile& file, const FitsHdu& hdu, const TableLayout& layout, int64_t firstRow,
                  int64_t rowCount, JobContext& job, std::string_view stage,
                  const std::function<void(int64_t, int64_t, const std::byte*)>& body) {
    ARMILLA_ASSERT(firstRow >= 0 && rowCount >= 0 && firstRow + rowCount <= layout.rows);
    file.requireData(hdu);
    if (rowCount == 0 || layout.rowBytes == 0) return;
    // Large enough for the disk and for few calls; small enough for the cache, and for reading and
    // decoding well within 20 ms.
    constexpr int64_t kPieceBytes = 1 << 20;
    if (layout.rowBytes > 64 * kPieceBytes)
        refuse(file.path(), "table rows of at most " + std::to_string(64 * kPieceBytes) + " bytes",
               "NAXIS1 = " + std::to_string(layout.rowBytes));
    const int64_t grain = std::max<int64_t>(1, kPieceBytes / layout.rowBytes);
    const auto piece = [&](long long begin, long long end) {
        thread_local std::vector<std::byte> buffer;
        buffer.resize(static_cast<size_t>((end - begin) * layout.rowBytes));
        file.readData(hdu, (firstRow + begin) * layout.rowBytes, buffer);
        try {
            body(firstRow + begin, end - begin, buffer.data());
        } catch (Error& error) {
            error.addContext(file.path());
            throw;
        }
    };
    if (file.randomAccess()) {
        parallelFor(job, rowCount, grain, piece, stage);
        return;
    }
    for (int64_t begin = 0; begin < rowCount; begin += grain) {
        piece(begin, std::min(rowCount, begin + grain));
        job.report(static_cast<double>(begin) / static_cast<double>(rowCount), stage);
    }
}

std::vector<double> readColumn(FitsFile& file, const FitsHdu& hdu, const TableLayout& layout,
                               const FitsColumn& column, JobContext& job) {
    file.requireData(hdu);
    requireMemory(file.path(), layout.rows * column.repeat * 8);
    std::vector<double> values(static_cast<size_t>(layout.rows * column.repeat));
    forTablePieces(file, hdu, layout, job, "reading",
                   [&](int64_t first, int64_t count, const std::byte* rows) {
                       decodeColumn(layout, column, rows, count, {},
                                    values.data() + first * column.repeat);
                   });
    return values;
}

}  // namespace armilla
