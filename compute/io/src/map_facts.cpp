// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_facts.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Combines a fact of the file with the same fact stated by the user.
template <class Fact>
Fact agreed(const char* option, Fact own, std::optional<Fact> said, const StatedPixels& stated,
            std::string (*textOf)(Fact)) {
    if (said && *said != own && !stated.fileDecides)
        throw InvalidArgument(std::string("expected no ") + option + ", or " + textOf(own) +
                              " as the file states, found " + textOf(*said));
    return own;
}

std::string nsideText(int64_t nside) {
    return std::to_string(nside);
}

std::string orderingWord(Ordering ordering) {
    return ordering == Ordering::Ring ? "ring" : "nested";
}

}  // namespace

std::optional<int64_t> nsideOfCount(int64_t pixels) {
    const auto nside =
        static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(pixels) / 12.0)));
    return isNside(nside) && pixelCount(nside) == pixels ? std::optional(nside) : std::nullopt;
}

FitsColumn imageColumn(const FitsHdu& hdu, int number) {
    FitsColumn column;
    column.number = number;
    column.repeat = 1;
    const bool packed = hdu.header.logical("ZIMAGE").value_or(false);
    const int64_t bitpix = hdu.header.integer(packed ? "ZBITPIX" : "BITPIX").value_or(0);
    column.width = std::abs(bitpix) / 8;
    column.code = bitpix == 8     ? 'B'
                  : bitpix == 16  ? 'I'
                  : bitpix == 32  ? 'J'
                  : bitpix == 64  ? 'K'
                  : bitpix == -32 ? 'E'
                                  : 'D';
    column.scale = hdu.header.real("BSCALE").value_or(1.0);
    column.zero = hdu.header.real("BZERO").value_or(0.0);
    column.null = hdu.header.integer("BLANK");
    column.unit = trimmed(hdu.header.text("BUNIT").value_or(""));
    return column;
}

std::optional<std::string> mapKeyword(const FitsHdu& hdu, const FitsHdu& primary,
                                      std::string_view key) {
    auto value = hdu.header.text(key);
    if (!value) value = primary.header.text(key);
    return value;
}

std::string fieldName(const FitsColumn& column) {
    return column.name.empty() ? "FIELD" + std::to_string(column.number) : column.name;
}

std::optional<int64_t> nsideKeyword(const FitsHdu& hdu, const FitsHdu& primary) {
    auto text = mapKeyword(hdu, primary, "NSIDE");
    if (!text) text = hdu.header.text("HPXNSIDE");  // DESI
    const auto nside = text ? parseInteger(*text) : std::nullopt;
    if (nside && isNside(*nside)) return nside;
    const auto order = text ? std::nullopt : hdu.header.integer("ORDER");
    if (order && *order >= 0 && *order <= orderOf(kMaxNside)) return int64_t{1} << *order;
    return std::nullopt;
}

int64_t valueCount(const TableLayout& table) {
    int64_t ofBits = 0;
    for (const FitsColumn& column : table.columns) {
        if (column.isNumeric() && !column.areBits) return table.rows * column.repeat;
        if (column.areBits && ofBits == 0) ofBits = table.rows * column.repeat;
    }
    return ofBits;
}

std::string orderingText(const FitsHdu& hdu, const FitsHdu& primary) {
    return upperTrimmed(mapKeyword(hdu, primary, "ORDERING").value_or(""));
}

Ordering agreedOrdering(Ordering own, const StatedPixels& stated) {
    return agreed("--input-ordering", own, stated.ordering, stated, orderingWord);
}

int64_t agreedNside(int64_t own, const StatedPixels& stated) {
    return agreed("--input-nside", own, stated.nside, stated, nsideText);
}

int64_t readNside(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                  const TableLayout& table, bool full, const StatedPixels& stated) {
    if (const auto own = nsideKeyword(hdu, primary)) return agreedNside(*own, stated);
    if (stated.nside) return *stated.nside;
    const auto text = mapKeyword(hdu, primary, "NSIDE");
    if (text)
        refuse(file.path(), "NSIDE from 1 to 2^29 (--input-nside N states it)", inQuotes(*text));
    // Without NSIDE, the number of values of a full map determines nside.
    const auto nside = nsideOfCount(valueCount(table));
    if (full && nside) return *nside;
    refuse(file.path(), "a keyword NSIDE (--input-nside N states it)", "none");
}

Ordering readOrdering(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                      const StatedPixels& stated) {
    const auto own = [&](Ordering ordering) { return agreedOrdering(ordering, stated); };
    const std::string text = orderingText(hdu, primary);
    if (text == "RING") return own(Ordering::Ring);
    if (text == "NESTED" || text == "NEST") return own(Ordering::Nested);
    if (!text.empty() && !stated.ordering)
        refuse(file.path(),
               "ORDERING = RING, NESTED or NUNIQ (--input-ordering ring|nested states it)",
               inQuotes(text));
    // Some files of galaxy surveys have NEST = 0 or 1 instead, DESI HPXNEST = T or F. Without
    // these, RING is HEALPix's own default.
    for (const char* key : {"NEST", "HPXNEST"})
        if (const auto nest = text.empty() ? hdu.header.logical(key) : std::nullopt)
            return own(*nest ? Ordering::Nested : Ordering::Ring);
    return stated.ordering.value_or(Ordering::Ring);
}

MapPlane planeOf(const FitsColumn& column, int64_t nside) {
    MapPlane plane;
    plane.column = &column;
    plane.name = plane.columnName = fieldName(column);
    plane.nside = nside;
    return plane;
}

void checkNested(const FitsFile& file, const MapTable& map) {
    for (const MapPlane& plane : map.planes)
        if (map.ordering == Ordering::Nested && !isPowerOfTwoNside(plane.nside))
            refuse(file.path(), "a power of two as NSIDE of a NESTED map",
                   std::to_string(plane.nside));
}

bool isMapImage(const FitsHdu& hdu) {
    if (hdu.dataBytes == 0 || hdu.header.has("CTYPE1")) return false;
    const std::string ordering = upperTrimmed(hdu.header.text("ORDERING").value_or(""));
    return upperTrimmed(hdu.header.text("PIXTYPE").value_or("")) == "HEALPIX" ||
           (hdu.header.has("NSIDE") &&
            (ordering == "RING" || ordering == "NESTED" || ordering == "NEST"));
}

void readPixelImage(const FitsFile& file, MapTable& map, const StatedPixels& stated) {
    const FitsHdu& hdu = *map.hdu;
    const int64_t axes = hdu.header.integer("NAXIS").value_or(0);
    const int64_t first = hdu.header.integer("NAXIS1").value_or(0);
    const FitsColumn value = imageColumn(hdu, 1);
    const int64_t count = hdu.dataBytes / std::max<int64_t>(1, value.width);
    const int64_t rest = first > 0 ? count / first : 0;
    map.isImage = true;
    map.coverage = Coverage::Full;
    map.ordering = readOrdering(file, hdu, *map.primary, stated);
    map.table.rows = count;
    map.table.columns = {value};
    auto own = nsideKeyword(hdu, *map.primary);
    if (!own && !stated.nside)
        for (const int64_t pixels : {first, rest})
            if (const auto nside = nsideOfCount(pixels);
                !own && isPowerOfTwoNside(nside.value_or(0)))
                own = nside;
    map.nside = own ? agreedNside(*own, stated) : stated.nside.value_or(0);
    if (map.nside == 0)
        refuse(file.path(), "an image of 12 NSIDE^2 pixels along an axis (PIXTYPE = HEALPIX)",
               std::to_string(first) + " x " + std::to_string(rest));
    const int64_t pixels = pixelCount(map.nside);
    constexpr int64_t kMostFields = 999;
    const bool isBeside = axes >= 2 && rest == pixels && first <= kMostFields && count != pixels;
    const int64_t fields = isBeside ? first : count / pixels;
    if (fields * pixels != count || fields > kMostFields ||
        (fields > 1 && !isBeside && first != pixels))
        refuse(file.path(),
               "an image with " + std::to_string(pixels) +
                   " pixels along an axis for NSIDE = " + std::to_string(map.nside),
               std::to_string(first) + " x " + std::to_string(rest));
    map.table.rows = pixels;
    map.table.rowBytes = value.width * (isBeside ? fields : 1);
    map.table.columns.clear();
    for (int64_t i = 0; i < fields; ++i) {
        map.table.columns.push_back(imageColumn(hdu, static_cast<int>(i + 1)));
        if (isBeside) map.table.columns.back().offset = i * value.width;
    }
    for (int64_t i = 0; i < fields; ++i) {
        map.planes.push_back(planeOf(map.table.columns[static_cast<size_t>(i)], map.nside));
        if (!isBeside) map.planes.back().offset = i * pixels * value.width;
    }
    checkNested(file, map);
}

}  // namespace armilla
