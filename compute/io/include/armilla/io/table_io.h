// SPDX-License-Identifier: GPL-3.0-or-later
// Files of tables and catalogs: FITS, VOTable, CSV, ECSV and Parquet. The program's only reader and
// writer of tables. The content determines the format read, the suffix of the name the format
// written.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/io/sky_parts.h"

namespace armilla {

// Formats of written tables.
enum class TableFormat { Fits, VoTable, Csv, Ecsv, Text, Parquet };

// Options of readTable.
struct TableReadOptions {
    std::vector<std::string> columns;  // names or numbers from 1, in this order; empty: all
    // The table within a file: number or EXTNAME of an HDU, as "[N]" after the path; number from 1
    // or name of a TABLE of a VOTable. None: the first one.
    std::optional<std::string> table;
    // Treatment of columns with a variable number of values per row: an error, or omission with an
    // entry in Table::leftOut. Such a column is always an error if named in `columns`.
    enum class VariableLength { Refuse, LeaveOut } variableLength = VariableLength::Refuse;
    // Parts of the sky: partitions of a HATS catalog outside one of them are not read. Files
    // without partitions are read whole.
    std::vector<DiscUnion> within = {};
    // Receives a line on columns with the name of an earlier one, which get a name of their own.
    std::vector<std::string>* notes = nullptr;
};

// Reads a table:
// - FITS: binary and ASCII tables. Integers with TZERO of unsigned types become their unsigned
//   values, scaled columns double, logicals and bits integers of 0 and 1, complex numbers pairs.
// - VOTable 1.0 to 1.5: TABLEDATA, BINARY and BINARY2 (base64), COOSYS, UCDs.
// - ECSV, CSV (also separated by semicolons, tabs, bars or blanks). CSV types are inferred; a
//   column of integers with leading zeros stays text.
// - Text tables with a description of their columns: byte by byte (CDS), IPAC, SExtractor.
// - Parquet: columns of numbers and texts; leftOut names the rest.
// - HDF5: data sets of one or two axes that have the most frequent length; leftOut names the rest.
// Throws IoError with one line for malformed files, OutOfMemory, Cancelled.
Table readTable(const std::string& path, const TableReadOptions& options, JobContext& job);

// Reads the first table with positions (or the one that the path names). Sexagesimal positions in
// text columns get additional columns in degrees, named <NAME>_DEG. Positions stated as FK4 or FK5
// are converted to ICRS in place (armilla/core/icrs_positions.h), see Table::turnedFrom. Throws as
// readTable. Throws IoError also without a pair of position columns (the message lists the
// columns), for a unit that is no angle, and if many latitudes lie beyond the poles.
// `columns`: names of the columns to read; empty: all. `within`: as in TableReadOptions.
Catalog readCatalog(const std::string& path, JobContext& job,
                    std::vector<std::string>* notes = nullptr,
                    const std::vector<std::string>& columns = {},
                    const std::vector<DiscUnion>& within = {});
// Rows whose angles are no place (isPlace), counted over the blocks of a catalog.
class MissingPlaces {
public:
    void add(const Catalog& catalog, JobContext& job);
    // One line on the rows whose angles are no place (isPlace); empty without such rows. Throws
    // IoError if more than a tenth of the rows are no place and no fill values.
    std::string line() const;

private:
    int64_t rows_ = 0, outside_ = 0, odd_ = 0;
    std::string first_, latitudes_;
};
// Rows of a table with their positions, as readCatalog makes them; counts rows without a place.
// Throws as readCatalog.
Catalog placeRows(Table table, const std::string& path, MissingPlaces& missing, JobContext& job);
// The columns that the positions of a table come from; empty if there are none. `places`: the
// columns of longitude and latitude, if they are known.
std::vector<std::string> columnsOfPlaces(const Table& outline,
                                         const std::vector<std::string>& places = {});
// Note for a catalog without rows, which is read like any other.
inline constexpr const char* kNoRows = "a table of 0 rows";

// A matrix of doubles stored with tables as an image extension, such as a covariance.
struct TableMatrix {
    std::string name;
    int64_t rows = 0, columns = 0;
    std::vector<double> values;  // row after row
};

// Options of writeTable.
struct TableWriteOptions {
    bool overwrite = false;
    std::vector<std::string> history;        // HISTORY text, added after the table's own
    std::vector<TableMatrix> matrices = {};  // FITS only; InvalidArgument for other formats
};

// The format of a suffix (.fits .fit .fits.gz .vot .xml .csv .ecsv .txt .dat .parquet); none for
// other suffixes.
std::optional<TableFormat> tableFormatOf(const std::string& path);
// Throws IoError unless the suffix has a table format; call before the computation.
void requireTableName(const std::string& path);

// Writes a table, or several as extensions of a FITS file or as TABLEs of a VOTable. CSV contains
// the columns alone, text (.txt) also units and history, other formats also UCDs and descriptions.
// CSV, text and Parquet hold a column with several values in a row as columns NAME_1, NAME_2, ...
// Throws InvalidArgument for columns of different lengths, IoError, Cancelled; the file at the
// final name is then unchanged.
void writeTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                JobContext& job);
// A table that exists block by block.
struct TableStream {
    Table outline;  // the columns without rows
    int64_t rows = 0;
    bool findsMissing = false;  // `null` of integer columns follows from the blocks
    // Calls `take` with all rows in order. Writers may call this twice, and the blocks must then be
    // equal.
    std::function<void(const std::function<void(const Table&)>& take, JobContext& job)> forBlocks;
    // The same with tables of these columns alone, in their order. If empty, forBlocks serves.
    std::function<void(const std::vector<std::string>& columns,
                       const std::function<void(const Table&)>& take, JobContext& job)>
        forColumns = {};
};
// writeTable by blocks. Formats other than FITS, CSV and Parquet take the whole table into memory.
// Throws as writeTable, also OutOfMemory and IoError for integers that equal the mark of missing
// ones.
void writeTable(const TableStream& stream, const std::string& path,
                const TableWriteOptions& options, JobContext& job);

// Writes several tables; throws as writeTable.
void writeTables(std::span<const Table> tables, const std::string& path,
                 const TableWriteOptions& options, JobContext& job);

}  // namespace armilla
