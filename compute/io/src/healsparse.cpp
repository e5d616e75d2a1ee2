// SPDX-License-Identifier: GPL-3.0-or-later
#include "healsparse.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "map_facts.h"
#include "unpack_tiles.h"

namespace armilla {

namespace {

using Kind = PixelTiles::Kind;

// Pixels that one piece of work decodes: 2 MB of doubles, which a processor's cache holds.
constexpr int64_t kPiecePixels = int64_t{1} << 18;
// 32768 bits: more than the exposures of any mask in use.
constexpr int64_t kMaxMaskBytes = 4096;

const FitsHdu* extension(FitsFile& file, std::string_view name) {
    for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i)
        if (upperTrimmed(hdu->name()) == name) return hdu;
    return nullptr;
}

bool isPackedImage(const FitsHdu& hdu) {
    return hdu.header.logical("ZIMAGE").value_or(false);
}

// Bytes of an image's values, after decompression.
int64_t imageBytesOf(const FitsFile& file, const FitsHdu& hdu) {
    return isPackedImage(hdu) ? unpackedBytes(file.path(), hdu.header, hdu.dataBytes)
                              : hdu.dataBytes;
}

int64_t tilesNside(const FitsFile& file, const FitsHdu& hdu, const char* name) {
    const auto nside = hdu.header.integer("NSIDE");
    if (!nside || !isPowerOfTwoNside(*nside))
        refuse(file.path(),
               std::string("a power of two up to 2^29 as NSIDE of the extension ") + name,
               nside ? std::to_string(*nside) : inQuotes(hdu.header.text("NSIDE").value_or("")));
    return *nside;
}

void readCoverage(FitsFile& file, MapTable& map) {
    PixelTiles& tiles = *map.tiles;
    tiles.cover = extension(file, "COV");
    if (tiles.cover == nullptr || tiles.cover->type != HduType::Image)
        refuse(file.path(), "an image COV that locates the tiles of the HealSparse map", "none");
    tiles.coverNside = tilesNside(file, *tiles.cover, "COV");
    const FitsColumn value = imageColumn(*tiles.cover, 1);
    const int64_t count = tiles.cover->dataBytes / std::max<int64_t>(1, value.width);
    if (!value.isInteger() || value.isScaled() || count != pixelCount(tiles.coverNside))
        refuse(file.path(),
               std::to_string(pixelCount(tiles.coverNside)) +
                   " integers in the extension COV for its NSIDE = " +
                   std::to_string(tiles.coverNside),
               std::to_string(count) + (value.isInteger() ? "" : " real numbers"));
    if (tiles.coverNside > map.nside)
        refuse(file.path(), "a coverage of at most the map's NSIDE = " + std::to_string(map.nside),
               "NSIDE = " + std::to_string(tiles.coverNside) + " in the extension COV");
    const int64_t ratio = map.nside / tiles.coverNside;
    tiles.tilePixels = ratio * ratio;
}

// The kind of an image: plain numbers, flags, packed flags or bits.
Kind imageKind(const FitsFile& file, const FitsHdu& hdu, const FitsColumn& value) {
    const auto isSet = [&](const char* key) { return hdu.header.logical(key).value_or(false); };
    const std::string sentinel = upperTrimmed(hdu.header.text("SENTINEL").value_or(""));
    Kind kind = sentinel == "T" || sentinel == "F" ? Kind::Flags : Kind::Numbers;
    if (isSet("BITPACK")) kind = Kind::Packed;
    if (isSet("WIDEMASK")) kind = Kind::Bits;
    if (kind != Kind::Numbers && !value.isInteger())
        refuse(file.path(), "integers in the extension SPARSE of a mask", "real numbers");
    if ((kind == Kind::Packed || kind == Kind::Bits) && value.width != 1)
        refuse(file.path(), "bytes (BITPIX = 8) in the extension SPARSE of packed bits",
               std::to_string(value.width) + " bytes a value");
    return kind;
}

// The value of pixels without data, in the precision of the column.
double readSentinel(const FitsFile& file, const FitsHdu& hdu, Kind kind,
                    const FitsColumn& primary) {
    if (kind == Kind::Packed || kind == Kind::Bits) return 0.0;
    const auto text = hdu.header.text("SENTINEL");
    const std::string upper = upperTrimmed(text.value_or(""));
    const bool isReal = primary.code == 'E' || primary.code == 'D';
    double value = kUnseen;
    if (upper == "T" || upper == "F")
        value = upper == "T" ? 1.0 : 0.0;
    else if (isReal && upper == "NAN")
        value = kNan;
    else if (const auto number = parseReal(upper))
        value = *number;
    else if (text || !isReal)  // healsparse assumes UNSEEN where the card is absent
        refuse(file.path(), "SENTINEL, the value of pixels without data",
               text ? inQuotes(*text) : "none");
    return primary.code == 'E' ? static_cast<double>(static_cast<float>(value)) : value;
}

// Names of bits: BITn of general use; BnnnnVIS and BnnnnCCD of Rubin's maps of exposures.
std::string namedBit(const FitsHeader& header, int64_t bit) {
    const std::string n = std::to_string(bit);
    for (const char* stem : {"BIT", "BIT_"})
        if (const std::string name = trimmed(header.text(stem + n).value_or("")); !name.empty())
            return name;
    const std::string stem = "B" + std::string(n.size() < 4 ? 4 - n.size() : 0, '0') + n;
    const auto visit = header.text(stem + "VIS"), detector = header.text(stem + "CCD");
    if (!visit && !detector) return bitName(bit);
    std::string name = visit ? "VISIT" + trimmed(*visit) : "";
    if (detector) name += (name.empty() ? "CCD" : "_CCD") + trimmed(*detector);
    return name;
}

// A plane for each bit. A name that two bits share does not identify either.
void addBitPlanes(MapTable& map, const FitsHeader& header, int64_t bits) {
    std::set<std::string> names;
    for (int64_t bit = 0; bit < bits; ++bit) {
        MapPlane plane = planeOf(map.table.columns.front(), map.nside);
        plane.name = namedBit(header, bit);
        if (!names.insert(upperTrimmed(plane.name)).second) plane.name = bitName(bit);
        plane.columnName = plane.name;
        plane.channel = bit;
        map.planes.push_back(std::move(plane));
    }
}

// A column of flags, as the planes of masks describe themselves.
FitsColumn flagColumn(const char* name) {
    FitsColumn column;
    column.number = 1;
    column.name = name;
    column.code = 'L';
    column.width = 1;
    return column;
}

// Pixels in the extension SPARSE.
int64_t readImageLayout(FitsFile& file, MapTable& map) {
    PixelTiles& tiles = *map.tiles;
    FitsColumn value = imageColumn(*map.hdu, 1);
    if (value.width == 0) refuse(file.path(), "values in the extension SPARSE", "no data");
    tiles.kind = imageKind(file, *map.hdu, value);
    const int64_t values = imageBytesOf(file, *map.hdu) / value.width;
    map.table.rowBytes = value.width;
    int64_t pixels = values;
    if (tiles.kind == Kind::Numbers) {
        value.name = "VALUE";
        value.null = std::nullopt;
        map.table.columns = {value};
        map.planes.push_back(planeOf(map.table.columns.front(), map.nside));
    } else if (tiles.kind == Kind::Bits) {
        const int64_t width = map.hdu->header.integer("WWIDTH").value_or(0);
        if (width < 1 || width > kMaxMaskBytes || values % width != 0)
            refuse(file.path(),
                   "WWIDTH from 1 to " + std::to_string(kMaxMaskBytes) +
                       " bytes a pixel that divides the " + std::to_string(values) +
                       " bytes of the extension SPARSE",
                   inQuotes(map.hdu->header.text("WWIDTH").value_or("")));
        pixels = values / width;
        map.table.rowBytes = width;
        map.table.columns = {flagColumn("BITS")};
        addBitPlanes(map, map.hdu->header, 8 * width);
    } else {
        map.table.columns = {flagColumn("MASK")};
        if (tiles.kind == Kind::Packed) {
            if (tiles.tilePixels % 8 != 0)
                refuse(file.path(), "tiles of whole bytes of packed bits",
                       "tiles of " + std::to_string(tiles.tilePixels) + " pixels");
            if (values > std::numeric_limits<int64_t>::max() / 8)
                refuse(file.path(), "packed bits that a file can hold", std::to_string(values));
            pixels = 8 * values;
        }
        map.planes.push_back(planeOf(map.table.columns.front(), map.nside));
    }
    tiles.primary = &map.table.columns.front();
    tiles.sentinel = readSentinel(file, *map.hdu, tiles.kind, value);
    return pixels;
}

int64_t readRecordLayout(FitsFile& file, MapTable& map) {
    PixelTiles& tiles = *map.tiles;
    tiles.kind = Kind::Records;
    map.table = tableLayout(file, *map.hdu);
    const auto name = map.hdu->header.text("PRIMARY");
    tiles.primary = map.table.column(trimmed(name.value_or("")));
    if (tiles.primary == nullptr || !tiles.primary->isNumeric() || tiles.primary->repeat != 1)
        refuse(file.path(), "PRIMARY, the column whose SENTINEL marks pixels without data",
               name ? inQuotes(*name) : "none");
    for (FitsColumn& column : map.table.columns) {
        if (!column.isNumeric() || column.repeat != 1) continue;
        map.planes.push_back(planeOf(column, map.nside));
        // healsparse fills the columns beside the primary one with the least integer of their type.
        column.null = std::nullopt;
        if (&column == tiles.primary || column.isScaled()) continue;
        if (column.code == 'I') column.null = std::numeric_limits<int16_t>::min();
        if (column.code == 'J') column.null = std::numeric_limits<int32_t>::min();
        if (column.code == 'K') column.null = std::numeric_limits<int64_t>::min();
    }
    tiles.sentinel = readSentinel(file, *map.hdu, tiles.kind, *tiles.primary);
    return map.table.rows;
}

// ---- Values. ----

// A covered pixel of the coverage and the place of its tile.
struct Tile {
    int64_t coverPixel = 0, place = 0;
};

std::vector<Tile> coveredTiles(FitsFile& file, const MapTable& map, JobContext& job) {
    const PixelTiles& tiles = *map.tiles;
    const int64_t count = pixelCount(tiles.coverNside);
    file.requireData(*tiles.cover);
    TableLayout layout;
    layout.columns = {imageColumn(*tiles.cover, 1)};
    layout.rows = count;
    layout.rowBytes = layout.columns.front().width;
    requireMemory(file.path(), count * (layout.rowBytes + 8 + 16));
    std::vector<std::byte> bytes(static_cast<size_t>(count * layout.rowBytes));
    file.readData(*tiles.cover, 0, bytes);
    std::vector<int64_t> offsets(static_cast<size_t>(count));
    decodeIntegers(layout, layout.columns.front(), bytes.data(), count, offsets.data());
    std::vector<Tile> covered;
    for (int64_t pixel = 0; pixel < count; ++pixel) {
        if ((pixel & 0xffff) == 0) job.poll();
        // The offset is added to a nested pixel number of the map.
        int64_t start = 0;
        const bool fits = !__builtin_add_overflow(offsets[static_cast<size_t>(pixel)],
                                                  pixel * tiles.tilePixels, &start);
        if (!fits || start < 0 || start % tiles.tilePixels != 0 ||
            start / tiles.tilePixels >= tiles.tileCount)
            refuse(file.path(),
                   "offsets in the extension COV to one of " + std::to_string(tiles.tileCount) +
                       " tiles of " + std::to_string(tiles.tilePixels) + " pixels",
                   std::to_string(offsets[static_cast<size_t>(pixel)]) + " at pixel " +
                       std::to_string(pixel));
        if (start > 0) covered.push_back({pixel, start / tiles.tilePixels});
    }
    std::vector<bool> taken(static_cast<size_t>(std::min(tiles.tileCount, count + 1)));
    for (const Tile& tile : covered) {
        // More tiles than pixels of the coverage are unused, but may lie anywhere.
        if (static_cast<size_t>(tile.place) >= taken.size())
            taken.resize(static_cast<size_t>(tile.place) + 1);
        if (taken[static_cast<size_t>(tile.place)])
            refuse(file.path(), "a tile for each covered pixel of the extension COV",
                   "tile " + std::to_string(tile.place) + " twice");
        taken[static_cast<size_t>(tile.place)] = true;
    }
    return covered;
}

// Reads and decodes pieces of tiles; usable from several threads.
class TileReader {
public:
    TileReader(FitsFile& file, const MapTable& map, JobContext& job)
        : file_(file), map_(map), tiles_(*map.tiles), covered_(coveredTiles(file, map, job)) {
        pixels_ = std::min(tiles_.tilePixels, kPiecePixels);
        if (tiles_.primary->code == 'E' || tiles_.primary->code == 'D') {
            primaryBad_.low1 = primaryBad_.high1 = tiles_.sentinel;
            if (std::isnan(tiles_.sentinel)) primaryBad_ = {};
        }
        fieldBad_.low1 = fieldBad_.high1 = kUnseen;
        raw_.columns = {imageColumn(*map.hdu, 1)};
        raw_.columns.front().null = std::nullopt;
        raw_.rowBytes = raw_.columns.front().width;
    }
    int64_t pieceCount() const { return std::ssize(covered_) * (tiles_.tilePixels / pixels_); }
    int64_t piecePixels() const { return pixels_; }
    // The bytes of a piece, and its first pixel of the map.
    int64_t read(int64_t piece, std::vector<std::byte>& bytes) {
        const int64_t perTile = tiles_.tilePixels / pixels_;
        const Tile& tile = covered_[static_cast<size_t>(piece / perTile)];
        const int64_t within = piece % perTile * pixels_;
        bytes.resize(static_cast<size_t>(bytesOf(pixels_)));
        file_.readData(*map_.hdu, bytesOf(tile.place * tiles_.tilePixels + within), bytes);
        return tile.coverPixel * tiles_.tilePixels + within;
    }
    // 1 for each pixel of the piece with data, otherwise 0.
    void markValid(const std::vector<std::byte>& bytes, std::vector<uint8_t>& valid) const {
        valid.assign(static_cast<size_t>(pixels_), 0);
        if (tiles_.kind == Kind::Bits) {
            for (size_t i = 0; i < bytes.size(); ++i)
                if (bytes[i] != std::byte{0})
                    valid[i / static_cast<size_t>(map_.table.rowBytes)] = 1;
            return;
        }
        thread_local std::vector<double> values;
        values.resize(static_cast<size_t>(pixels_));
        decode(*tiles_.primary, primaryBad_, bytes, values.data());
        for (size_t i = 0; i < valid.size(); ++i)
            valid[i] = std::isfinite(values[i]) && values[i] != tiles_.sentinel ? 1 : 0;
    }
    template <class T>
    void decodePlane(const MapPlane& plane, const std::vector<std::byte>& bytes, T* out) const {
        if (tiles_.kind != Kind::Bits)
            return decode(*plane.column, plane.column == tiles_.primary ? primaryBad_ : fieldBad_,
                          bytes, out);
        const std::byte* at = bytes.data() + plane.channel / 8;
        for (int64_t i = 0; i < pixels_; ++i, at += map_.table.rowBytes)
            out[i] = static_cast<T>(std::to_integer<int>(*at >> (plane.channel % 8)) & 1);
    }

private:
    int64_t bytesOf(int64_t pixels) const {
        return tiles_.kind == Kind::Packed ? pixels / 8 : pixels * map_.table.rowBytes;
    }
    template <class T>
    void decode(const FitsColumn& column, const BadValues& bad, const std::vector<std::byte>& bytes,
                T* out) const {
        switch (tiles_.kind) {
            case Kind::Packed:
                for (int64_t i = 0; i < pixels_; ++i)
                    out[i] = static_cast<T>(
                        std::to_integer<int>(bytes[static_cast<size_t>(i / 8)] >> (i % 8)) & 1);
                break;
            case Kind::Flags:
                decodeColumn(raw_, raw_.columns.front(), bytes.data(), pixels_, {}, out);
                for (int64_t i = 0; i < pixels_; ++i) out[i] = out[i] != T{0} ? T{1} : T{0};
                break;
            default: decodeColumn(map_.table, column, bytes.data(), pixels_, bad, out);
        }
    }

    FitsFile& file_;
    const MapTable& map_;
    const PixelTiles& tiles_;
    std::vector<Tile> covered_;
    int64_t pixels_ = 0;  // pixels in each piece
    TableLayout raw_;     // layout of an image of flags
    BadValues primaryBad_, fieldBad_;
};

// Number of pixels with data in the pieces before each piece, and in all.
std::vector<int64_t> startsOf(TileReader& reader, JobContext& job) {
    const int64_t pieces = reader.pieceCount();
    std::vector<int64_t> starts(static_cast<size_t>(pieces) + 1, 0);
    const int64_t grain = std::max<int64_t>(1, kPiecePixels / 8 / reader.piecePixels());
    parallelFor(
        job, pieces, grain,
        [&](long long begin, long long end) {
            std::vector<std::byte> bytes;
            std::vector<uint8_t> valid;
            for (long long piece = begin; piece < end; ++piece) {
                reader.read(piece, bytes);
                reader.markValid(bytes, valid);
                starts[static_cast<size_t>(piece) + 1] =
                    std::accumulate(valid.begin(), valid.end(), int64_t{0});
            }
        },
        "reading");
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    return starts;
}

// The header of the unpacked image must describe the values that mapTable() planned for.
void checkUnpacked(const FitsFile& file, const MapTable& map) {
    file.requireData(*map.hdu);
    if (map.tiles->kind == Kind::Records) return;
    const int64_t pixels = map.tiles->tileCount * map.tiles->tilePixels;
    const int64_t expected =
        map.tiles->kind == Kind::Packed ? pixels / 8 : pixels * map.table.rowBytes;
    if (map.hdu->dataBytes != expected || isPackedImage(*map.hdu))
        refuse(file.path(), std::to_string(expected) + " bytes in the unpacked extension SPARSE",
               std::to_string(map.hdu->dataBytes));
}

// Copies the values of one piece's pixels with data to `first` and on.
template <class T>
void takeValid(const std::vector<T>& values, const std::vector<uint8_t>& valid, T* first) {
    for (size_t i = 0; i < valid.size(); ++i)
        if (valid[i] != 0) *first++ = values[i];
}

}  // namespace

bool isHealSparse(FitsFile& file, const FitsHdu& hdu) {
    return upperTrimmed(mapKeyword(hdu, *file.hdu(0), "PIXTYPE").value_or("")) == "HEALSPARSE";
}

bool isHealSparseMap(const FitsHdu& hdu) {
    return upperTrimmed(hdu.name()) == "SPARSE";
}

std::string bitName(int64_t bit) {
    return "BIT" + std::to_string(bit);
}

void readPixelTiles(FitsFile& file, MapTable& map, const StatedPixels& stated) {
    if (!isHealSparseMap(*map.hdu))
        refuse(file.path(), "the extension SPARSE of a HealSparse file",
               inQuotes(map.hdu->name()) + " in HDU " + std::to_string(map.hdu->number));
    if (stated.ordering == Ordering::Ring && !stated.fileDecides)
        throw InvalidArgument(
            "expected no --input-ordering, or nested as in every HealSparse "
            "file, found ring");
    map.tiles.emplace();
    map.coverage = Coverage::Partial;
    map.ordering = Ordering::Nested;
    map.nside = agreedNside(tilesNside(file, *map.hdu, "SPARSE"), stated);
    readCoverage(file, map);
    const bool isImage = map.hdu->type == HduType::Image || isPackedImage(*map.hdu);
    if (!isImage && map.hdu->type != HduType::BinaryTable)
        refuse(file.path(), "an image or a binary table in the extension SPARSE",
               "another kind of HDU");
    const int64_t pixels = isImage ? readImageLayout(file, map) : readRecordLayout(file, map);
    PixelTiles& tiles = *map.tiles;
    if (pixels < tiles.tilePixels || pixels % tiles.tilePixels != 0)
        refuse(file.path(),
               "whole tiles of " + std::to_string(tiles.tilePixels) +
                   " pixels in the extension SPARSE",
               std::to_string(pixels) + " pixels");
    tiles.tileCount = pixels / tiles.tilePixels;
    map.table.rows = pixels;
}

RowData readTilePixels(FitsFile& file, const MapTable& map,
                       const std::vector<const MapPlane*>& planes, JobContext& job) {
    file.unpackImages();
    file.unpack(job);
    checkUnpacked(file, map);
    JobContext counting = job.part(0.0, 0.5), filling = job.part(0.5, 1.0);
    TileReader reader(file, map, counting);
    const std::vector<int64_t> starts = startsOf(reader, counting);
    const int64_t count = starts.back();
    int64_t bytes = count * 8;
    for (const MapPlane* plane : planes) bytes += count * (heldAsFloat(*plane->column) ? 4 : 8);
    requireMemory(file.path(), bytes);
    RowData data;
    data.index = newVector<int64_t>(count, filling);
    data.fields = emptyFields(planes, count, filling);
    std::vector<std::atomic<bool>> inexact(planes.size());
    const auto fill = [&](int64_t piece) {
        std::vector<std::byte> raw;
        std::vector<uint8_t> valid;
        const auto first = static_cast<size_t>(starts[static_cast<size_t>(piece)]);
        if (starts[static_cast<size_t>(piece) + 1] == starts[static_cast<size_t>(piece)]) return;
        const int64_t pixel = reader.read(piece, raw);
        reader.markValid(raw, valid);
        size_t at = first;
        for (size_t i = 0; i < valid.size(); ++i)
            if (valid[i] != 0) data.index[at++] = pixel + static_cast<int64_t>(i);
        const auto take = [&]<class T>(size_t f, std::vector<T>& values) {
            std::vector<T> some(valid.size());
            reader.decodePlane(*planes[f], raw, some.data());
            takeValid(some, valid, values.data() + first);
            if constexpr (std::is_same_v<T, double>)
                if (diskTypeOf(*planes[f]->column) == DiskType::Int64 &&
                    !isExact(values.data() + first, static_cast<int64_t>(at - first)))
                    inexact[f] = true;
        };
        for (size_t f = 0; f < planes.size(); ++f)
            std::visit([&](auto& values) { take(f, values); }, data.fields[f].values);
    };
    const int64_t grain = std::max<int64_t>(1, kPiecePixels / 8 / reader.piecePixels());
    parallelFor(
        filling, reader.pieceCount(), grain,
        [&](long long begin, long long end) {
            for (long long piece = begin; piece < end; ++piece) fill(piece);
        },
        "reading");
    for (size_t f = 0; f < planes.size(); ++f)
        if (inexact[f]) data.inexact.push_back(planes[f]->columnName);
    return data;
}

}  // namespace armilla
