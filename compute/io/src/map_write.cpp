// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/io/file_parts.h"
#include "armilla/io/map_extensions.h"
#include "armilla/io/map_io.h"
#include "big_endian.h"
#include "column_plan.h"
#include "file_part_writer.h"
#include "fits_writer.h"
#include "healsparse.h"
#include "hips.h"
#include "map_cards.h"

namespace armilla {

namespace {

struct TablePlan {
    int64_t nside = 0;
    std::vector<ColumnPlan> columns;
    double sentinel = kUnseen;
    bool listed = false;  // an index column comes first
    int64_t indexBytes = 0;
    int64_t perRow = 1;  // values of each column per row
    int64_t rows = 0, rowBytes = 0;
    std::vector<int64_t> cellOrder;  // multi-order maps: cells in the order of their UNIQ
};

int64_t uniqOf(const HealpixMap& map, int64_t cell) {
    const auto at = static_cast<size_t>(cell);
    const int order = map.cellOrders()[at];
    return (int64_t{4} << (2 * order)) + (map.pixels()[at] >> (2 * (orderOf(map.nside()) - order)));
}

// `nside` and `elements` describe the written map; `map` may be only its outline.
TablePlan planTable(const HealpixMap& map, int64_t nside, int64_t elements,
                    const MapWriteOptions& options, const ScanOf& scanOf) {
    TablePlan plan;
    plan.nside = nside;
    bool sentinelTaken = false;
    for (int i = 0; i < map.fieldCount(); ++i)
        plan.columns.push_back(planColumn(map, i, options, sentinelTaken, scanOf));
    const std::optional<double> wanted = map.metadata().badData;
    if (wanted && std::isfinite(*wanted) && !sentinelTaken) plan.sentinel = *wanted;
    for (ColumnPlan& column : plan.columns) column.sentinel = plan.sentinel;

    plan.listed = map.coverage() != Coverage::Full;
    if (plan.listed) {
        const bool narrow = map.coverage() == Coverage::Partial &&
                            pixelCount(nside) - 1 <= std::numeric_limits<int32_t>::max();
        plan.indexBytes = narrow ? 4 : 8;
    } else if (pixelCount(nside) % 1024 == 0) {
        plan.perRow = 1024;  // 1024 values per row, as HEALPix itself writes
    }
    plan.rows = elements / plan.perRow;
    plan.rowBytes = plan.indexBytes;
    for (const ColumnPlan& column : plan.columns) plan.rowBytes += column.bytes * plan.perRow;
    if (map.coverage() == Coverage::MultiOrder) {
        plan.cellOrder.resize(static_cast<size_t>(map.elementCount()));
        std::iota(plan.cellOrder.begin(), plan.cellOrder.end(), int64_t{0});
        std::sort(plan.cellOrder.begin(), plan.cellOrder.end(),
                  [&](int64_t a, int64_t b) { return uniqOf(map, a) < uniqOf(map, b); });
    }
    return plan;
}

void addColumnCards(FitsCards& cards, const HealpixMap& map, const TablePlan& plan) {
    int number = 0;
    const std::string repeat = plan.perRow > 1 ? std::to_string(plan.perRow) : "1";
    if (plan.listed) {
        const std::string n = std::to_string(++number);
        cards.text("TTYPE" + n, map.coverage() == Coverage::MultiOrder ? "UNIQ" : "PIXEL");
        cards.text("TFORM" + n, plan.indexBytes == 4 ? "1J" : "1K");
    }
    for (const ColumnPlan& column : plan.columns) {
        const std::string n = std::to_string(++number);
        cards.text("TTYPE" + n, column.field->name);
        cards.text("TFORM" + n, repeat + formLetter(column.type));
        if (!column.field->unit.empty()) cards.text("TUNIT" + n, column.field->unit);
        if (column.null) cards.integer("TNULL" + n, *column.null, "value of bad pixels");
    }
}

std::string objectText(const HealpixMap& map) {
    const std::string& object = map.metadata().object;
    const std::string upper = upperTrimmed(object);
    if (!upper.empty() && upper != "FULLSKY" && upper != "PARTIAL") return object;
    return map.coverage() == Coverage::Full ? "FULLSKY" : "PARTIAL";
}

void addMapCards(FitsCards& cards, const HealpixMap& map, const TablePlan& plan) {
    const bool multiOrder = map.coverage() == Coverage::MultiOrder;
    if (!map.metadata().extensionName.empty()) cards.text("EXTNAME", map.metadata().extensionName);
    cards.text("PIXTYPE", "HEALPIX", "HEALPix pixelization");
    cards.text("ORDERING",
               multiOrder                           ? "NUNIQ"
               : map.ordering() == Ordering::Nested ? "NESTED"
                                                    : "RING",
               "pixel ordering scheme");
    if (multiOrder) {
        cards.integer("MOCORDER", orderOf(map.nside()), "deepest order");
    } else {
        cards.integer("NSIDE", plan.nside, "resolution parameter");
        const bool full = map.coverage() == Coverage::Full;
        cards.integer("FIRSTPIX", full ? 0 : map.pixels().front(), "first pixel (0 based)");
        cards.integer("LASTPIX", full ? pixelCount(plan.nside) - 1 : map.pixels().back(),
                      "last pixel (0 based)");
    }
    cards.text("INDXSCHM", plan.listed ? "EXPLICIT" : "IMPLICIT", "IMPLICIT or EXPLICIT");
    if (map.coverage() == Coverage::Partial) {
        cards.integer("GRAIN", 1, "one pixel for each index");
        cards.integer("OBS_NPIX", map.elementCount(), "number of pixels listed");
    }
    cards.text("OBJECT", objectText(map), plan.listed ? "" : "sky coverage");
    if (const char letter = frameLetter(map.frame()); letter != 0)
        cards.text("COORDSYS", std::string(1, letter), "G Galactic, E ecliptic, C equatorial");
    cards.real("BAD_DATA", plan.sentinel, "value of bad pixels");
    if (map.polarizationPair()) cards.logical("POLAR", true, "polarization included");
    // The sign of U depends on this card, also for a map of U alone.
    if (!stokesUFields(map).empty())
        cards.text("POLCCONV", map.metadata().iauOnDisk ? "IAU" : "COSMO",
                   "convention of polarization");
}

FitsCards mapCards(const HealpixMap& map, const TablePlan& plan, const MapWriteOptions& options) {
    FitsCards cards;
    cards.table(plan.rowBytes, plan.rows, plan.columns.size() + (plan.listed ? 1 : 0));
    addColumnCards(cards, map, plan);
    addMapCards(cards, map, plan);
    cards.date();
    for (const std::string& card : map.metadata().cards)
        if (!isOwnCard(card)) cards.raw(card);
    for (const std::string& line : map.metadata().history) cards.commentary("HISTORY", line);
    for (const std::string& line : options.history) cards.commentary("HISTORY", line);
    return cards;
}

template <class T>
void encodeColumn(const TablePlan& table, const ColumnPlan& plan, const std::vector<T>& values,
                  int64_t firstRow, int64_t rowCount, std::byte* at) {
    const bool isStored =
        plan.type == (std::is_same_v<T, float> ? DiskType::Float32 : DiskType::Float64);
    const bool isPlain = isStored && !plan.negated && table.cellOrder.empty() && table.perRow > 1;
    for (int64_t row = 0; row < rowCount; ++row) {
        std::byte* to = at + row * table.rowBytes;
        if (isPlain) {
            putBigEndianRun(values.data() + (firstRow + row) * table.perRow, table.perRow,
                            static_cast<T>(plan.sentinel), to);
            continue;
        }
        for (int64_t k = 0; k < table.perRow; ++k) {
            int64_t element = (firstRow + row) * table.perRow + k;
            if (!table.cellOrder.empty()) element = table.cellOrder[static_cast<size_t>(element)];
            putValue(plan, values[static_cast<size_t>(element)], to + k * plan.bytes);
        }
    }
}

void encodeIndex(const HealpixMap& map, const TablePlan& table, int64_t firstRow, int64_t rowCount,
                 std::byte* at) {
    for (int64_t row = firstRow; row < firstRow + rowCount; ++row, at += table.rowBytes) {
        if (!table.cellOrder.empty())
            putBigEndian(uniqOf(map, table.cellOrder[static_cast<size_t>(row)]), at);
        else if (table.indexBytes == 4)
            putBigEndian(static_cast<int32_t>(map.pixels()[static_cast<size_t>(row)]), at);
        else
            putBigEndian(map.pixels()[static_cast<size_t>(row)], at);
    }
}

}  // namespace

namespace {

void writeTableHdu(FitsWriter& writer, const HealpixMap& map, const MapWriteOptions& options,
                   JobContext& job) {
    const TablePlan plan =
        planTable(map, map.nside(), map.elementCount(), options,
                  [&](int number, bool negated, const BadValues& sentinel) {
                      return scanField(map.field(number), negated, sentinel, job);
                  });
    writer.beginHdu(mapCards(map, plan, options), plan.rows * plan.rowBytes);
    constexpr int64_t kPieceBytes = 1 << 20;
    parallelFor(
        job, plan.rows, std::max<int64_t>(1, kPieceBytes / plan.rowBytes),
        [&](long long begin, long long end) {
            thread_local std::vector<std::byte> buffer;
            buffer.resize(static_cast<size_t>((end - begin) * plan.rowBytes));
            if (plan.listed) encodeIndex(map, plan, begin, end - begin, buffer.data());
            int64_t offset = plan.indexBytes;
            for (const ColumnPlan& column : plan.columns) {
                std::visit(
                    [&](const auto& values) {
                        encodeColumn(plan, column, values, begin, end - begin,
                                     buffer.data() + offset);
                    },
                    column.field->values);
                offset += column.bytes * plan.perRow;
            }
            writer.writeData(begin * plan.rowBytes, buffer);
        },
        "writing");
    writer.endHdu();
}

}  // namespace

void writeMap(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
              JobContext& job) {
    if (isHealSparseName(path)) return writeHealSparse(map, path, options, job);
    if (isHipsName(path)) return writeHips(map, path, options, job);
    const HealpixMap* const maps[] = {&map};
    writeMaps(maps, path, options, job);
}

void writeMaps(std::span<const HealpixMap* const> maps, const std::string& path,
               const MapWriteOptions& options, JobContext& job) {
    if (isHealSparseName(path) || isHipsName(path))
        throw InvalidArgument(path + ": expected a name in .fits for several maps, found another");
    for (const HealpixMap* map : maps)
        if (map->elementCount() == 0)
            throw InvalidArgument("expected a map with pixels to write, found an empty one");
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    for (size_t i = 0; i < maps.size(); ++i) {
        const auto count = static_cast<double>(maps.size());
        JobContext part =
            job.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        writeTableHdu(writer, *maps[i], options, part);
    }
    job.report(1.0, "writing");
    writer.commit(job);
}

bool dependsOnValues(const MapOutline& outline, const MapWriteOptions& options) {
    for (int i = 0; i < outline.like.fieldCount(); ++i)
        if (asksValues(askedColumn(outline.like, i, options), outline.like)) return true;
    return false;
}

std::vector<std::byte> scanMapPart(const MapOutline& outline, const std::vector<Field>& fields,
                                   const MapWriteOptions& options, JobContext& job) {
    static_assert(std::is_trivially_copyable_v<FieldScan>);
    std::vector<FieldScan> scans(fields.size());
    for (size_t i = 0; i < fields.size(); ++i) {
        const ColumnPlan asked = askedColumn(outline.like, static_cast<int>(i), options);
        if (asksValues(asked, outline.like))
            scans[i] = scanField(fields[i], asked.negated,
                                 healpixBadValues(outline.like.metadata().badData), job);
    }
    const auto bytes = std::as_bytes(std::span(scans));
    return {bytes.begin(), bytes.end()};
}

struct MapFilePlan::State {
    MapOutline outline;
    MapWriteOptions options;
    TablePlan table;
};

MapFilePlan::MapFilePlan(const MapOutline& outline, const MapWriteOptions& options,
                         const std::vector<std::vector<std::byte>>& scans)
    : state_(std::make_unique<State>(State{outline, options, {}})) {
    const HealpixMap& like = state_->outline.like;
    std::vector<FieldScan> all(static_cast<size_t>(like.fieldCount()));
    for (const std::vector<std::byte>& part : scans) {
        ARMILLA_ASSERT(part.size() == all.size() * sizeof(FieldScan));
        std::vector<FieldScan> some(all.size());
        std::copy(part.begin(), part.end(), reinterpret_cast<std::byte*>(some.data()));
        for (size_t i = 0; i < all.size(); ++i) all[i].merge(some[i]);
    }
    state_->table = planTable(like, outline.nside, pixelCount(outline.nside), options,
                              [&](int number, bool /*negated*/, const BadValues& /*sentinel*/) {
                                  return all[static_cast<size_t>(number)];
                              });
}
MapFilePlan::~MapFilePlan() = default;

void beginMapHdu(FitsWriter& writer, const MapFilePlan& plan) {
    const MapFilePlan::State& state = plan.state();
    writer.beginHdu(mapCards(state.outline.like, state.table, state.options),
                    state.table.rows * state.table.rowBytes);
}

namespace {

// Elements `first` to `first + count` - 1 of one row; value `at` of the fields is the first.
void encodeRowPart(const TablePlan& table, const std::vector<Field>& fields, int64_t at,
                   int64_t place, int64_t count, std::byte* row) {
    int64_t offset = 0;
    for (size_t f = 0; f < fields.size(); ++f) {
        const ColumnPlan& column = table.columns[f];
        std::visit(
            [&](const auto& values) {
                for (int64_t k = 0; k < count; ++k)
                    putValue(column, values[static_cast<size_t>(at + k)],
                             row + offset + (place + k) * column.bytes);
            },
            fields[f].values);
        offset += column.bytes * table.perRow;
    }
}

}  // namespace

uint32_t writeMapPart(const FilePart& file, const MapFilePlan& plan,
                      const std::vector<Field>& fields, std::span<const ElementRun> runs,
                      JobContext& job) {
    const TablePlan& table = plan.state().table;
    FilePartWriter writer(file);
    constexpr int64_t kPieceBytes = 1 << 20;
    const int64_t grain = std::max<int64_t>(1, kPieceBytes / table.rowBytes);
    int64_t before = 0;  // number of values in earlier runs
    for (const ElementRun& run : runs) {
        if (run.count == 0) continue;
        const int64_t firstRow = run.first / table.perRow;
        const int64_t lastRow = (run.first + run.count - 1) / table.perRow;
        parallelFor(job, lastRow - firstRow + 1, grain, [&](long long begin, long long end) {
            thread_local std::vector<std::byte> buffer;
            buffer.resize(static_cast<size_t>((end - begin) * table.rowBytes));
            // The part of each row in this range that belongs to the run.
            const auto part = [&](int64_t row) {
                const int64_t first = std::max(run.first, row * table.perRow);
                const int64_t last = std::min(run.first + run.count, (row + 1) * table.perRow) - 1;
                return ElementRun{first, last - first + 1};
            };
            int64_t whole = firstRow + begin, wholeEnd = firstRow + end;
            for (int64_t row = firstRow + begin; row < firstRow + end; ++row) {
                const ElementRun own = part(row);
                std::byte* const to = buffer.data() + (row - firstRow - begin) * table.rowBytes;
                const int64_t place = own.first - row * table.perRow;
                encodeRowPart(table, fields, before + own.first - run.first, place, own.count, to);
                if (own.count == table.perRow) continue;
                // Another process writes the rest of the row.
                for (int64_t f = 0, offset = 0; f < static_cast<int64_t>(fields.size()); ++f) {
                    const int64_t bytes = table.columns[static_cast<size_t>(f)].bytes;
                    const int64_t skip = offset + place * bytes;
                    writer.write(row * table.rowBytes + skip,
                                 {to + skip, static_cast<size_t>(own.count * bytes)});
                    offset += bytes * table.perRow;
                }
                if (row == firstRow) ++whole;
                if (row == lastRow && row >= whole) --wholeEnd;
            }
            if (whole < wholeEnd)
                writer.write(whole * table.rowBytes,
                             {buffer.data() + (whole - firstRow - begin) * table.rowBytes,
                              static_cast<size_t>((wholeEnd - whole) * table.rowBytes)});
        });
        before += run.count;
    }
    return writer.finish();
}

}  // namespace armilla
