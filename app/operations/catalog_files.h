// SPDX-License-Identifier: GPL-3.0-or-later
// Files of catalogs as inputs of operations: positions by the columns that the user names.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/files.h"

namespace armilla {

// The lines of a reader, with the name of the file.
void tellNotes(const ReadRequest& request, const std::string& path,
               const std::vector<std::string>& notes);
// Throws if the file names FK4 and the request states ICRS.
void requireNotIcrs(const std::string& own, const ReadRequest& request);

// The table of a catalog on disk, for columns of positions; none for a file that is read as a
// whole.
std::optional<TableBlocks> openRows(const std::string& path, const Columns& columns,
                                    JobContext& job);
// The columns of positions and those of `names` that a table has, in its order; empty for a table
// without positions. Throws InvalidArgument for columns of positions that it does not have.
std::vector<std::string> columnsToRead(const Table& outline, const Columns& columns,
                                       const std::vector<std::string>& names);
// Rows of a file as readPlacedCatalog makes them, without its notes; counts rows without a place.
Catalog placedRows(Table table, const std::string& path, const Columns& columns,
                   const ReadRequest& request, MissingPlaces& missing, JobContext& job);

// The catalog of readPlacedCatalog, or a Table for a file without positions.
Data readRows(const std::string& path, const Columns& columns, const ReadRequest& request,
              JobContext& job);

}  // namespace armilla
