// SPDX-License-Identifier: GPL-3.0-or-later
// Enhanced CSV (Astropy proposal APE 6): a YAML header in comments, then delimited text.
#include <algorithm>
#include <charconv>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/io/atomic_file.h"
#include "astropy_header.h"
#include "column_builder.h"
#include "table_formats.h"
#include "text_file.h"
#include "yaml_header.h"

namespace armilla {

namespace {

using Type = ColumnBuilder::Type;

std::optional<Type> typeOf(const std::string& datatype) {
    if (datatype == "string") return Type::Text;
    if (datatype == "bool") return Type::Logical;
    if (datatype == "float16" || datatype == "float32") return Type::Float;
    if (datatype == "float64" || datatype == "float128") return Type::Double;
    for (const char* integer :
         {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
        if (datatype == integer) return Type::Integer;
    return std::nullopt;
}

struct EcsvColumn {
    ColumnBuilder builder;
    bool array = false;     // cells are JSON arrays
    bool variable = false;  // arrays of different lengths
    bool unknown = false;   // unsupported type
};

EcsvColumn unknownColumn(TableColumn column) {
    column.width = 1;
    EcsvColumn left{ColumnBuilder(std::move(column), Type::Text)};
    left.unknown = true;
    return left;
}

// Parses "float64[3,2]" of a column of arrays: its type and the number of values.
EcsvColumn columnOf(const std::string& path, const YamlNode& entry) {
    TableColumn column;
    column.name = entry.text("name");
    column.unit = entry.text("unit");
    column.description = entry.text("description");
    if (const YamlNode* meta = entry.find("meta")) column.ucd = meta->text("ucd");
    const std::string datatype = entry.text("datatype"), subtype = entry.text("subtype");
    const auto type = typeOf(datatype);
    if (!type) return unknownColumn(std::move(column));
    const size_t open = subtype.find('[');
    if (*type != Type::Text || open == std::string::npos)
        return {ColumnBuilder(std::move(column), *type)};
    const auto inner = typeOf(subtype.substr(0, open));
    const std::string sizes = subtype.substr(open + 1, subtype.find(']') - open - 1) + ",";
    bool variable = false;
    for (size_t at = 0; at < sizes.size();) {
        const size_t end = sizes.find(',', at);
        const std::string part = trimmed(sizes.substr(at, end - at));
        at = end + 1;
        const auto size = parseInteger(part);
        variable = variable || part == "null";
        if (part == "null") continue;
        if (!size || *size < 1 || *size > (1 << 24) ||
            __builtin_mul_overflow(column.width, *size, &column.width) ||
            column.width > (int64_t{1} << 24))
            refuse(path, "sizes in the subtype of column " + inQuotes(column.name),
                   inQuotes(subtype));
    }
    if (!inner) return unknownColumn(std::move(column));
    return {ColumnBuilder(std::move(column), *inner), true, variable};
}

// Parses the JSON string at `at` and moves `at` past the string.
std::string jsonText(const std::string& cell, size_t& at) {
    std::string text;
    for (++at; at < cell.size() && cell[at] != '"'; ++at) {
        if (cell[at] != '\\' || at + 1 >= cell.size()) {
            text += cell[at];
            continue;
        }
        const char escaped = cell[++at];
        if (escaped != 'u') {
            text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
            continue;
        }
        uint32_t code = 0;
        const char* const digits = cell.data() + at + 1;
        const char* const last = cell.data() + std::min(cell.size(), at + 5);
        if (std::from_chars(digits, last, code, 16).ec == std::errc()) appendUtf8(text, code);
        at += static_cast<size_t>(last - digits);
    }
    ++at;
    return text;
}

// The values of "[[1,2],[3,null]]".
void addArray(const std::string& cell, ColumnBuilder& builder) {
    const int64_t width = builder.column().width;
    int64_t count = 0;
    constexpr std::string_view kBetween = "[], \t";
    for (size_t at = 0; (at = cell.find_first_not_of(kBetween, at)) != std::string::npos;) {
        const bool isText = cell[at] == '"';
        const size_t end = std::min(cell.find_first_of(kBetween, at), cell.size());
        std::string word = isText ? jsonText(cell, at) : cell.substr(at, end - at);
        if (!isText) at = end;
        if (++count > width) continue;
        if (isText && builder.type() == Type::Text)
            builder.addText(std::move(word));
        else if (word == "null")
            builder.addMissing();
        else
            builder.addCell(word);
    }
    if (count == 0)
        for (; count < width; ++count) builder.addMissing();
    if (count != width)
        throw IoError("expected " + std::to_string(width) + " values in column " +
                      inQuotes(builder.column().name) + ", found " + std::to_string(count));
}

// The lines "# ..." before the table, without the mark; moves `at` past these lines.
std::string headerText(std::string_view text, size_t& at) {
    std::string header;
    bool first = true;
    while (at < text.size() && text[at] == '#') {
        const size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at + 1, end - at - 1);
        at = std::min(end + 1, text.size());
        if (line.starts_with(' ')) line.remove_prefix(1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!first && line != "---") header += std::string(line) + '\n';
        first = false;
    }
    return header;
}

// Quotes a text that a reader would split.
std::string cellOf(const std::string& text) {
    if (!text.empty() && text.find_first_of(",\"\r\n#") == std::string::npos &&
        trimmed(text) == text)
        return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string numberOf(const TableColumn& column, int64_t row, int64_t element, bool json) {
    std::string text = column.text(row, element);
    if (!text.empty() && !json) return text;
    if (column.isInteger()) return text.empty() ? (json ? "null" : "") : text;
    // The JSON dialect of Python.
    if (text == "inf" || text == "-inf") return text[0] == '-' ? "-Infinity" : "Infinity";
    return !text.empty() ? text : json ? "NaN" : "nan";
}

std::string cellText(const TableColumn& column, int64_t row) {
    if (column.width == 1)
        return column.isText() ? cellOf(column.text(row)) : numberOf(column, row, 0, false);
    std::string array = "[";
    for (int64_t k = 0; k < column.width; ++k) {
        if (k > 0) array += ',';
        array += column.isText() ? yamlQuoted(column.text(row, k)) : numberOf(column, row, k, true);
    }
    return cellOf(array + "]");
}

std::string headerOf(const Table& table, const TableWriteOptions& options) {
    std::string text = "# %ECSV 1.0\n# ---\n# delimiter: ','\n";
    const std::string header = astropyHeader(table, options);
    for (size_t at = 0; at < header.size();) {
        const size_t end = header.find('\n', at) + 1;
        text += "# " + header.substr(at, end - at);
        at = end;
    }
    return text + "# schema: astropy-2.0\n";
}

}  // namespace

bool isEcsv(const std::string& path) {
    return startOfTextFile(path).starts_with("# %ECSV");
}

Table readEcsv(const std::string& path, const TableReadOptions& options, JobContext& job) {
    const std::string text = readTextFile(path);
    size_t at = 0;
    const std::string headerLines = headerText(text, at);
    YamlNode header;
    try {
        header = parseYaml(headerLines);
    } catch (const InvalidArgument& error) {
        throw IoError(path + ": header of the ECSV file: " + error.message());
    }
    const YamlNode* datatype = header.find("datatype");
    if (datatype == nullptr || datatype->kind != YamlNode::Kind::Sequence ||
        datatype->items.empty())
        refuse(path, "an ECSV file with a list 'datatype' in its header", "none");
    std::vector<EcsvColumn> columns;
    for (const YamlNode& entry : datatype->items) columns.push_back(columnOf(path, entry));
    const std::string delimiter = header.text("delimiter");
    const char mark = delimiter == "," ? ',' : '\0';

    bool named = false;
    int64_t record = 0;
    while (at < text.size()) {
        const size_t lineEnd = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, lineEnd - at);
        if (line.empty() || line == "\r" || line.front() == '#') {
            at = lineEnd + 1;
            continue;
        }
        bool isOpen = false;
        const std::vector<std::string> row = takeRecord(text, at, mark, &isOpen);
        if (isOpen) refuse(path, "a quote that ends its text", "the end of the file");
        if (row.size() != columns.size())
            refuse(path, counted(columns.size(), "cell") + " as in the header",
                   std::to_string(row.size()) + " in record " + std::to_string(record + 1));
        if (!named) {
            named = true;
            continue;
        }
        if ((++record & 0xfff) == 0)
            job.report(static_cast<double>(at) / static_cast<double>(text.size()), "reading");
        try {
            for (size_t i = 0; i < row.size(); ++i) {
                if (columns[i].variable || columns[i].unknown) continue;
                if (columns[i].array) columns[i].builder.growFor(path);
                if (columns[i].array)
                    addArray(row[i], columns[i].builder);
                else
                    columns[i].builder.addCell(row[i]);
            }
        } catch (Error& error) {
            error.addContext(path + ": record " + std::to_string(record + 1));
            throw;
        }
    }
    if (std::all_of(columns.begin(), columns.end(),
                    [](const EcsvColumn& column) { return column.unknown; }))
        refuse(path, "a datatype of ECSV in column " + inQuotes(datatype->items[0].text("name")),
               inQuotes(datatype->items[0].text("datatype")));
    Table table;
    for (EcsvColumn& column : columns) {
        if (!column.variable && !column.unknown) {
            table.columns.push_back(column.builder.finish());
            continue;
        }
        if (column.variable && options.variableLength == TableReadOptions::VariableLength::Refuse)
            refuse(path, "columns with the same number of values in every row",
                   "column " + inQuotes(column.builder.column().name) + " of variable length");
        table.leftOut.push_back(column.builder.column().name);
    }
    takeAstropyMeta(header, table);
    keepChosen(table, path, options);
    return table;
}

void writeEcsv(const Table& table, const std::string& path, const TableWriteOptions& options,
               JobContext& job) {
    TextSink sink(path, options.overwrite);
    sink.add(headerOf(table, options));
    std::string line;
    for (const TableColumn& column : table.columns)
        line += (line.empty() ? "" : ",") + cellOf(column.name);
    sink.add(line + "\n");
    for (int64_t row = 0; row < table.rows(); ++row) {
        if ((row & 0xfff) == 0)
            job.report(static_cast<double>(row) / static_cast<double>(table.rows()), "writing");
        line.clear();
        for (size_t i = 0; i < table.columns.size(); ++i)
            line += (i > 0 ? "," : "") + cellText(table.columns[i], row);
        sink.add(line + "\n");
    }
    sink.commit();
}

}  // namespace armilla
