// SPDX-License-Identifier: GPL-3.0-or-later
// The description of a table in YAML that astropy writes to ECSV, HDF5 and Parquet.
#pragma once

#include <string>

#include "armilla/core/table.h"
#include "armilla/io/table_io.h"
#include "fits_header.h"
#include "yaml_header.h"

namespace armilla {

// Sets the frames of the columns that hold SkyCoord in FK4 or FK5.
void takeCoordinateFrames(const YamlNode& header, Table& table);
// The same from the comments of a FITS table.
void takeFitsComments(const FitsHeader& header, Table& table);
// Takes name, frame and history of a table from the mapping "meta" of a header.
void takeAstropyMeta(const YamlNode& header, Table& table);
// Takes these, and units, descriptions and UCDs of the columns with the names of the header. Throws
// IoError for invalid YAML.
void takeAstropyHeader(const std::string& path, const std::string& yaml, Table& table);
// The lines of a header: the columns, then name, frame and history of the table.
std::string astropyHeader(const Table& table, const TableWriteOptions& options);

}  // namespace armilla
