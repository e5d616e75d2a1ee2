// SPDX-License-Identifier: GPL-3.0-or-later
// Full maps as arrays of NumPy (numpy.save, format versions 1 to 3): one value a pixel, or a row of
// values for each field.
#pragma once

#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/io/map_io.h"

namespace armilla {

// True for a file that begins as an array of NumPy.
bool isNpyFile(const std::string& path);
// Interprets the header. Throws IoError, InvalidArgument if a stated fact contradicts the file.
FileSummary inspectNpyMap(const std::string& path, const StatedPixels& stated);
// Reads the map; throws also OutOfMemory, Cancelled.
HealpixMap readNpyMap(const std::string& path, const MapReadOptions& options, JobContext& job);

}  // namespace armilla
