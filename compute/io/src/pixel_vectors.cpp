// SPDX-License-Identifier: GPL-3.0-or-later
#include "pixel_vectors.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "armilla/core/error.h"
#include "map_facts.h"

namespace armilla {

namespace {

// Columns of more bits stay whole. A map of as many fields would not be read without a choice.
constexpr int64_t kMostBits = 64;
// The width of the usual packing of a full map.
constexpr int64_t kPackedWidth = 1024;
// Far above the channels of any spectrometer; limits the memory that a header can claim.
constexpr int64_t kMostElements = 1 << 16;

bool isVector(const FitsColumn& column) {
    return column.isNumeric() && column.repeat > 1;
}

// True if each row is a pixel of this nside: rows of all pixels, or from FIRSTPIX to LASTPIX.
bool rowsArePixels(const FitsHdu& hdu, const TableLayout& table, int64_t nside) {
    if (table.rows == pixelCount(nside)) return true;
    const auto first = hdu.header.integer("FIRSTPIX"), last = hdu.header.integer("LASTPIX");
    return first && last && *first >= 0 && *last >= *first && *last - *first == table.rows - 1 &&
           valueCount(table) != pixelCount(nside);
}

// The same without the nside: one of the two numbers must be that of a full map.
bool rowsArePixels(const FitsFile& file, const TableLayout& table) {
    const auto rows = nsideOfCount(table.rows);
    if (!rows) return false;
    for (const FitsColumn& column : table.columns) {
        if (!isVector(column) || column.areBits ||
            column.repeat > pixelCount(kMaxNside) / table.rows)
            continue;
        const auto packed = nsideOfCount(table.rows * column.repeat);
        if (packed && column.repeat == kPackedWidth) return false;
        if (packed)
            refuse(file.path(),
                   "a keyword NSIDE (--input-nside N states it): " + std::to_string(*rows) +
                       " for a vector in each row, " + std::to_string(*packed) +
                       " for a pixel in each value",
                   "none, and column " + inQuotes(fieldName(column)) + " with " +
                       std::to_string(column.repeat) + " values in each of " +
                       std::to_string(table.rows) + " rows");
    }
    return true;
}

// The letters of the Stokes parameters in a vector; empty for other vectors.
std::string_view stokesLetters(const FitsColumn& column, bool isPolarized) {
    constexpr std::array<std::string_view, 5> kNames = {"IQU", "TQU", "IQUV", "TQUV", "QU"};
    const std::string name = upperTrimmed(column.name);
    for (const std::string_view letters : kNames)
        if (name == letters && std::ssize(letters) == column.repeat) return letters;
    const bool isNamed = name == "STOKES" || isPolarized;
    if (isNamed && column.repeat == 3) return "IQU";
    return isNamed && column.repeat == 4 ? "IQUV" : "";
}

}  // namespace

bool isComplex(const FitsColumn& column) {
    return column.code == 'C' || column.code == 'M';
}

void splitComplex(TableLayout& table) {
    std::vector<FitsColumn> columns;
    for (const FitsColumn& column : table.columns) {
        if (!isComplex(column)) {
            columns.push_back(column);
            continue;
        }
        for (const bool isImaginary : {false, true}) {
            FitsColumn part = column;
            part.code = column.code == 'C' ? 'E' : 'D';
            part.name = fieldName(column) + (isImaginary ? "_IMAG" : "_REAL");
            if (isImaginary) part.offset += column.width / 2;
            columns.push_back(std::move(part));
        }
    }
    table.columns = std::move(columns);
}

void takeBits(TableLayout& table) {
    for (FitsColumn& column : table.columns) {
        if (column.code != 'X' || column.bits < 1) continue;
        column.areBits = true;
        column.repeat = column.bits;
    }
}

bool areOfOneVector(const FitsColumn& a, const FitsColumn& b) {
    return a.number == b.number;
}

void splitPixelVectors(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                       int64_t nside, const FitsColumn* index, TableLayout& table) {
    const auto vectors =
        std::count_if(table.columns.begin(), table.columns.end(),
                      [](const FitsColumn& column) { return isVector(column) && !column.areBits; });
    const bool areAnyBits =
        std::any_of(table.columns.begin(), table.columns.end(),
                    [](const FitsColumn& column) { return isVector(column) && column.areBits; });
    if ((vectors == 0 && !areAnyBits) || table.rows == 0) return;
    const bool arePixels = index != nullptr ? index->repeat == 1
                           : nside > 0      ? rowsArePixels(hdu, table, nside)
                                            : rowsArePixels(file, table);
    if (!arePixels) return;
    // POLCCONV describes the only vector of a table; beside others, the names decide.
    const bool isPolarized =
        vectors == 1 && mapKeyword(hdu, primary, "POLCCONV").value_or("").find_first_not_of(' ') !=
                            std::string::npos;
    std::vector<FitsColumn> columns;
    for (const FitsColumn& column : table.columns) {
        if (!isVector(column) || (column.areBits && column.repeat > kMostBits)) {
            columns.push_back(column);
            continue;
        }
        if (column.repeat + std::ssize(columns) > kMostElements)
            refuse(file.path(), "at most " + std::to_string(kMostElements) + " values a pixel",
                   std::to_string(column.repeat) + " in column " + inQuotes(fieldName(column)));
        const std::string_view letters = stokesLetters(column, isPolarized);
        for (int64_t i = 0; i < column.repeat; ++i) {
            FitsColumn element = column;
            element.repeat = 1;
            if (column.areBits)
                element.firstBit = i;
            else
                element.offset += i * column.width;
            element.name = fieldName(column) + "[" + std::to_string(i + 1) + "]";
            if (!letters.empty())
                element.name = std::string(1, letters[static_cast<size_t>(i)]) + "_STOKES";
            columns.push_back(std::move(element));
        }
    }
    table.columns = std::move(columns);
}

}  // namespace armilla
