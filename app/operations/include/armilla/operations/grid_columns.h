// SPDX-License-Identifier: GPL-3.0-or-later
// Columns that `grid` selects in a table, for a display before the run.
#pragma once

#include <string>
#include <vector>

#include "armilla/core/table.h"

namespace armilla {

// Columns as named by the options of `grid`; empty: found automatically.
struct GridColumnWords {
    std::string lon, lat, weight, flag;
    std::vector<std::string> values;
};
// Indices of the value columns in the order of the channels of the result; a column has as many
// channels as elements. Throws InvalidArgument, as `grid` does, for a missing column or if none is
// found.
std::vector<int> gridValueColumns(const Table& table, const GridColumnWords& words);

}  // namespace armilla
