// SPDX-License-Identifier: GPL-3.0-or-later
// From columns of numbers and texts to a catalog, whatever file they came from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/catalog_io.h"

namespace armilla {

// Finds the position columns and makes positions of them. Throws IoError listing the columns.
Catalog catalogFromColumns(const std::string& path, std::vector<CatalogColumn> columns,
                           JobContext& job);
// A column of cells as text: numbers if every cell that is not empty is one.
CatalogColumn columnFromTexts(std::string name, std::string unit, std::vector<std::string> cells);
// Position columns of the files that are text.
Catalog readCsv(const std::string& path, JobContext& job);
Catalog readVoTable(const std::string& path, JobContext& job);

}  // namespace armilla
