// SPDX-License-Identifier: GPL-3.0-or-later
// A FITS table understood as a HEALPix map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "fits_table.h"
#include "io/map_io.h"
#include "map_bands.h"

namespace armilla {

// Name of the field of ones that a coverage map (MOC) gets.
inline constexpr const char* kCoverageName = "COVERAGE";

// One field of a map as it lies in its HDU.
struct MapPlane {
    const FitsColumn* column = nullptr;
    std::string columnName;  // TTYPE, or "FIELD<n>" where the file has none
    std::string name;        // the same and the range of the plane's band: "CHANNEL1 1-1.78 GeV"
    int64_t nside = 0;       // 0 for a multi-order map
    int64_t channel = -1;    // INDXSCHM = SPARSE: the rows of this channel
    int64_t offset = 0;      // of an image: bytes of its data before the plane
};

struct MapTable {
    const FitsHdu* hdu = nullptr;
    const FitsHdu* primary = nullptr;
    TableLayout table;
    bool isImage = false;  // `table` then is the layout of one plane
    Coverage coverage = Coverage::Full;
    int64_t nside = 0;  // of the first plane; 0 for a multi-order map: its cells tell
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
    const FitsColumn* index = nullptr;  // PIXEL or UNIQ column
    int64_t firstPixel = -1;            // of a run of pixels without an index column
    std::vector<MapPlane> planes;       // none in a coverage map (MOC)
    bool ranges = false;  // a MOC of ranges of pixels of order 29 in place of UNIQ numbers
    // INDXSCHM = SPARSE: a value for each pixel and channel (columns PIX, CHANNEL, VALUE), or for
    // each KEY = channel * pixels + pixel.
    bool isSparse = false;
    bool isKeyed = false;
    const FitsColumn* channel = nullptr;
    // HPX_REG. INDXSCHM = LOCAL: the index counts the pixels of the region, in their order.
    std::optional<MapRegion> region;
    bool isLocal = false;
    std::optional<double> badData;
    bool iau = false;

    MapTable() = default;
    MapTable(const MapTable&) = delete;  // points into its own table
    MapTable& operator=(const MapTable&) = delete;
    MapTable(MapTable&&) = default;
    MapTable& operator=(MapTable&&) = default;
};

// A keyword of the table's header or, where it lacks there (WMAP), of the primary header.
std::optional<std::string> mapKeyword(const FitsHdu& hdu, const FitsHdu& primary,
                                      std::string_view key);
// True if the HDU is a table or an image that claims to be, or can only be, a HEALPix map, also one
// that mapTable() then refuses.
bool isMapTable(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated = {});
// True for the HDUs of a HealSparse file, which is no HEALPix map.
bool isHealSparse(FitsFile& file, const FitsHdu& hdu);
// True for index, real, imaginary columns of alm.
bool isAlmTable(const FitsHdu& hdu, const TableLayout& table);
// Understands the headers; throws IoError with what does not fit, InvalidArgument where a stated
// fact and the file differ.
MapTable mapTable(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated = {});
// The HDU that `selector` names, or the first HEALPix table. Throws IoError with what is there.
const FitsHdu& findMapHdu(FitsFile& file, const std::optional<std::string>& selector,
                          const StatedPixels& stated = {});
// Name of a field: TTYPE, or "FIELD<n>" where the file has none.
std::string fieldName(const FitsColumn& column);
// Covered cells (UNIQ numbers) of ranges [begin, end) of pixels of order 29, in pairs. Throws
// IoError for ranges that do not ascend.
std::vector<int64_t> cellsOfRanges(const std::string& path, const std::vector<int64_t>& ranges);
// The multi-order mask of cells that are covered (1), the rest of the sky 0.
HealpixMap coverageMask(const std::string& path, Frame frame, std::vector<int64_t> uniq,
                        JobContext& job);
// Order of a cell from its UNIQ = 4 * 4^order + pixel >= 4 (IVOA MOC 1.1, section 2.3.1).
int uniqOrder(int64_t uniq);
// "table 'XYZ' (RA, DEC, ...)", of all HDUs or of one, for messages.
std::string describeHdus(FitsFile& file);
std::string describeHdu(const FitsHdu& hdu);

}  // namespace armilla
