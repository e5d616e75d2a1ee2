// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/equatorial_frame.h"
#include "core/error.h"
#include "core/sky_vector.h"

namespace armilla {

namespace {

constexpr std::array<std::string_view, 10> kIndexNames = {
    "PIXEL",    "PIX",     "HPIX",          "IPIX",        "HPX",
    "HPXPIXEL", "HEALPIX", "HEALPIX_PIXEL", "PIXEL_INDEX", "PIXNUM"};

const FitsColumn* indexColumn(const TableLayout& table) {
    for (const FitsColumn& column : table.columns)
        if (column.isInteger() && std::find(kIndexNames.begin(), kIndexNames.end(),
                                            upperTrimmed(column.name)) != kIndexNames.end())
            return &column;
    return nullptr;
}

const FitsColumn* uniqColumn(const TableLayout& table) {
    const FitsColumn* column = table.column("UNIQ");
    if (column == nullptr) column = table.column("NUNIQ");
    return column != nullptr && column->isInteger() ? column : nullptr;
}

std::optional<int64_t> nsideKeyword(const FitsHdu& hdu, const FitsHdu& primary) {
    const auto text = mapKeyword(hdu, primary, "NSIDE");
    return text ? parseInteger(*text) : std::nullopt;
}

// Rows times values in a row of the first numeric column: what a full map must match.
int64_t valueCount(const TableLayout& table) {
    for (const FitsColumn& column : table.columns)
        if (column.isNumeric()) return table.rows * column.repeat;
    return 0;
}

std::string orderingText(const FitsHdu& hdu, const FitsHdu& primary) {
    return upperTrimmed(mapKeyword(hdu, primary, "ORDERING").value_or(""));
}

int64_t readNside(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary,
                  const TableLayout& table, bool full) {
    const auto text = mapKeyword(hdu, primary, "NSIDE");
    if (!text) {
        // Without NSIDE the number of values of a full map still tells it.
        const int64_t count = valueCount(table);
        const auto nside =
            static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(count) / 12.0)));
        if (full && isNside(nside) && pixelCount(nside) == count) return nside;
        refuse(file.path(), "a keyword NSIDE", "none");
    }
    const auto nside = parseInteger(*text);
    if (!nside || !isNside(*nside)) refuse(file.path(), "NSIDE from 1 to 2^29", inQuotes(*text));
    return *nside;
}

Ordering readOrdering(const FitsFile& file, const FitsHdu& hdu, const FitsHdu& primary) {
    const std::string text = orderingText(hdu, primary);
    if (text == "RING") return Ordering::Ring;
    if (text == "NESTED" || text == "NEST") return Ordering::Nested;
    if (!text.empty()) refuse(file.path(), "ORDERING = RING, NESTED or NUNIQ", inQuotes(text));
    // Some files of galaxy surveys say NEST = 0 or 1 instead; with neither, RING is what HEALPix
    // itself assumes.
    const auto nest = hdu.header.logical("NEST");
    return nest.value_or(false) ? Ordering::Nested : Ordering::Ring;
}

// Coverage in time, or in space and time (MOC 2.0), is none of the sky alone.
void refuseOtherMocs(const FitsFile& file, const FitsHdu& hdu) {
    const std::string dimension = upperTrimmed(hdu.header.text("MOCDIM").value_or(""));
    const bool uniq = upperTrimmed(hdu.header.text("ORDERING").value_or("")) == "NUNIQ";
    // MOC 1.1 told a coverage in time by its time system alone.
    const bool oldTime =
        uniq && dimension.empty() && hdu.header.has("TIMESYS") && !hdu.header.has("COORDSYS");
    if (oldTime || (!dimension.empty() && dimension != "SPACE"))
        refuse(file.path(), "a coverage of the sky (MOCDIM = SPACE)",
               "a MOC of dimension " + (oldTime ? std::string("TIME") : inQuotes(dimension)));
}

void checkFullSize(const FitsFile& file, const MapTable& map) {
    const int64_t expected = pixelCount(map.nside);
    for (const FitsColumn* column : map.values) {
        if (map.table.rows * column->repeat == expected) continue;
        refuse(file.path(),
               std::to_string(expected) + " values in column " + inQuotes(fieldName(*column)) +
                   " for NSIDE = " + std::to_string(map.nside),
               std::to_string(map.table.rows * column->repeat) + " (" +
                   std::to_string(map.table.rows) + " rows of " + std::to_string(column->repeat) +
                   ")");
    }
}

// `index`: the column of pixel numbers, which is no value also where a full map repeats it; alone
// it is what the map has.
void chooseValueColumns(MapTable& map, const FitsColumn* index) {
    for (const FitsColumn& column : map.table.columns) {
        if (&column == index || !column.isNumeric()) continue;
        // In a list of pixels, a column of another length holds no value for each.
        if (map.index != nullptr && column.repeat != map.index->repeat) continue;
        map.values.push_back(&column);
    }
    if (map.values.empty() && map.coverage == Coverage::Full && index != nullptr)
        map.values.push_back(index);
}

// Degrees of "DISK(LON,LAT,RADIUS)" or "(DISK,LON,LAT,RADIUS)", whose pixels are those with their
// centers inside.
std::optional<MapTable::Disc> discOf(const std::string& region) {
    std::vector<std::string> words(1);
    for (const char c : upperTrimmed(region))
        if (c == '(' || c == ')' || c == ',' || c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    std::erase(words, std::string());
    if (words.size() != 4 || words[0] != "DISK") return std::nullopt;
    std::array<double, 3> angles{};
    for (size_t i = 0; i < 3; ++i) {
        const auto degrees = parseReal(words[i + 1]);
        if (!degrees || !std::isfinite(*degrees)) return std::nullopt;
        angles[i] = *degrees * kDegree;
    }
    if (std::abs(angles[1]) > kHalfPi || angles[2] < 0.0 || angles[2] > kPi) return std::nullopt;
    return MapTable::Disc{angles[0], angles[1], angles[2]};
}

}  // namespace

std::optional<std::string> mapKeyword(const FitsHdu& hdu, const FitsHdu& primary,
                                      std::string_view key) {
    auto value = hdu.header.text(key);
    if (!value) value = primary.header.text(key);
    return value;
}

std::string fieldName(const FitsColumn& column) {
    return column.name.empty() ? "FIELD" + std::to_string(column.number) : column.name;
}

bool isAlmTable(const FitsHdu& hdu, const TableLayout& table) {
    if (table.columns.size() < 3 || table.ascii) return false;
    if (upperTrimmed(hdu.header.text("PIXTYPE").value_or("")) == "HEALPIX") return false;
    const FitsColumn& first = table.columns[0];
    const bool values = table.columns[1].isNumeric() && table.columns[2].isNumeric();
    const bool named = upperTrimmed(first.name) == "INDEX" || hdu.header.has("MAX-LPOL");
    return values && named && first.isInteger();
}

bool isMapTable(FitsFile& file, const FitsHdu& hdu) {
    if (hdu.type != HduType::BinaryTable) return false;
    const FitsHdu& primary = *file.hdu(0);
    const TableLayout table = tableLayout(file, hdu);
    if (isAlmTable(hdu, table)) return false;
    const bool numeric = std::any_of(table.columns.begin(), table.columns.end(),
                                     [](const FitsColumn& c) { return c.isNumeric(); });
    if (!numeric) return false;
    const auto pixtype = mapKeyword(hdu, primary, "PIXTYPE");
    if (pixtype && upperTrimmed(*pixtype) == "HEALPIX") return true;
    const std::string ordering = orderingText(hdu, primary);
    if (ordering == "NUNIQ" || ordering == "RANGE" || uniqColumn(table) != nullptr) return true;
    if (!mapKeyword(hdu, primary, "NSIDE")) return false;
    if (ordering == "RING" || ordering == "NESTED" || ordering == "NEST") return true;
    if (indexColumn(table) != nullptr) return true;
    const auto nside = nsideKeyword(hdu, primary);
    return nside && isNside(*nside) && valueCount(table) == pixelCount(*nside);
}

namespace {

// Pixels of a frame that is no rotation of the others are nobody's pixels there.
void requireTurnable(const std::string& path, const std::string& frame) {
    const auto named = equatorialFrameOf(frame, std::nullopt);
    if (named &&
        (named->system == EquatorialSystem::Fk4 || named->system == EquatorialSystem::Fk4NoETerms))
        refuse(path, "a HEALPix map in Galactic, ecliptic or equatorial (ICRS, J2000) coordinates",
               inQuotes(frame) + ": pixels of FK4 cannot be turned");
}

}  // namespace

MapTable mapTable(FitsFile& file, const FitsHdu& hdu) {
    MapTable map;
    map.hdu = &hdu;
    map.primary = file.hdu(0);
    if (hdu.type != HduType::BinaryTable)
        refuse(file.path(),
               "a binary table with a HEALPix map in HDU " + std::to_string(hdu.number),
               "another kind of HDU");
    map.table = tableLayout(file, hdu);
    const auto keyword = [&](std::string_view key) { return mapKeyword(hdu, *map.primary, key); };
    auto frame = keyword("COORDSYS");
    if (!frame) frame = keyword("COORD");
    map.frame = frameFromText(frame.value_or(""));
    for (const auto& said : {frame, keyword("RADESYS")})
        requireTurnable(file.path(), said.value_or(""));
    const auto bad = keyword("BAD_DATA");
    if (bad) map.badData = parseReal(*bad);
    map.iau = upperTrimmed(keyword("POLCCONV").value_or("")) == "IAU";

    refuseOtherMocs(file, hdu);
    if (orderingText(hdu, *map.primary) == "RANGE") {
        map.coverage = Coverage::MultiOrder;
        map.ordering = Ordering::Nested;
        map.ranges = true;
        if (!map.table.columns.empty() && map.table.columns[0].isInteger())
            map.index = &map.table.columns[0];
        if (map.index == nullptr) refuse(file.path(), "a column of whole numbers", "none");
        return map;
    }
    if (orderingText(hdu, *map.primary) == "NUNIQ" || uniqColumn(map.table) != nullptr) {
        map.coverage = Coverage::MultiOrder;
        map.ordering = Ordering::Nested;
        map.index = uniqColumn(map.table);
        if (map.index == nullptr && !map.table.columns.empty() && map.table.columns[0].isInteger())
            map.index = &map.table.columns[0];
        if (map.index == nullptr) refuse(file.path(), "a column UNIQ of whole numbers", "none");
        chooseValueColumns(map, map.index);
        return map;
    }

    const std::string scheme = upperTrimmed(keyword("INDXSCHM").value_or(""));
    if (scheme == "LOCAL") {
        auto region = keyword("HPX_REG");
        if (!region) region = keyword("HPXREGION");
        map.region = discOf(region.value_or(""));
        if (!map.region)
            refuse(file.path(),
                   "the region whose pixels are numbered, HPX_REG = DISK(LON,LAT,RADIUS), beside "
                   "INDXSCHM = LOCAL",
                   region ? inQuotes(trimmed(*region)) : "none");
    }
    const FitsColumn* index = indexColumn(map.table);
    const auto nside = nsideKeyword(hdu, *map.primary);
    const bool countsFit = nside && isNside(*nside) && valueCount(map.table) == pixelCount(*nside);
    const bool listed = scheme == "EXPLICIT" || scheme == "SPARSE" || scheme == "LOCAL" ||
                        (index != nullptr && (scheme != "IMPLICIT" || !countsFit));
    if (listed && index == nullptr && !map.table.columns.empty() &&
        map.table.columns[0].isInteger())
        index = &map.table.columns[0];
    if (listed && index == nullptr)
        refuse(file.path(), "an index column PIXEL (INDXSCHM = EXPLICIT)", "none");
    map.coverage = listed ? Coverage::Partial : Coverage::Full;
    if (listed) map.index = index;
    map.nside = readNside(file, hdu, *map.primary, map.table, !listed);
    map.ordering = readOrdering(file, hdu, *map.primary);
    if (map.ordering == Ordering::Nested && !isPowerOfTwoNside(map.nside))
        refuse(file.path(), "a power of two as NSIDE of a NESTED map", std::to_string(map.nside));
    if (scheme == "SPARSE") {
        map.channel = map.table.column("CHANNEL");
        const FitsColumn* value = map.table.column("VALUE");
        if (index == nullptr || map.channel == nullptr || value == nullptr ||
            !map.channel->isInteger() || !value->isNumeric() || index->repeat != 1 ||
            map.channel->repeat != 1 || value->repeat != 1)
            refuse(file.path(), "columns PIX, CHANNEL and VALUE (INDXSCHM = SPARSE)", "others");
        map.values = {value};
        return map;
    }
    chooseValueColumns(map, index);
    if (map.values.empty()) refuse(file.path(), "a column of numbers in the map", "none");
    if (!listed) checkFullSize(file, map);
    return map;
}

const FitsHdu& findMapHdu(FitsFile& file, const std::optional<std::string>& selector) {
    if (selector) return file.selected(*selector);
    for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i)
        if (isMapTable(file, *hdu)) return *hdu;
    refuse(file.path(), "a HEALPix table (PIXTYPE = HEALPIX)", describeHdus(file));
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
