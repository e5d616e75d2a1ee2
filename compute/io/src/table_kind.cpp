// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_kind.h"

#include <algorithm>
#include <array>

#include "map_table.h"
#include "spectrum_names.h"

namespace armilla {

namespace {

bool containsAny(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

bool isBeamTable(const FitsHdu& hdu, const TableLayout& table) {
    if (containsAny(upperTrimmed(hdu.name()), {"BEAM", "WINDOW"})) {
        // A table of beam parameters has names and texts; B_l is numbers alone.
        return std::all_of(table.columns.begin(), table.columns.end(),
                           [](const TableColumn& c) { return c.isNumeric(); });
    }
    return std::any_of(table.columns.begin(), table.columns.end(), [](const TableColumn& column) {
        const std::string name = upperTrimmed(column.name);
        return column.isNumeric() && (name == "BL" || name == "B_L" || name == "BEAM_WINDOW" ||
                                      name == "WINDOW" || name == "T_BEAM");
    });
}

bool isSpectrumTable(const FitsHdu& hdu, const TableLayout& table) {
    if (table.columns.empty() || table.columns.size() > 20) return false;
    if (hdu.header.has("MAX-LPOL")) return true;
    if (containsAny(upperTrimmed(hdu.name()), {"POWER SPECTRUM", "C_L", "SPECTRA"})) return true;
    return std::all_of(table.columns.begin(), table.columns.end(), [](const TableColumn& column) {
        return spectrumKindOf(column.name).has_value() || upperTrimmed(column.name) == "L" ||
               upperTrimmed(column.name) == "ELL";
    });
}

bool isSampleTable(const FitsHdu& hdu, const TableLayout& table) {
    if (containsAny(upperTrimmed(hdu.name()), {"SAMPLE", "SCAN", "DRIFT", "TOD", "TIMELINE"}))
        return true;
    return std::any_of(table.columns.begin(), table.columns.end(), [](const TableColumn& column) {
        static constexpr std::array<std::string_view, 9> kTimeNames = {
            "TIME", "SAMPLE", "SCAN", "SCAN_ID", "UTC", "LST", "TOD", "TSYS", "INTEGRATION"};
        const std::string name = upperTrimmed(column.name);
        return std::find(kTimeNames.begin(), kTimeNames.end(), name) != kTimeNames.end() ||
               (column.isNumeric() && column.repeat > 1);
    });
}

std::optional<FileKind> imageKind(const FitsHdu& hdu) {
    const int64_t axes = hdu.header.integer("NAXIS").value_or(0);
    if (axes < 2 || hdu.dataBytes == 0) return std::nullopt;
    const bool strip = axes == 2 && hdu.header.integer("NAXIS2").value_or(0) <= 4 &&
                       hdu.header.integer("NAXIS1").value_or(0) > 8;
    return strip && !hdu.header.has("CTYPE1") ? FileKind::Beam : FileKind::Image;
}

// Letters and digits only, lower case: "RA_J2000", "raj2000" and "RAJ2000" are the same name.
std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : upperTrimmed(name))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

struct PositionNames {
    std::string_view lon, lat;
    Frame frame;
};

// In the order of preference; a catalog with several pairs is taken by the first.
constexpr std::array<PositionNames, 27> kPositionNames = {{
    {"ra", "dec", Frame::Equatorial},
    {"raj2000", "dej2000", Frame::Equatorial},
    {"raj2000", "decj2000", Frame::Equatorial},
    {"raicrs", "deicrs", Frame::Equatorial},
    {"raicrs", "decicrs", Frame::Equatorial},
    {"radeg", "dedeg", Frame::Equatorial},
    {"radeg", "decdeg", Frame::Equatorial},
    {"alphaj2000", "deltaj2000", Frame::Equatorial},
    {"alpha", "delta", Frame::Equatorial},
    {"rightascension", "declination", Frame::Equatorial},
    {"ra", "de", Frame::Equatorial},
    {"ra", "decl", Frame::Equatorial},
    {"rarad", "decrad", Frame::Equatorial},
    {"rarad", "derad", Frame::Equatorial},
    {"ramean", "decmean", Frame::Equatorial},
    {"ra2000", "dec2000", Frame::Equatorial},
    {"ra2000", "de2000", Frame::Equatorial},
    {"sra", "sdec", Frame::Equatorial},
    {"glon", "glat", Frame::Galactic},
    {"gallon", "gallat", Frame::Galactic},
    {"l", "b", Frame::Galactic},
    {"lii", "bii", Frame::Galactic},
    {"galacticlongitude", "galacticlatitude", Frame::Galactic},
    {"elon", "elat", Frame::Ecliptic},
    {"ecllon", "ecllat", Frame::Ecliptic},
    {"lambda", "beta", Frame::Ecliptic},
    {"lon", "lat", Frame::Unknown},
}};

}  // namespace

std::vector<std::string> columnNames(const TableLayout& table) {
    std::vector<std::string> names;
    for (const TableColumn& column : table.columns) names.push_back(column.name);
    return names;
}

PositionColumns positionColumns(const std::vector<std::string>& names) {
    std::vector<std::string> plain;
    for (const std::string& name : names) plain.push_back(plainName(name));
    const auto at = [&](std::string_view name) {
        const auto found = std::find(plain.begin(), plain.end(), name);
        return found == plain.end() ? -1 : static_cast<int>(found - plain.begin());
    };
    for (const PositionNames& pair : kPositionNames) {
        const int lon = at(pair.lon), lat = at(pair.lat);
        if (lon >= 0 && lat >= 0) return {lon, lat, pair.frame};
    }
    return {};
}

std::optional<FileKind> hduKind(FitsFile& file, const FitsHdu& hdu) {
    if (hdu.type == HduType::Image) return imageKind(hdu);
    if (hdu.type == HduType::Other) return std::nullopt;
    if (hdu.header.logical("ZIMAGE").value_or(false)) return FileKind::Image;
    if (isMapTable(file, hdu)) return FileKind::Map;
    const TableLayout table = tableLayout(file, hdu);
    if (isAlmTable(hdu, table)) return FileKind::Alm;
    if (isBeamTable(hdu, table)) return FileKind::Beam;
    if (positionColumns(columnNames(table)).found())
        return isSampleTable(hdu, table) ? FileKind::Samples : FileKind::Catalog;
    if (isSpectrumTable(hdu, table)) return FileKind::Spectrum;
    return std::nullopt;
}

}  // namespace armilla
