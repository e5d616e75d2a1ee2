// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of tables as Parquet files.
#pragma once

#include <string>

#include "armilla/io/table_io.h"

namespace armilla {

// Writes 64-bit integers, floats, doubles and texts in UTF-8. A column with several values in a row
// becomes the columns NAME_1, NAME_2, ... Missing integers are null. Units and history are stored
// as astropy stores them.
void writeParquet(const Table& table, const std::string& path, const TableWriteOptions& options,
                  JobContext& job);
void writeParquet(const TableStream& stream, const std::string& path,
                  const TableWriteOptions& options, JobContext& job);

}  // namespace armilla
