// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog_files.h"

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

// A table with its columns of positions by name.
Catalog catalogWith(Table table, const std::string& path, const std::vector<std::string>& names,
                    const ReadRequest& request, JobContext& job) {
    Catalog catalog{std::move(table), {}};
    catalog.position = positionsInDegrees(catalog.table, names.at(0), names.at(1));
    if (const std::string line = missingPlaces(catalog, job); !line.empty())
        tellNotes(request, path, {line});
    turnToIcrs(catalog.table, catalog.position, std::nullopt, job);
    turnAsStated(catalog, request, job);
    catalog.position.frame = framedAs(catalog.position.frame, request);
    noteTurned(catalog.table, path, request);
    return catalog;
}

// Whether a table has both columns. Throws InvalidArgument if it has one of them.
bool hasPlaces(const Table& table, const std::vector<std::string>& names) {
    const bool hasLon = table.find(names[0]).has_value(), hasLat = table.find(names[1]).has_value();
    if (hasLon != hasLat)
        throw InvalidArgument("expected the columns " + names[0] + " and " + names[1] +
                              ", found only " + names[hasLon ? 0 : 1]);
    return hasLon;
}

}  // namespace

void noteTurned(const Table& table, const std::string& path, const ReadRequest& request) {
    requireNotIcrs(table.turnedFrom, request);
    if (request.note && !table.turnedFrom.empty())
        request.note(path + ": positions converted from " + table.turnedFrom + " to ICRS");
}

Catalog readFramedCatalog(const std::string& path, const ReadRequest& request, JobContext& job) {
    std::vector<std::string> notes;
    Catalog catalog = readCatalog(path, job, &notes);
    tellNotes(request, path, notes);
    turnAsStated(catalog, request, job);
    catalog.position.frame = framedAs(catalog.position.frame, request);
    noteTurned(catalog.table, path, request);
    return catalog;
}

std::shared_ptr<const Catalog> readPlacedCatalog(const std::string& path, const Columns& columns,
                                                 const ReadRequest& request, JobContext& job) {
    if (columns.places.empty())
        return std::make_shared<const Catalog>(readFramedCatalog(path, request, job));
    TableReadOptions options;
    options.variableLength = TableReadOptions::VariableLength::LeaveOut;
    Table table = readTable(path, options, job);
    if (columns.orUsualPlaces && !hasPlaces(table, columns.places)) {
        tellNotes(request, path,
                  {"no columns " + columns.places[0] + " and " + columns.places[1] +
                   "; positions by UCD or usual names"});
        return std::make_shared<const Catalog>(readFramedCatalog(path, request, job));
    }
    return std::make_shared<const Catalog>(
        catalogWith(std::move(table), path, columns.places, request, job));
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
