// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps in HDF5 files (healsparse 1.15, io_map_hdf5.py): a group with the data set
// cov_index_map, a data set sparse_map with a row for each tile, and the facts as attributes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "healsparse_tiles.h"

namespace armilla {

struct Hdf5Tiles {
    std::string group;          // name of the group with the map
    SparseTiles tiles;          // without values
    std::vector<int64_t> rows;  // row of sparse_map for each covered pixel
};

// One field of a map to write; a map that is no table of records has one without a name.
struct Hdf5Column {
    std::string name;
    DiskType type = DiskType::Float64;
    std::string unit;
};
// A map to write.
struct Hdf5TilesToWrite {
    int64_t nside = 0, coverNside = 0;
    PixelTiles::Kind kind = PixelTiles::Kind::Numbers;
    int64_t width = 0;           // bytes of a pixel of Kind::Bits; else 0
    int64_t pixels = 0;          // numbers in a row; bytes of Kind::Packed
    int64_t rows = 0;            // tiles, with the one without data
    std::vector<int64_t> index;  // cov_index_map
    std::vector<Hdf5Column> columns;
    std::string primary;  // the column with the sentinel, of records
    DiskType sentinelType = DiskType::Float64;
    double sentinel = 0.0;
    int64_t wholeSentinel = 0;                               // for integers
    std::vector<std::pair<std::string, std::string>> texts;  // further attributes
    // The values of a tile for each column, in the byte order of the machine. Thread-safe.
    std::function<std::vector<std::vector<std::byte>>(int64_t tile)> tileOf;
};

// Functions of the module armilla-hdf5.so. The first returns false for a file without a HealSparse
// map, and throws IoError for a contradictory one. The second reads the named columns.
using ArmillaFindHealSparse = bool (*)(const std::string& path, Hdf5Tiles& found);
using ArmillaReadHealSparse = void (*)(const std::string& path, Hdf5Tiles& found,
                                       const std::vector<std::string>& names, JobContext& job);
// Writes an open, empty file. Throws IoError, Cancelled.
using ArmillaWriteHealSparse = void (*)(const std::string& path, const Hdf5TilesToWrite& tiles,
                                        JobContext& job);
extern "C" void armillaWriteHealSparse(const std::string& path, const Hdf5TilesToWrite& tiles,
                                       JobContext& job);
extern "C" bool armillaFindHealSparse(const std::string& path, Hdf5Tiles& found);
extern "C" void armillaReadHealSparse(const std::string& path, Hdf5Tiles& found,
                                      const std::vector<std::string>& names, JobContext& job);

}  // namespace armilla
