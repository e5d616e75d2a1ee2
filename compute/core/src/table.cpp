// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/nan.h"
#include "armilla/core/physical_unit.h"
#include "armilla/core/sky_place.h"
#include "armilla/core/table_rows.h"

namespace armilla {

namespace {

template <typename Number>
std::string shortest(Number value) {
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

struct Names {
    std::string_view lon, lat;
    Frame frame;
};

constexpr Names kUcds[] = {{"pos.eq.ra", "pos.eq.dec", Frame::Equatorial},
                           {"pos.galactic.lon", "pos.galactic.lat", Frame::Galactic},
                           {"pos.ecliptic.lon", "pos.ecliptic.lat", Frame::Ecliptic},
                           {"pos_eq_ra_main", "pos_eq_dec_main", Frame::Equatorial},
                           {"pos_gal_lon", "pos_gal_lat", Frame::Galactic}};
// Plain names (see plainName), in the order of preference.
constexpr Names kUsual[] = {{"ra", "dec", Frame::Equatorial},
                            {"raj2000", "dej2000", Frame::Equatorial},
                            {"raj2000", "decj2000", Frame::Equatorial},
                            {"raicrs", "deicrs", Frame::Equatorial},
                            {"raicrs", "decicrs", Frame::Equatorial},
                            {"radeg", "dedeg", Frame::Equatorial},
                            {"radeg", "decdeg", Frame::Equatorial},
                            {"alphaj2000", "deltaj2000", Frame::Equatorial},
                            {"alpha", "delta", Frame::Equatorial},
                            {"rightascension", "declination", Frame::Equatorial},
                            {"rightascensiondeg", "declinationdeg", Frame::Equatorial},
                            {"ra", "de", Frame::Equatorial},
                            {"ra", "decl", Frame::Equatorial},
                            {"rarad", "decrad", Frame::Equatorial},
                            {"rarad", "derad", Frame::Equatorial},
                            {"ramean", "decmean", Frame::Equatorial},
                            {"ra2000", "dec2000", Frame::Equatorial},
                            {"ra2000", "de2000", Frame::Equatorial},
                            {"rab1950", "deb1950", Frame::Equatorial},
                            {"rab1950", "decb1950", Frame::Equatorial},
                            {"ra1950", "dec1950", Frame::Equatorial},
                            {"ra1950", "de1950", Frame::Equatorial},
                            {"alphab1950", "deltab1950", Frame::Equatorial},
                            {"sra", "sdec", Frame::Equatorial},
                            // DESI, Rubin, ZTF, Pan-STARRS, SExtractor
                            {"targetra", "targetdec", Frame::Equatorial},
                            {"meanfiberra", "meanfiberdec", Frame::Equatorial},
                            {"fiberra", "fiberdec", Frame::Equatorial},
                            {"coordra", "coorddec", Frame::Equatorial},
                            {"objra", "objdec", Frame::Equatorial},
                            {"objectra", "objectdec", Frame::Equatorial},
                            {"rastack", "decstack", Frame::Equatorial},
                            {"alphawinj2000", "deltawinj2000", Frame::Equatorial},
                            {"alphapeakj2000", "deltapeakj2000", Frame::Equatorial},
                            {"alphasky", "deltasky", Frame::Equatorial},
                            {"rajd", "decjd", Frame::Equatorial},  // pulsars of the ATNF
                            {"rahours", "decdeg", Frame::Equatorial},
                            {"rahours", "dec", Frame::Equatorial},
                            {"glon", "glat", Frame::Galactic},
                            {"glondeg", "glatdeg", Frame::Galactic},
                            {"gallon", "gallat", Frame::Galactic},
                            {"l", "b", Frame::Galactic},
                            {"ldeg", "bdeg", Frame::Galactic},
                            {"lii", "bii", Frame::Galactic},
                            {"galacticlongitude", "galacticlatitude", Frame::Galactic},
                            {"elon", "elat", Frame::Ecliptic},
                            {"ecllon", "ecllat", Frame::Ecliptic},
                            {"lambda", "beta", Frame::Ecliptic},
                            {"xworld", "yworld", Frame::Unknown},  // SExtractor without a frame
                            {"xwinworld", "ywinworld", Frame::Unknown},
                            {"lon", "lat", Frame::Unknown},
                            {"longitude", "latitude", Frame::Unknown}};

// Letters and digits only, lower case: "RA_J2000", "raj2000" and "_RAJ2000" are the same name.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : lowerCase(name))
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
    return plain;
}

enum class Cells { Numbers, Any };

bool mayHoldPositions(const TableColumn& column, Cells cells) {
    return column.width == 1 && (cells == Cells::Any || !column.isText());
}

bool hasUcd(const TableColumn& column, std::string_view word) {
    const std::string ucd = lowerCase(column.ucd);
    return ucd.starts_with(word) && (ucd.size() == word.size() || ucd[word.size()] == ';');
}

// The first column whose UCD is `word`; one with ";meta.main" comes first.
std::optional<int> columnOfUcd(const Table& table, std::string_view word, Cells cells) {
    std::optional<int> found;
    for (size_t i = 0; i < table.columns.size(); ++i) {
        const TableColumn& column = table.columns[i];
        if (!mayHoldPositions(column, cells) || !hasUcd(column, word)) continue;
        if (lowerCase(column.ucd).find("meta.main") != std::string::npos)
            return static_cast<int>(i);
        if (!found) found = static_cast<int>(i);
    }
    return found;
}

double unitOf(const TableColumn& column) {
    // The names "RA_RAD" and "ra_hours" state the unit of a column without one.
    if (column.unit.empty()) {
        const std::string name = plainName(column.name);
        if (name.ends_with("rad")) return 1.0;
        for (const std::string_view ending : {"hours", "hour", "hrs", "hourangle"})
            if (name.ends_with(ending)) return 15.0 * kDegree;
    }
    return angleUnit(column.unit).value_or(kDegree);
}

PositionColumns made(const Table& table, int lon, int lat, Frame frame) {
    const auto unit = [&](int column) {
        return unitOf(table.columns[static_cast<size_t>(column)]);
    };
    if (frame == Frame::Unknown) frame = table.frame;
    const bool isStated = table.columns[static_cast<size_t>(lon)].equatorial.has_value();
    if (frame == Frame::Equatorial && !isStated && !unknownSystem(table).empty())
        frame = Frame::Unknown;
    return {lon, lat, frame, unit(lon), unit(lat)};
}

PositionColumns madeOfNames(const Table& table, int lon, int lat, Frame usual) {
    PositionColumns positions = made(table, lon, lat, usual);
    positions.isFrameOfNames = positions.frame != table.frame;
    return positions;
}

Frame frameOfName(std::string_view lon) {
    const std::string word = plainName(lon);
    for (const Names& names : kUsual)
        if (names.lon == word) return names.frame;
    return Frame::Unknown;
}

// The axis type of a single-dish FITS table (SDFITS): the text of its CTYPE column if equal in all
// rows, otherwise of the CTYPE card. Empty if rows differ; none if absent (or without rows).
std::optional<std::string> axisType(const Table& table, const std::string& key) {
    if (const auto index = table.find(key)) {
        const TableColumn& column = table.columns[static_cast<size_t>(*index)];
        if (!column.isText() || column.width != 1 || column.rows() == 0) return std::nullopt;
        const std::string first = plainName(column.text(0));
        for (int64_t row = 1; row < column.rows(); ++row)
            if (plainName(column.text(row)) != first) return "";
        return first;
    }
    for (const std::string& card : table.cards) {
        const size_t open = card.find('\''), close = card.find('\'', open + 1);
        if (card.starts_with(key) && plainName(card.substr(0, 8)) == plainName(key) &&
            close != std::string::npos)
            return plainName(card.substr(open + 1, close - open - 1));
    }
    return std::nullopt;
}

// Positions of a single-dish FITS table: CRVALn of the axes with a celestial CTYPEn. Without CTYPE,
// CRVAL2 and CRVAL3 are right ascension and declination.
std::optional<PositionColumns> findAxes(const Table& table, Cells cells) {
    constexpr int kMostAxes = 9;
    int lon = -1, lat = -1;
    Frame frame = Frame::Unknown;
    for (int axis = 1; axis <= kMostAxes; ++axis) {
        const auto value = table.find("CRVAL" + std::to_string(axis));
        if (!value || !mayHoldPositions(table.columns[static_cast<size_t>(*value)], cells))
            continue;
        const auto type = axisType(table, "CTYPE" + std::to_string(axis));
        const auto is = [&](std::string_view name, int usualAxis) {
            if (!type) return name == (usualAxis == 2 ? "ra" : "dec") && axis == usualAxis;
            // Accepts "RA---SIN", but not "RATE".
            return *type == name || (type->starts_with(name) && type->size() == name.size() + 3);
        };
        for (const Names& names :
             {Names{"ra", "dec", Frame::Equatorial}, Names{"glon", "glat", Frame::Galactic},
              Names{"elon", "elat", Frame::Ecliptic}}) {
            if (is(names.lon, 2)) {
                lon = *value;
                frame = names.frame;
            }
            if (is(names.lat, 3)) lat = *value;
        }
    }
    if (lon < 0 || lat < 0) return std::nullopt;
    return made(table, lon, lat, frame);
}

// Finds a pair by UCDs, then by names; only pairs of frame `wanted` unless `wanted` is Unknown.
std::optional<PositionColumns> findPair(const Table& table, Cells cells, Frame wanted) {
    const auto isLeftOut = [wanted](const Names& names) {
        return wanted != Frame::Unknown && names.frame != wanted;
    };
    for (const Names& names : kUcds) {
        if (isLeftOut(names)) continue;
        const auto lon = columnOfUcd(table, names.lon, cells);
        const auto lat = columnOfUcd(table, names.lat, cells);
        if (lon && lat) return made(table, *lon, *lat, names.frame);
    }
    // Whole names first, then the parts of positions that astropy writes as "sky.ra" and "sky.dec".
    for (const bool isPart : {false, true}) {
        std::vector<std::string> plain;
        for (const TableColumn& column : table.columns) {
            const size_t dot = column.name.rfind('.');
            const bool counts = mayHoldPositions(column, cells) &&
                                (!isPart || (dot != std::string::npos && dot > 0));
            plain.push_back(
                !counts ? std::string()
                        : plainName(std::string_view(column.name).substr(isPart ? dot + 1 : 0)));
        }
        const auto at = [&](std::string_view name) {
            return static_cast<int>(std::find(plain.begin(), plain.end(), name) - plain.begin());
        };
        const int none = static_cast<int>(plain.size());
        for (const Names& names : kUsual)
            if (!isLeftOut(names) && at(names.lon) < none && at(names.lat) < none)
                return madeOfNames(table, at(names.lon), at(names.lat), names.frame);
    }
    return std::nullopt;
}

std::optional<PositionColumns> findPositionsIn(const Table& table, Cells cells,
                                               Frame preferred = Frame::Unknown) {
    if (preferred != Frame::Unknown)
        if (auto found = findPair(table, cells, preferred)) return found;
    auto found = findPair(table, cells, Frame::Unknown);
    return found ? found : findAxes(table, cells);
}

}  // namespace

int64_t TableColumn::size() const {
    return std::visit([](const auto& v) { return static_cast<int64_t>(v.size()); }, values);
}

double TableColumn::number(int64_t row, int64_t element) const {
    const auto at = static_cast<size_t>(row * width + element);
    switch (values.index()) {
        case 0: return std::get<0>(values)[at];
        case 1: return static_cast<double>(std::get<1>(values)[at]);
        case 2: {
            const int64_t value = std::get<2>(values)[at];
            return null == value ? kNan : static_cast<double>(value);
        }
        default: return kNan;
    }
}

std::string TableColumn::text(int64_t row, int64_t element) const {
    const auto at = static_cast<size_t>(row * width + element);
    switch (values.index()) {
        case 0: {
            const double value = std::get<0>(values)[at];
            return std::isnan(value) ? "" : shortest(value);
        }
        case 1: {
            const float value = std::get<1>(values)[at];
            return std::isnan(value) ? "" : shortest(value);
        }
        case 2: {
            const int64_t value = std::get<2>(values)[at];
            return null == value ? "" : shortest(value);
        }
        default: return std::get<3>(values)[at];
    }
}

int64_t TableColumn::memoryBytes() const {
    if (const auto* texts = std::get_if<3>(&values)) {
        auto bytes = static_cast<int64_t>(texts->capacity() * sizeof(std::string));
        for (const std::string& text : *texts)
            if (text.capacity() > 15) bytes += static_cast<int64_t>(text.capacity() + 1);
        return bytes;
    }
    return std::visit(
        [](const auto& v) { return static_cast<int64_t>(v.capacity() * sizeof(v[0])); }, values);
}

std::optional<int> Table::find(std::string_view columnName) const {
    std::optional<int> anyCase;
    const std::string word = lowerCase(columnName);
    for (size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].name == columnName) return static_cast<int>(i);
        if (!anyCase && lowerCase(columns[i].name) == word) anyCase = static_cast<int>(i);
    }
    return anyCase;
}

int Table::columnIndex(std::string_view nameOrNumber) const {
    const auto named = std::count_if(columns.begin(), columns.end(), [&](const TableColumn& each) {
        return each.name == nameOrNumber;
    });
    if (named > 1)
        throw InvalidArgument("expected the name of one column, found " + std::to_string(named) +
                              " columns named '" + std::string(nameOrNumber) +
                              "'; state the number of the column");
    if (const auto index = find(nameOrNumber)) return *index;
    int number = 0;
    const char* end = nameOrNumber.data() + nameOrNumber.size();
    const auto [stop, status] = std::from_chars(nameOrNumber.data(), end, number);
    if (status == std::errc() && stop == end && number >= 1 &&
        number <= static_cast<int>(columns.size()))
        return number - 1;
    std::string names;
    constexpr size_t kNamed = 20;
    for (size_t i = 0; i < std::min(columns.size(), kNamed); ++i)
        names += (i == 0 ? "" : ", ") + columns[i].name;
    if (columns.size() > kNamed) names += ", ...";
    throw InvalidArgument("expected a column name (" + names + ") or a number from 1 to " +
                          std::to_string(columns.size()) + ", found '" + std::string(nameOrNumber) +
                          "'");
}

int64_t Table::memoryBytes() const {
    int64_t bytes = 0;
    for (const TableColumn& column : columns) bytes += column.memoryBytes();
    return bytes;
}

Table rowsOf(const Table& table, std::span<const int64_t> rows) {
    Table result;
    result.name = table.name;
    result.frame = table.frame;
    result.equatorial = table.equatorial;
    result.turnedFrom = table.turnedFrom;
    result.history = table.history;
    result.cards = table.cards;
    result.leftOut = table.leftOut;
    for (const TableColumn& from : table.columns) {
        TableColumn to;
        to.name = from.name;
        to.unit = from.unit;
        to.ucd = from.ucd;
        to.description = from.description;
        to.width = from.width;
        to.null = from.null;
        to.equatorial = from.equatorial;
        std::visit(
            [&](const auto& values) {
                std::decay_t<decltype(values)> kept;
                kept.reserve(rows.size() * static_cast<size_t>(from.width));
                for (const int64_t row : rows)
                    kept.insert(kept.end(), values.begin() + row * from.width,
                                values.begin() + (row + 1) * from.width);
                to.values = std::move(kept);
            },
            from.values);
        result.columns.push_back(std::move(to));
    }
    return result;
}

namespace {

void unifyNull(TableColumn& to, const TableColumn& from) {
    const auto* before = std::get_if<std::vector<int64_t>>(&to.values);
    const auto* more = std::get_if<std::vector<int64_t>>(&from.values);
    if (before == nullptr || more == nullptr || to.null == from.null) return;
    const auto* plain = to.null ? more : before;
    const int64_t null = to.null ? *to.null : *from.null;
    if ((to.null && from.null) || std::find(plain->begin(), plain->end(), null) != plain->end())
        throw InvalidArgument("expected one mark of missing integers in column " + to.name +
                              ", found two, or a value equal to it");
    to.null = null;
}

}  // namespace

void requireSameTypes(const Table& part, const Table& whole) {
    ARMILLA_ASSERT(part.columns.size() == whole.columns.size());
    for (size_t c = 0; c < whole.columns.size(); ++c)
        if (part.columns[c].values.index() != whole.columns[c].values.index() ||
            part.columns[c].width != whole.columns[c].width)
            throw IoError("expected one type in all parts for column '" + whole.columns[c].name +
                          "', found two");
}

int64_t rowBytes(const Table& table) {
    int64_t bytes = 0;
    for (const TableColumn& column : table.columns)
        bytes += column.width *
                 std::visit([](const auto& values) { return int64_t{sizeof *values.data()}; },
                            column.values);
    return bytes;
}

void appendRows(Table& to, const Table& from, int64_t first, int64_t count) {
    requireSameTypes(from, to);
    for (size_t c = 0; c < to.columns.size(); ++c) {
        const int64_t width = from.columns[c].width;
        unifyNull(to.columns[c], from.columns[c]);
        std::visit(
            [&](auto& values) {
                const auto& more = std::get<std::decay_t<decltype(values)>>(from.columns[c].values);
                values.insert(values.end(), more.begin() + first * width,
                              more.begin() + (first + count) * width);
            },
            to.columns[c].values);
    }
}

LonLat Catalog::at(int64_t row) const {
    if (position.lon < 0 || position.lat < 0) return {kNan, kNan};
    const double lon = table.columns[static_cast<size_t>(position.lon)].number(row);
    const double lat = table.columns[static_cast<size_t>(position.lat)].number(row);
    const LonLat place{lon * position.lonUnit, lat * position.latUnit};
    return isPlace(place.lon, place.lat) ? place : LonLat{kNan, kNan};
}

bool isPlace(double lon, double lat) {
    return detail::isPlaceOnSky(lon, lat);
}

bool isFillValue(double value) {
    return detail::isNinesAlone(value);
}

std::optional<double> angleUnit(std::string_view unit) {
    // A day is no angle, but the letter d after a number means degrees.
    if (namesNoUnit(unit) || unit == "d" || unit == "D") return kDegree;
    if (const auto radians = radiansOfUnit(unit)) return radians;
    // Units of right ascension: hours, minutes and seconds of time.
    const auto parsed = parseUnit(unit);
    PhysicalUnit second;
    second.powers[static_cast<size_t>(UnitBase::Time)] = 1.0;
    if (!parsed || !isSameKind(*parsed, second) || parsed->scale > 3600.0) return std::nullopt;
    return parsed->scale / 3600.0 * 15.0 * kDegree;
}

std::optional<PositionColumns> findPositions(const Table& table, Frame preferred) {
    return findPositionsIn(table, Cells::Numbers, preferred);
}

std::optional<PositionColumns> findTextPositions(const Table& table) {
    return findPositionsIn(table, Cells::Any);
}

PositionColumns positionsNamed(const Table& table, std::string_view lon, std::string_view lat) {
    const int first = table.columnIndex(lon), second = table.columnIndex(lat);
    for (const int index : {first, second}) {
        const TableColumn& column = table.columns[static_cast<size_t>(index)];
        if (column.isText() || column.width != 1)
            throw InvalidArgument("expected a column of single numbers, found '" + column.name +
                                  "' with " + (column.isText() ? "text" : "several values a row"));
    }
    const TableColumn& lonColumn = table.columns[static_cast<size_t>(first)];
    const TableColumn& latColumn = table.columns[static_cast<size_t>(second)];
    for (const Names& names : kUcds)
        if (hasUcd(lonColumn, names.lon) && hasUcd(latColumn, names.lat))
            return made(table, first, second, names.frame);
    return madeOfNames(table, first, second, frameOfName(lonColumn.name));
}

}  // namespace armilla
