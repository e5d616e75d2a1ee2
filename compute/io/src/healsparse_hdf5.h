// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps written in HDF5.
#pragma once

#include <string>

#include "healsparse_plan.h"

namespace armilla {

// True for the names of files that writeMap() writes in this format: .hdf5 and .h5.
bool isHealSparseHdf5Name(const std::string& path);
// Writes the tiles of a plan as healsparse does: a group `map`, a row for each tile, a group for
// each field of records. A map of one flag is bit-packed where tiles are whole bytes. Units, names
// of bits, frame and history are attributes. Throws IoError, Unsupported without HDF5, Cancelled.
void writeHealSparseHdf5(const HealpixMap& map, const NestedElements& elements,
                         const TilePlan& plan, const std::string& path,
                         const MapWriteOptions& options, JobContext& job);

}  // namespace armilla
