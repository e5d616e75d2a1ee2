// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/io/file_parts.h"
#include "armilla/io/map_io.h"
#include "armilla/io/moc_io.h"
#include "hats.h"
#include "hdf5_map.h"
#include "healsparse.h"
#include "healsparse_tiles.h"
#include "hips.h"
#include "map_cards.h"
#include "map_planes.h"
#include "map_table.h"
#include "npy_map.h"
#include "out_of_memory.h"
#include "pixel_rows.h"
#include "stokes_hdus.h"
#include "table_formats.h"
#include "text_file.h"
#include "text_moc.h"
#include "zarr_map.h"

namespace armilla {

namespace {

// Decodes rows into the fields and detects inexact ones.
class RowDecoder {
public:
    RowDecoder(const MapTable& map, const std::vector<const MapPlane*>& planes,
               std::vector<Field>& fields)
        : map_(map),
          planes_(planes),
          fields_(fields),
          bad_(healpixBadValues(map.badData)),
          inexact_(planes.size()) {}

    // `rows`: rows of all planes; for an image, of plane `only`.
    void operator()(int64_t first, int64_t count, const std::byte* rows, int only = -1) {
        for (size_t f = 0; f < planes_.size(); ++f) {
            if (only >= 0 && static_cast<size_t>(only) != f) continue;
            const FitsColumn& column = *planes_[f]->column;
            std::visit(
                [&](auto& values) {
                    auto* out = values.data() + first * column.repeat;
                    decodeColumn(map_.table, column, rows, count, bad_, out);
                    if constexpr (std::is_same_v<decltype(out), double*>)
                        if (diskTypeOf(column) == DiskType::Int64 &&
                            !isExact(out, count * column.repeat))
                            inexact_[f] = true;
                },
                fields_[f].values);
        }
    }
    std::vector<std::string> inexact() const {
        std::vector<std::string> names;
        for (size_t f = 0; f < planes_.size(); ++f)
            if (inexact_[f]) names.push_back(planes_[f]->columnName);
        return names;
    }

private:
    const MapTable& map_;
    const std::vector<const MapPlane*>& planes_;
    std::vector<Field>& fields_;
    BadValues bad_;
    std::vector<std::atomic<bool>> inexact_;
};

// The planes of an image one after the other.
void readImagePlanes(FitsFile& file, const MapTable& map,
                     const std::vector<const MapPlane*>& planes, RowDecoder& decode,
                     JobContext& job) {
    constexpr int64_t kPieceBytes = 1 << 20;
    const int64_t grain = std::max<int64_t>(1, kPieceBytes / map.table.rowBytes);
    std::vector<std::byte> buffer;
    for (size_t f = 0; f < planes.size(); ++f)
        for (int64_t begin = 0; begin < map.table.rows; begin += grain) {
            job.report((static_cast<double>(f) +
                        static_cast<double>(begin) / static_cast<double>(map.table.rows)) /
                           static_cast<double>(planes.size()),
                       "reading");
            const int64_t count = std::min(grain, map.table.rows - begin);
            buffer.resize(static_cast<size_t>(count * map.table.rowBytes));
            file.readData(*map.hdu, planes[f]->offset + begin * map.table.rowBytes, buffer);
            decode(begin, count, buffer.data(), static_cast<int>(f));
        }
}

// Index and values of all rows, in file order.
RowData readRows(FitsFile& file, const MapTable& map, const std::vector<const MapPlane*>& planes,
                 JobContext& job) {
    const int64_t perRow = map.index != nullptr ? map.index->repeat
                           : planes.empty()     ? 0
                                                : planes[0]->column->repeat;
    // After this check, sizes of the header are confirmed by data on disk.
    file.requireData(*map.hdu);
    const int64_t elements = map.table.rows * perRow;
    int64_t bytes = map.index != nullptr ? elements * 8 : 0;
    for (const MapPlane* plane : planes) bytes += elements * (heldAsFloat(*plane->column) ? 4 : 8);
    requireMemory(file.path(), bytes);

    RowData data;
    if (map.index != nullptr) data.index = newVector<int64_t>(elements, job);
    data.fields = emptyFields(planes, elements, job);
    RowDecoder decode(map, planes, data.fields);
    if (map.isImage)
        readImagePlanes(file, map, planes, decode, job);
    else
        forTablePieces(file, *map.hdu, map.table, job, "reading",
                       [&](int64_t first, int64_t count, const std::byte* rows) {
                           if (map.index != nullptr)
                               decodeIntegers(map.table, *map.index, rows, count,
                                              data.index.data() + first * perRow);
                           decode(first, count, rows);
                       });
    data.inexact = decode.inexact();
    if (map.firstPixel >= 0) {
        data.index = newVector<int64_t>(elements, job);
        std::iota(data.index.begin(), data.index.end(), map.firstPixel);
    }
    return data;
}

// Removes fields that double does not hold exactly, unless requested by name.
void leaveOutInexact(const FitsFile& file, const std::vector<const MapPlane*>& planes,
                     RowData& data, const MapReadOptions& options) {
    if (data.inexact.empty()) return;
    if (!options.fields.empty() || data.inexact.size() == data.fields.size())
        refuseInexact(file.path(), data.inexact.front());
    std::string names;
    for (size_t f = planes.size(); f-- > 0;) {
        const std::string& name = planes[f]->columnName;
        if (std::find(data.inexact.begin(), data.inexact.end(), name) == data.inexact.end())
            continue;
        data.fields.erase(data.fields.begin() + static_cast<long>(f));
        names = name + (names.empty() ? "" : ", ") + names;
    }
    addNote(options,
            "omitted: " + names +
                ", integers of 2^53 and more (usually 64-bit flags), which the fields of a map "
                "cannot hold");
}

// Replaces numbers within the region by pixels of the sky. Removes rows beyond the region, which
// planes of a larger nside have.
void placeInRegion(const std::string& path, const MapTable& map, int64_t nside, RowData& data,
                   JobContext& job) {
    int64_t largest = nside;
    for (const MapPlane& plane : map.planes) largest = std::max(largest, plane.nside);
    const std::vector<int64_t> pixels =
        pixelsOf(*map.region, path, nside, map.ordering, std::ssize(data.index));
    if (nside < largest && data.index.size() > pixels.size()) {
        data.index.resize(pixels.size());
        for (Field& field : data.fields)
            std::visit([&](auto& values) { values.resize(pixels.size()); }, field.values);
    }
    for (size_t i = 0; i < data.index.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        if (data.index[i] < 0 || data.index[i] >= std::ssize(pixels))
            refuse(path,
                   "numbers below the " + std::to_string(pixels.size()) + " pixels of the region",
                   std::to_string(data.index[i]) + " in row " + std::to_string(i + 1));
        data.index[i] = pixels[static_cast<size_t>(data.index[i])];
    }
}

HealpixMap partialMap(const FitsFile& file, const MapTable& map, int64_t nside, RowData data,
                      JobContext& job) {
    if (map.isLocal) placeInRegion(file.path(), map, nside, data, job);
    return listedMap(file.path(), nside, map.ordering, map.frame, std::move(data), job);
}

// The channel of each row; a key is replaced by its pixel.
std::vector<int64_t> channelsOf(FitsFile& file, const MapTable& map, std::vector<int64_t>& index,
                                JobContext& job) {
    std::vector<int64_t> channels(index.size(), 0);
    if (map.isKeyed)
        for (size_t i = 0; i < index.size(); ++i) {
            channels[i] = index[i] / pixelCount(map.nside);
            index[i] %= pixelCount(map.nside);
        }
    else if (map.channel != nullptr)
        forTablePieces(file, *map.hdu, map.table, job, "reading",
                       [&](int64_t first, int64_t count, const std::byte* rows) {
                           decodeIntegers(map.table, *map.channel, rows, count,
                                          channels.data() + first);
                       });
    return channels;
}

// The pixels of the chosen rows and of the region, in order. Empty for the whole sky: a list
// without a region.
std::vector<int64_t> sparsePixels(const FitsFile& file, const MapTable& map, int64_t nside,
                                  std::vector<int64_t> listed, int64_t fields) {
    if (map.region && map.region->shape == MapRegion::Shape::Disc) {
        const double share = 0.5 * (1.0 - std::cos(map.region->radius));
        const double bytes =
            share * static_cast<double>(pixelCount(nside)) * 8.0 * static_cast<double>(fields + 1);
        requireMemory(file.path(), static_cast<int64_t>(std::min(bytes, 4e18)));
        const std::vector<int64_t> disc = discPixels(*map.region, file.path(), nside, map.ordering);
        listed.insert(listed.end(), disc.begin(), disc.end());
    }
    if (listed.empty()) refuse(file.path(), "a map with at least one pixel", "no rows");
    if (map.coverage == Coverage::Full) return {};
    std::sort(listed.begin(), listed.end());
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
    return listed;
}

// Fields of zeros, one for each plane.
std::vector<Field> zeroFields(const FitsFile& file, const std::vector<const MapPlane*>& planes,
                              int64_t elements, JobContext& job) {
    // A value of 8 bytes and a mark of its row.
    if (elements > INT64_MAX / 9 / std::ssize(planes)) requireMemory(file.path(), INT64_MAX);
    requireMemory(file.path(), std::ssize(planes) * elements * 9);
    std::vector<Field> fields = emptyFields(planes, 0, job);
    for (Field& field : fields) {
        field.diskType = DiskType::Float64;
        field.values = std::vector<double>(static_cast<size_t>(elements), 0.0);
    }
    return fields;
}

// INDXSCHM = SPARSE: rows of pixel, channel and value. One field for each channel. Pixels without a
// row of the channel get 0: in the region, in the whole sky without a region.
HealpixMap sparseMap(FitsFile& file, const MapTable& map,
                     const std::vector<const MapPlane*>& planes, JobContext& job) {
    const int64_t nside = nsideOf(map, planes);
    RowData data = readRows(file, map, {planes.front()}, job);
    if (!data.inexact.empty()) refuseInexact(file.path(), data.inexact.front());
    const std::vector<int64_t> channels = channelsOf(file, map, data.index, job);
    std::map<int64_t, size_t> fieldOf, known;
    for (size_t f = 0; f < planes.size(); ++f) fieldOf.emplace(planes[f]->channel, f);
    for (const MapPlane& plane : map.planes) known.emplace(plane.channel, 0);
    std::vector<int64_t> pixels;
    for (size_t i = 0; i < channels.size(); ++i) {
        if (!known.contains(channels[i]))
            refuse(file.path(), "channels of the table of bands",
                   "channel " + std::to_string(channels[i]) + " in row " + std::to_string(i + 1));
        if (fieldOf.contains(channels[i])) pixels.push_back(data.index[i]);
    }
    checkPixels(file.path(), pixels, nside, job);
    pixels = sparsePixels(file, map, nside, std::move(pixels), std::ssize(planes));
    const auto elements = pixels.empty() ? static_cast<size_t>(pixelCount(nside)) : pixels.size();
    std::vector<Field> fields = zeroFields(file, planes, static_cast<int64_t>(elements), job);
    std::vector<std::vector<bool>> seen(planes.size(), std::vector<bool>(elements));
    for (size_t i = 0; i < channels.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        const auto field = fieldOf.find(channels[i]);
        if (field == fieldOf.end()) continue;
        const auto at = pixels.empty()
                            ? static_cast<size_t>(data.index[i])
                            : static_cast<size_t>(
                                  std::lower_bound(pixels.begin(), pixels.end(), data.index[i]) -
                                  pixels.begin());
        if (seen[field->second][at])
            refuse(file.path(), "each pixel index once in a channel",
                   std::to_string(data.index[i]) + " twice");
        seen[field->second][at] = true;
        std::get<std::vector<double>>(fields[field->second].values)[at] =
            data.fields[0].at(static_cast<int64_t>(i));
    }
    if (pixels.empty()) return {nside, map.ordering, map.frame, std::move(fields)};
    return HealpixMap::partial(nside, map.ordering, map.frame, std::move(pixels),
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

// The order that a MOC header declares, otherwise the order of its cells.
int declaredOrder(const MapTable& table, int cells) {
    for (const char* key : {"MOCORD_S", "MOCORDER"})
        if (const auto order = table.hdu->header.integer(key); order && *order <= 29)
            return std::max(cells, static_cast<int>(*order));
    return cells;
}

// All pixels of each plane; a plane with a smaller nside occupies the first rows.
HealpixMap fullMap(const MapTable& map, int64_t nside, RowData data) {
    for (Field& field : data.fields)
        std::visit([&](auto& values) { values.resize(static_cast<size_t>(pixelCount(nside))); },
                   field.values);
    return {nside, map.ordering, map.frame, std::move(data.fields)};
}

// Reads planes of one HDU.
HealpixMap readPlanes(FitsFile& file, const MapTable& table,
                      const std::vector<const MapPlane*>& planes, const MapReadOptions& options,
                      JobContext& job) {
    const int64_t nside = nsideOf(table, planes);
    // A MOC may be empty, such as an intersection of disjoint regions.
    const bool isMoc = table.coverage == Coverage::MultiOrder && table.planes.empty();
    HealpixMap map;
    if (table.isSparse) {
        map = sparseMap(file, table, planes, job);
    } else {
        RowData data = table.tiles ? readTilePixels(file, table, planes, job)
                                   : readRows(file, table, planes, job);
        leaveOutInexact(file, planes, data, options);
        if (data.index.empty() && table.coverage != Coverage::Full && !isMoc)
            refuse(file.path(), "a map with at least one pixel", "no rows");
        switch (table.coverage) {
            case Coverage::Full: map = fullMap(table, nside, std::move(data)); break;
            case Coverage::Partial:
                map = partialMap(file, table, nside, std::move(data), job);
                break;
            case Coverage::MultiOrder:
                map = multiOrderMap(file, table, std::move(data), job);
                break;
        }
    }
    map.metadata() = readMetadata(table);
    if (isMoc) declareMocOrder(map, declaredOrder(table, orderOf(map.nside())));
    if (table.iau) flipStokesU(map, job);
    if (const std::string note = leftOutNote(table); !note.empty() && options.fields.empty())
        addNote(options, note);
    return map;
}

// Reads chosen planes of I, Q and U in an HDU each: `table` with all planes, and `others`.
HealpixMap readStokes(FitsFile& file, const MapTable& table, const std::vector<MapTable>& others,
                      const std::vector<const MapPlane*>& planes, const MapReadOptions& options,
                      JobContext& job) {
    std::optional<HealpixMap> all;
    for (size_t i = 0; i < planes.size(); ++i) {
        const auto share = static_cast<double>(planes.size());
        JobContext part =
            job.part(static_cast<double>(i) / share, static_cast<double>(i + 1) / share);
        const auto number = static_cast<size_t>(planes[i] - table.planes.data());
        const MapTable& from = number == 0 ? table : others[number - 1];
        HealpixMap map = readPlanes(file, from, {planes[i]}, options, part);
        if (!all) {
            all = std::move(map);
            continue;
        }
        const auto pixels = map.pixels(), firstPixels = all->pixels();
        if (!std::equal(pixels.begin(), pixels.end(), firstPixels.begin(), firstPixels.end())) {
            addNote(options, "omitted, because its pixels are not those of the first field: " +
                                 planes[i]->name);
            continue;
        }
        std::vector<Field> fields;
        for (int f = 0; f < all->fieldCount(); ++f) fields.push_back(std::move(all->field(f)));
        fields.push_back(std::move(map.field(0)));
        MapMetadata metadata = std::move(all->metadata());
        metadata.iauOnDisk = metadata.iauOnDisk || map.metadata().iauOnDisk;
        if (all->coverage() == Coverage::Full) {
            all = HealpixMap(all->nside(), all->ordering(), all->frame(), std::move(fields));
        } else {
            all = HealpixMap::partial(all->nside(), all->ordering(), all->frame(),
                                      std::vector<int64_t>(pixels.begin(), pixels.end()),
                                      std::move(fields));
        }
        all->metadata() = std::move(metadata);
    }
    return *std::move(all);
}

HealpixMap readMapFrom(FitsFile& file, const std::optional<std::string>& selector,
                       const MapReadOptions& options, JobContext& job) {
    const FitsHdu& hdu = findMapHdu(file, selector, options.stated);
    MapTable table = mapTable(file, hdu, options.stated);
    const bool mayContinue = !selector && mayBeginStokes(table);
    // The headers after the data of a compressed file are reached by unpacking the data, which are
    // therefore read first.
    const bool isLater = mayContinue && !file.randomAccess() && options.fields.empty();
    std::vector<MapTable> others;
    std::string damage;
    if (mayContinue && !isLater) others = otherStokes(file, table, options.stated, damage);
    addStokes(table, others);
    const std::vector<const MapPlane*> planes = selectedPlanes(file, table, options);
    if (!others.empty() && !file.randomAccess()) file.unpack(job);
    HealpixMap map = others.empty() ? readPlanes(file, table, planes, options, job)
                                    : readStokes(file, table, others, planes, options, job);
    if (isLater && !otherStokes(file, table, options.stated, damage).empty()) {
        file.unpack(job);
        return readMapFrom(file, selector, options, job);
    }
    if (!damage.empty()) addNote(options, damage);
    file.verifyRest(job);
    job.report(1.0, "reading");
    return map;
}

}  // namespace

HealpixMap readMap(const std::string& path, const MapReadOptions& options, JobContext& job) {
    const FilePath where = parseFilePath(path);
    return orOutOfMemory(where.path, [&] {
        if (isHipsFolder(where.path)) return readHips(where.path, options, job);
        if (isHealSparseFolder(where.path)) return readHealSparseFolder(where.path, options, job);
        if (isHatsFolder(where.path)) refuseHatsAsMap(where.path);
        if (isZarrFolder(where.path)) return readZarr(where.path, options, job);
        if (looksLikeText(where.path) && isTextMoc(where.path)) return readTextMoc(where.path, job);
        if (isNpyFile(where.path)) return readNpyMap(where.path, options, job);
        if (isHdf5(where.path)) return readHdf5Map(where.path, options, job);
        FitsFile file(where.path, job.stopToken());
        return readMapFrom(file, where.hdu, options, job);
    });
}

struct MapPartReader::State {
    State(const FilePath& where, const MapReadOptions& options, std::stop_token stop)
        : file(where.path, std::move(stop)),
          table(mapTable(file, findMapHdu(file, where.hdu, options.stated), options.stated)) {
        std::string damage;
        if (!where.hdu && mayBeginStokes(table))
            others = otherStokes(file, table, options.stated, damage);
        if (!damage.empty()) addNote(options, damage);
        addStokes(table, others);
        planes = selectedPlanes(file, table, options);
    }
    FitsFile file;
    MapTable table;
    std::vector<MapTable> others;
    std::vector<const MapPlane*> planes;
    MapOutline outline;
    std::vector<int> flipped;  // U fields of opposite sign
};

MapPartReader::MapPartReader(const std::string& path, const MapReadOptions& options,
                             JobContext& job) {
    const FilePath where = parseFilePath(path);
    state_ = std::make_unique<State>(where, options, job.stopToken());
    const MapTable& table = state_->table;
    state_->outline = outlineOf(nsideOf(table, state_->planes), table.ordering, table.frame,
                                emptyFields(state_->planes, 0, job));
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
    const MapTable& map = state_->table;
    if (map.coverage != Coverage::Full || map.isImage || map.isSparse || !state_->others.empty() ||
        !state_->file.randomAccess())
        return false;
    const int64_t values = map.table.rows * state_->planes.front()->column->repeat;
    return values == pixelCount(state_->outline.nside);
}

std::vector<Field> MapPartReader::read(std::span<const ElementRun> runs, JobContext& job) {
    ARMILLA_ASSERT(inParts());
    const MapTable& map = state_->table;
    const std::vector<const MapPlane*>& planes = state_->planes;
    int64_t elements = 0;
    for (const ElementRun& run : runs) elements += run.count;
    std::vector<Field> fields = emptyFields(planes, elements, job);
    const BadValues bad = healpixBadValues(map.badData);
    const int64_t perRow = planes[0]->column->repeat, rowBytes = map.table.rowBytes;
    // Pieces below the mmap threshold of malloc: memory returned to the system faults in anew every
    // time.
    constexpr int64_t kPieceBytes = 1 << 15, kMostRow = 1 << 26;
    if (rowBytes > kMostRow)
        refuse(state_->file.path(), "table rows of at most " + std::to_string(kMostRow) + " bytes",
               "NAXIS1 = " + std::to_string(rowBytes));
    // Rows of a run that are read at once.
    struct Piece {
        ElementRun run;
        int64_t before = 0;  // values of the runs before
        int64_t first = 0, rows = 0;
    };
    const int64_t most = std::max<int64_t>(1, kPieceBytes / rowBytes);
    std::vector<Piece> pieces;
    int64_t before = 0;
    for (const ElementRun& run : runs) {
        const int64_t end = run.count == 0 ? 0 : (run.first + run.count - 1) / perRow + 1;
        for (int64_t row = run.first / perRow; row < end; row += most)
            pieces.push_back({run, before, row, std::min(most, end - row)});
        before += run.count;
    }
    const auto read = [&](const Piece& piece) {
        std::vector<std::byte> bytes(static_cast<size_t>(piece.rows * rowBytes));
        state_->file.readData(*map.hdu, piece.first * rowBytes, bytes);
        const int64_t first = piece.first * perRow, last = (piece.first + piece.rows) * perRow;
        const int64_t from = std::max(first, piece.run.first);
        const int64_t count = std::min(last, piece.run.first + piece.run.count) - from;
        const auto decode = [&]<typename T>(const FitsColumn& column, std::vector<T>& values) {
            std::vector<T> some(static_cast<size_t>(last - first));
            decodeColumn(map.table, column, bytes.data(), piece.rows, bad, some.data());
            if constexpr (std::is_same_v<T, double>)
                if (diskTypeOf(column) == DiskType::Int64 && !isExact(some.data(), last - first))
                    refuseInexact(state_->file.path(), fieldName(column));
            std::copy_n(some.begin() + (from - first), count,
                        values.begin() + (piece.before + from - piece.run.first));
        };
        for (size_t f = 0; f < planes.size(); ++f)
            std::visit([&](auto& values) { decode(*planes[f]->column, values); }, fields[f].values);
    };
    // Short runs, such as parts of rings, share a range of the loop.
    constexpr int64_t kTogether = 16;
    parallelFor(
        job, std::ssize(pieces), runs.size() > pieces.size() / 2 ? kTogether : 1,
        [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                read(pieces[i]);
        },
        "reading");
    for (const int index : state_->flipped)
        std::visit(
            [](auto& values) {
                for (auto& value : values) value = -value;
            },
            fields[static_cast<size_t>(index)].values);
    return fields;
}

}  // namespace armilla
