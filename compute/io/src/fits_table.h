// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of a FITS table: their positions in a row, and their numbers as float or double.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "fits_file.h"

namespace armilla {

struct FitsColumn {
    int number = 0;  // from 1
    std::string name, unit;
    std::string ucd, description;  // TUCDn; TCOMMn or the comment of TTYPEn
    char code = 0;                 // L X B I J K E D C M A P Q; in ASCII tables A I F E D
    int64_t repeat = 1;            // values in a row
    int64_t offset = 0;            // offset of the first value, bytes
    int64_t width = 0;             // bytes of one value
    // number of bits of an X column, whose `repeat` counts whole bytes
    int64_t bits = 0;
    // True if each value is one bit of an X column, from `firstBit` on; `repeat` then counts bits.
    bool areBits = false;
    int64_t firstBit = 0;
    int64_t letters = 0;  // length of each text if a row contains several (TDIMn, rAw); 0: one text
    double scale = 1.0, zero = 0.0;
    std::optional<int64_t> null;          // TNULL of an integer column
    std::optional<std::string> nullText;  // TNULL of a column of an ASCII table
    bool isNumeric() const;               // real numbers, integers, logicals
    bool isInteger() const;               // integers on disk, with or without scaling
    bool isScaled() const { return scale != 1.0 || zero != 0.0; }
};

struct TableLayout {
    bool ascii = false;
    int64_t rowBytes = 0, rows = 0;
    std::vector<FitsColumn> columns;
    // The column of that name (any case), or null.
    const FitsColumn* column(std::string_view name) const;
};

// Reads NAXIS1, NAXIS2, TFIELDS, TFORMn, TTYPEn, ... and checks their consistency. Throws IoError.
TableLayout tableLayout(const FitsFile& file, const FitsHdu& hdu);

// The numeric type that restores a column's values on writing. Unsigned and signed-byte columns
// take the next wider signed type, scaled columns a floating-point type.
DiskType diskTypeOf(const FitsColumn& column);

// Values for "no value", which decoders turn into NaN, like infinities.
struct BadValues {
    // Closed intervals; an empty one has low > high.
    double low1 = 1.0, high1 = 0.0, low2 = 1.0, high2 = 0.0;
    // The exact sentinel of integer columns, in place of the intervals; NaN: none.
    double whole = std::numeric_limits<double>::quiet_NaN();
    // The test of floating-point values.
    bool isBad(double value) const {
        return !std::isfinite(value) || (value >= low1 && value <= high1) ||
               (value >= low2 && value <= high2);
    }
};
// UNSEEN and the sentinel of the file, if given, each with a relative tolerance of 1e-5. For
// integers the exact sentinel, because its neighbors are good values.
BadValues healpixBadValues(std::optional<double> sentinel);

// Decodes one column of the `rowCount` rows at `rows`: `rowCount * repeat` values into `out`.
void decodeColumn(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                  int64_t rowCount, const BadValues& bad, float* out);
void decodeColumn(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                  int64_t rowCount, const BadValues& bad, double* out);
// decodeColumn for integers, without rounding through a double. TNULL becomes -1. Floating-point
// columns may hold integers. Throws IoError for scaled integer columns (except TZERO of unsigned
// types), for values that are no integers, and for integers that float or double rounds.
void decodeIntegers(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                    int64_t rowCount, int64_t* out);
// Number of texts in a row of an A column.
int64_t textsPerRow(const TableLayout& layout, const FitsColumn& column);
// Text number `which` of a column in one row, without trailing blanks.
std::string decodeText(const TableLayout& layout, const FitsColumn& column, const std::byte* row,
                       int64_t which = 0);

// Calls `body(firstRow, rowCount, bytes)` for all rows in pieces of about 1 MB, from several
// threads if the file allows; polls and reports progress. Exceptions of `body` receive the path as
// context.
void forTablePieces(
    FitsFile& file, const FitsHdu& hdu, const TableLayout& layout, JobContext& job,
    std::string_view stage,
    const std::function<void(int64_t firstRow, int64_t rowCount, const std::byte* bytes)>& body);

// forTablePieces for `rowCount` rows from `firstRow` on, which the file must contain. `body`
// receives the numbers of rows in the whole table.
void forTableRows(
    FitsFile& file, const FitsHdu& hdu, const TableLayout& layout, int64_t firstRow,
    int64_t rowCount, JobContext& job, std::string_view stage,
    const std::function<void(int64_t firstRow, int64_t rowCount, const std::byte* bytes)>& body);

// A whole column as doubles (small tables: spectra, beams, catalogs).
std::vector<double> readColumn(FitsFile& file, const FitsHdu& hdu, const TableLayout& layout,
                               const FitsColumn& column, JobContext& job);

}  // namespace armilla
