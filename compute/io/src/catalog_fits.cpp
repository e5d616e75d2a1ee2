// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "catalog_build.h"
#include "core/error.h"
#include "core/memory_limit.h"
#include "fits_table.h"
#include "map_table.h"
#include "table_kind.h"
#include "text_file.h"

namespace armilla {

namespace {

// "12:34:56.7", "12 34 56.7", "12h34m56.7s", "-1d2m3s" as one number of the first unit.
std::optional<double> parseSexagesimal(const std::string& text) {
    std::array<double, 3> parts{};
    size_t count = 0;
    std::string number;
    const std::string whole = trimmed(text) + " ";
    const bool negative = whole[0] == '-';
    for (size_t i = whole[0] == '-' || whole[0] == '+' ? 1 : 0; i < whole.size(); ++i) {
        const char c = whole[i];
        if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
            number += c;
        } else if (std::string_view(": hmsd'\"").find(c) != std::string_view::npos) {
            if (number.empty()) continue;
            const auto value = parseReal(number);
            if (!value || count == 3) return std::nullopt;
            parts[count++] = *value;
            number.clear();
        } else {
            return std::nullopt;
        }
    }
    if (count < 2 || parts[1] >= 60.0 || parts[2] >= 60.0) return std::nullopt;
    const double value = parts[0] + parts[1] / 60.0 + parts[2] / 3600.0;
    return negative ? -value : value;
}

enum class Axis { Longitude, Latitude };

// Radians of one unit of a numeric position column; degrees where nothing is said.
double radiansPerUnit(const std::string& path, const CatalogColumn& column) {
    const std::string unit = upperTrimmed(column.unit);
    const std::string name = upperTrimmed(column.name);
    if (unit.empty() || unit == "NONE") {
        const bool radians =
            name.ends_with("RAD") || name.ends_with("RAD)") || name.ends_with("RAD]");
        return radians ? 1.0 : kDegree;
    }
    if (unit == "DEG" || unit == "DEGREE" || unit == "DEGREES" || unit == "D") return kDegree;
    if (unit == "RAD" || unit == "RADIAN" || unit == "RADIANS") return 1.0;
    if (unit == "H" || unit == "HR" || unit == "HOUR" || unit == "HOURS" || unit == "HOURANGLE")
        return 15.0 * kDegree;
    if (unit == "ARCMIN") return kArcmin;
    if (unit == "ARCSEC") return kArcsec;
    if (unit == "MAS") return 1e-3 * kArcsec;
    refuse(path, "a unit of angle (deg, rad, hourangle) in column " + inQuotes(column.name),
           inQuotes(column.unit));
}

std::vector<double> anglesOf(const std::string& path, const CatalogColumn& column, Axis axis,
                             Frame frame) {
    std::vector<double> angles;
    if (column.texts.empty()) {
        const double factor = radiansPerUnit(path, column);
        for (const double x : column.numbers) angles.push_back(factor * x);
        return angles;
    }
    // Sexagesimal right ascensions are hours of 15 degrees, all other angles degrees.
    const bool hours = axis == Axis::Longitude && frame == Frame::Equatorial;
    for (size_t i = 0; i < column.texts.size(); ++i) {
        const std::string& text = column.texts[i];
        if (trimmed(text).empty()) {
            angles.push_back(std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        const auto plain = parseReal(text);
        const auto value = plain ? plain : parseSexagesimal(text);
        if (!value)
            refuse(path, "positions in column " + inQuotes(column.name),
                   inQuotes(text) + " in row " + std::to_string(i + 1));
        // A letter d says degrees, whatever the column.
        const bool degrees = plain.has_value() || text.find('d') != std::string::npos;
        angles.push_back(*value * (hours && !degrees ? 15.0 : 1.0) * kDegree);
    }
    return angles;
}

std::vector<std::string> namesOf(const std::vector<CatalogColumn>& columns) {
    std::vector<std::string> names;
    for (const CatalogColumn& column : columns) names.push_back(column.name);
    return names;
}

Catalog readFitsCatalog(const FilePath& where, JobContext& job) {
    FitsFile file(where.path, job.stopToken());
    const FitsHdu* hdu = nullptr;
    if (where.hdu) {
        hdu = &file.selected(*where.hdu);
    } else {
        for (int i = 1; hdu == nullptr; ++i) {
            const FitsHdu* candidate = file.hdu(i);
            if (candidate == nullptr) break;
            const auto kind = hduKind(file, *candidate);
            if (kind == FileKind::Catalog || kind == FileKind::Samples) hdu = candidate;
        }
    }
    if (hdu == nullptr || (hdu->type != HduType::BinaryTable && hdu->type != HduType::AsciiTable))
        refuse(where.path, "a table with columns of positions (RA and DEC, GLON and GLAT, ...)",
               describeHdus(file));
    const TableLayout table = tableLayout(file, *hdu);
    file.requireData(*hdu);

    std::vector<const TableColumn*> sources;
    std::vector<CatalogColumn> columns;
    int64_t bytes = 0;
    for (const TableColumn& column : table.columns) {
        const bool text = column.code == 'A' && (table.ascii || column.repeat > 0);
        if (!text && !(column.isNumeric() && column.repeat == 1)) continue;
        sources.push_back(&column);
        columns.push_back({column.name, column.unit, {}, {}});
        const int64_t letters = column.repeat * column.width;
        bytes += table.rows * (text ? static_cast<int64_t>(sizeof(std::string)) + letters : 8);
    }
    requireMemory(where.path, bytes);
    for (size_t c = 0; c < columns.size(); ++c) {
        if (sources[c]->code == 'A')
            columns[c].texts.resize(static_cast<size_t>(table.rows));
        else
            columns[c].numbers.resize(static_cast<size_t>(table.rows));
    }
    forTablePieces(file, *hdu, table, job, "reading",
                   [&](int64_t first, int64_t count, const std::byte* rows) {
                       for (size_t c = 0; c < columns.size(); ++c) {
                           if (sources[c]->code != 'A') {
                               decodeColumn(table, *sources[c], rows, count, {},
                                            columns[c].numbers.data() + first);
                               continue;
                           }
                           for (int64_t r = 0; r < count; ++r)
                               columns[c].texts[static_cast<size_t>(first + r)] =
                                   decodeText(table, *sources[c], rows + r * table.rowBytes);
                       }
                   });
    file.verifyRest(job);
    return catalogFromColumns(where.path, std::move(columns), job);
}

}  // namespace

Catalog catalogFromColumns(const std::string& path, std::vector<CatalogColumn> columns,
                           JobContext& job) {
    const std::vector<std::string> names = namesOf(columns);
    const PositionColumns found = positionColumns(names);
    if (!found.found()) {
        std::string seen;
        for (size_t i = 0; i < std::min<size_t>(names.size(), 12); ++i) {
            const std::string shown = inQuotes(names[i]);
            seen += (i > 0 ? ", " : "") + shown.substr(1, shown.size() - 2);
        }
        if (names.size() > 12) seen += ", ...";
        refuse(path, "columns of positions (RA and DEC, GLON and GLAT, ELON and ELAT, ...)",
               names.empty() ? "no columns" : "columns " + seen);
    }
    Catalog catalog;
    catalog.frame = found.frame;
    const auto& lonColumn = columns[static_cast<size_t>(found.lon)];
    const auto& latColumn = columns[static_cast<size_t>(found.lat)];
    const std::vector<double> lon = anglesOf(path, lonColumn, Axis::Longitude, found.frame);
    const std::vector<double> lat = anglesOf(path, latColumn, Axis::Latitude, found.frame);
    catalog.positions.resize(lon.size());
    for (size_t i = 0; i < lon.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        // A hair above 90 degrees is what single precision makes of a pole.
        if (std::abs(lat[i]) > kHalfPi * (1.0 + 1e-6))
            refuse(path, "latitudes from -90 to 90 degrees in column " + inQuotes(latColumn.name),
                   std::to_string(lat[i] / kDegree) + " in row " + std::to_string(i + 1));
        double turned = std::fmod(lon[i], kTwoPi);
        if (turned < 0.0) turned += kTwoPi;
        if (turned >= kTwoPi) turned = 0.0;
        catalog.positions[i] = {turned, std::clamp(lat[i], -kHalfPi, kHalfPi)};
    }
    catalog.columns = std::move(columns);
    return catalog;
}

CatalogColumn columnFromTexts(std::string name, std::string unit, std::vector<std::string> cells) {
    CatalogColumn column{std::move(name), std::move(unit), {}, {}};
    column.numbers.reserve(cells.size());
    for (const std::string& cell : cells) {
        const std::string text = trimmed(cell);
        const std::string upper = upperTrimmed(text);
        if (text.empty() || upper == "NAN" || upper == "NULL" || upper == "N/A") {
            column.numbers.push_back(std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        const auto value = parseReal(text);
        if (!value) {
            column.numbers.clear();
            column.numbers.shrink_to_fit();
            column.texts = std::move(cells);
            return column;
        }
        column.numbers.push_back(*value);
    }
    return column;
}

Catalog readCatalog(const std::string& path, JobContext& job) {
    const FilePath where = parseFilePath(path);
    if (!looksLikeText(where.path)) return readFitsCatalog(where, job);
    return isXml(where.path) ? readVoTable(where.path, job) : readCsv(where.path, job);
}

}  // namespace armilla
