// SPDX-License-Identifier: GPL-3.0-or-later
#include "healsparse_tiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "healsparse.h"
#include "map_facts.h"
#include "map_planes.h"
#include "pixel_rows.h"

namespace armilla {

namespace {

using Kind = PixelTiles::Kind;

// A field of the map: a column, or a bit of the pixels of a wide mask.
struct SparsePlane {
    std::string name;
    const SparseColumn* column = nullptr;
    int64_t bit = -1;
    DiskType type = DiskType::Float64;
};

std::vector<SparsePlane> planesOf(const SparseTiles& tiles) {
    std::vector<SparsePlane> planes;
    if (tiles.kind == Kind::Bits)
        for (int64_t bit = 0; bit < 8 * tiles.width; ++bit)
            planes.push_back({static_cast<size_t>(bit) < tiles.bitNames.size()
                                  ? tiles.bitNames[static_cast<size_t>(bit)]
                                  : bitName(bit),
                              &tiles.columns.front(), bit, DiskType::Logical});
    else
        for (const SparseColumn& column : tiles.columns)
            planes.push_back({column.name, &column, -1, column.type});
    return planes;
}

std::vector<SparsePlane> chosenPlanes(const std::string& path, const SparseTiles& tiles,
                                      const MapReadOptions& options) {
    const std::vector<SparsePlane> all = planesOf(tiles);
    if (options.fields.empty()) {
        requireFewFields(path, all.size());
        return all;
    }
    std::vector<SparsePlane> chosen;
    for (const std::string& text : options.fields) {
        const auto named = std::find_if(all.begin(), all.end(), [&](const SparsePlane& plane) {
            return upperTrimmed(plane.name) == upperTrimmed(text);
        });
        const auto number = parseInteger(text);
        if (named != all.end())
            chosen.push_back(*named);
        else if (number && *number >= 1 && *number <= std::ssize(all))
            chosen.push_back(all[static_cast<size_t>(*number - 1)]);
        else
            refuse(path,
                   "a field from " + all.front().name + " to " + all.back().name +
                       ", or a number from 1 to " + std::to_string(all.size()),
                   inQuotes(text));
    }
    return chosen;
}

const SparseColumn& primaryOf(const SparseTiles& tiles) {
    for (const SparseColumn& column : tiles.columns)
        if (tiles.kind == Kind::Records && column.name == tiles.primary) return column;
    return tiles.columns.front();
}

// Marks the pixels of a tile that have data. `first`: index of the tile's first value.
void markValid(const SparseTiles& tiles, size_t first, std::vector<uint8_t>& valid) {
    const double* values = primaryOf(tiles).values.data() + first;
    for (size_t i = 0; i < valid.size(); ++i) switch (tiles.kind) {
            case Kind::Packed:
                valid[i] = static_cast<uint8_t>(static_cast<int>(values[i / 8]) >> (i % 8) & 1);
                break;
            case Kind::Bits: {
                const auto width = static_cast<size_t>(tiles.width);
                valid[i] = std::any_of(values + i * width, values + (i + 1) * width,
                                       [](double byte) { return byte != 0.0; });
                break;
            }
            default: valid[i] = std::isfinite(values[i]) && values[i] != tiles.sentinel;
        }
}

// The value that healsparse gives to the columns beside the primary one where they have no data.
double emptyValue(DiskType type) {
    switch (type) {
        case DiskType::Int16: return std::numeric_limits<int16_t>::min();
        case DiskType::Int32: return std::numeric_limits<int32_t>::min();
        case DiskType::Int64: return static_cast<double>(std::numeric_limits<int64_t>::min());
        case DiskType::Float32: return static_cast<double>(static_cast<float>(kUnseen));
        case DiskType::Float64: return kUnseen;
        default: return std::numeric_limits<double>::quiet_NaN();
    }
}

double valueOf(const SparseTiles& tiles, const SparsePlane& plane, size_t first, size_t pixel) {
    const double* values = plane.column->values.data() + first;
    if (tiles.kind == Kind::Packed || tiles.kind == Kind::Flags) return 1.0 - tiles.sentinel;
    if (tiles.kind == Kind::Bits) {
        const auto width = static_cast<size_t>(tiles.width),
                   byte = static_cast<size_t>(plane.bit / 8);
        return static_cast<int>(values[pixel * width + byte]) >> (plane.bit % 8) & 1;
    }
    const double value = values[pixel];
    if (plane.column != &primaryOf(tiles) && value == emptyValue(plane.type))
        return std::numeric_limits<double>::quiet_NaN();
    return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

int64_t SparseTiles::tileValues() const {
    return kind == Kind::Packed ? tilePixels() / 8
           : kind == Kind::Bits ? tilePixels() * width
                                : tilePixels();
}

void checkTiles(const std::string& path, const SparseTiles& tiles) {
    constexpr int64_t kMostMaskBytes = 4096;
    if (!isPowerOfTwoNside(tiles.nside) || !isPowerOfTwoNside(tiles.coverNside) ||
        tiles.coverNside > tiles.nside)
        refuse(path, "powers of two as nside of a HealSparse map and of its coverage",
               std::to_string(tiles.nside) + " and " + std::to_string(tiles.coverNside));
    if (tiles.kind == Kind::Packed && tiles.tilePixels() % 8 != 0)
        refuse(path, "tiles of whole bytes of packed bits",
               "tiles of " + std::to_string(tiles.tilePixels()) + " pixels");
    if (tiles.width < 1 || tiles.width > kMostMaskBytes)
        refuse(path, "a wide mask of 1 to " + std::to_string(kMostMaskBytes) + " bytes a pixel",
               std::to_string(tiles.width));
    if (tiles.columns.empty()) refuse(path, "a column of numbers in the HealSparse map", "none");
    if (tiles.kind == Kind::Records && primaryOf(tiles).name != tiles.primary)
        refuse(path, "the primary column of a HealSparse map of records", inQuotes(tiles.primary));
}

FileSummary summaryOfTiles(const SparseTiles& tiles) {
    FileSummary summary;
    summary.kind = FileKind::PartialMap;
    summary.hdu = 0;
    summary.nside = tiles.nside;
    summary.ordering = Ordering::Nested;
    for (const SparsePlane& plane : planesOf(tiles))
        summary.columns.push_back({plane.name, plane.column->unit, plane.type, 1});
    summary.frame = tiles.frame;
    summary.rows = std::ssize(tiles.covers) * tiles.tilePixels();
    return summary;
}

std::vector<std::string> columnsToRead(const std::string& path, const SparseTiles& tiles,
                                       const MapReadOptions& options) {
    std::vector<std::string> names{primaryOf(tiles).name};
    for (const SparsePlane& plane : chosenPlanes(path, tiles, options))
        if (std::find(names.begin(), names.end(), plane.column->name) == names.end())
            names.push_back(plane.column->name);
    return names;
}

HealpixMap mapOfTiles(const std::string& path, SparseTiles tiles, const MapReadOptions& options,
                      JobContext& job) {
    const std::vector<SparsePlane> planes = chosenPlanes(path, tiles, options);
    const auto values = static_cast<size_t>(tiles.tileValues());
    std::vector<uint8_t> valid(static_cast<size_t>(tiles.tilePixels()));
    int64_t count = 0;
    for (size_t tile = 0; tile < tiles.covers.size(); ++tile) {
        job.poll();
        markValid(tiles, tile * values, valid);
        count += std::count(valid.begin(), valid.end(), uint8_t{1});
    }
    if (count == 0) refuse(path, "a map with at least one pixel", "none with data");
    std::vector<int64_t> pixels;
    requireMemory(path, count * 8 * (std::ssize(planes) + 1));
    pixels.reserve(static_cast<size_t>(count));
    std::vector<Field> fields;
    for (const SparsePlane& plane : planes) {
        Field field{plane.name, plane.column->unit, plane.type, {}};
        if (isHeldAsFloat(plane.type))
            field.values = newVector<float>(count, job);
        else
            field.values = newVector<double>(count, job);
        fields.push_back(std::move(field));
    }
    size_t next = 0;
    for (size_t tile = 0; tile < tiles.covers.size(); ++tile) {
        job.report(static_cast<double>(tile) / static_cast<double>(tiles.covers.size()), "tiles");
        markValid(tiles, tile * values, valid);
        for (size_t i = 0; i < valid.size(); ++i) {
            if (valid[i] == 0) continue;
            pixels.push_back(tiles.covers[tile] * tiles.tilePixels() + static_cast<int64_t>(i));
            for (size_t f = 0; f < planes.size(); ++f) {
                const double value = valueOf(tiles, planes[f], tile * values, i);
                if (planes[f].type == DiskType::Int64 && !isExact(&value, 1))
                    refuseInexact(path, planes[f].name);
                std::visit(
                    [&](auto& to) {
                        to[next] =
                            static_cast<typename std::decay_t<decltype(to)>::value_type>(value);
                    },
                    fields[f].values);
            }
            ++next;
        }
    }
    HealpixMap map = HealpixMap::partial(agreedNside(tiles.nside, options.stated), Ordering::Nested,
                                         tiles.frame, std::move(pixels), std::move(fields));
    map.metadata().history = std::move(tiles.history);
    map.metadata().iauOnDisk = tiles.iau;
    if (tiles.iau) flipStokesU(map, job);
    return map;
}

}  // namespace armilla
