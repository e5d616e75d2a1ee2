// SPDX-License-Identifier: GPL-3.0-or-later
#include "match_partitions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/operations/common_frame.h"
#include "armilla/ops/match.h"
#include "catalog_files.h"

namespace armilla {

namespace {

// One catalog of the match.
struct Side {
    const InputSlot* slot = nullptr;
    std::string path;
    std::optional<TableBlocks>
        file;  // only of a HATS catalog whose partitions follow its positions
    Input input;
    std::optional<size_t> read;  // number of partitions in `input`
    std::vector<std::string> notes;
};

// Whether the columns are those that the catalog was partitioned by.
bool areOwnPositions(const Table& outline, const Columns& columns) {
    if (columns.places.empty()) return true;
    const auto own = findPositions(outline);
    const auto lon = outline.find(columns.places[0]), lat = outline.find(columns.places[1]);
    if (!lon && !lat) return columns.orUsualPlaces;
    return own && lon == own->lon && lat == own->lat;
}

Side sideOf(const BlockCall& call, std::string_view name, JobContext& job) {
    Side side;
    for (const auto& [slot, path] : call.inputs)
        if (slot->name == name) {
            side.slot = slot;
            side.path = path;
        }
    try {
        const Columns columns =
            side.slot->columns ? side.slot->columns(call.parameters) : Columns{};
        auto file = openRows(side.path, columns, job);
        if (file && file->hasPartitions() && areOwnPositions(file->outline(), columns))
            side.file = std::move(file);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        // The reader of whole files describes the error.
    }
    return side;
}

// Reads a catalog within a part of the sky, or all of it. False if it holds these partitions
// already.
bool readSide(Side& side, const BlockCall& call, const std::optional<DiscUnion>& part,
              JobContext& job) {
    std::vector<DiscUnion> within;
    if (side.file && part) within.push_back(*part);
    const size_t partitions = side.file ? side.file->partitionDiscs(within, job).size() : 0;
    if (side.read == partitions) return false;
    ReadRequest request = call.reading;
    request.isBeside = true;
    request.within = std::move(within);
    side.notes.clear();
    request.note = [&side](const std::string& line) { side.notes.push_back(line); };
    side.input = {};
    side.input = readInput(*side.slot, call.parameters, side.path, request, job);
    side.read = partitions;
    return true;
}

// The part of the sky within `margin` of the rows; none if their frame is unknown.
std::optional<DiscUnion> partAround(const Catalog& catalog, double margin, JobContext& job) {
    if (catalog.frame() == Frame::Unknown) return std::nullopt;
    const Mat3 turn = frameRotation(Frame::Equatorial, catalog.frame());
    OccupiedSky sky;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        if ((row & 0xffff) == 0) job.poll();
        const LonLat at = catalog.at(row);
        if (std::isfinite(at.lon) && std::isfinite(at.lat)) sky.add(turn * direction(at));
    }
    return sky.discs(margin);
}

DiscUnion grown(DiscUnion part, double margin) {
    for (SkyCap& disc : part) disc.radius += margin;
    return part;
}

// Reads the second catalog whole, and the first one around its rows. True if fewer than a hundred
// rows count for P_CHANCE, from all the sky: then rows of the first one that are far from them have
// the expected pairs by chance of any other row.
bool readAroundSecond(Side& first, Side& second, const BlockCall& call, double radius,
                      JobContext& job) {
    readSide(second, call, std::nullopt, job);
    const Catalog& rows = second.input.catalog();
    const double needed = chanceRadius(rows, radius, job);
    const ParameterValue errors = call.parameters.value("errors");
    const auto* const column = std::get_if<std::string>(&errors);
    const bool hasOneReach = column == nullptr || column->empty();
    const bool isAllSky = needed >= kPi && hasOneReach;
    const double margin = isAllSky ? radius : std::max(radius, needed);
    readSide(first, call, partAround(rows, margin, job), job);
    return isAllSky;
}

// Reads the second catalog around the rows of the first one. The density of its rows, for P_CHANCE,
// is known only from the rows themselves: reads more partitions until they hold the discs in which
// rows are counted.
void readAroundFirst(Side& first, Side& second, bool narrowsFirst, const BlockCall& call,
                     double radius, JobContext& job) {
    double margin = radius;
    for (;;) {
        std::optional<DiscUnion> part;
        if (narrowsFirst) part = grown(second.file->partitionDiscs({}, job), margin);
        bool isNew = readSide(first, call, part, job);
        if (readSide(second, call, partAround(first.input.catalog(), margin, job), job))
            isNew = true;
        if (!isNew) return;
        const double needed = chanceRadius(second.input.catalog(), radius, job);
        if (needed <= margin) return;
        margin = needed;
    }
}

}  // namespace

std::optional<Outputs> matchByPartitions(BlockCall& call) {
    const ParameterValue value = call.parameters.value("radius");
    const double* const radius = std::get_if<double>(&value);
    if (radius == nullptr || statedEquatorial(call.reading)) return std::nullopt;
    JobContext silent(call.context.job.stopToken(), {}, call.context.job.threads());
    Side first = sideOf(call, "CATALOG", silent), second = sideOf(call, "CATALOG2", silent);
    const auto join = std::get<std::string>(call.parameters.value("join"));
    const bool narrowsFirst = first.file && (join == "1and2" || join == "2not1");
    const bool narrowsSecond = second.file && join != "2not1";
    // Both files name their frames: readers of whole files refuse another one.
    if (call.reading.statedFrame && first.file && second.file) return std::nullopt;
    if (!narrowsFirst && !narrowsSecond) return std::nullopt;
    JobContext reading = call.context.job.part(0.0, 0.5),
               matching = call.context.job.part(0.5, 1.0);
    bool isAllSky = false;
    if (narrowsSecond)
        readAroundFirst(first, second, narrowsFirst, call, *radius, reading);
    else
        isAllSky = readAroundSecond(first, second, call, *radius, reading);
    const int64_t rowsRead = first.input.catalog().rows();
    Inputs inputs;
    for (Side* side : {&first, &second}) {
        inputs.all.push_back(std::move(side->input));
        if (call.reading.note)
            for (const std::string& line : side->notes) call.reading.note(line);
        if (!side->file || !call.reading.note) continue;
        const size_t all = side->file->partitionDiscs({}, silent).size();
        if (*side->read < all)
            call.reading.note(side->path + ": " + std::to_string(*side->read) + " of " +
                              std::to_string(all) + " partitions read");
    }
    Context context{call.context.device, matching, call.context.precision, call.context.wanted, {}};
    context.note = call.context.note;
    context.statedFrame = call.context.statedFrame;
    Outputs outputs = runOperation(call.operation, context, inputs, call.parameters);
    if (isAllSky && rowsRead > 0) {
        const double share =
            static_cast<double>(first.file->rows()) / static_cast<double>(rowsRead);
        const auto figure = [&](const char* key) { return *context.figures.find(key); };
        outputs.front().summary =
            setByChance(context, *figure("rows").integer(), *figure("pairs").integer(),
                        share * figure("expected_by_chance").number());
    }
    if (first.file) context.figures.set("rows1", first.file->rows());
    if (second.file) context.figures.set("rows2", second.file->rows());
    call.context.figures = std::move(context.figures);
    return outputs;
}

}  // namespace armilla
