// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog_files.h"

#include <algorithm>

#include "armilla/core/equatorial_frame.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/core/text_positions.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/common_frame.h"

namespace armilla {

void tellNotes(const ReadRequest& request, const std::string& path,
               const std::vector<std::string>& notes) {
    if (request.note)
        for (const std::string& line : notes) request.note(path + ": " + line);
}

// Throws if the file names FK4 and the request states ICRS.
void requireNotIcrs(const std::string& own, const ReadRequest& request) {
    const bool saysIcrs = request.statedFrame && !request.isBeside &&
                          *request.statedFrame == StatedFrame(Frame::Equatorial);
    if (saysIcrs && own.starts_with("FK4"))
        throw InvalidArgument("expected no --input-frame, because the file names " + own +
                              ", found C");
}

namespace {

// Converts positions from the FK4 or FK5 that the request states, unless the file names a frame.
void turnAsStated(Catalog& catalog, const ReadRequest& request, JobContext& job) {
    const auto stated = statedEquatorial(request);
    const std::string& from = catalog.table.turnedFrom;
    if (!stated || from.starts_with(statedFrameWord(*request.statedFrame))) return;
    const bool isNamed = !from.empty() || saysEquatorial(catalog.table, catalog.position);
    if (isNamed && request.isBeside) return;
    if (!from.empty())
        throw InvalidArgument("expected no --input-frame, because the file names " + from +
                              ", found " + statedFrameWord(*request.statedFrame));
    turnToIcrs(catalog.table, catalog.position, stated, job);
}

// Positions that the request states to be in ICRS are no longer in the system that the file names.
void frameAsStated(Catalog& catalog, const ReadRequest& request) {
    const Frame own = catalog.position.frame;
    catalog.position.frame = framedAs(own, request);
    if (own == Frame::Unknown && catalog.position.frame == Frame::Equatorial &&
        !unknownSystem(catalog.table).empty())
        setUnknownSystem(catalog.table, "");
}

// A table whose columns hold no positions; none for a file that is no table.
std::optional<Table> tableWithoutPositions(const std::string& path, JobContext& job) {
    try {
        if (claimsPixels(path, job.stopToken())) return std::nullopt;
        TableReadOptions options;
        options.variableLength = TableReadOptions::VariableLength::LeaveOut;
        Table table = readTable(path, options, job);
        if (findPositions(table) || findTextPositions(table)) return std::nullopt;
        return table;
    } catch (const IoError&) {
        return std::nullopt;
    }
}

// Whether a table has both columns. Throws InvalidArgument if it has one of them.
bool hasPlaces(const Table& table, const std::vector<std::string>& names) {
    const bool hasLon = table.find(names[0]).has_value(), hasLat = table.find(names[1]).has_value();
    if (hasLon != hasLat)
        throw InvalidArgument("expected the columns " + names[0] + " and " + names[1] +
                              ", found only " + names[hasLon ? 0 : 1]);
    return hasLon;
}

bool isNumber(const std::string& name) {
    return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

// The columns of a file to read; empty: all.
std::vector<std::string> namesToRead(const std::string& path, const Columns& columns,
                                     JobContext& job) {
    // A number means a column of the file, not of the table that is read.
    if (!columns.onlyNamed || std::any_of(columns.places.begin(), columns.places.end(), isNumber) ||
        std::any_of(columns.names.begin(), columns.names.end(), isNumber))
        return {};
    try {
        const auto file = openRows(path, columns, job);
        if (!file) return {};
        return columnsToRead(file->outline(), columns, columns.names);
    } catch (const Error&) {
        return {};  // the reader reports the error
    }
}

}  // namespace

std::optional<TableBlocks> openRows(const std::string& path, const Columns& columns,
                                    JobContext& job) {
    const auto choice = columns.places.empty() ? TableBlocks::Choice::FirstWithPositions
                                               : TableBlocks::Choice::FirstTable;
    return TableBlocks::open(path, choice, job);
}

std::vector<std::string> columnsToRead(const Table& outline, const Columns& columns,
                                       const std::vector<std::string>& names) {
    const bool isNamed =
        !columns.places.empty() && !(columns.orUsualPlaces && !hasPlaces(outline, columns.places));
    std::vector<std::string> wanted =
        columnsOfPlaces(outline, isNamed ? columns.places : std::vector<std::string>());
    if (wanted.empty()) return {};
    for (const std::string& name : names)
        if (const auto index = outline.find(name))
            wanted.push_back(outline.columns[static_cast<size_t>(*index)].name);
    std::vector<std::string> ordered;
    for (const TableColumn& column : outline.columns)
        if (std::find(wanted.begin(), wanted.end(), column.name) != wanted.end())
            ordered.push_back(column.name);
    return ordered;
}

Catalog placedRows(Table table, const std::string& path, const Columns& columns,
                   const ReadRequest& request, MissingPlaces& missing, JobContext& job) {
    Catalog catalog;
    if (columns.places.empty() || (columns.orUsualPlaces && !hasPlaces(table, columns.places))) {
        catalog = placeRows(std::move(table), path, missing, job);
    } else {
        catalog.table = std::move(table);
        catalog.position =
            positionsInDegrees(catalog.table, columns.places.at(0), columns.places.at(1));
        missing.add(catalog, job);
        turnToIcrs(catalog.table, catalog.position, std::nullopt, job);
    }
    turnAsStated(catalog, request, job);
    frameAsStated(catalog, request);
    return catalog;
}

void noteTurned(const Table& table, const std::string& path, const ReadRequest& request) {
    requireNotIcrs(table.turnedFrom, request);
    if (request.note && !table.turnedFrom.empty())
        request.note(path + ": positions converted from " + table.turnedFrom + " to ICRS");
    const std::string system = unknownSystem(table);
    if (!request.note || system.empty() || request.statedFrame) return;
    auto positions = findPositions(table);
    if (!positions) positions = findTextPositions(table);
    if (positions && positions->frame == Frame::Unknown)
        request.note(path + ": expected positions in ICRS, FK5, FK4, Galactic or ecliptic " +
                     "coordinates, found the system '" + system +
                     "': their frame is unknown; --input-frame G|E|C states it");
}

namespace {

Catalog framedCatalog(const std::string& path, const ReadRequest& request,
                      const std::vector<std::string>& names, JobContext& job) {
    std::vector<std::string> notes;
    Catalog catalog = readCatalog(path, job, &notes, names, request.within);
    tellNotes(request, path, notes);
    turnAsStated(catalog, request, job);
    frameAsStated(catalog, request);
    noteTurned(catalog.table, path, request);
    return catalog;
}

}  // namespace

Catalog readFramedCatalog(const std::string& path, const ReadRequest& request, JobContext& job) {
    return framedCatalog(path, request, {}, job);
}

std::shared_ptr<const Catalog> readPlacedCatalog(const std::string& path, const Columns& columns,
                                                 const ReadRequest& request, JobContext& job) {
    const std::vector<std::string> names = namesToRead(path, columns, job);
    if (columns.places.empty())
        return std::make_shared<const Catalog>(framedCatalog(path, request, names, job));
    TableReadOptions options;
    options.columns = names;
    options.within = request.within;
    options.variableLength = TableReadOptions::VariableLength::LeaveOut;
    std::vector<std::string> notes;
    options.notes = &notes;
    Table table = readTable(path, options, job);
    tellNotes(request, path, notes);
    if (columns.orUsualPlaces && !hasPlaces(table, columns.places)) {
        tellNotes(request, path,
                  {"no columns " + columns.places[0] + " and " + columns.places[1] +
                   "; positions by UCD or usual names"});
        return std::make_shared<const Catalog>(framedCatalog(path, request, names, job));
    }
    MissingPlaces missing;
    Catalog catalog = placedRows(std::move(table), path, columns, request, missing, job);
    if (const std::string line = missing.line(); !line.empty()) tellNotes(request, path, {line});
    noteTurned(catalog.table, path, request);
    return std::make_shared<const Catalog>(std::move(catalog));
}

Data readRows(const std::string& path, const Columns& columns, const ReadRequest& request,
              JobContext& job) {
    try {
        return readPlacedCatalog(path, columns, request, job);
    } catch (const IoError&) {
        std::optional<Table> table = tableWithoutPositions(path, job);
        if (!table) throw;
        return std::make_shared<const Table>(std::move(*table));
    }
}

std::shared_ptr<const Catalog> withPlaces(const std::shared_ptr<const Catalog>& catalog,
                                          const Columns& columns, JobContext& job) {
    const Table& table = catalog->table;
    if (columns.places.empty()) return catalog;
    const std::string &lon = columns.places[0], &lat = columns.places[1];
    if (columns.orUsualPlaces && !hasPlaces(table, columns.places)) return catalog;
    const PositionColumns named = positionsNamed(table, lon, lat);
    if (named.lon == catalog->position.lon && named.lat == catalog->position.lat) return catalog;
    auto other = std::make_shared<Catalog>(*catalog);
    other->position = named;
    turnToIcrs(other->table, other->position, std::nullopt, job);
    return other;
}

}  // namespace armilla
