// SPDX-License-Identifier: GPL-3.0-or-later
// The reader and writer of each table format, and their common functions.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/io/table_io.h"
#include "fits_file.h"
#include "fits_table.h"

namespace armilla {

// Columns of unsigned 64-bit integers of a table that is read in parts, by their names.
struct UnsignedColumns {
    std::set<std::string> found;  // all that a part had
    std::set<std::string> above;  // with a value above 2^63-1 in a part
    std::set<std::string> texts;  // to read as texts of the digits
};
// Consecutive rows of a table on disk; no range: all rows.
struct RowRange {
    int64_t first = 0, count = 0;
    UnsignedColumns* unsignedColumns = nullptr;
};
using OptionalRows = std::optional<RowRange>;

Table readFitsTable(FitsFile& file, const FitsHdu& hdu, const TableReadOptions& options,
                    JobContext& job, const OptionalRows& rows = std::nullopt);
Table readVoTable(const std::string& path, const TableReadOptions& options, JobContext& job);
// Takes the name, frame and history of a table, and units, UCDs and descriptions of its columns,
// from a VOTable without data (VOParquet). Throws IoError for XML that is no VOTable.
void takeVoTableHeader(const std::string& path, const std::string& xml, Table& table);
Table readCsv(const std::string& path, const TableReadOptions& options, JobContext& job);
// True for delimited text that no other reader of tables recognizes.
bool isCsv(const std::string& path);
Table readEcsv(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isEcsv(const std::string& path);
// Fixed-width columns with a byte-by-byte description.
Table readByteTable(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isByteTable(const std::string& path);
// SExtractor's ASCII_HEAD: comments with the number and name of each column.
Table readSExtractorTable(const std::string& path, const TableReadOptions& options,
                          JobContext& job);
bool isSExtractorTable(const std::string& path);
// IPAC tables: names, types and units between bars, values below the bars.
Table readIpacTable(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isIpacTable(const std::string& path);
// `rowsOfFile` receives the number of rows in the file.
Table readHdf5(const std::string& path, const TableReadOptions& options, JobContext& job,
               const OptionalRows& rows = std::nullopt, int64_t* rowsOfFile = nullptr);
bool isHdf5(const std::string& path);
// True for binary files of tables that are not FITS: HDF5 and Parquet.
bool isHdf5OrParquet(const std::string& path);

void writeFitsTables(std::span<const Table> tables, const std::string& path,
                     const TableWriteOptions& options, JobContext& job);
void writeVoTable(std::span<const Table> tables, const std::string& path,
                  const TableWriteOptions& options, JobContext& job);
void writeCsv(const Table& table, const std::string& path, const TableWriteOptions& options,
              JobContext& job);
void writeFitsTable(const TableStream& stream, const std::string& path,
                    const TableWriteOptions& options, JobContext& job);
void writeCsv(const TableStream& stream, const std::string& path, const TableWriteOptions& options,
              JobContext& job);
// Calls `see` with the index and the values of each text column, and of each integer column that
// may have missing values, of all blocks. Sets `null` of the columns of `outline` if the stream
// finds missing values.
void scanStream(const TableStream& stream, Table& outline,
                const std::function<void(size_t index, const TableColumn& column)>& see,
                JobContext& job);
// Throws IoError for columns of other types than in `outline`, and, in a block without missing
// integers, for one that equals the mark of missing ones.
void requireNoMark(const Table& block, const Table& outline);
// Columns separated by blanks, under a comment with their names.
void writeTextTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                    JobContext& job);
void writeEcsv(const Table& table, const std::string& path, const TableWriteOptions& options,
               JobContext& job);

// The table that a selector (number or EXTNAME) names; without one the first table, or the first
// with positions. Throws IoError if there is none.
const FitsHdu& tableHdu(FitsFile& file, const std::string& path,
                        const std::optional<std::string>& selector, bool positions);

// A table without rows from the header of an HDU: columns and metadata.
Table tableOutline(const TableLayout& layout);

// Content of a cell of text; missing: empty, "NULL", "N/A", "--" and the like.
enum class CellKind { Missing, Integer, Real, Text };
CellKind kindOf(const std::string& cell);
bool isMissingCell(const std::string& cell);
// Integers if every cell that is not empty is one (text if with leading zeros), doubles if every
// one is a number, otherwise text.
TableColumn columnFromTexts(std::string name, std::string unit, std::vector<std::string> cells);
// An integer that does not occur among the values, as the marker of no value.
int64_t unusedInteger(const std::vector<int64_t>& values);
// Makes texts of the digits of unsigned 64-bit integers; missing ones become empty.
void textsOfUnsigned(TableColumn& column);
// For a column of unsigned 64-bit integers, held as signed ones with the same bits: if any is above
// 2^63-1, the column becomes texts of its digits, which keep identifiers exact. For a part of the
// rows, `rows->unsignedColumns` decides, because a column has one type in all parts.
void textsIfAbove63Bits(TableColumn& column, const OptionalRows& rows = std::nullopt);
// Applies and removes columns NAME.mask, which astropy writes beside a masked column NAME: values
// under the mask become missing.
void applyMasks(Table& table);
// Parses one record of delimited text (RFC 4180: quoted cells may contain delimiters, doubled
// quotes, and line ends). '\0' stands for runs of blanks. `isOpen` is true if a quote did not end.
std::vector<std::string> takeRecord(std::string_view text, size_t& at, char delimiter,
                                    bool* isOpen = nullptr);
// A cell of CSV, quoted if necessary.
std::string csvCell(const std::string& text);
// The words of a comment if they are `count` headings, each with its unit in brackets; empty
// otherwise.
std::vector<std::string> headingsIn(size_t count, std::string_view comment);
std::vector<std::string> namesOf(const Table& table);
// The columns selected by `options`, in that order. Throws IoError with the list of columns.
std::vector<int> chosenColumns(const std::string& path, const std::vector<std::string>& names,
                               const TableReadOptions& options);
// Keeps the selected columns of a completely read table.
void keepChosen(Table& table, const std::string& path, const TableReadOptions& options);
}  // namespace armilla
