// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>
#include <set>

#include "armilla/core/counted.h"
#include "armilla/core/equatorial_frame.h"
#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "foreign_file.h"
#include "hats.h"
#include "hdf5_map.h"
#include "healsparse.h"
#include "healsparse_tiles.h"
#include "hips.h"
#include "map_facts.h"
#include "npy_map.h"
#include "pixel_vectors.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"
#include "zarr_map.h"

namespace armilla {

namespace {

// Floating-point pixel numbers are an index only in tables with values; a map may also be named
// HPX.
bool isRealIndex(const TableLayout& table, const FitsColumn& column) {
    const std::string name = upperTrimmed(column.name);
    const auto values = std::count_if(table.columns.begin(), table.columns.end(),
                                      [](const FitsColumn& c) { return c.isNumeric(); });
    return (column.code == 'D' || column.code == 'E') && column.repeat > 0 && values > 1 &&
           name != "HPX" && name != "HEALPIX";
}

const FitsColumn* indexColumn(const TableLayout& table) {
    for (const FitsColumn& column : table.columns)
        if (isPixelNumberName(upperTrimmed(column.name)) &&
            (column.isInteger() || isRealIndex(table, column)))
            return &column;
    return nullptr;
}

// The column at that position of the file, from 1.
const FitsColumn* columnOf(const TableLayout& table, int64_t number) {
    for (const FitsColumn& column : table.columns)
        if (column.number == number) return &column;
    return nullptr;
}

const FitsColumn* statedIndex(const TableLayout& table, const StatedPixels& stated) {
    if (stated.index.empty()) return nullptr;
    if (const FitsColumn* named = table.column(stated.index)) return named;
    const auto number = parseInteger(stated.index);
    return number ? columnOf(table, *number) : nullptr;
}

const FitsColumn* uniqColumn(const TableLayout& table) {
    const FitsColumn* column = table.column("UNIQ");
    if (column == nullptr) column = table.column("NUNIQ");
    return column != nullptr && column->isInteger() ? column : nullptr;
}

// Coverage in time, or in space and time (MOC 2.0), is not supported.
void refuseOtherMocs(const FitsFile& file, const FitsHdu& hdu) {
    const std::string dimension = upperTrimmed(hdu.header.text("MOCDIM").value_or(""));
    const bool uniq = upperTrimmed(hdu.header.text("ORDERING").value_or("")) == "NUNIQ";
    // MOC 1.1 marked a coverage in time only by its time system.
    const bool oldTime =
        uniq && dimension.empty() && hdu.header.has("TIMESYS") && !hdu.header.has("COORDSYS");
    if (oldTime || (!dimension.empty() && dimension != "SPACE"))
        refuse(file.path(), "a coverage of the sky (MOCDIM = SPACE)",
               "a MOC of dimension " + (oldTime ? std::string("TIME") : inQuotes(dimension)));
}

// Planes of a smaller nside fill only the first rows (gadf: bands of different nside).
void checkFullSize(const FitsFile& file, const MapTable& map) {
    int64_t largest = 0;
    for (const MapPlane& plane : map.planes) largest = std::max(largest, plane.nside);
    const int64_t expected = pixelCount(largest);
    for (const MapPlane& plane : map.planes) {
        const int64_t count = map.table.rows * plane.column->repeat;
        if (count == expected) continue;
        const bool mayBeList = count < expected && plane.column->repeat == 1;
        refuse(file.path(),
               std::to_string(expected) + " values in column " + inQuotes(plane.columnName) +
                   " for NSIDE = " + std::to_string(largest) +
                   (mayBeList ? " (--input-index COL names a column of pixel numbers)" : ""),
               std::to_string(count) + " (" + counted(map.table.rows, "row") + " of " +
                   std::to_string(plane.column->repeat) + ")");
    }
}

// Columns that repeat the positions of pixels, as in HI4PI: pairs of longitude and latitude.
bool isPositionOfPixels(const TableLayout& table, const FitsColumn& column) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kPairs = {
        {{"RA", "DEC"},
         {"RA2000", "DEC2000"},
         {"RAJ2000", "DEJ2000"},
         {"RA_ICRS", "DE_ICRS"},
         {"GLON", "GLAT"},
         {"ELON", "ELAT"},
         {"LON", "LAT"},
         {"LONGITUDE", "LATITUDE"},
         {"L", "B"}}};
    const std::string name = upperTrimmed(column.name);
    return std::any_of(kPairs.begin(), kPairs.end(), [&](const auto& pair) {
        return (name == pair.first && table.column(pair.second) != nullptr) ||
               (name == pair.second && table.column(pair.first) != nullptr);
    });
}

// The contents of a column that is no field of a map.
std::string contentOf(const FitsColumn& column) {
    switch (column.code) {
        case 'A': return "text";
        case 'P':
        case 'Q': return "rows of different lengths";
        case 'X': return counted(column.repeat, "bit") + " a row";
        default: return counted(column.repeat, "value") + " a row";
    }
}

// `index`: the column of pixel numbers. The index is no value column, even in a full map; without
// other columns the index is the map's value. Positions of the pixels follow the values.
// Columns that are no values are named in `map.leftOut`.
std::vector<const FitsColumn*> valueColumns(MapTable& map, const FitsColumn* index) {
    std::vector<const FitsColumn*> values;
    const int64_t rowsOrValues = valueCount(map.table);
    for (const FitsColumn& column : map.table.columns) {
        if (&column == index || column.repeat < 1) continue;
        // In a list of pixels, a column of another length does not have one value per pixel.
        const bool isOther =
            column.isNumeric() && (map.index != nullptr ? column.repeat != map.index->repeat
                                   : column.areBits ? map.table.rows * column.repeat != rowsOrValues
                                                    : false);
        if (column.isNumeric() && !isOther)
            values.push_back(&column);
        else
            map.leftOut += (map.leftOut.empty() ? "" : ", ") + fieldName(column) + " (" +
                           contentOf(column) + ")";
    }
    std::stable_partition(values.begin(), values.end(), [&](const FitsColumn* column) {
        return !isPositionOfPixels(map.table, *column);
    });
    if (values.empty() && map.coverage == Coverage::Full && index != nullptr)
        values.push_back(index);
    return values;
}

// The nside of all bands, 0 if the table of bands has none. Throws for bands that differ.
int64_t commonNside(const FitsFile& file, const std::vector<MapBand>& bands, size_t planes) {
    for (const MapBand& band : bands)
        if (band.nside != bands.front().nside)
            refuse(file.path(),
                   "a band for each of " + std::to_string(planes) +
                       " columns, whose NSIDE its table gives",
                   std::to_string(bands.size()) + " bands of different NSIDE");
    return bands.empty() ? 0 : bands.front().nside;
}

// The first plane's nside in the table of bands overrides the header's.
int64_t bandNside(const std::vector<MapBand>& bands) {
    return bands.empty() ? 0 : bands.front().nside;
}

// The first of the columns that the bands describe: all columns, or the elements of the first
// vector of that length.
std::optional<size_t> firstOfBands(const std::vector<const FitsColumn*>& columns, size_t bands) {
    if (bands == columns.size()) return 0;
    for (size_t begin = 0, end = 0; bands > 1 && begin < columns.size(); begin = end) {
        while (end < columns.size() && areOfOneVector(*columns[begin], *columns[end])) ++end;
        if (end - begin == bands) return begin;
    }
    return std::nullopt;
}

int64_t largestNside(const std::vector<MapBand>& bands) {
    int64_t largest = 0;
    for (const MapBand& band : bands) largest = std::max(largest, band.nside);
    return largest;
}

void addPlanes(const FitsFile& file, MapTable& map, const std::vector<const FitsColumn*>& columns,
               const std::vector<MapBand>& bands, int64_t nside) {
    const auto first = firstOfBands(columns, bands.size());
    if (!first && bandNside(bands) > 0) nside = commonNside(file, bands, columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
        MapPlane plane = planeOf(*columns[i], nside);
        if (first && i >= *first && i - *first < bands.size()) {
            const MapBand& band = bands[i - *first];
            if (band.nside > 0) plane.nside = band.nside;
            if (!band.range.empty()) plane.name += " " + band.range;
        }
        map.planes.push_back(std::move(plane));
    }
    map.nside = map.planes.empty() ? nside : map.planes.front().nside;
}

// The channels in the rows of a list.
std::vector<int64_t> listedChannels(FitsFile& file, const MapTable& map, int64_t pixels) {
    std::set<int64_t> known;
    std::mutex lock;
    JobContext job;
    const FitsColumn& column = map.isKeyed ? *map.index : *map.channel;
    forTablePieces(file, *map.hdu, map.table, job, "reading",
                   [&](int64_t, int64_t count, const std::byte* rows) {
                       std::vector<int64_t> numbers(static_cast<size_t>(count));
                       decodeIntegers(map.table, column, rows, count, numbers.data());
                       std::set<int64_t> some;
                       for (const int64_t number : numbers)
                           some.insert(map.isKeyed && number >= 0 ? number / pixels : number);
                       const std::lock_guard guard(lock);
                       known.merge(some);
                   });
    return {known.begin(), known.end()};
}

// INDXSCHM = SPARSE.
void readSparse(FitsFile& file, MapTable& map, const std::vector<MapBand>& bands,
                const StatedPixels& stated) {
    const FitsColumn* value = map.table.column("VALUE");
    map.channel = map.table.column("CHANNEL");
    if (const FitsColumn* key = map.table.column("KEY"); key != nullptr && map.channel == nullptr) {
        map.index = key;
        map.isKeyed = true;
    }
    const auto isSingle = [](const FitsColumn* column) { return column->repeat == 1; };
    if (map.index == nullptr || value == nullptr || !value->isNumeric() || !isSingle(value) ||
        !isSingle(map.index) ||
        (map.channel != nullptr && (!map.channel->isInteger() || !isSingle(map.channel))))
        refuse(file.path(), "columns PIX, CHANNEL and VALUE, or KEY and VALUE (INDXSCHM = SPARSE)",
               describeHdu(*map.hdu));
    map.isSparse = true;
    map.nside = bandNside(bands);
    if (map.nside == 0)
        map.nside = readNside(file, *map.hdu, *map.primary, map.table, false, stated);
    std::vector<MapBand> channels = bands;
    const bool isOne = map.channel == nullptr && !map.isKeyed;
    // A table of energies that are no bins (of a model) does not define the channels of a list.
    if (channels.empty() || map.isKeyed) {
        channels.clear();
        for (const int64_t channel :
             isOne ? std::vector<int64_t>{0} : listedChannels(file, map, pixelCount(map.nside)))
            channels.push_back({channel, 0, {}});
    }
    constexpr size_t kMostChannels = 999;
    if (channels.empty()) refuse(file.path(), "a map with at least one pixel", "no rows");
    if (channels.size() > kMostChannels || channels.front().channel < 0)
        refuse(file.path(), "at most 999 channels, numbered from 0",
               std::to_string(channels.size()));
    // Tables of energies count from 1, tables of bands from 0.
    const bool fromOne = !bands.empty() && !isOne && channels.front().channel == 1;
    const int64_t shift = fromOne && map.table.rows > 0 &&
                                  listedChannels(file, map, pixelCount(map.nside)).front() == 0
                              ? -1
                              : 0;
    for (const MapBand& band : channels) {
        MapPlane plane = planeOf(*value, band.nside > 0 ? band.nside : map.nside);
        plane.channel = band.channel + shift;
        plane.columnName = isOne ? plane.name : "CHANNEL" + std::to_string(plane.channel + 1);
        plane.name = plane.columnName + (band.range.empty() ? "" : " " + band.range);
        map.planes.push_back(std::move(plane));
    }
}

std::string columnNames(const TableLayout& table) {
    std::string names;
    for (const FitsColumn& column : table.columns)
        names += (names.empty() ? "" : ", ") + fieldName(column);
    return names;
}

// The column of pixel numbers, and the decision whether the rows are a list of pixels.
const FitsColumn* findIndex(const FitsFile& file, const MapTable& map, const std::string& scheme,
                            bool countsFit, const StatedPixels& stated, bool& listed) {
    const FitsColumn* index = statedIndex(map.table, stated);
    if (index == nullptr && !stated.index.empty() && !stated.fileDecides)
        refuse(file.path(), "a column of pixel numbers " + inQuotes(stated.index),
               "columns " + columnNames(map.table));
    const bool isStated = index != nullptr;
    if (!isStated) index = indexColumn(map.table);
    listed = isStated || scheme == "EXPLICIT" || scheme == "SPARSE" || scheme == "LOCAL" ||
             (index != nullptr && (scheme != "IMPLICIT" || !countsFit));
    if (listed && index == nullptr && !map.table.columns.empty() &&
        map.table.columns[0].isInteger())
        index = &map.table.columns[0];
    if (listed && index == nullptr)
        refuse(file.path(),
               "an index column PIXEL (INDXSCHM = EXPLICIT; --input-index COL states it)",
               "columns " + columnNames(map.table));
    return index;
}

// The column of a number for each row, if there is one.
const FitsColumn* numbersColumn(const TableLayout& table, const std::string& scheme,
                                const StatedPixels& stated) {
    if (const FitsColumn* column = statedIndex(table, stated)) return column;
    if (const FitsColumn* column = indexColumn(table)) return column;
    const bool isFirst = (scheme == "EXPLICIT" || scheme == "LOCAL") && !table.columns.empty() &&
                         table.columns[0].isInteger();
    return isFirst ? &table.columns[0] : nullptr;
}

// True if the rows are exactly the pixels from FIRSTPIX to LASTPIX.
bool isRun(MapTable& map) {
    const auto first = map.hdu->header.integer("FIRSTPIX"),
               last = map.hdu->header.integer("LASTPIX");
    const int64_t count = valueCount(map.table), all = pixelCount(map.nside);
    if (!first || !last || *first < 0 || *last >= all || *last - *first + 1 != count ||
        count >= all)
        return false;
    map.firstPixel = *first;
    return true;
}

// Pixels of RING or NESTED maps, all pixels or a list.
void readPixelTable(FitsFile& file, MapTable& map, const StatedPixels& stated) {
    const auto keyword = [&](std::string_view key) {
        return mapKeyword(*map.hdu, *map.primary, key);
    };
    const std::string scheme = upperTrimmed(keyword("INDXSCHM").value_or(""));
    if (scheme.ends_with("_EDEP"))
        refuse(file.path(), "INDXSCHM = IMPLICIT, EXPLICIT, LOCAL or SPARSE", inQuotes(scheme));
    const std::vector<MapBand> bands = readBands(file, *map.hdu, map.table);
    auto region = keyword("HPX_REG");
    if (!region) region = keyword("HPXREGION");
    map.region = regionOf(region.value_or(""));
    map.ordering = readOrdering(file, *map.hdu, *map.primary, stated);
    const int64_t known =
        bandNside(bands) > 0
            ? bandNside(bands)
            : nsideKeyword(*map.hdu, *map.primary).value_or(stated.nside.value_or(0));
    splitPixelVectors(file, *map.hdu, *map.primary, std::max(known, largestNside(bands)),
                      numbersColumn(map.table, scheme, stated), map.table);
    const bool countsFit = known > 0 && valueCount(map.table) == pixelCount(known);
    bool listed = false;
    const bool isKeyed = scheme == "SPARSE" && map.table.column("KEY") != nullptr;
    const FitsColumn* index =
        isKeyed ? nullptr : findIndex(file, map, scheme, countsFit, stated, listed);
    map.coverage = listed || isKeyed ? Coverage::Partial : Coverage::Full;
    if (listed) map.index = index;
    if (scheme == "SPARSE") {
        readSparse(file, map, bands, stated);
        // Without a region the list covers the sky: pixels without a row are 0.
        if (!region) map.coverage = Coverage::Full;
        return checkNested(file, map);
    }
    const std::vector<const FitsColumn*> columns = valueColumns(map, index);
    int64_t nside = bandNside(bands);
    if (nside == 0) nside = readNside(file, *map.hdu, *map.primary, map.table, !listed, stated);
    addPlanes(file, map, columns, bands, nside);
    checkNested(file, map);
    if (map.planes.empty()) refuse(file.path(), "a column of numbers in the map", "none");
    if (!listed && isRun(map)) {
        map.coverage = Coverage::Partial;
        return;
    }
    if (!listed) return checkFullSize(file, map);
    // In a local scheme without a region, local numbers equal numbers of the sky.
    map.isLocal = scheme == "LOCAL" && (map.region || map.table.rows != pixelCount(map.nside));
    if (map.isLocal && !map.region)
        refuse(file.path(),
               "the region whose pixels are numbered, HPX_REG = DISK(LON,LAT,RADIUS), "
               "DISK_INC(LON,LAT,RADIUS,FACTOR) or HPX_PIXEL(ORDERING,ORDER,PIX), with INDXSCHM = "
               "LOCAL",
               region ? inQuotes(trimmed(*region)) : "none");
}

// Coverages and multi-order maps. False for another table.
bool readCells(FitsFile& file, MapTable& map) {
    refuseOtherMocs(file, *map.hdu);
    const std::string ordering = orderingText(*map.hdu, *map.primary);
    const bool firstIsWhole = !map.table.columns.empty() && map.table.columns[0].isInteger();
    if (ordering == "RANGE") {
        map.ranges = true;
        if (firstIsWhole) map.index = &map.table.columns[0];
        if (map.index == nullptr) refuse(file.path(), "a column of whole numbers", "none");
    } else if (ordering == "NUNIQ" || uniqColumn(map.table) != nullptr) {
        map.index = uniqColumn(map.table);
        if (map.index == nullptr && firstIsWhole) map.index = &map.table.columns[0];
        if (map.index == nullptr) refuse(file.path(), "a column UNIQ of whole numbers", "none");
    } else {
        return false;
    }
    map.coverage = Coverage::MultiOrder;
    map.ordering = Ordering::Nested;
    if (map.ranges) return true;
    const int number = map.index->number;
    splitPixelVectors(file, *map.hdu, *map.primary, 0, map.index, map.table);
    map.index = columnOf(map.table, number);
    for (const FitsColumn* column : valueColumns(map, map.index))
        map.planes.push_back(planeOf(*column, 0));
    return true;
}

}  // namespace

bool isAlmTable(const FitsHdu& hdu, const TableLayout& table) {
    if (table.columns.size() < 3 || table.ascii) return false;
    if (upperTrimmed(hdu.header.text("PIXTYPE").value_or("")) == "HEALPIX") return false;
    const FitsColumn& first = table.columns[0];
    const bool values = table.columns[1].isNumeric() && table.columns[2].isNumeric();
    // A table of pandas begins with its index, too.
    const bool named = hdu.header.has("MAX-LPOL") ||
                       (upperTrimmed(first.name) == "INDEX" && !findPositions(tableOutline(table)));
    return values && named && first.isInteger();
}

bool isMapTable(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated) {
    if (isHealSparse(file, hdu)) return isHealSparseMap(hdu);
    if (hdu.type == HduType::Image) return isMapImage(hdu);
    // These are maps, but of kinds that mapTable() refuses.
    if (hdu.type == HduType::AsciiTable || hdu.header.logical("ZIMAGE").value_or(false))
        return upperTrimmed(hdu.header.text("PIXTYPE").value_or("")) == "HEALPIX";
    if (hdu.type != HduType::BinaryTable) return false;
    const FitsHdu& primary = *file.hdu(0);
    const TableLayout table = tableLayout(file, hdu);
    if (isAlmTable(hdu, table)) return false;
    const bool numeric =
        std::any_of(table.columns.begin(), table.columns.end(), [](const FitsColumn& c) {
            return c.isNumeric() || isComplex(c) || (c.code == 'X' && c.bits > 0);
        });
    if (!numeric) return false;
    const std::string pixtype = upperTrimmed(mapKeyword(hdu, primary, "PIXTYPE").value_or(""));
    if (pixtype == "HEALPIX") return true;
    const std::string ordering = orderingText(hdu, primary);
    if (ordering == "NUNIQ" || ordering == "RANGE" || uniqColumn(table) != nullptr) return true;
    if (!stated.fileDecides && statedIndex(table, stated) != nullptr) return true;
    const FitsColumn* index = indexColumn(table);
    const bool isOrdering = ordering == "RING" || ordering == "NESTED" || ordering == "NEST";
    const auto nside = nsideKeyword(hdu, primary);
    const auto countFits = [&](std::optional<int64_t> side) {
        return side && isNside(*side) &&
               (valueCount(table) == pixelCount(*side) || table.rows == pixelCount(*side));
    };
    // DESI names the pixel of each row in catalogs, too.
    const bool isDesi = !mapKeyword(hdu, primary, "NSIDE") && hdu.header.has("HPXNSIDE");
    if (isDesi && positionColumns(table)) return false;
    if (mapKeyword(hdu, primary, "NSIDE") || nside)
        return isOrdering || index != nullptr || countFits(nside);
    if (stated.nside && (index != nullptr || countFits(stated.nside))) return true;
    // A list of pixels without its NSIDE is no curve.
    if (index == nullptr) return false;
    const bool isClear = isPixelNumberName(upperTrimmed(index->name), kFirstClearName);
    return hdu.header.has("INDXSCHM") || hdu.header.has("ORDERING") ||
           table.column("N_OBS") != nullptr || (isClear && !positionColumns(table));
}

namespace {

// Throws for FK4: no rotation converts its pixels to one of the known frames.
void requireTurnable(const std::string& path, const std::string& frame) {
    const auto named = equatorialFrameOf(frame, std::nullopt);
    if (named &&
        (named->system == EquatorialSystem::Fk4 || named->system == EquatorialSystem::Fk4NoETerms))
        refuse(path, "a HEALPix map in Galactic, ecliptic or equatorial (ICRS, J2000) coordinates",
               inQuotes(frame) + ": pixels of FK4 cannot be converted");
}

}  // namespace

bool claimsPixels(const std::string& path, std::stop_token stop) {
    const FilePath where = parseFilePath(path);
    if (isHipsFolder(where.path) || isHealSparseFolder(where.path) || isZarrFolder(where.path))
        return true;
    if (isHatsFolder(where.path)) return false;
    if (isNpyFile(where.path)) return true;
    if (isHdf5(where.path)) return isHdf5Map(where.path);
    if (looksLikeText(where.path) || foreignFormat(where.path) || isHdf5OrParquet(where.path))
        return false;
    FitsFile file(where.path, std::move(stop));
    if (where.hdu) return isMapTable(file, file.selected(*where.hdu));
    for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i)
        if (isMapTable(file, *hdu) || isHealSparse(file, *hdu)) return true;
    return false;
}

MapTable mapTable(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated) {
    MapTable map;
    map.hdu = &hdu;
    map.primary = file.hdu(0);
    const bool isImage = hdu.type == HduType::Image && isMapImage(hdu);
    const bool isPacked = hdu.header.logical("ZIMAGE").value_or(false);
    const bool isTiles = isHealSparse(file, hdu);
    if (!isTiles && ((hdu.type != HduType::BinaryTable && !isImage) || isPacked))
        refuse(file.path(),
               "a binary table with a HEALPix map in HDU " + std::to_string(hdu.number),
               isPacked                          ? "a tile-compressed image (funpack unpacks it)"
               : hdu.type == HduType::AsciiTable ? "a table in ASCII"
                                                 : "another kind of HDU");
    const auto keyword = [&](std::string_view key) { return mapKeyword(hdu, *map.primary, key); };
    // COORD and SKYCOORD of old files (WMAP), COORDTYPE of GALPROP.
    auto frame = keyword("COORDSYS");
    for (const char* other : {"COORD", "SKYCOORD", "COORDTYPE"})
        if (!frame) frame = keyword(other);
    map.frame = frameFromText(frame.value_or(""));
    for (const auto& said : {frame, keyword("RADESYS")})
        requireTurnable(file.path(), said.value_or(""));
    const auto bad = keyword("BAD_DATA");
    if (bad) map.badData = parseReal(*bad);
    map.iau = upperTrimmed(keyword("POLCCONV").value_or("")) == "IAU";
    if (isTiles) {
        readPixelTiles(file, map, stated);
        return map;
    }
    if (isImage) {
        readPixelImage(file, map, stated);
        return map;
    }
    map.table = tableLayout(file, hdu);
    splitComplex(map.table);
    takeBits(map.table);
    // gammapy writes the unit of all columns as BUNIT, not TUNITn.
    if (const auto unit = hdu.header.text("BUNIT"))
        for (FitsColumn& column : map.table.columns)
            if (column.unit.empty()) column.unit = trimmed(*unit);
    if (!readCells(file, map)) readPixelTable(file, map, stated);
    if (map.coverage == Coverage::Partial && map.planes.size() == 1 && isHatsMap(file.path())) {
        // Pixels that are not listed hold no row of the catalog.
        map.isSparse = true;
        map.coverage = Coverage::Full;
        map.planes.front().channel = 0;
    }
    return map;
}

const FitsHdu& findMapHdu(FitsFile& file, const std::optional<std::string>& selector,
                          const StatedPixels& stated) {
    if (selector) return file.selected(*selector);
    for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i)
        if (isMapTable(file, *hdu, stated)) return *hdu;
    const std::string expected = "a HEALPix table (PIXTYPE = HEALPIX)";
    for (int i = 1; const FitsHdu* hdu = file.hdu(i); ++i)
        if (hdu->type == HduType::BinaryTable && isAlmTable(*hdu, tableLayout(file, *hdu)))
            refuse(file.path(), expected, "coefficients (alm), from which alm2map makes a map");
    refuse(file.path(), expected, describeHdus(file));
}

std::string leftOutNote(const MapTable& map) {
    if (map.leftOut.empty()) return {};
    return "omitted, because a field has one number for each pixel: " + map.leftOut;
}

int uniqOrder(int64_t uniq) {
    return (static_cast<int>(std::bit_width(static_cast<uint64_t>(uniq))) - 3) / 2;
}

std::string describeHdu(const FitsHdu& hdu) {
    if (hdu.type != HduType::BinaryTable && hdu.type != HduType::AsciiTable)
        return hdu.dataBytes > 0 ? "an image" : "no data";
    std::string text =
        "table " +
        (hdu.name().empty() ? "in HDU " + std::to_string(hdu.number) : inQuotes(hdu.name())) + " (";
    const int64_t fields = hdu.header.integer("TFIELDS").value_or(0);
    for (int64_t n = 1; n <= std::min<int64_t>(fields, 6); ++n) {
        const std::string name =
            trimmed(hdu.header.text("TTYPE" + std::to_string(n)).value_or("?"));
        const std::string shown = inQuotes(name);
        text += (n > 1 ? ", " : "") + shown.substr(1, shown.size() - 2);
    }
    return text + (fields > 6 ? ", ...)" : ")");
}

std::string describeHdus(FitsFile& file) {
    if (isHealSparse(file, *file.hdu(0))) return "a HealSparse file without its extension SPARSE";
    std::string text;
    int tables = 0;
    for (int i = 1; const FitsHdu* hdu = file.hdu(i); ++i) {
        if (hdu->type != HduType::BinaryTable && hdu->type != HduType::AsciiTable) continue;
        if (++tables <= 3) text += (text.empty() ? "" : "; ") + describeHdu(*hdu);
    }
    if (tables > 3) text += "; " + std::to_string(tables - 3) + " more";
    if (tables > 0) return text;
    return file.hdu(0)->dataBytes > 0 || file.hdu(1) != nullptr ? "images only" : "no data";
}

}  // namespace armilla
