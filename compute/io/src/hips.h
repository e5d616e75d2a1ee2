// SPDX-License-Identifier: GPL-3.0-or-later
// HiPS: folders with a map as FITS tiles of several orders (IVOA Recommendation HiPS 1.0). A tile
// is a HEALPix pixel of its order; its values are the pixels within.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"

namespace armilla {

// The position of each value of a tile in the NESTED order of its pixels. Values are in the order
// of the FITS file, rows from the bottom: columns count the odd bits of the NESTED number, rows the
// complement of the even bits.
std::vector<int64_t> hipsTileOrder(int64_t width);
// The path of a tile in the folder of a HiPS: "Norder3/Dir0/Npix7.fits".
std::filesystem::path hipsTileName(int order, int64_t tile);

// True for a folder with the file `properties` of a HiPS.
bool isHipsFolder(const std::string& path);
// Throws IoError, InvalidArgument.
FileSummary inspectHips(const std::string& path, const StatedPixels& stated);
// Reads the deepest order of at most 2^28 pixels; a stated nside selects another order. Pixels of
// tiles that do not exist are bad. Throws also OutOfMemory, Cancelled.
HealpixMap readHips(const std::string& path, const MapReadOptions& options, JobContext& job);

// True for the names of folders that writeMap() writes in this format: these end in a slash.
bool isHipsName(const std::string& path);
// writeMap() for these names: all orders, those below the deepest as means of the good pixels.
// Throws also InvalidArgument for a map of several fields, of no known frame, or with an nside that
// is no power of two.
void writeHips(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
               JobContext& job);

}  // namespace armilla
