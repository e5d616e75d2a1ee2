// SPDX-License-Identifier: GPL-3.0-or-later
// HATS: folders with a catalog as Parquet files, one for each HEALPix pixel of several orders (IVOA
// Note HATS 1.0). Margin caches are catalogs of their own.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "armilla/io/sky_parts.h"
#include "armilla/io/table_io.h"
#include "parquet_folder.h"

namespace armilla {

// A partition: the rows in one NESTED pixel of nside 2^order.
struct HatsPartition {
    int order = 0;
    int64_t pixel = 0;
};
struct HatsCatalog {
    using Properties = std::map<std::string, std::string>;
    std::filesystem::path folder, data;
    Properties properties;
    std::vector<HatsPartition> partitions;  // in the order of the sky
};
// The catalog in a folder, or the primary one of a collection, from its properties and its list of
// partitions. Throws as readHats.
HatsCatalog openHats(const std::string& path, JobContext& job);
// The files of a partition: one, or those of a folder.
std::vector<std::string> filesOf(const HatsCatalog& catalog, const HatsPartition& partition);
// Sets units and UCDs of the positions in a table of the catalog's columns.
void markPositions(const HatsCatalog& catalog, Table& table);
// The columns of all partitions: from the schema of the catalog (_common_metadata or _metadata) and
// the first partition, without a schema from the metadata of all partitions.
ParquetFolder hatsColumns(const HatsCatalog& catalog, JobContext& job);
// The stated number of rows, or the sum over the metadata of all partitions.
int64_t hatsRows(const HatsCatalog& catalog, JobContext& job);

// The largest distance of a row from its partition, radians: that of a margin cache. None if a
// margin cache states no distance.
std::optional<double> hatsMargin(const HatsCatalog& catalog);

// The partitions that may hold rows in each of the parts of the sky; without parts, all.
std::vector<HatsPartition> partitionsWithin(const HatsCatalog& catalog,
                                            std::span<const DiscUnion> within, JobContext& job);

// True for a file of the numbers of rows in each pixel, in the folder of a HATS catalog:
// skymap.fits, skymap.N.fits, point_map.fits. Such a file lists only the pixels with rows.
bool isHatsMap(const std::string& path);

// Refuses the folder where a map is expected, and names its maps.
[[noreturn]] void refuseHatsAsMap(const std::string& path);

// True for a folder with the properties of a HATS catalog or of a collection of such.
bool isHatsFolder(const std::string& path);
// The rows of the partitions that meet `options.within`, in the order of the sky. Only the columns
// that `options` names are read from each file. The columns of positions that the properties name
// have their UCDs; positions are in ICRS. Throws IoError for properties, lists of partitions and
// files that contradict each other, OutOfMemory, Cancelled.
Table readHats(const std::string& path, const TableReadOptions& options, JobContext& job);
// Summary from the properties, the list of partitions and the columns (hatsColumns). Names the
// margin caches of the catalog's collection and its maps.
FileSummary inspectHats(const std::string& path);

}  // namespace armilla
