// SPDX-License-Identifier: GPL-3.0-or-later
// Plain folders of Parquet files that hold one table, as Spark, Dask, polars and pyarrow write
// them. Folders NAME=VALUE within (Hive partitions) add a column NAME.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "table_formats.h"

namespace armilla {

struct ParquetFolder {
    std::string path;
    std::vector<std::string> files;  // in the order of their names
    // The columns of folders NAME=VALUE, each with a value for each file. "" has no value.
    std::vector<std::pair<std::string, std::vector<std::string>>> keys;
    // The columns of all files by name, in the order of their first file, then those of the keys.
    // Numbers of two types widen to double. Without rows.
    Table outline;
    // Columns whose files do not fit together, and the reason: a refusal where they are read.
    std::map<std::string, std::string> conflicts;
    std::set<std::string> signedColumns;  // integers that are signed in at least one file
    int64_t rows = 0;
};

// True for a folder with a file *.parquet, *.parq or *.pq, directly or within folders NAME=VALUE.
// Names that begin with '.' or '_' are not part of the table.
bool isParquetFolder(const std::string& path);
// Reads the metadata of all files. Throws IoError for folders that cannot be read, and files with
// different NAMEs.
ParquetFolder openParquetFolder(const std::string& path, JobContext& job);
// The same for files of one folder that have no keys.
ParquetFolder joinedFolder(const std::string& path, std::vector<std::string> files,
                           JobContext& job);
// Rows of one file, with the columns of all files and of its folders. A column that this file lacks
// has no values. Throws IoError for a column that holds texts in one file and numbers in another,
// or numbers in two units, and for integers that a double does not hold in a widened column.
Table readParquetPart(const ParquetFolder& folder, const std::string& file,
                      const TableReadOptions& options, JobContext& job, const RowRange& rows);
Table readParquetFolder(const std::string& path, const TableReadOptions& options, JobContext& job);
// Summary from metadata alone. Throws IoError for a table without positions.
FileSummary inspectParquetFolder(const std::string& path);

// The rows of all files in this order, by the columns of the first one. `read` reads one file.
// Throws IoError for a column with two types.
using PartReader = std::function<Table(const std::string& file, const TableReadOptions& options,
                                       JobContext& job, const RowRange& rows)>;
Table joinFiles(const std::vector<std::string>& files, const TableReadOptions& options,
                JobContext& job, const PartReader& read);

}  // namespace armilla
