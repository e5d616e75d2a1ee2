// SPDX-License-Identifier: GPL-3.0-or-later
// A FITS table understood as a HEALPix map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "fits_table.h"

namespace armilla {

// Name of the field of ones that a coverage map (MOC) gets.
inline constexpr const char* kCoverageName = "COVERAGE";

struct MapTable {
    const FitsHdu* hdu = nullptr;
    const FitsHdu* primary = nullptr;
    TableLayout table;
    Coverage coverage = Coverage::Full;
    int64_t nside = 0;  // 0 for a multi-order map: its cells tell
    Ordering ordering = Ordering::Ring;
    Frame frame = Frame::Unknown;
    const FitsColumn* index = nullptr;      // PIXEL or UNIQ column
    std::vector<const FitsColumn*> values;  // none in a coverage map (MOC)
    bool ranges = false;  // a MOC of ranges of pixels of order 29 in place of UNIQ numbers
    // gadf SPARSE: a value for each pixel and channel (columns PIX, CHANNEL, VALUE).
    const FitsColumn* channel = nullptr;
    // gadf LOCAL: the index counts the pixels of this disc, in their order.
    struct Disc {
        double lon = 0.0, lat = 0.0, radius = 0.0;  // radians
    };
    std::optional<Disc> region;
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
// True if the HDU is a table that claims to be, or can only be, a HEALPix map.
bool isMapTable(FitsFile& file, const FitsHdu& hdu);
// True for index, real, imaginary columns of alm.
bool isAlmTable(const FitsHdu& hdu, const TableLayout& table);
// Understands the headers; throws IoError with what does not fit.
MapTable mapTable(FitsFile& file, const FitsHdu& hdu);
// The HDU that `selector` names, or the first HEALPix table. Throws IoError with what is there.
const FitsHdu& findMapHdu(FitsFile& file, const std::optional<std::string>& selector);
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
