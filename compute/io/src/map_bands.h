// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of a HEALPix map along energy or another axis in the open gamma-ray formats (gadf):
// https://gamma-astro-data-formats.readthedocs.io, "Sky Maps" and "HEALPix Formats".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "fits_table.h"

namespace armilla {

struct MapBand {
    int64_t channel = 0;
    int64_t nside = 0;  // 0: the nside of the map's header
    std::string range;  // "1-1.78 GeV"; empty if the table has no numeric axis
};
// The bands of the table named by BANDSHDU; otherwise of EBOUNDS or ENERGIES if the map's columns
// are channels; otherwise of EBOUNDS, ENERGIES or CTHETABOUNDS with a row for each element of a
// vector column; empty without such a table. Throws IoError for a damaged table.
std::vector<MapBand> readBands(FitsFile& file, const FitsHdu& map, const TableLayout& layout);

// The part of the sky that HPX_REG (older files: HPXREGION) describes.
struct MapRegion {
    enum class Shape { Disc, Pixel } shape = Shape::Disc;
    double lon = 0.0, lat = 0.0, radius = 0.0;  // Disc: radians
    int64_t factor = 0;  // Disc: 0 for pixels with their centers inside, else as in inclusiveDisc
    Ordering ordering = Ordering::Nested;  // Pixel: all pixels within this larger one
    int64_t size = 0;                      // its order, or its nside in files of gammapy
    int64_t pixel = 0;
};
// DISK(LON,LAT,RADIUS), DISK_INC(LON,LAT,RADIUS,FACTOR) or HPX_PIXEL(ORDERING,SIZE,PIXEL); none for
// other forms.
std::optional<MapRegion> regionOf(std::string_view text);
// The pixels of a disc, ascending. Throws IoError for a factor that the HEALPix library refuses.
std::vector<int64_t> discPixels(const MapRegion& disc, const std::string& path, int64_t nside,
                                Ordering ordering);
// The pixels of the region at this nside, ascending. `listed`: rows of the file, one for each
// pixel. Throws IoError for a region with far more pixels.
std::vector<int64_t> pixelsOf(const MapRegion& region, const std::string& path, int64_t nside,
                              Ordering ordering, int64_t listed);

}  // namespace armilla
