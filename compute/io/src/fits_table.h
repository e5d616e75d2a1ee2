// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of a FITS table: where they lie in a row, and their numbers as float or double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "fits_file.h"

namespace armilla {

struct FitsColumn {
    int number = 0;  // from 1
    std::string name, unit;
    std::string ucd, description;  // TUCDn; TCOMMn or the comment of TTYPEn
    char code = 0;                 // L X B I J K E D C M A P Q; in ASCII tables A I F E D
    int64_t repeat = 1;            // values in a row
    int64_t offset = 0;            // of the first one, in bytes
    int64_t width = 0;             // bytes of one value
    int64_t bits = 0;              // of an X column, whose repeat counts whole bytes
    int64_t letters = 0;  // of one text where a row holds several (TDIMn, rAw); 0: one text
    double scale = 1.0, zero = 0.0;
    std::optional<int64_t> null;          // TNULL of an integer column
    std::optional<std::string> nullText;  // TNULL of a column of an ASCII table
    bool isNumeric() const;               // real numbers, integers, logicals
    bool isInteger() const;               // whole numbers on disk, with or without scaling
    bool isScaled() const { return scale != 1.0 || zero != 0.0; }
};

struct TableLayout {
    bool ascii = false;
    int64_t rowBytes = 0, rows = 0;
    std::vector<FitsColumn> columns;
    // The column of that name (any case), or null.
    const FitsColumn* column(std::string_view name) const;
};

// Reads NAXIS1, NAXIS2, TFIELDS, TFORMn, TTYPEn, ... and checks that they fit each other. Throws
// IoError.
TableLayout tableLayout(const FitsFile& file, const FitsHdu& hdu);

// The numeric type that gives back a column's values on writing. Unsigned and signed-byte columns
// take the next wider signed type; scaled ones a floating one.
DiskType diskTypeOf(const FitsColumn& column);

// Values that mean "no value", made NaN by the decoders. NaN and infinities always do.
struct BadValues {
    // Closed intervals; an empty one has low > high.
    double low1 = 1.0, high1 = 0.0, low2 = 1.0, high2 = 0.0;
    // What columns of whole numbers are held against instead; NaN: nothing.
    double whole = std::numeric_limits<double>::quiet_NaN();
};
// UNSEEN and, where given, the sentinel of the file, each with a relative tolerance of 1e-5; the
// sentinel itself for whole numbers, whose neighbors are good values.
BadValues healpixBadValues(std::optional<double> sentinel);

// Decodes one column of `rowCount` rows that lie at `rows`: `rowCount * repeat` values to `out`.
void decodeColumn(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                  int64_t rowCount, const BadValues& bad, float* out);
void decodeColumn(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                  int64_t rowCount, const BadValues& bad, double* out);
// The same for whole numbers without rounding through a double. A value that is not there (TNULL)
// becomes -1. Columns of real numbers may hold whole ones. Throws IoError if the column is no
// unscaled integer column (TZERO of unsigned ones apart), for numbers that are not whole and for
// those that a float or a double rounds.
void decodeIntegers(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                    int64_t rowCount, int64_t* out);
// Texts in a row of an A column.
int64_t textsPerRow(const TableLayout& layout, const FitsColumn& column);
// Text number `which` of a column in one row, blanks at the end removed.
std::string decodeText(const TableLayout& layout, const FitsColumn& column, const std::byte* row,
                       int64_t which = 0);

// Calls `body(firstRow, rowCount, bytes)` for all rows in pieces of about a megabyte, from several
// threads where the file allows it; polls and reports progress. Throws what `body` throws, with the
// path in front.
void forTablePieces(
    FitsFile& file, const FitsHdu& hdu, const TableLayout& layout, JobContext& job,
    std::string_view stage,
    const std::function<void(int64_t firstRow, int64_t rowCount, const std::byte* bytes)>& body);

// A whole column as doubles (small tables: spectra, beams, catalogs).
std::vector<double> readColumn(FitsFile& file, const FitsHdu& hdu, const TableLayout& layout,
                               const FitsColumn& column, JobContext& job);

}  // namespace armilla
