// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the operation `stats` that maps in memory and maps by blocks share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/region_table.h"
#include "block_maps.h"

namespace armilla {

struct StatsOptions {
    std::string regions, region;
    std::optional<Place> center;
    std::optional<double> radius, inner;
    std::optional<Frame> frame;
    int64_t bins = 64;
    std::optional<double> least, most, step;
};
void describe(Description& d, StatsOptions& p);

// The parts of the sky that the options and the mask `moc` (may be null) name.
std::vector<SkyPart> partsOf(const Context& context, const StatsOptions& p, Frame frame,
                             const HealpixMap* moc);
// Profiles of all regions on the same rings. With several regions, their numbers follow the names.
// Only nside, ordering and frame of the map matter.
Curve profilesOf(const HealpixMap& map, const std::vector<PartValues>& values,
                 const std::vector<SkyPart>& parts, const StatsOptions& p, Frame frame,
                 const std::string& unit);
// The table of figures.
Outputs figuresOutput(Context& context, Frame own, const std::vector<SkyPart>& parts,
                      const std::vector<AreaStatistics>& figures, Frame frame,
                      const std::string& unit, const SkyIntegral& integral);

// The operation on a map that stays on disk. `inputs`: one pixel of the map, and the mask.
Outputs statsByBlocks(Context& context, const Inputs& inputs, MapOnDisk& map, const StatsOptions& p,
                      int64_t blockPixels);

}  // namespace armilla
