// SPDX-License-Identifier: GPL-3.0-or-later
#include "astropy_header.h"

#include "armilla/core/error.h"

namespace armilla {

namespace {

// The frame from the lines RADESYS (RADECSYS, COORDSYS) and EQUINOX of the metadata, in any case.
std::optional<EquatorialFrame> equatorialOf(const YamlNode& meta) {
    const auto text = [&](std::initializer_list<const char*> keys) {
        for (const char* key : keys)
            if (const std::string value = meta.text(key); !value.empty()) return value;
        return std::string();
    };
    std::string system = text({"RADESYS", "RADECSYS", "radesys", "radecsys", "frame"});
    const std::string named = text({"COORDSYS"});
    if (system.empty() && named.size() > 1) system = named;
    return equatorialFrameOf(system, equinoxYear(text({"EQUINOX", "equinox"})));
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

void takeAstropyMeta(const YamlNode& header, Table& table) {
    const YamlNode* meta = header.find("meta");
    if (meta == nullptr) return;
    table.name = meta->text("name");
    table.frame = frameFromText(meta->text("COORDSYS"));
    table.equatorial = equatorialOf(*meta);
    const YamlNode* history = meta->find("history");
    if (history == nullptr || history->kind != YamlNode::Kind::Sequence) return;
    for (const YamlNode& line : history->items) table.history.push_back(line.scalar);
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
    std::string history;
    for (const auto* lines : {&table.history, &options.history})
        for (const std::string& line : *lines) history += "  - " + yamlQuoted(line) + "\n";
    if (!history.empty()) meta += "  history:\n" + history;
    return text + (meta.empty() ? "" : "meta:\n" + meta);
}

}  // namespace armilla
