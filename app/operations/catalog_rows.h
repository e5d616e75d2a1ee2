// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of catalogs as operations take them: positions in a frame, and the part of the sky that they
// lie in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/region.h"
#include "armilla/operations/position_names.h"
#include "armilla/ops/credible.h"

namespace armilla {

// The direction of a row in `frame`; none for a row without a position.
std::optional<Vec3> directionOfRow(const Catalog& catalog, int64_t row, const Mat3& turn);
// One value for each row, on all threads: `valueAt` of the direction in `frame`, `missing` for rows
// without a position.
std::vector<double> valuesOfRows(const Catalog& catalog, Frame frame, double missing,
                                 const std::function<double(Vec3)>& valueAt, JobContext& job);

bool isMoc(const HealpixMap& map);
// True for a map of one field whose good pixels are 0 or 1.
bool isMask(const HealpixMap& map, JobContext& job);

// 1 for rows inside, else 0; rows without a position are outside. Mask and MOC: the pixel exceeds
// one half. Regions: in any region and in no excluding region that comes later.
std::vector<double> rowsInside(const Catalog& catalog, const HealpixMap& mask, JobContext& job);
std::vector<double> rowsInRegions(const Catalog& catalog, const std::vector<Region>& regions,
                                  JobContext& job);

// Credible level of each row at the nearest pixel; NaN outside the map.
std::vector<double> levelsOfRows(const Catalog& catalog, const HealpixMap& map,
                                 const CredibleLevels& levels, JobContext& job);

}  // namespace armilla
