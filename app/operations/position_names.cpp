// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/position_names.h"

namespace armilla {

void describePositions(Description& d, PositionNames& p) {
    describePositions(
        d, p,
        {"lon",
         "column of longitudes (right ascensions) in CATALOG; default: by UCD or usual names",
         "lat", "column of latitudes (declinations) in CATALOG; default: by UCD or usual names"});
}

void describePositions(Description& d, PositionNames& p, const PositionWords& words) {
    d.text(words.lon, p.lon, {.advanced = true, .placeholder = "COLUMN"}, words.lonHelp);
    d.text(words.lat, p.lat, {.advanced = true, .placeholder = "COLUMN"}, words.latHelp);
}

void checkPositions(const PositionNames& p, Problems& problems, std::string_view lon,
                    std::string_view lat) {
    if (p.lon.empty() != p.lat.empty())
        problems.push_back({std::string(p.lon.empty() ? lat : lon),
                            "expected --" + std::string(p.lon.empty() ? lon : lat) +
                                " COLUMN as well, found none"});
}

Columns columnsOfPositions(const PositionNames& p) {
    if (p.lon.empty() || p.lat.empty()) return {};
    return {Columns::Choice::One, {}, {p.lon, p.lat}};
}

}  // namespace armilla
