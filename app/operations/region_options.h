// SPDX-License-Identifier: GPL-3.0-or-later
// Regions that options name: files of DS9 regions, and texts in DS9 notation.
#pragma once

#include <string>
#include <vector>

#include "armilla/io/region_io.h"
#include "armilla/operations/operation.h"

namespace armilla {

// Regions of a file; its notes become notes of the operation. Throws as
// readNamedRegions().
std::vector<NamedRegion> namedRegionsOfFile(const std::string& path, const Context& context);
std::vector<Region> regionsOfFile(const std::string& path, const Context& context);
// Regions of the text of --region; `frame` applies where the text names none. Throws
// InvalidArgument.
std::vector<NamedRegion> namedRegionsOfText(const std::string& text, Frame frame);
std::vector<Region> regionsOfText(const std::string& text, Frame frame);

}  // namespace armilla
