// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in Parquet files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "table_formats.h"

namespace armilla {

// True for the first bytes of a Parquet file, plain or encrypted.
bool isParquet(const std::string& path);
// Columns of numbers and texts; leftOut names the rest. Missing values are NaN, Table's integer for
// "no value", or empty texts.
Table readParquet(const std::string& path, const TableReadOptions& options, JobContext& job,
                  const OptionalRows& rows = std::nullopt);
// The number of rows in each row group, from the metadata alone.
std::vector<int64_t> parquetGroups(const std::string& path, JobContext& job);
// Facts about a column that its outline does not have.
struct ParquetColumnFacts {
    bool isUnsigned = false;  // unsigned integers of 64 bits
    bool isEmpty = false;     // the type for columns without any value
};
// The columns that are read, without rows, and the number of rows: from the metadata alone. `facts`
// receives one entry for each column.
Table parquetOutline(const std::string& path, int64_t& rows, JobContext& job,
                     std::vector<ParquetColumnFacts>* facts = nullptr);
// Whether a column of unsigned 64-bit integers has a value above 2^63-1, from the largest values
// that the metadata states; none if it does not state them.
std::optional<bool> parquetAbove63Bits(const std::string& path, const std::string& name,
                                       JobContext& job);
// Summary of a catalog with these columns; none without positions.
std::optional<FileSummary> parquetSummary(const Table& outline, int64_t rows);
// Summary of a catalog from the metadata alone; none for a file without positions.
std::optional<FileSummary> inspectParquetCatalog(const std::string& path);

}  // namespace armilla
