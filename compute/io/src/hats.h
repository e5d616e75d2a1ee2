// SPDX-License-Identifier: GPL-3.0-or-later
// HATS: folders with a catalog as Parquet files, one for each HEALPix pixel of several orders (IVOA
// Note HATS 1.0). Margin caches are catalogs of their own.
#pragma once

#include <string>

#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"

namespace armilla {

// True for a folder with the properties of a HATS catalog or of a collection of such.
bool isHatsFolder(const std::string& path);
// The rows of all partitions, in the order of the sky. Only the columns that `options` names
// are read from each file. The columns of positions that the properties name have their UCDs;
// positions are in ICRS. Throws IoError for properties, lists of partitions and files that
// contradict each other, OutOfMemory, Cancelled.
Table readHats(const std::string& path, const TableReadOptions& options, JobContext& job);
// Summary from the properties, the list of partitions and the metadata of one partition.
FileSummary inspectHats(const std::string& path);

}  // namespace armilla
