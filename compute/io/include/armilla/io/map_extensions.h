// SPDX-License-Identifier: GPL-3.0-or-later
// Several maps in one file.
#pragma once

#include <span>
#include <string>

#include "armilla/io/map_io.h"

namespace armilla {

// Writes maps in the format of writeMap(), each as an extension named by its `extensionName`.
// Throws as writeMap().
void writeMaps(std::span<const HealpixMap* const> maps, const std::string& path,
               const MapWriteOptions& options, JobContext& job);

}  // namespace armilla
