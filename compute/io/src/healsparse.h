// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps in FITS files (https://healsparse.readthedocs.io, "HealSparse File Format"): the
// extension COV locates the tile of each pixel of a coarse coverage, the extension SPARSE holds all
// pixels of the covered tiles.
#pragma once

#include <string>
#include <vector>

#include "map_planes.h"
#include "map_table.h"

namespace armilla {

// True for the HDUs of a HealSparse file.
bool isHealSparse(FitsFile& file, const FitsHdu& hdu);
// True for that HDU of a HealSparse file that holds the map.
bool isHealSparseMap(const FitsHdu& hdu);
// Interprets the headers of the extension SPARSE: tiles, layout and planes. Throws IoError,
// InvalidArgument.
void readPixelTiles(FitsFile& file, MapTable& map, const StatedPixels& stated);
// The pixels with data, in ascending order, and the values of the planes there. Unpacks compressed
// files. Throws IoError, OutOfMemory, Cancelled.
RowData readTilePixels(FitsFile& file, const MapTable& map,
                       const std::vector<const MapPlane*>& planes, JobContext& job);

// The name of bit `bit` of a wide mask without a name in the header: "BIT7".
std::string bitName(int64_t bit);
// True for the names of files that writeMap() writes in this format: .hsp and .hs.
bool isHealSparseName(const std::string& path);
// writeMap() for these names. Throws also InvalidArgument for an nside that is no power of two or
// beyond 2^17.
void writeHealSparse(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
                     JobContext& job);

}  // namespace armilla
