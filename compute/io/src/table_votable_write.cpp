// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of VOTable 1.4 with TABLEDATA.
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/io/atomic_file.h"
#include "table_formats.h"

namespace armilla {

namespace {

// Length in bytes of the UTF-8 character at `at`; 0 if invalid.
size_t letterBytes(std::string_view text, size_t at) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    const size_t count = first < 0x80                    ? 1
                         : first >= 0xC2 && first < 0xE0 ? 2
                         : first >= 0xE0 && first < 0xF0 ? 3
                         : first >= 0xF0 && first < 0xF5 ? 4
                                                         : 0;
    if (count == 0 || at + count > text.size()) return 0;
    for (size_t i = 1; i < count; ++i)
        if ((byte(at + i) & 0xC0) != 0x80) return 0;
    return count;
}

// Text in XML: special characters escaped, characters that XML does not allow as '?'.
std::string xmlText(std::string_view text) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const size_t count = letterBytes(text, at);
        const char c = text[at];
        if (count == 0 || (static_cast<unsigned char>(c) < 32 && c != '\t' && c != '\n'))
            result += '?';
        else if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"')
            result += "&quot;";
        else if (c == '\n')
            result += "&#10;";
        else
            result += text.substr(at, count);
        at += std::max<size_t>(count, 1);
    }
    return result;
}

std::string attribute(const char* name, std::string_view value) {
    return value.empty() ? std::string() : std::string(" ") + name + "=\"" + xmlText(value) + '"';
}

// Attributes of a column's FIELD.
struct OutField {
    const TableColumn* column = nullptr;
    std::string datatype, arraysize, ucd, system;
    size_t letters = 0;  // length of each text if a row contains several
};

OutField planField(const TableColumn& column) {
    OutField field{&column, "double", "", column.ucd, "", 0};
    if (column.isInteger()) field.datatype = "long";
    if (std::holds_alternative<std::vector<float>>(column.values)) field.datatype = "float";
    if (column.width > 1) field.arraysize = std::to_string(column.width);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
        bool ascii = true;
        for (const std::string& text : *texts) {
            field.letters = std::max(field.letters, text.size());
            ascii = ascii && std::all_of(text.begin(), text.end(), [](char c) {
                        return static_cast<unsigned char>(c) < 128;
                    });
        }
        field.datatype = ascii ? "char" : "unicodeChar";
        field.letters = std::max<size_t>(field.letters, 1);
        field.arraysize = column.width > 1
                              ? std::to_string(field.letters) + "x" + std::to_string(column.width)
                              : "*";
    }
    return field;
}

std::string fieldElement(const OutField& field) {
    const TableColumn& column = *field.column;
    std::string text = "<FIELD" + attribute("name", column.name.empty() ? "column" : column.name) +
                       attribute("datatype", field.datatype) +
                       attribute("arraysize", field.arraysize) + attribute("unit", column.unit) +
                       attribute("ucd", field.ucd) + attribute("ref", field.system);
    std::string inside;
    if (!column.description.empty())
        inside += "<DESCRIPTION>" + xmlText(column.description) + "</DESCRIPTION>";
    if (column.null) inside += "<VALUES null=\"" + std::to_string(*column.null) + "\"/>";
    return text + (inside.empty() ? "/>\n" : ">" + inside + "</FIELD>\n");
}

std::string cellText(const OutField& field, int64_t row) {
    const TableColumn& column = *field.column;
    std::string text;
    for (int64_t k = 0; k < column.width; ++k) {
        if (column.isText()) {
            std::string part = column.text(row, k);
            if (column.width > 1) part.resize(field.letters, ' ');
            text += part;
            continue;
        }
        if (k > 0) text += ' ';
        std::string number = column.text(row, k);
        if (number.empty()) number = column.null ? std::to_string(*column.null) : "NaN";
        if (number == "inf" || number == "-inf") number = number[0] == '-' ? "-Inf" : "+Inf";
        text += number;
    }
    return xmlText(text);
}

void writeOne(TextSink& sink, const Table& table, size_t number, const TableWriteOptions& options,
              JobContext& job) {
    std::vector<OutField> fields;
    for (const TableColumn& column : table.columns) fields.push_back(planField(column));
    const auto position = findPositions(table);
    const Frame frame = position ? position->frame : table.frame;
    const std::string system = "system" + std::to_string(number);
    sink.add("<RESOURCE type=\"results\">\n");
    // The schema requires the order INFO, COOSYS, TABLE.
    for (const auto* lines : {&table.history, &options.history})
        for (const std::string& line : *lines)
            sink.add("<INFO name=\"HISTORY\" value=\"" + xmlText(line) + "\"/>\n");
    const std::string unknown = frame == Frame::Unknown ? unknownSystem(table) : "";
    if (!unknown.empty())
        sink.add("<COOSYS" + attribute("ID", system) + attribute("system", unknown) + "/>\n");
    if (frame != Frame::Unknown) {
        sink.add("<COOSYS" + attribute("ID", system) + attribute("system", factsOf(frame).voTable) +
                 (frame == Frame::Ecliptic ? " equinox=\"J2000\"" : "") + "/>\n");
        if (position) {
            const FrameFacts& facts = factsOf(frame);
            for (const auto& [index, ucd] :
                 {std::pair{position->lon, facts.lonUcd}, std::pair{position->lat, facts.latUcd}}) {
                OutField& field = fields[static_cast<size_t>(index)];
                field.system = system;
                if (field.ucd.empty()) field.ucd = std::string(ucd) + ";meta.main";
            }
        }
    }
    sink.add("<TABLE" + attribute("name", table.name) +
             attribute("nrows", std::to_string(table.rows())) + ">\n");
    for (const OutField& field : fields) sink.add(fieldElement(field));
    sink.add("<DATA><TABLEDATA>\n");
    std::string line;
    for (int64_t row = 0; row < table.rows(); ++row) {
        if ((row & 0xfff) == 0)
            job.report(static_cast<double>(row) / static_cast<double>(table.rows()), "writing");
        line = "<TR>";
        for (const OutField& field : fields) line += "<TD>" + cellText(field, row) + "</TD>";
        sink.add(line + "</TR>\n");
    }
    sink.add("</TABLEDATA></DATA>\n</TABLE>\n</RESOURCE>\n");
}

}  // namespace

void writeVoTable(std::span<const Table> tables, const std::string& path,
                  const TableWriteOptions& options, JobContext& job) {
    TextSink sink(path, options.overwrite);
    sink.add(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n");
    for (size_t i = 0; i < tables.size(); ++i) {
        JobContext part = job.part(static_cast<double>(i) / static_cast<double>(tables.size()),
                                   static_cast<double>(i + 1) / static_cast<double>(tables.size()));
        writeOne(sink, tables[i], i + 1, options, part);
    }
    sink.add("</VOTABLE>\n");
    sink.commit();
}

}  // namespace armilla
