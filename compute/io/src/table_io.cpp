// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/table_io.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/free_name.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/text_positions.h"
#include "armilla/io/atomic_file.h"
#include "foreign_file.h"
#include "gaia_positions.h"
#include "hats.h"
#include "map_table.h"
#include "out_of_memory.h"
#include "parquet/read_parquet.h"
#include "parquet/write_parquet.h"
#include "parquet_folder.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"

namespace armilla {

namespace {

bool isTable(const FitsHdu& hdu) {
    return hdu.type == HduType::BinaryTable || hdu.type == HduType::AsciiTable;
}

Table readFits(const FilePath& where, const TableReadOptions& options, bool positions,
               JobContext& job) {
    FitsFile file(where.path, job.stopToken());
    const auto selector = where.hdu ? where.hdu : options.table;
    return readFitsTable(file, tableHdu(file, where.path, selector, positions), options, job);
}

// Gives columns without a name, and columns with the name of an earlier one, a name of their own:
// "col3", "RA_2". Readers of FITS and Parquet refuse two columns of one name. Returns a line on the
// columns with the name of an earlier one; empty without such.
std::string nameApart(Table& table) {
    std::string line;
    std::set<std::string> taken;
    for (const TableColumn& column : table.columns) taken.insert(column.name);
    std::set<std::string> used;
    for (size_t i = 0; i < table.columns.size(); ++i) {
        std::string& name = table.columns[i].name;
        const bool isNew = used.insert(name).second;
        if (isNew && !name.empty()) continue;
        const std::string before = name;
        name = freeName(name.empty() ? "col" + std::to_string(i + 1) : name + "_2",
                        [&](const std::string& word) { return taken.contains(word); });
        taken.insert(name);
        used.insert(name);
        if (before.empty()) continue;
        line += (line.empty() ? "columns with the name of an earlier one are renamed: " : ", ") +
                inQuotes(before) + " to " + inQuotes(name);
    }
    return line;
}

Table readAny(const std::string& path, const TableReadOptions& options, bool positions,
              JobContext& job) {
    const FilePath where = parseFilePath(path);
    Table table = orOutOfMemory(where.path, [&] {
        if (isHatsFolder(where.path)) return readHats(where.path, options, job);
        if (isParquetFolder(where.path)) return readParquetFolder(where.path, options, job);
        if (const auto other = foreignFormat(where.path))
            refuse(where.path, "a table (FITS, HDF5, Parquet, VOTable, ECSV, CSV)", *other);
        if (isHdf5(where.path)) return readHdf5(where.path, options, job);
        if (isParquet(where.path)) return readParquet(where.path, options, job);
        if (!looksLikeText(where.path)) return readFits(where, options, positions, job);
        TableReadOptions selected = options;
        if (where.hdu) selected.table = where.hdu;
        if (isXml(where.path)) return readVoTable(where.path, selected, job);
        if (isEcsv(where.path)) return readEcsv(where.path, selected, job);
        if (isIpacTable(where.path)) return readIpacTable(where.path, selected, job);
        if (isSExtractorTable(where.path)) return readSExtractorTable(where.path, selected, job);
        return isByteTable(where.path) ? readByteTable(where.path, selected, job)
                                       : readCsv(where.path, selected, job);
    });
    applyMasks(table);
    const std::string line = nameApart(table);
    if (options.notes != nullptr && !line.empty()) options.notes->push_back(line);
    return table;
}

[[noreturn]] void refuseNoPositions(const std::string& path, const Table& table) {
    constexpr size_t kNamed = 12;
    std::string seen;
    for (size_t i = 0; i < std::min(table.columns.size(), kNamed); ++i) {
        const std::string shown = inQuotes(table.columns[i].name);
        seen += (i > 0 ? ", " : "") + shown.substr(1, shown.size() - 2);
    }
    if (table.columns.size() > kNamed) seen += ", ...";
    refuse(path, "columns of positions (RA and DEC, GLON and GLAT, ELON and ELAT, ...)",
           table.columns.empty() ? "no columns" : "columns " + seen);
}

// One line on columns of types that are not read.
std::string omittedColumns(const std::vector<std::string>& names) {
    std::string line;
    for (const std::string& name : names) line += (line.empty() ? "" : ", ") + inQuotes(name);
    return counted(names.size(), "column") + " of lists or another type, omitted: " + line;
}

void requireAngles(const std::string& path, const Catalog& catalog) {
    for (const int index : {catalog.position.lon, catalog.position.lat}) {
        const TableColumn& column = catalog.table.columns[static_cast<size_t>(index)];
        if (!angleUnit(column.unit))
            refuse(path, "a unit of angle (deg, rad, hourangle) in column " + inQuotes(column.name),
                   inQuotes(column.unit));
    }
}

bool endsWithAny(const std::string& path, std::initializer_list<std::string_view> suffixes) {
    const std::string lower = lowerCase(path);
    return std::any_of(suffixes.begin(), suffixes.end(),
                       [&](std::string_view suffix) { return lower.ends_with(suffix); });
}

}  // namespace

const FitsHdu& tableHdu(FitsFile& file, const std::string& path,
                        const std::optional<std::string>& selector, bool positions) {
    const FitsHdu* hdu = nullptr;
    if (selector) {
        hdu = &file.selected(*selector);
    } else {
        for (int i = 1; hdu == nullptr; ++i) {
            const FitsHdu* candidate = file.hdu(i);
            if (candidate == nullptr) break;
            if (!isTable(*candidate) || candidate->header.logical("ZIMAGE").value_or(false))
                continue;
            const auto kind = positions ? hduKind(file, *candidate) : std::nullopt;
            if (!positions || kind == FileKind::Catalog || kind == FileKind::Samples)
                hdu = candidate;
        }
    }
    if (hdu == nullptr || !isTable(*hdu))
        refuse(path,
               positions ? "a table with columns of positions (RA and DEC, GLON and GLAT, ...)"
                         : "a table",
               describeHdus(file));
    return *hdu;
}

bool isCsv(const std::string& path) {
    return looksLikeText(path) && !isXml(path) && !isEcsv(path) && !isIpacTable(path) &&
           !isSExtractorTable(path) && !isByteTable(path);
}

Table readTable(const std::string& path, const TableReadOptions& options, JobContext& job) {
    return readAny(path, options, false, job);
}

void MissingPlaces::add(const Catalog& catalog, JobContext& job) {
    rows_ += catalog.rows();
    if (catalog.position.lon < 0 || catalog.position.lat < 0) return;
    const TableColumn& lon = catalog.table.columns[static_cast<size_t>(catalog.position.lon)];
    const TableColumn& lat = catalog.table.columns[static_cast<size_t>(catalog.position.lat)];
    latitudes_ = lat.name;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        if ((row & 0xffff) == 0) job.poll();
        const double x = lon.number(row), y = lat.number(row);
        if (std::isnan(x) || std::isinf(x) || std::isnan(y) ||
            isPlace(x * catalog.position.lonUnit, y * catalog.position.latUnit))
            continue;
        ++outside_;
        if (isFillValue(x) || isFillValue(y) || ++odd_ > 1) continue;
        first_ = "longitude " + lon.text(row) + ", latitude " + lat.text(row) + " in row " +
                 std::to_string(rows_ - catalog.rows() + row + 1);
    }
}

std::string MissingPlaces::line() const {
    // A few bad values are errors of a catalog; many mean that the column is no latitude.
    if (odd_ > rows_ / 10)
        throw IoError("expected latitudes from -90 to 90 degrees in column " +
                      inQuotes(latitudes_) + ", found " + first_);
    if (outside_ == 0) return {};
    return counted(outside_, "row") +
           " beyond the poles or two turns of longitude (-99, -999 and the like): without a "
           "position, omitted";
}

namespace {

// The columns of positions; texts get columns in degrees. None for a table without positions.
std::optional<PositionColumns> placeColumns(Table& table, const std::string& name) {
    auto found = findPositions(table);
    if (found || !(found = findTextPositions(table))) return found;
    try {
        addDegrees(table, *found);
    } catch (const InvalidArgument& error) {
        throw IoError(name + ": " + error.message());
    }
    return found;
}

}  // namespace

std::vector<std::string> columnsOfPlaces(const Table& outline,
                                         const std::vector<std::string>& places) {
    std::optional<PositionColumns> found;
    if (places.size() == 2) {
        found.emplace();
        found->lon = outline.columnIndex(places[0]);
        found->lat = outline.columnIndex(places[1]);
    } else if (!(found = findPositions(outline))) {
        found = findTextPositions(outline);
    }
    std::vector<std::string> names;
    const auto add = [&](int index) {
        names.push_back(outline.columns[static_cast<size_t>(index)].name);
    };
    if (!found) {
        if (const auto ids = outline.find(kSourceIds)) add(*ids);
        return names;
    }
    add(found->lon);
    add(found->lat);
    // Frames by rows (icrs_positions.h).
    for (const char* key : {"RADESYS", "RADECSYS", "EQUINOX", "DATE-OBS", "MJD-OBS"})
        if (const auto index = outline.find(key);
            index && *index != found->lon && *index != found->lat)
            add(*index);
    return names;
}

Catalog placeRows(Table table, const std::string& path, MissingPlaces& missing, JobContext& job) {
    Catalog catalog{std::move(table), {}};
    const std::string name = parseFilePath(path).path;
    const auto found = placeColumns(catalog.table, name);
    if (!found) refuseNoPositions(name, catalog.table);
    catalog.position = *found;
    requireAngles(name, catalog);
    missing.add(catalog, job);
    turnToIcrs(catalog.table, catalog.position, std::nullopt, job);
    return catalog;
}

Catalog readCatalog(const std::string& path, JobContext& job, std::vector<std::string>* notes,
                    const std::vector<std::string>& columns, const std::vector<DiscUnion>& within) {
    TableReadOptions options;
    options.columns = columns;
    options.within = within;
    options.notes = notes;
    options.variableLength = TableReadOptions::VariableLength::LeaveOut;
    Table table = readAny(path, options, true, job);
    const std::string name = parseFilePath(path).path;
    if (notes != nullptr && !table.leftOut.empty() &&
        (isHatsFolder(name) || isParquetFolder(name) || isParquet(name)))
        notes->push_back(omittedColumns(table.leftOut));
    if (!findPositions(table) && !findTextPositions(table)) {
        if (const auto position = addGaiaPositions(table, job)) {
            if (notes != nullptr) notes->emplace_back(kGaiaPositions);
            return {std::move(table), *position};
        }
    }
    MissingPlaces missing;
    Catalog catalog = placeRows(std::move(table), path, missing, job);
    try {
        const std::string line = missing.line();
        if (notes != nullptr && !line.empty()) notes->push_back(line);
    } catch (IoError& error) {
        error.addContext(name);
        throw;
    }
    return catalog;
}

std::optional<TableFormat> tableFormatOf(const std::string& path) {
    if (path == "-" || endsWithAny(path, {".fits", ".fit", ".fits.gz", ".fit.gz"}))
        return TableFormat::Fits;
    if (endsWithAny(path, {".vot", ".votable", ".xml"})) return TableFormat::VoTable;
    if (endsWithAny(path, {".ecsv"})) return TableFormat::Ecsv;
    if (endsWithAny(path, {".csv"})) return TableFormat::Csv;
    if (endsWithAny(path, {".txt", ".dat"})) return TableFormat::Text;
    if (endsWithAny(path, {".parquet"})) return TableFormat::Parquet;
    return std::nullopt;
}

void requireTableName(const std::string& path) {
    if (!tableFormatOf(path))
        throw IoError(
            path +
            ": expected a name that ends in .fits, .vot, .csv, .ecsv, .parquet or .txt, found "
            "another");
    requireNameLength(path);
}

void writeTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                JobContext& job) {
    writeTables(std::span(&table, 1), path, options, job);
}

void writeTables(std::span<const Table> tables, const std::string& path,
                 const TableWriteOptions& options, JobContext& job) {
    requireTableName(path);
    for (const Table& table : tables)
        for (const TableColumn& column : table.columns)
            if (column.width < 1 || column.rows() != table.rows() ||
                column.rows() * column.width != column.size())
                throw InvalidArgument("expected columns of " + std::to_string(table.rows()) +
                                      " rows, found " + std::to_string(column.rows()) + " in '" +
                                      column.name + "'");
    for (const TableMatrix& matrix : options.matrices)
        if (matrix.rows * matrix.columns != static_cast<int64_t>(matrix.values.size()))
            throw InvalidArgument("expected " + std::to_string(matrix.rows) + " rows of " +
                                  std::to_string(matrix.columns) + " numbers in " + matrix.name +
                                  ", found " + std::to_string(matrix.values.size()) + " numbers");
    if (!options.matrices.empty() && tableFormatOf(path) != TableFormat::Fits)
        throw InvalidArgument(
            "expected a FITS file for tables with a matrix, found another format");
    switch (*tableFormatOf(path)) {
        case TableFormat::Fits: return writeFitsTables(tables, path, options, job);
        case TableFormat::VoTable: return writeVoTable(tables, path, options, job);
        case TableFormat::Csv:
        case TableFormat::Ecsv:
        case TableFormat::Parquet:
        case TableFormat::Text: break;
    }
    if (tables.size() != 1)
        throw InvalidArgument("expected one table for a file of text or Parquet, found " +
                              std::to_string(tables.size()));
    if (tableFormatOf(path) == TableFormat::Csv)
        writeCsv(tables[0], path, options, job);
    else if (tableFormatOf(path) == TableFormat::Parquet)
        writeParquet(tables[0], path, options, job);
    else if (tableFormatOf(path) == TableFormat::Text)
        writeTextTable(tables[0], path, options, job);
    else
        writeEcsv(tables[0], path, options, job);
}

}  // namespace armilla
