// SPDX-License-Identifier: GPL-3.0-or-later
#include "astropy_header.h"

#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/julian_dates.h"
#include "fits_header.h"

namespace armilla {

namespace {

// The first of these lines of the metadata with a text.
std::string textOf(const YamlNode& meta, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (std::string value = meta.text(key); !value.empty()) return value;
    return {};
}

// The frame from the lines RADESYS (RADECSYS, COORDSYS) and EQUINOX of the metadata, in any case.
std::optional<EquatorialFrame> equatorialOf(const YamlNode& meta) {
    std::string system = textOf(meta, {"RADESYS", "RADECSYS", "radesys", "radecsys", "frame"});
    const std::string named = meta.text("COORDSYS");
    if (system.empty() && named.size() > 1) system = named;
    return equatorialFrameOf(system, equinoxYear(textOf(meta, {"EQUINOX", "equinox"})));
}

// The Julian date of a time of astropy, from its two parts; none without them.
std::optional<double> julianDateOf(const YamlNode& time) {
    const auto first = parseReal(time.text("jd1")), second = parseReal(time.text("jd2"));
    return first && second ? std::optional(*first + *second) : std::nullopt;
}

// The frame of a SkyCoord: FK4 or FK5 with its equinox, and for FK4 the time of observation. None
// for other frames.
std::optional<EquatorialFrame> frameOfCoordinate(const YamlNode& coordinate) {
    std::optional<EquatorialFrame> frame = equatorialFrameOf(
        upperTrimmed(coordinate.text("frame")) == "FK4NOETERMS" ? "FK4-NO-E"
                                                                : coordinate.text("frame"),
        std::nullopt);
    if (!frame || frame->system == EquatorialSystem::Icrs) return frame;
    const YamlNode* const equinox = coordinate.find("equinox");
    const bool isFk5 = frame->system == EquatorialSystem::Fk5;
    if (const auto date = equinox != nullptr ? julianDateOf(*equinox) : std::nullopt) {
        const double year =
            isFk5 ? julianYearOfJulianDate(*date) : besselianYearOfJulianDate(*date);
        frame->equinox = std::round(year * 1e6) * 1e-6;  // the parts are TT or UTC: 2e-6 years
    }
    if (const YamlNode* const observed = coordinate.find("obstime"); !isFk5 && observed != nullptr)
        if (const auto date = julianDateOf(*observed))
            frame->observed = julianYearOfJulianDate(*date);
    return frame;
}

std::string typeName(const TableColumn& column) {
    if (column.isText()) return "string";
    if (column.isInteger()) return "int64";
    return std::holds_alternative<std::vector<float>>(column.values) ? "float32" : "float64";
}

YamlNode parseHeader(const std::string& path, const std::string& yaml) {
    const size_t meta = yaml.find("\nmeta:");
    try {
        return parseYaml(yaml);
    } catch (const InvalidArgument& error) {
        // Metadata of the table may be Python objects; columns precede them.
        if (meta == std::string::npos)
            throw IoError(path + ": description of the table: " + error.message());
    }
    try {
        return parseYaml(yaml.substr(0, meta + 1));
    } catch (const InvalidArgument& error) {
        throw IoError(path + ": description of the table: " + error.message());
    }
}

}  // namespace

void takeCoordinateFrames(const YamlNode& header, Table& table) {
    const YamlNode* const meta = header.find("meta");
    const YamlNode* const parts = meta == nullptr ? nullptr : meta->find("__serialized_columns__");
    if (parts == nullptr || parts->kind != YamlNode::Kind::Mapping) return;
    for (const YamlNode& part : parts->items) {
        if (part.text("__class__") != "astropy.coordinates.sky_coordinate.SkyCoord") continue;
        const auto frame = frameOfCoordinate(part);
        for (const char* axis : {"ra", "dec"}) {
            const YamlNode* const angle = part.find(axis);
            const YamlNode* const value = angle == nullptr ? nullptr : angle->find("value");
            const std::string name = value != nullptr   ? value->text("name")
                                     : angle != nullptr ? angle->text("name")
                                                        : std::string();
            for (TableColumn& column : table.columns)
                if (!name.empty() && column.name == name) column.equatorial = frame;
        }
    }
}

void takeAstropyMeta(const YamlNode& header, Table& table) {
    takeCoordinateFrames(header, table);
    const YamlNode* meta = header.find("meta");
    if (meta == nullptr) return;
    table.name = meta->text("name");
    table.frame = frameFromText(meta->text("COORDSYS"));
    table.equatorial = equatorialOf(*meta);
    setUnknownSystem(table, textOf(*meta, {"RADESYS", "RADECSYS", "radesys", "radecsys"}));
    const YamlNode* history = meta->find("history");
    if (history == nullptr || history->kind != YamlNode::Kind::Sequence) return;
    for (const YamlNode& line : history->items) table.history.push_back(line.scalar);
}

void takeFitsComments(const FitsHeader& header, Table& table) {
    std::string yaml, line;
    bool isInside = false;
    for (const std::string& card : header.cards()) {
        if (cardKeyword(card) != "COMMENT") continue;
        const std::string text = card.substr(std::min<size_t>(8, card.size()));
        if (text.find("--BEGIN-ASTROPY-SERIALIZED-COLUMNS--") != std::string::npos) {
            isInside = true;
        } else if (text.find("--END-ASTROPY-SERIALIZED-COLUMNS--") != std::string::npos) {
            break;
        } else if (isInside) {
            // A backslash at the end joins two cards.
            line += text;
            line.erase(line.find_last_not_of(' ') + 1);
            if (line.ends_with('\\')) {
                line.pop_back();
                continue;
            }
            yaml += line + '\n';
            line.clear();
        }
    }
    if (yaml.empty()) return;
    try {
        takeCoordinateFrames(parseYaml(yaml), table);
    } catch (const InvalidArgument&) {
        // Comments beside the table, which need not be read.
    }
}

void takeAstropyHeader(const std::string& path, const std::string& yaml, Table& table) {
    const YamlNode header = parseHeader(path, yaml);
    takeAstropyMeta(header, table);
    const YamlNode* columns = header.find("datatype");
    if (columns == nullptr || columns->kind != YamlNode::Kind::Sequence) return;
    for (const YamlNode& entry : columns->items) {
        const std::string name = entry.text("name");
        for (TableColumn& column : table.columns) {
            if (column.name != name) continue;
            if (const std::string unit = entry.text("unit"); !unit.empty()) column.unit = unit;
            column.description = entry.text("description");
            if (const YamlNode* meta = entry.find("meta")) column.ucd = meta->text("ucd");
        }
    }
}

std::string astropyHeader(const Table& table, const TableWriteOptions& options) {
    std::string text = "datatype:\n";
    for (const TableColumn& column : table.columns) {
        text += "- {name: " + yamlQuoted(column.name);
        if (!column.unit.empty()) text += ", unit: " + yamlQuoted(column.unit);
        text += ", datatype: " + (column.width == 1 ? typeName(column) : std::string("string"));
        if (column.width > 1)
            text += ", subtype: '" + typeName(column) + "[" + std::to_string(column.width) + "]'";
        if (!column.description.empty()) text += ", description: " + yamlQuoted(column.description);
        if (!column.ucd.empty()) text += ", meta: {ucd: " + yamlQuoted(column.ucd) + "}";
        text += "}\n";
    }
    std::string meta;
    if (!table.name.empty()) meta += "  name: " + yamlQuoted(table.name) + "\n";
    if (const char letter = frameLetter(table.frame); letter != 0)
        meta += std::string("  COORDSYS: ") + letter + "\n";
    if (const std::string system = unknownSystem(table); !system.empty())
        meta += "  RADESYS: " + yamlQuoted(system) + "\n";
    std::string history;
    for (const auto* lines : {&table.history, &options.history})
        for (const std::string& line : *lines) history += "  - " + yamlQuoted(line) + "\n";
    if (!history.empty()) meta += "  history:\n" + history;
    return text + (meta.empty() ? "" : "meta:\n" + meta);
}

}  // namespace armilla
