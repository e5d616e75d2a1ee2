// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and catalogs on disk: FITS, VOTable, CSV and ECSV. The program's one reader and writer of
// tables; what was read is told by the content, what is written by the suffix of the name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "core/table.h"

namespace armilla {

enum class TableFormat { Fits, VoTable, Csv, Ecsv, Text };

struct TableReadOptions {
    std::vector<std::string> columns;  // names or numbers from 1, in this order; empty: all
    // Which table of a file: number or EXTNAME of an HDU, as "[N]" behind the path; number from 1
    // or name of a TABLE of a VOTable. None: the first one.
    std::optional<std::string> table;
    // Columns whose rows hold different numbers of values: refused, or left out and their names
    // kept in Table::leftOut. One that `columns` names is always refused.
    enum class VariableLength { Refuse, LeaveOut } variableLength = VariableLength::Refuse;
};

// Reads a table:
// - FITS: binary and ASCII tables. Integers with TZERO of unsigned types become what they mean;
//   scaled columns double; logicals and bits integers of 0 and 1; complex numbers pairs of numbers.
// - VOTable 1.0 to 1.5: TABLEDATA, BINARY and BINARY2 (base64), COOSYS, UCDs.
// - ECSV, CSV (also with semicolons, tabs, bars or blanks between): types of a CSV are guessed, a
//   column of whole numbers that would lose leading zeros stays text.
// - Text tables with a description of their columns: byte by byte (CDS), IPAC, SExtractor.
// - HDF5: data sets of one or two axes, of the length that most have; the others are in leftOut.
// Throws IoError with one clear line for anything malformed, OutOfMemory, Cancelled.
Table readTable(const std::string& path, const TableReadOptions& options, JobContext& job);

// Reads the first table with positions (or the one that the path names). Sexagesimal positions in
// columns of text get columns in degrees beside them, named <NAME>_DEG. Throws as readTable;
// IoError also if no pair of position columns is found (the message lists the columns seen), if
// their unit is no angle or many latitudes lie beyond the poles. Positions that the file says to
// be in FK4 or FK5 are turned to ICRS in place (core/icrs_positions.h): Table::turnedFrom.
Catalog readCatalog(const std::string& path, JobContext& job,
                    std::vector<std::string>* notes = nullptr);
// A line on the rows whose angles are no place (isPlace), which readCatalog adds to its notes;
// empty where there are none. Throws IoError where more than a tenth of the rows are none and no
// fill values.
std::string missingPlaces(const Catalog& catalog, JobContext& job);
// What is told of a catalog without rows, which is read as any other.
inline constexpr const char* kNoRows = "a table of 0 rows";

// Numbers in rows and columns beside tables, such as a covariance: an image extension of doubles.
struct TableMatrix {
    std::string name;
    int64_t rows = 0, columns = 0;
    std::vector<double> values;  // row after row
};

struct TableWriteOptions {
    bool overwrite = false;
    std::vector<std::string> history;        // HISTORY text added after the table's own
    std::vector<TableMatrix> matrices = {};  // FITS only; InvalidArgument for other formats
};

// The format that a suffix means (.fits .fit .fits.gz .vot .xml .csv .ecsv .txt .dat); none for
// others.
std::optional<TableFormat> tableFormatOf(const std::string& path);
// Throws IoError unless tables can be written under this name; to be called before the work.
void requireTableName(const std::string& path);

// Writes a table, or several as extensions of a FITS file and as TABLEs of a VOTable. CSV holds the
// columns alone, text (.txt) also units and history, the others also UCDs and descriptions. Throws
// InvalidArgument for columns of different lengths, IoError, Cancelled; then the final name is as
// before.
void writeTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                JobContext& job);
void writeTables(std::span<const Table> tables, const std::string& path,
                 const TableWriteOptions& options, JobContext& job);

}  // namespace armilla
