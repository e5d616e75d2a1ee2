// SPDX-License-Identifier: GPL-3.0-or-later
// Full maps in folders of Zarr (versions 2 and 3): an array of 12 NSIDE^2 pixels, with or without
// an axis of fields, or a group of such arrays. Chunks are plain, or in Blosc, gzip, zlib, zstd or
// LZ4.
#pragma once

#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/io/map_io.h"

namespace armilla {

// True for a folder with the metadata of Zarr.
bool isZarrFolder(const std::string& path);
// Throws IoError, InvalidArgument if a stated fact contradicts the metadata.
FileSummary inspectZarr(const std::string& path, const StatedPixels& stated);
// Throws also OutOfMemory, Cancelled.
HealpixMap readZarr(const std::string& path, const MapReadOptions& options, JobContext& job);

}  // namespace armilla
