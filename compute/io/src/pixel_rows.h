// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of pixels in any order, as files hold them, and the maps of these lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "map_planes.h"

namespace armilla {

// Sorts the rows by ascending keys. `orders` may be empty.
void sortRows(std::vector<int64_t>& keys, std::vector<uint8_t>& orders, std::vector<Field>& fields,
              const std::string& path, JobContext& job);
// Throws IoError for a pixel number outside the map.
void checkPixels(const std::string& path, const std::vector<int64_t>& pixels, int64_t nside,
                 JobContext& job);
// The partial map of a list. Throws IoError for pixel numbers outside the map, or twice.
HealpixMap listedMap(const std::string& path, int64_t nside, Ordering ordering, Frame frame,
                     RowData data, JobContext& job);
// Reverses the sign of U, between the conventions IAU and COSMO.
void flipStokesU(HealpixMap& map, JobContext& job);

}  // namespace armilla
