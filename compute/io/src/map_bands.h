// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of a HEALPix map along energy or another axis, as the open gamma-ray formats (gadf) have
// them: https://gamma-astro-data-formats.readthedocs.io, "Sky Maps" and "HEALPix Formats".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "fits_table.h"

namespace armilla {

struct MapBand {
    int64_t channel = 0;
    int64_t nside = 0;  // 0: that of the map's header
    std::string range;  // "1-1.78 GeV"; empty where the table has no axis of numbers
};
// The bands of the table that BANDSHDU names, else of EBOUNDS or ENERGIES where the columns of the
// map are channels; none without such a table. Throws IoError for a damaged one.
std::vector<MapBand> readBands(FitsFile& file, const FitsHdu& map, const TableLayout& layout);

// The part of the sky that HPX_REG (older files: HPXREGION) names.
struct MapRegion {
    enum class Shape { Disc, Pixel } shape = Shape::Disc;
    double lon = 0.0, lat = 0.0, radius = 0.0;  // Disc: radians; pixels with their centers inside
    Ordering ordering = Ordering::Nested;       // Pixel: all pixels within this larger one
    int64_t size = 0;                           // its order, or its nside, as gammapy writes
    int64_t pixel = 0;
};
// None for a text of another form, DISK_INC among them: writers differ in the pixels at its border.
std::optional<MapRegion> regionOf(std::string_view text);
// The pixels of a disc, ascending.
std::vector<int64_t> discPixels(const MapRegion& disc, int64_t nside, Ordering ordering);
// The pixels of the region at this nside, ascending. `listed`: rows of the file, which has one for
// each pixel. Throws IoError for a region that has far more.
std::vector<int64_t> pixelsOf(const MapRegion& region, const std::string& path, int64_t nside,
                              Ordering ordering, int64_t listed);

}  // namespace armilla
