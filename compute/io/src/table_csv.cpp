// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of delimited text, separated by commas or blanks.
#include "armilla/io/atomic_file.h"
#include "fits_writer.h"
#include "table_formats.h"

namespace armilla {

namespace {

std::string inDoubleQuotes(const std::string& cell) {
    std::string result = "\"";
    for (const char c : cell) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

}  // namespace

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos && trimmed(text) == text &&
        !text.starts_with('#'))
        return text;
    return inDoubleQuotes(text);
}

namespace {

// True for each column of positions in another unit than degrees. A reader of the file takes
// positions without a unit as degrees, so that their headings must state the unit.
std::vector<bool> needsUnit(const Table& table) {
    Table outline;
    for (const TableColumn& column : table.columns) {
        outline.columns.emplace_back();
        outline.columns.back().name = column.name;
        outline.columns.back().ucd = column.ucd;
        outline.columns.back().unit = column.isText() ? std::string() : column.unit;
    }
    std::vector<bool> needs(table.columns.size(), false);
    while (const auto found = findPositions(outline)) {
        for (const int index : {found->lon, found->lat}) {
            TableColumn& column = outline.columns[static_cast<size_t>(index)];
            const auto unit = angleUnit(column.unit);
            needs[static_cast<size_t>(index)] = unit && !column.unit.empty() && *unit != kDegree;
            column = {};  // another pair may follow
        }
    }
    return needs;
}

void addCsvNames(TextSink& sink, const Table& table) {
    std::string line;
    const std::vector<bool> withUnit = needsUnit(table);
    for (size_t i = 0; i < table.columns.size(); ++i) {
        const TableColumn& column = table.columns[i];
        for (int64_t k = 1; k <= column.width; ++k) {
            std::string name =
                column.width == 1 ? column.name : column.name + "_" + std::to_string(k);
            if (withUnit[i]) name += " [" + column.unit + "]";
            line += (line.empty() ? "" : ",") + csvCell(name);
        }
    }
    sink.add(line + "\n");
}

void addCsvRows(TextSink& sink, const Table& table, JobContext& job) {
    std::string line;
    for (int64_t row = 0; row < table.rows(); ++row) {
        if ((row & 0xfff) == 0)
            job.report(static_cast<double>(row) / static_cast<double>(table.rows()), "writing");
        line.clear();
        bool first = true;
        for (const TableColumn& column : table.columns)
            for (int64_t k = 0; k < column.width; ++k) {
                if (!first) line += ',';
                first = false;
                line += csvCell(column.text(row, k));
            }
        // A row of one empty cell must differ from an empty line.
        if (line.empty()) line = "\"\"";
        sink.add(line + "\n");
    }
}

}  // namespace

void writeCsv(const Table& table, const std::string& path, const TableWriteOptions& options,
              JobContext& job) {
    TextSink sink(path, options.overwrite);
    addCsvNames(sink, table);
    addCsvRows(sink, table, job);
    sink.commit();
}

void writeCsv(const TableStream& stream, const std::string& path, const TableWriteOptions& options,
              JobContext& job) {
    TextSink sink(path, options.overwrite);
    addCsvNames(sink, stream.outline);
    stream.forBlocks(
        [&](const Table& block) {
            JobContext silent(job.stopToken(), {}, job.threads());
            addCsvRows(sink, block, silent);
        },
        job);
    sink.commit();
}

void writeTextTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                    JobContext& job) {
    TextSink sink(path, options.overwrite);
    for (const auto* lines : {&table.history, &options.history})
        for (const std::string& line : *lines) sink.add("# " + fitsText(line) + "\n");
    std::string line = "#";
    for (const TableColumn& column : table.columns)
        for (int64_t k = 1; k <= column.width; ++k)
            line += " " + column.name + (column.width == 1 ? "" : "_" + std::to_string(k)) +
                    (column.unit.empty() ? "" : " [" + column.unit + "]");
    sink.add(fitsText(line) + "\n");
    for (int64_t row = 0; row < table.rows(); ++row) {
        if ((row & 0xfff) == 0)
            job.report(static_cast<double>(row) / static_cast<double>(table.rows()), "writing");
        line.clear();
        for (const TableColumn& column : table.columns)
            for (int64_t k = 0; k < column.width; ++k) {
                const std::string cell = column.text(row, k);
                line += line.empty() ? "" : " ";
                line += column.isText() ? inDoubleQuotes(cell) : cell.empty() ? "nan" : cell;
            }
        sink.add(line + "\n");
    }
    sink.commit();
}

}  // namespace armilla
