// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of positions that the user names.
#pragma once

#include <string>
#include <string_view>

#include "armilla/operations/operation.h"

namespace armilla {

struct PositionNames {
    std::string lon, lat;
};
void describePositions(Description& d, PositionNames& p);
// The same with other names and help lines.
struct PositionWords {
    std::string_view lon, lonHelp, lat, latHelp;
};
void describePositions(Description& d, PositionNames& p, const PositionWords& words);
// A problem if one of the two is given alone.
void checkPositions(const PositionNames& p, Problems& problems, std::string_view lon = "lon",
                    std::string_view lat = "lat");
// The columns that a slot reads: the named positions, else those of the catalog.
Columns columnsOfPositions(const PositionNames& p);

}  // namespace armilla
