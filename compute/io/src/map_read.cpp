// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/error.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "core/pixel_queries.h"
#include "io/file_parts.h"
#include "io/map_io.h"
#include "io/moc_io.h"
#include "map_cards.h"
#include "map_table.h"
#include "out_of_memory.h"
#include "text_file.h"
#include "text_moc.h"

namespace armilla {

namespace {

// Integers up to 16 bits are exact in float; see Field.
bool heldAsFloat(const FitsColumn& column) {
    switch (diskTypeOf(column)) {
        case DiskType::UInt8:
        case DiskType::Int16:
        case DiskType::Logical:
        case DiskType::Float32: return true;
        default: return false;
    }
}

std::vector<const FitsColumn*> selectedColumns(const FitsFile& file, const MapTable& map,
                                               const std::vector<std::string>& wanted) {
    if (wanted.empty()) return map.values;
    if (map.values.empty()) {  // a MOC is one field of 0 and 1
        for (const std::string& text : wanted)
            if (upperTrimmed(text) != kCoverageName && text != "1")
                refuse(file.path(), std::string("the field ") + kCoverageName + " or the number 1",
                       inQuotes(text));
        return {};
    }
    std::string names;
    for (const FitsColumn* column : map.values)
        names += (names.empty() ? "" : ", ") + fieldName(*column);
    std::vector<const FitsColumn*> chosen;
    for (const std::string& text : wanted) {
        const FitsColumn* found = nullptr;
        for (const FitsColumn* column : map.values)
            if (found == nullptr && upperTrimmed(fieldName(*column)) == upperTrimmed(text))
                found = column;
        const auto number = parseInteger(text);
        if (found == nullptr && number && *number >= 1 &&
            *number <= static_cast<int64_t>(map.values.size()))
            found = map.values[static_cast<size_t>(*number - 1)];
        if (found == nullptr)
            refuse(file.path(),
                   "a field name (" + names + ") or a number from 1 to " +
                       std::to_string(map.values.size()),
                   inQuotes(text));
        chosen.push_back(found);
    }
    return chosen;
}

std::vector<Field> emptyFields(const std::vector<const FitsColumn*>& columns, int64_t elements,
                               JobContext& job) {
    std::vector<Field> fields;
    for (const FitsColumn* column : columns) {
        Field field;
        field.name = fieldName(*column);
        field.unit = column->unit;
        field.diskType = diskTypeOf(*column);
        if (heldAsFloat(*column))
            field.values = newVector<float>(elements, job);
        else
            field.values = newVector<double>(elements, job);
        fields.push_back(std::move(field));
    }
    return fields;
}

// The order in which the rows of `keys` ascend.
template <class Index>
std::vector<Index> ascendingOrder(const std::vector<int64_t>& keys, JobContext& job) {
    std::vector<Index> order(keys.size());
    std::iota(order.begin(), order.end(), Index{0});
    uint64_t comparisons = 0;
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        // Sorting 1e8 rows takes seconds; 2^16 comparisons are about a millisecond.
        if ((++comparisons & 0xffff) == 0) job.poll();
        return keys[a] < keys[b];
    });
    return order;
}

// values[i] = old values[order[i]], in place along the cycles of the permutation.
template <class T, class Index>
void reorder(std::vector<T>& values, const std::vector<Index>& order, JobContext& job) {
    std::vector<bool> placed(values.size());
    size_t moves = 0;
    for (size_t start = 0; start < values.size(); ++start) {
        if (placed[start]) continue;
        T first = values[start];
        size_t at = start;
        for (;;) {
            placed[at] = true;
            if ((++moves & 0xffff) == 0) job.poll();
            const auto from = static_cast<size_t>(order[at]);
            if (from == start) break;
            values[at] = values[from];
            at = from;
        }
        values[at] = first;
    }
}

template <class Index>
void sortRowsBy(std::vector<int64_t>& keys, std::vector<uint8_t>& orders,
                std::vector<Field>& fields, JobContext& job) {
    const std::vector<Index> order = ascendingOrder<Index>(keys, job);
    reorder(keys, order, job);
    if (!orders.empty()) reorder(orders, order, job);
    for (Field& field : fields)
        std::visit([&](auto& values) { reorder(values, order, job); }, field.values);
}

void sortRows(std::vector<int64_t>& keys, std::vector<uint8_t>& orders, std::vector<Field>& fields,
              const std::string& path, JobContext& job) {
    if (std::is_sorted(keys.begin(), keys.end())) return;
    const bool narrow = keys.size() < (size_t{1} << 32);
    requireMemory(path, static_cast<int64_t>(keys.size()) * (narrow ? 4 : 8));
    if (narrow)
        sortRowsBy<uint32_t>(keys, orders, fields, job);
    else
        sortRowsBy<uint64_t>(keys, orders, fields, job);
}

// Beyond 2^53 a double no longer tells neighboring whole numbers apart.
void requireExact(const FitsColumn& column, const double* values, int64_t count) {
    constexpr double kLimit = 9007199254740992.0;
    for (int64_t i = 0; i < count; ++i)
        if (std::abs(values[i]) >= kLimit)
            throw IoError("expected whole numbers below 2^53 in column " +
                          inQuotes(fieldName(column)) + ", found larger ones");
}

struct RowData {
    std::vector<int64_t> index;
    std::vector<Field> fields;
};

// Index and values of all rows, as they come in the file.
RowData readRows(FitsFile& file, const MapTable& map, const std::vector<const FitsColumn*>& columns,
                 JobContext& job) {
    const int64_t perRow = map.index != nullptr ? map.index->repeat
                           : columns.empty()    ? 0
                                                : columns[0]->repeat;
    // Behind this check, sizes that the header claims are those of data on disk.
    file.requireData(*map.hdu);
    const int64_t elements = map.table.rows * perRow;
    int64_t bytes = map.index != nullptr ? elements * 8 : 0;
    for (const FitsColumn* column : columns) bytes += elements * (heldAsFloat(*column) ? 4 : 8);
    requireMemory(file.path(), bytes);

    RowData data;
    if (map.index != nullptr) data.index = newVector<int64_t>(elements, job);
    data.fields = emptyFields(columns, elements, job);
    const BadValues bad = healpixBadValues(map.badData);
    forTablePieces(file, *map.hdu, map.table, job, "reading",
                   [&](int64_t first, int64_t count, const std::byte* rows) {
                       if (map.index != nullptr)
                           decodeIntegers(map.table, *map.index, rows, count,
                                          data.index.data() + first * perRow);
                       for (size_t f = 0; f < columns.size(); ++f)
                           std::visit(
                               [&](auto& values) {
                                   auto* out = values.data() + first * columns[f]->repeat;
                                   decodeColumn(map.table, *columns[f], rows, count, bad, out);
                                   if constexpr (std::is_same_v<decltype(out), double*>)
                                       if (diskTypeOf(*columns[f]) == DiskType::Int64)
                                           requireExact(*columns[f], out,
                                                        count * columns[f]->repeat);
                               },
                               data.fields[f].values);
                   });
    return data;
}

// Puts the pixels of the region in place of their numbers within it.
void placeInRegion(const std::string& path, const MapTable& map, std::vector<int64_t>& index,
                   JobContext& job) {
    const MapTable::Disc& disc = *map.region;
    // Before a list is made of it: the file holds the pixels of the disc, but for its border.
    const double area =
        0.5 * (1.0 - std::cos(disc.radius)) * static_cast<double>(pixelCount(map.nside));
    const auto rows = static_cast<double>(index.size());
    const std::string expected = "a row for each pixel of the region, about " +
                                 std::to_string(std::llround(area)) +
                                 " of NSIDE = " + std::to_string(map.nside);
    if (area > 2.0 * rows + 1000.0) refuse(path, expected, std::to_string(index.size()));
    std::vector<int64_t> pixels;
    for (const PixelRange& range :
         queryDisc(map.nside, map.ordering, direction({disc.lon, disc.lat}), disc.radius))
        for (int64_t pixel = range.begin; pixel < range.end; ++pixel) pixels.push_back(pixel);
    for (size_t i = 0; i < index.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        if (index[i] < 0 || index[i] >= static_cast<int64_t>(pixels.size()))
            refuse(path,
                   "numbers below the " + std::to_string(pixels.size()) + " pixels of the region",
                   std::to_string(index[i]) + " in row " + std::to_string(i + 1));
        index[i] = pixels[static_cast<size_t>(index[i])];
    }
}

HealpixMap partialMap(const FitsFile& file, const MapTable& map, RowData data, JobContext& job) {
    if (map.region) placeInRegion(file.path(), map, data.index, job);
    const int64_t limit = pixelCount(map.nside);
    for (size_t i = 0; i < data.index.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        const int64_t pixel = data.index[i];
        if (pixel < 0 || pixel >= limit)
            refuse(file.path(),
                   "pixel indices from 0 to " + std::to_string(limit - 1) +
                       " for NSIDE = " + std::to_string(map.nside),
                   pixel < 0 ? "a negative or undefined one in row " + std::to_string(i + 1)
                             : std::to_string(pixel));
    }
    std::vector<uint8_t> none;
    sortRows(data.index, none, data.fields, file.path(), job);
    const auto twice = std::adjacent_find(data.index.begin(), data.index.end());
    if (twice != data.index.end())
        refuse(file.path(), "each pixel index once", std::to_string(*twice) + " twice");
    return HealpixMap::partial(map.nside, map.ordering, map.frame, std::move(data.index),
                               std::move(data.fields));
}

// gadf SPARSE: rows of pixel, channel and value; a field for each channel, 0 where a pixel has no
// row of it.
HealpixMap sparseMap(FitsFile& file, const MapTable& map, RowData data, JobContext& job) {
    std::vector<int64_t> channels(data.index.size());
    forTablePieces(file, *map.hdu, map.table, job, "reading",
                   [&](int64_t first, int64_t count, const std::byte* rows) {
                       decodeIntegers(map.table, *map.channel, rows, count,
                                      channels.data() + first);
                   });
    std::vector<int64_t> pixels = data.index;
    std::sort(pixels.begin(), pixels.end());
    pixels.erase(std::unique(pixels.begin(), pixels.end()), pixels.end());
    if (pixels.empty() || pixels.front() < 0 || pixels.back() >= pixelCount(map.nside))
        refuse(file.path(), "pixel indices of NSIDE = " + std::to_string(map.nside), "others");
    std::vector<int64_t> known = channels;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    constexpr size_t kMostChannels = 999;
    if (known.size() > kMostChannels || known.front() < 0)
        refuse(file.path(), "at most 999 channels, numbered from 0", std::to_string(known.size()));
    requireMemory(file.path(), static_cast<int64_t>(known.size() * pixels.size()) * 8);
    std::vector<Field> fields;
    for (const int64_t channel : known) {
        Field field;
        field.name = "CHANNEL" + std::to_string(channel + 1);
        field.unit = map.values[0]->unit;
        field.diskType = DiskType::Float64;
        field.values = std::vector<double>(pixels.size(), 0.0);
        fields.push_back(std::move(field));
    }
    const auto place = [](const std::vector<int64_t>& sorted, int64_t value) {
        return static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                   sorted.begin());
    };
    for (size_t i = 0; i < channels.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        std::get<std::vector<double>>(
            fields[place(known, channels[i])].values)[place(pixels, data.index[i])] =
            data.fields[0].at(static_cast<int64_t>(i));
    }
    return HealpixMap::partial(map.nside, map.ordering, map.frame, std::move(pixels),
                               std::move(fields));
}

HealpixMap multiOrderMap(const FitsFile& file, const MapTable& map, RowData data, JobContext& job) {
    if (map.ranges)
        return coverageMask(file.path(), map.frame, cellsOfRanges(file.path(), data.index), job);
    if (data.fields.empty())
        return coverageMask(file.path(), map.frame, std::move(data.index), job);
    constexpr int kMaxOrder = 29;
    std::vector<uint8_t> orders(data.index.size());
    int deepest = 0;
    for (size_t i = 0; i < data.index.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        const int64_t uniq = data.index[i];
        if (uniq < 4 || uniqOrder(uniq) > kMaxOrder)
            refuse(file.path(), "UNIQ numbers of cells of order 0 to 29",
                   (uniq < 0 ? std::string("a negative or undefined one") : std::to_string(uniq)) +
                       " in row " + std::to_string(i + 1));
        orders[i] = static_cast<uint8_t>(uniqOrder(uniq));
        deepest = std::max<int>(deepest, orders[i]);
    }
    for (size_t i = 0; i < data.index.size(); ++i) {
        const int64_t pixel = data.index[i] - (int64_t{4} << (2 * orders[i]));
        data.index[i] = pixel << (2 * (deepest - orders[i]));
    }
    job.poll();
    sortRows(data.index, orders, data.fields, file.path(), job);
    for (size_t i = 1; i < data.index.size(); ++i) {
        const int64_t end = data.index[i - 1] + (int64_t{1} << (2 * (deepest - orders[i - 1])));
        if (data.index[i] >= end) continue;
        const auto name = [&](size_t cell) {
            return "order " + std::to_string(orders[cell]) + " pixel " +
                   std::to_string(data.index[cell] >> (2 * (deepest - orders[cell])));
        };
        refuse(file.path(), "cells that do not overlap", name(i - 1) + " and " + name(i));
    }
    return HealpixMap::multiOrder(int64_t{1} << deepest, map.frame, std::move(data.index),
                                  std::move(orders), std::move(data.fields));
}

void flipStokesU(HealpixMap& map, JobContext& job) {
    for (const int index : stokesUFields(map))
        std::visit(
            [&](auto& values) {
                parallelFor(job, static_cast<long long>(values.size()), 1 << 20,
                            [&](long long begin, long long end) {
                                for (long long i = begin; i < end; ++i)
                                    values[static_cast<size_t>(i)] =
                                        -values[static_cast<size_t>(i)];
                            });
            },
            map.field(index).values);
}

// The order that the header of a MOC declares, or that of its cells.
int declaredOrder(const MapTable& table, int cells) {
    for (const char* key : {"MOCORD_S", "MOCORDER"})
        if (const auto order = table.hdu->header.integer(key); order && *order <= 29)
            return std::max(cells, static_cast<int>(*order));
    return cells;
}

HealpixMap readMapFrom(FitsFile& file, const std::optional<std::string>& selector,
                       const MapReadOptions& options, JobContext& job) {
    const FitsHdu& hdu = findMapHdu(file, selector);
    const MapTable table = mapTable(file, hdu);
    RowData data = readRows(file, table, selectedColumns(file, table, options.fields), job);
    file.verifyRest(job);
    // A MOC may hold nothing, as the intersection of two does that are apart.
    const bool isMoc = table.coverage == Coverage::MultiOrder && table.values.empty();
    if (data.index.empty() && table.coverage != Coverage::Full && !isMoc)
        refuse(file.path(), "a map with at least one pixel", "no rows");
    HealpixMap map;
    switch (table.coverage) {
        case Coverage::Full:
            map = HealpixMap(table.nside, table.ordering, table.frame, std::move(data.fields));
            break;
        case Coverage::Partial:
            map = table.channel != nullptr ? sparseMap(file, table, std::move(data), job)
                                           : partialMap(file, table, std::move(data), job);
            break;
        case Coverage::MultiOrder: map = multiOrderMap(file, table, std::move(data), job); break;
    }
    map.metadata() = readMetadata(table);
    if (isMoc) declareMocOrder(map, declaredOrder(table, orderOf(map.nside())));
    if (table.iau) flipStokesU(map, job);
    job.report(1.0, "reading");
    return map;
}

}  // namespace

HealpixMap readMap(const std::string& path, const MapReadOptions& options, JobContext& job) {
    const FilePath where = parseFilePath(path);
    return orOutOfMemory(where.path, [&] {
        if (looksLikeText(where.path) && isTextMoc(where.path)) return readTextMoc(where.path, job);
        FitsFile file(where.path, job.stopToken());
        return readMapFrom(file, where.hdu, options, job);
    });
}

struct MapPartReader::State {
    State(const FilePath& where, const MapReadOptions& options, std::stop_token stop)
        : file(where.path, std::move(stop)),
          table(mapTable(file, findMapHdu(file, where.hdu))),
          columns(selectedColumns(file, table, options.fields)) {}
    FitsFile file;
    MapTable table;
    std::vector<const FitsColumn*> columns;
    MapOutline outline;
    std::vector<int> flipped;  // fields that hold U with the other sign
};

MapPartReader::MapPartReader(const std::string& path, const MapReadOptions& options,
                             JobContext& job) {
    const FilePath where = parseFilePath(path);
    state_ = std::make_unique<State>(where, options, job.stopToken());
    const MapTable& table = state_->table;
    state_->outline =
        outlineOf(table.nside, table.ordering, table.frame, emptyFields(state_->columns, 0, job));
    state_->outline.coverage = table.coverage;
    state_->outline.like.metadata() = readMetadata(table);
    if (table.iau) state_->flipped = stokesUFields(state_->outline.like);
    if (inParts()) state_->file.requireData(*table.hdu);
}
MapPartReader::~MapPartReader() = default;

const MapOutline& MapPartReader::outline() const {
    return state_->outline;
}

bool MapPartReader::inParts() const {
    return state_->table.coverage == Coverage::Full && state_->file.randomAccess();
}

std::vector<Field> MapPartReader::read(std::span<const ElementRun> runs, JobContext& job) {
    ARMILLA_ASSERT(inParts());
    const MapTable& map = state_->table;
    const std::vector<const FitsColumn*>& columns = state_->columns;
    int64_t elements = 0;
    for (const ElementRun& run : runs) elements += run.count;
    std::vector<Field> fields = emptyFields(columns, elements, job);
    const BadValues bad = healpixBadValues(map.badData);
    const int64_t perRow = columns[0]->repeat, rowBytes = map.table.rowBytes;
    // Pieces that the heap keeps: each that goes back to the system brings in pages anew.
    constexpr int64_t kPieceBytes = 1 << 15, kMostRow = 1 << 26;
    if (rowBytes > kMostRow)
        refuse(state_->file.path(), "table rows of at most " + std::to_string(kMostRow) + " bytes",
               "NAXIS1 = " + std::to_string(rowBytes));
    int64_t before = 0;  // values of the runs before
    for (const ElementRun& run : runs) {
        if (run.count == 0) continue;
        const int64_t firstRow = run.first / perRow;
        const int64_t rows = (run.first + run.count - 1) / perRow - firstRow + 1;
        const auto piece = [&](long long begin, long long end) {
            std::vector<std::byte> bytes(static_cast<size_t>((end - begin) * rowBytes));
            state_->file.readData(*map.hdu, (firstRow + begin) * rowBytes, bytes);
            const int64_t first = (firstRow + begin) * perRow, last = (firstRow + end) * perRow;
            const int64_t from = std::max(first, run.first);
            const int64_t count = std::min(last, run.first + run.count) - from;
            const auto decode = [&]<typename T>(const FitsColumn& column, std::vector<T>& values) {
                std::vector<T> some(static_cast<size_t>(last - first));
                decodeColumn(map.table, column, bytes.data(), end - begin, bad, some.data());
                if constexpr (std::is_same_v<T, double>)
                    if (diskTypeOf(column) == DiskType::Int64)
                        requireExact(column, some.data(), last - first);
                std::copy_n(some.begin() + (from - first), count,
                            values.begin() + (before + from - run.first));
            };
            for (size_t f = 0; f < columns.size(); ++f)
                std::visit([&](auto& values) { decode(*columns[f], values); }, fields[f].values);
        };
        parallelFor(job, rows, std::max<int64_t>(1, kPieceBytes / rowBytes), piece, "reading");
        before += run.count;
    }
    for (const int index : state_->flipped)
        std::visit(
            [](auto& values) {
                for (auto& value : values) value = -value;
            },
            fields[static_cast<size_t>(index)].values);
    return fields;
}

}  // namespace armilla
