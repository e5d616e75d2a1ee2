// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps in folders of Parquet files (healsparse 1.15): all pixels of the covered tiles,
// as in FITS.
#pragma once

#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "map_table.h"

namespace armilla {

struct SparseColumn {
    std::string name;
    DiskType type = DiskType::Float64;
    std::vector<double> values;  // empty before they are read
    std::string unit = {};
};

struct SparseTiles {
    int64_t nside = 0, coverNside = 0;
    PixelTiles::Kind kind = PixelTiles::Kind::Numbers;
    int64_t width = 1;            // bytes of a pixel of Kind::Bits
    std::string primary;          // the column with the sentinel, of records
    double sentinel = 0.0;        // value of pixels without data
    std::vector<int64_t> covers;  // the coverage pixel of each tile, ascending
    std::vector<SparseColumn> columns;
    // Facts that only files of this program state.
    Frame frame = Frame::Unknown;
    bool iau = false;                   // U in IAU convention
    std::vector<std::string> bitNames;  // bits of Kind::Bits from 0; empty: BITn
    std::vector<std::string> history;

    int64_t tilePixels() const { return (nside / coverNside) * (nside / coverNside); }
    // Values of a column for each tile: bytes of packed flags and of wide masks.
    int64_t tileValues() const;
};

// Throws IoError for numbers that no HealSparse map has.
void checkTiles(const std::string& path, const SparseTiles& tiles);
// Summary without values.
FileSummary summaryOfTiles(const SparseTiles& tiles);
// The columns that hold the chosen fields and mark pixels without data.
std::vector<std::string> columnsToRead(const std::string& path, const SparseTiles& tiles,
                                       const MapReadOptions& options);
// The pixels with data. Throws IoError, OutOfMemory, Cancelled.
HealpixMap mapOfTiles(const std::string& path, SparseTiles tiles, const MapReadOptions& options,
                      JobContext& job);

// A folder of Parquet files that healsparse has written.
bool isHealSparseFolder(const std::string& path);
FileSummary inspectHealSparseFolder(const std::string& path, const StatedPixels& stated);
HealpixMap readHealSparseFolder(const std::string& path, const MapReadOptions& options,
                                JobContext& job);

}  // namespace armilla
