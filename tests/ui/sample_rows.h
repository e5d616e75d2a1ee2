// SPDX-License-Identifier: GPL-3.0-or-later
// A small catalog of samples for tests of tools.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "armilla/core/table.h"

namespace armilla::test {

inline TableColumn column(const char* name, const char* unit, std::vector<double> values) {
    TableColumn made;
    made.name = name;
    made.unit = unit;
    made.values = std::move(values);
    return made;
}

// A square of 4 degrees around (RA, 30), with values in the named column.
inline Table samples(const char* values, double ra) {
    std::vector<double> lon, lat, value;
    for (int i = 0; i < 400; ++i) {
        lon.push_back(ra + 0.2 * (i % 20));
        lat.push_back(28.0 + 0.2 * (i / 20.0));
        value.push_back(0.5 + i % 7);
    }
    Table table;
    table.columns = {column("RA", "deg", lon), column("DEC", "deg", lat),
                     column(values, "K", value)};
    return table;
}

}  // namespace armilla::test
