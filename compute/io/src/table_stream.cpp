// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of tables that come block by block.
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/table_rows.h"
#include "parquet/write_parquet.h"
#include "table_formats.h"

namespace armilla {

void scanStream(const TableStream& stream, Table& outline,
                const std::function<void(size_t, const TableColumn&)>& see, JobContext& job) {
    std::vector<size_t> seen;
    for (size_t c = 0; c < outline.columns.size(); ++c) {
        const TableColumn& column = outline.columns[c];
        if (column.isText() || (column.isInteger() && (stream.findsMissing || column.null)))
            seen.push_back(c);
    }
    if (seen.empty()) return;
    if (stream.findsMissing)
        for (TableColumn& column : outline.columns) column.null.reset();
    const auto take = [&](size_t c, const TableColumn& column) {
        if (column.null) outline.columns[c].null = column.null;
        see(c, column);
    };
    if (stream.forColumns) {
        std::vector<std::string> names;
        for (const size_t c : seen) names.push_back(outline.columns[c].name);
        stream.forColumns(
            names,
            [&](const Table& block) {
                for (size_t i = 0; i < seen.size(); ++i) take(seen[i], block.columns[i]);
            },
            job);
    } else {
        stream.forBlocks(
            [&](const Table& block) {
                for (const size_t c : seen) take(c, block.columns[c]);
            },
            job);
    }
}

void requireNoMark(const Table& block, const Table& outline) {
    requireSameTypes(block, outline);
    for (size_t c = 0; c < outline.columns.size(); ++c) {
        const TableColumn &column = block.columns[c], &first = outline.columns[c];
        const auto* values = std::get_if<std::vector<int64_t>>(&column.values);
        if (values && first.null && !column.null &&
            std::find(values->begin(), values->end(), *first.null) != values->end())
            throw IoError("expected integers other than " + std::to_string(*first.null) +
                          " in column " + inQuotes(first.name) +
                          ", where this number marks missing ones, found it");
    }
}

void writeTable(const TableStream& stream, const std::string& path,
                const TableWriteOptions& options, JobContext& job) {
    requireTableName(path);
    const TableFormat format = *tableFormatOf(path);
    if (format == TableFormat::Fits) return writeFitsTable(stream, path, options, job);
    if (format == TableFormat::Csv) return writeCsv(stream, path, options, job);
    if (format == TableFormat::Parquet) return writeParquet(stream, path, options, job);
    requireMemory(path + " (a name in .fits, .csv or .parquet takes less memory)",
                  rowBytes(stream.outline) * stream.rows);
    Table table = stream.outline;
    scanStream(
        stream, table, [](size_t, const TableColumn&) {}, job);
    stream.forBlocks(
        [&](const Table& block) {
            requireNoMark(block, table);
            appendRows(table, block, 0, block.rows());
        },
        job);
    writeTable(table, path, options, job);
}

}  // namespace armilla
