// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps in HDF5 files (healsparse 1.15, io_map_hdf5.py): a group with the data set
// cov_index_map, a data set sparse_map with a row for each tile, and the facts as attributes.
#pragma once

#include <string>
#include <vector>

#include "healsparse_tiles.h"

namespace armilla {

struct Hdf5Tiles {
    std::string group;          // name of the group with the map
    SparseTiles tiles;          // without values
    std::vector<int64_t> rows;  // row of sparse_map for each covered pixel
};

// Functions of the module armilla-hdf5.so. The first returns false for a file without a HealSparse
// map, and throws IoError for a contradictory one. The second reads the named columns.
using ArmillaFindHealSparse = bool (*)(const std::string& path, Hdf5Tiles& found);
using ArmillaReadHealSparse = void (*)(const std::string& path, Hdf5Tiles& found,
                                       const std::vector<std::string>& names, JobContext& job);
extern "C" bool armillaFindHealSparse(const std::string& path, Hdf5Tiles& found);
extern "C" void armillaReadHealSparse(const std::string& path, Hdf5Tiles& found,
                                      const std::vector<std::string>& names, JobContext& job);

}  // namespace armilla
