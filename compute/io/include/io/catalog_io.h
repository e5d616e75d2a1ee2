// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs of positions: FITS table, VOTable (TABLEDATA) or CSV, told by content.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"

namespace armilla {

struct CatalogColumn {
    std::string name, unit;
    std::vector<double> numbers;     // empty for a text column
    std::vector<std::string> texts;  // empty for a numeric column
};
struct Catalog {
    Frame frame = Frame::Unknown;        // from the names of the position columns (RA: C, GLON: G)
    std::vector<LonLat> positions;       // radians; one for each row
    std::vector<CatalogColumn> columns;  // all columns, positions included
};

// Throws IoError if no pair of position columns is found; the message lists the columns seen.
Catalog readCatalog(const std::string& path, JobContext& job);

}  // namespace armilla
