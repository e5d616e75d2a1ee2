// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the sky of a list of regions, and the table of their statistics. The operation
// `stats` writes this table, and the window shows it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/table.h"
#include "armilla/io/region_io.h"
#include "armilla/ops/area_statistics.h"

namespace armilla {

// Adds the parts of a list of regions. An excluding region subtracts from the regions before it in
// its list. If a list only excludes, it subtracts from all earlier parts, or from `sky` if there
// are none. Regions without a name get one, such as "circle 2". Throws InvalidArgument for a list
// that begins with an excluding region and has others.
void appendParts(std::vector<SkyPart>& parts, std::span<const NamedRegion> regions,
                 const SkyPart& sky);

// The sum over pixels, or the sum of values times solid angles, times `factor` is an integral over
// the sky in `unit`.
struct SkyIntegral {
    bool isSum = false;
    double factor = 1.0;
    std::string unit;
    const char* description = "";

    double of(const AreaStatistics& s) const { return factor * (isSum ? s.sum : s.integral); }
};
// The integral of a field over the sky:
// - of brightness, the sum times the solid angle of a pixel,
// - of values per beam, the sum divided by pixels per beam (BMAJ and BMIN of the header cards),
// - of counts and probabilities per pixel, the sum.
// `note` (may be null) receives a line about values per beam without a beam.
SkyIntegral integralOf(const std::vector<std::string>& cards, const Field& field,
                       const std::function<void(const std::string&)>& note = {});

// Statistics of a part of a HEALPix map, whose pixels have equal solid angles.
AreaStatistics mapStatistics(const HealpixMap& map, PartValues values);

// A row for each part. `own`: frame of the pixels; `frame`: frame of the positions in the table;
// `unit`: unit of the values.
Table regionTable(Frame own, std::span<const SkyPart> parts,
                  std::span<const AreaStatistics> figures, Frame frame, const std::string& unit,
                  const SkyIntegral& integral);

}  // namespace armilla
