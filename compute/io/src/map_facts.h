// SPDX-License-Identifier: GPL-3.0-or-later
// The facts of a HEALPix map that single keywords give, combined with the user's statements.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "map_table.h"

namespace armilla {

// Names of columns and data sets of pixel numbers, in capital letters. Those from kFirstClearName
// on imply HEALPix.
inline constexpr std::array<std::string_view, 10> kPixelNumberNames = {
    "PIXEL",   "PIX",  "PIXNUM", "PIXEL_INDEX", "HPX",
    "HEALPIX", "HPIX", "IPIX",   "HPXPIXEL",    "HEALPIX_PIXEL"};
inline constexpr size_t kFirstClearName = 6;
inline bool isPixelNumberName(std::string_view word, size_t first = 0) {
    return std::find(kPixelNumberNames.begin() + first, kPixelNumberNames.end(), word) !=
           kPixelNumberNames.end();
}
// The nside with that number of pixels; none if there is no such nside.
std::optional<int64_t> nsideOfCount(int64_t pixels);
// NSIDE, otherwise 2^ORDER (gadf); none without a usable number.
std::optional<int64_t> nsideKeyword(const FitsHdu& hdu, const FitsHdu& primary);
// Both return `own`, the fact of the file. Throw InvalidArgument if a stated fact differs and must
// agree.
int64_t agreedNside(int64_t own, const StatedPixels& stated);
Ordering agreedOrdering(Ordering own, const StatedPixels& stated);
// The nside of the keywords, of the user, or of the number of values of a full map. Throws IoError,
// InvalidArgument.
int64_t readNside(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                  const TableLayout& table, bool full, const StatedPixels& stated);
// ORDERING in capital letters; empty if absent.
std::string orderingText(const FitsHdu& hdu, const FitsHdu& primary);
Ordering readOrdering(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                      const StatedPixels& stated);
// Rows times values per row of the first numeric column, of bits only without any other one; must
// match a full map.
int64_t valueCount(const TableLayout& table);
MapPlane planeOf(const FitsColumn& column, int64_t nside);
// Throws IoError for NESTED planes whose nside is not a power of two.
void checkNested(const FitsFile& file, const MapTable& map);

// Describes a value of an image, also of a tile-compressed one, as a table column.
FitsColumn imageColumn(const FitsHdu& hdu, int number);
// True if an image declares HEALPix pixels.
bool isMapImage(const FitsHdu& hdu);
// A full map as an image: pixels along an axis and fields along another, in either order, or all
// pixels of one field in rows of any length. Throws IoError, InvalidArgument.
void readPixelImage(const FitsFile& file, MapTable& map, const StatedPixels& stated);

}  // namespace armilla
