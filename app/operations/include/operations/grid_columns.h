// SPDX-License-Identifier: GPL-3.0-or-later
// Which columns of a table `grid` grids, for those who show it before it runs.
#pragma once

#include <string>
#include <vector>

#include "core/table.h"

namespace armilla {

// The columns as the options of `grid` name them; empty: as found by themselves.
struct GridColumnWords {
    std::string lon, lat, weight, flag;
    std::vector<std::string> values;
};
// Positions of the table's columns of values in the order of the result's channels, each as many
// channels as it is wide. Throws InvalidArgument as `grid` does: no such column, none found.
std::vector<int> gridValueColumns(const Table& table, const GridColumnWords& words);

}  // namespace armilla
