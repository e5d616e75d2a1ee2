// SPDX-License-Identifier: GPL-3.0-or-later
// A FITS table interpreted as a HEALPix map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/io/map_io.h"
#include "fits_table.h"
#include "map_bands.h"

namespace armilla {

// Name of the field of ones for a coverage map (MOC).
inline constexpr const char* kCoverageName = "COVERAGE";

// One field of a map stored in an HDU.
struct MapPlane {
    const FitsColumn* column = nullptr;
    std::string columnName;  // TTYPE, or "FIELD<n>" if absent
    std::string name;        // columnName with the range of the plane's band: "CHANNEL1 1-1.78 GeV"
    int64_t nside = 0;       // 0 for a multi-order map
    // INDXSCHM = SPARSE: the rows of this channel; HealSparse: the bit of a wide mask
    int64_t channel = -1;
    int64_t offset = 0;  // for an image: bytes of its data before the plane
};

// The extensions COV and SPARSE of a HealSparse file: values of all pixels in the covered tiles.
struct PixelTiles {
    // Numbers: an image. Flags: an image of 0 and 1. Packed: eight flags a byte, the lowest bit
    // first. Bits: bytes of a wide mask. Records: a table.
    enum class Kind { Numbers, Flags, Packed, Bits, Records };
    Kind kind = Kind::Numbers;
    const FitsHdu* cover = nullptr;
    int64_t coverNside = 0;
    int64_t tilePixels = 0;               // pixels of the map in a pixel of the coverage
    int64_t tileCount = 0;                // tiles in the file; the first one has no data
    double sentinel = 0.0;                // value of pixels without data; for flags 0 or 1
    const FitsColumn* primary = nullptr;  // the column that holds the sentinel
};

struct MapTable {
    const FitsHdu* hdu = nullptr;
    const FitsHdu* primary = nullptr;
    TableLayout table;
    bool isImage = false;  // `table` is then the layout of one plane
    Coverage coverage = Coverage::Full;
    // nside of the first plane; 0 for a multi-order map, where cells define the nside
    int64_t nside = 0;
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
    const FitsColumn* index = nullptr;  // PIXEL or UNIQ column
    int64_t firstPixel = -1;            // first pixel of a run without an index column
    std::vector<MapPlane> planes;       // none in a coverage map (MOC)
    bool ranges = false;  // a MOC with ranges of order-29 pixels in place of UNIQ numbers
    // INDXSCHM = SPARSE: a value for each pixel and channel (columns PIX, CHANNEL, VALUE), or for
    // each KEY = channel * pixels + pixel.
    bool isSparse = false;
    bool isKeyed = false;
    const FitsColumn* channel = nullptr;
    // HPX_REG. INDXSCHM = LOCAL: the index counts the pixels of the region, in their order.
    std::optional<MapRegion> region;
    bool isLocal = false;
    std::string leftOut;  // columns that are no fields, with their contents; empty for none
    std::optional<double> badData;
    bool iau = false;
    // HealSparse: `table` is then the layout of the tiles' pixels
    std::optional<PixelTiles> tiles;

    MapTable() = default;
    MapTable(const MapTable&) = delete;  // index points into the object's own table
    MapTable& operator=(const MapTable&) = delete;
    MapTable(MapTable&&) = default;
    MapTable& operator=(MapTable&&) = default;
};

// A line on the columns that are no fields; empty if there are none.
std::string leftOutNote(const MapTable& map);
// A keyword of the table's header, or of the primary header if absent there (WMAP).
std::optional<std::string> mapKeyword(const FitsHdu& hdu, const FitsHdu& primary,
                                      std::string_view key);
// True if the HDU is a table or an image that declares, or can only be, a HEALPix map, even one
// that mapTable() refuses.
bool isMapTable(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated = {});
// True for index, real, imaginary columns of alm.
bool isAlmTable(const FitsHdu& hdu, const TableLayout& table);
// Interprets the headers. Throws IoError with the inconsistency, InvalidArgument if a stated fact
// contradicts the file.
MapTable mapTable(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated = {});
// The HDU named by `selector`, or the first HEALPix table. Throws IoError with the contents of the
// file.
const FitsHdu& findMapHdu(FitsFile& file, const std::optional<std::string>& selector,
                          const StatedPixels& stated = {});
// Name of a field: TTYPE, or "FIELD<n>" if absent.
std::string fieldName(const FitsColumn& column);
// Covered cells (UNIQ numbers) of ranges [begin, end) of pixels of order 29, in pairs. Throws
// IoError for ranges that do not ascend.
std::vector<int64_t> cellsOfRanges(const std::string& path, const std::vector<int64_t>& ranges);
// A multi-order mask: 1 for the given cells, 0 for the rest of the sky.
HealpixMap coverageMask(const std::string& path, Frame frame, std::vector<int64_t> uniq,
                        JobContext& job);
// Order of a cell from its UNIQ = 4 * 4^order + pixel >= 4 (IVOA MOC 1.1, section 2.3.1).
int uniqOrder(int64_t uniq);
// "table 'XYZ' (RA, DEC, ...)", of all HDUs or of one, for messages.
std::string describeHdus(FitsFile& file);
std::string describeHdu(const FitsHdu& hdu);

}  // namespace armilla
