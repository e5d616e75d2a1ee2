// SPDX-License-Identifier: GPL-3.0-or-later
// Several maps in one file.
#pragma once

#include <span>
#include <string>

#include "io/map_io.h"

namespace armilla {

// Writes maps as writeMap() does, each as an extension of one file, named by its `extensionName`.
// Throws as writeMap().
void writeMaps(std::span<const HealpixMap* const> maps, const std::string& path,
               const MapWriteOptions& options, JobContext& job);

}  // namespace armilla
