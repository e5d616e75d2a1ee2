// SPDX-License-Identifier: GPL-3.0-or-later
// Several maps in one file, and maps in folders.
#pragma once

#include <span>
#include <string>

#include "armilla/io/map_io.h"

namespace armilla {

// Writes maps in the format of writeMap(), each as an extension named by its `extensionName`.
// Throws as writeMap().
void writeMaps(std::span<const HealpixMap* const> maps, const std::string& path,
               const MapWriteOptions& options, JobContext& job);

// Checks the name of a folder that writeMap() writes as a HiPS, before the work. Throws IoError if
// the folder exists and may not be replaced, or lies in a folder without write access.
void requireMapFolder(const std::string& path, bool overwrite);

}  // namespace armilla
