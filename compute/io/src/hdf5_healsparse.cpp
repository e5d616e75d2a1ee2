// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps in HDF5 files: the part of the module that calls the library.
#include "hdf5_healsparse.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "fits_file.h"
#include "hdf5_handles.h"
#include "hdf5_pixels.h"
#include "healsparse.h"

namespace armilla {

namespace {

using Kind = PixelTiles::Kind;

constexpr const char* kCover = "cov_index_map";
constexpr const char* kValues = "sparse_map";

// The members of a group that are in the file itself, in the order of their names.
std::vector<std::string> membersOf(hid_t group) {
    std::vector<std::string> names;
    const auto collect = [](hid_t, const char* name, const H5L_info_t* link, void* to) {
        constexpr size_t kMost = 100000;
        auto& list = *static_cast<std::vector<std::string>*>(to);
        if (link->type == H5L_TYPE_HARD) list.emplace_back(name);
        return list.size() > kMost ? -1 : 0;
    };
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
    return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

H5O_type_t kindOf(hid_t group, const std::string& name) {
    H5O_info_t info;
    return H5Oget_info_by_name(group, name.c_str(), &info, H5P_DEFAULT) < 0 ? H5O_TYPE_UNKNOWN
                                                                            : info.type;
}

bool flagOf(hid_t group, const char* name) {
    return attributeNumber(group, name).value_or(0.0) != 0.0;
}

// Name of the group with the map; empty in other files. `map` is the usual one.
std::string groupIn(const std::string& path, hid_t file) {
    std::vector<std::string> maps;
    for (const std::string& name : membersOf(file)) {
        if (kindOf(file, name) != H5O_TYPE_GROUP) continue;
        const Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose);
        if (group.isOpen() && holds(membersOf(group.id()), kCover) &&
            H5Aexists(group.id(), "nside_sparse") > 0)
            maps.push_back(name);
    }
    if (maps.empty()) return {};
    if (maps.size() == 1) return maps.front();
    if (holds(maps, "map")) return "map";
    std::string names;
    for (const std::string& name : maps) names += (names.empty() ? "" : ", ") + inQuotes(name);
    refuse(path, "one group with a HealSparse map, or one named 'map'", "the groups " + names);
}

// A data set of tiles: rows, and values in each.
struct TileSet {
    hid_t set = -1;
    int axes = 0;
    std::array<hsize_t, 3> size{0, 1, 1};
    std::optional<DiskType> type;
};

Handle openSet(hid_t group, const std::string& name) {
    return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose};
}

TileSet describe(const std::string& path, const Handle& set, int64_t valuesEach) {
    TileSet found;
    found.set = set.id();
    if (!set.isOpen()) refuse(path, "the data set sparse_map of a HealSparse map", "none");
    const Handle made(H5Dget_create_plist(set.id()), H5Pclose);
    const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
    const bool isElsewhere = !made.isOpen() || H5Pget_layout(made.id()) == H5D_VIRTUAL ||
                             H5Pget_external_count(made.id()) != 0;
    found.axes = space.isOpen() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (isElsewhere || found.axes < 2 || found.axes > 3 ||
        H5Sget_simple_extent_dims(space.id(), found.size.data(), nullptr) < 0)
        refuse(path, "tiles of two or three axes in sparse_map", "another data set");
    found.type = columnTypeOf(type.id());
    if (valuesEach < 0 || found.size[1] * found.size[2] != static_cast<hsize_t>(valuesEach))
        refuse(path, "tiles of " + std::to_string(valuesEach) + " values in sparse_map",
               std::to_string(found.size[1] * found.size[2]));
    return found;
}

int64_t positive(const std::string& path, hid_t group, const char* name) {
    const auto number = attributeNumber(group, name);
    if (!number || !(*number >= 1.0) || *number > static_cast<double>(kMaxNside) ||
        *number != std::floor(*number))
        refuse(path, std::string("a whole number as attribute ") + name,
               number ? std::to_string(*number) : "none");
    return static_cast<int64_t>(*number);
}

// Names and types of the columns; checks the shape of each.
void takeColumns(const std::string& path, hid_t group, SparseTiles& tiles) {
    if (tiles.kind != Kind::Records) {
        tiles.columns.push_back({"VALUE", DiskType::Float64, {}, attributeText(group, "BUNIT")});
        const Handle set = openSet(group, kValues);
        const TileSet found = describe(path, set, tiles.tileValues());
        if (!found.type) refuse(path, "numbers in sparse_map", "another type");
        tiles.columns.front().type = *found.type;
        if (tiles.kind == Kind::Numbers && *found.type == DiskType::Logical)
            tiles.kind = Kind::Flags;
        if (tiles.kind == Kind::Packed) tiles.columns.front().type = DiskType::Logical;
        tiles.columns.front().name = tiles.kind == Kind::Bits      ? "BITS"
                                     : tiles.kind == Kind::Numbers ? "VALUE"
                                                                   : "MASK";
        return;
    }
    for (const std::string& name : membersOf(group)) {
        if (kindOf(group, name) != H5O_TYPE_GROUP) continue;
        const Handle field(H5Gopen2(group, name.c_str(), H5P_DEFAULT), H5Gclose);
        if (!field.isOpen() || !holds(membersOf(field.id()), kValues)) continue;
        const Handle set = openSet(field.id(), kValues);
        const TileSet found = describe(path, set, tiles.tileValues());
        if (found.type)
            tiles.columns.push_back({name, *found.type, {}, attributeText(field.id(), "unit")});
    }
}

// Attributes of maps that this program has written.
void takeFacts(hid_t group, SparseTiles& tiles) {
    tiles.frame = frameFromText(attributeText(group, "COORDSYS"));
    tiles.iau = upperTrimmed(attributeText(group, "POLCCONV")) == "IAU";
    if (const std::string history = attributeText(group, "HISTORY"); !history.empty())
        tiles.history.push_back(history);
    for (int64_t bit = 0; tiles.kind == Kind::Bits && bit < 8 * tiles.width; ++bit) {
        const std::string name = attributeText(group, bitName(bit).c_str());
        tiles.bitNames.push_back(name.empty() || holds(tiles.bitNames, name) ? bitName(bit) : name);
    }
}

// The covered pixels, ascending, and their rows. Row 0 holds the pixels without a tile.
void takeCovers(const std::string& path, hid_t group, Hdf5Tiles& found) {
    const Handle set = openSet(group, kCover);
    const Handle space(set.isOpen() ? H5Dget_space(set.id()) : -1, H5Sclose);
    const int64_t covers = pixelCount(found.tiles.coverNside);
    if (!space.isOpen() || H5Sget_simple_extent_npoints(space.id()) != covers)
        refuse(path, std::to_string(covers) + " numbers in cov_index_map", "another number");
    requireMemory(path, covers * 8);
    std::vector<int64_t> index(static_cast<size_t>(covers));
    if (H5Dread(set.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, index.data()) < 0)
        refuse(path, "values in data set 'cov_index_map'", "a truncated or damaged file");
    const int64_t each = found.tiles.tilePixels();
    for (int64_t cover = 0; cover < covers; ++cover) {
        int64_t first = 0;
        if (__builtin_add_overflow(index[static_cast<size_t>(cover)], cover * each, &first) ||
            first < 0 || first % each != 0)
            refuse(path, "multiples of " + std::to_string(each) + " as places of tiles",
                   std::to_string(first));
        if (first == 0) continue;
        found.tiles.covers.push_back(cover);
        found.rows.push_back(first / each);
    }
}

void readTiles(const std::string& path, const Handle& set, const Hdf5Tiles& found,
               SparseColumn& column, JobContext& job) {
    const int64_t each = found.tiles.tileValues();
    const TileSet shape = describe(path, set, each);
    requireMemory(path, std::ssize(found.rows) * each * 8);
    column.values.resize(found.rows.size() * static_cast<size_t>(each));
    const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
    const auto total = static_cast<hsize_t>(each);
    const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose);
    // The library does not convert enumerations to floating-point numbers.
    const bool isLogical = H5Tget_class(type.id()) == H5T_ENUM;
    std::vector<signed char> logicals(isLogical ? static_cast<size_t>(each) : 0);
    for (size_t i = 0; i < found.rows.size(); ++i) {
        job.report(static_cast<double>(i) / static_cast<double>(found.rows.size()), "reading");
        const std::array<hsize_t, 3> start{static_cast<hsize_t>(found.rows[i]), 0, 0},
            count{1, shape.size[1], shape.size[2]};
        double* const to = column.values.data() + i * static_cast<size_t>(each);
        const bool isInside = start[0] < shape.size[0];
        const bool isRead = isInside &&
                            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr,
                                                count.data(), nullptr) >= 0 &&
                            (isLogical ? H5Tget_size(type.id()) == 1 &&
                                             H5Dread(set.id(), type.id(), memory.id(), space.id(),
                                                     H5P_DEFAULT, logicals.data()) >= 0
                                       : H5Dread(set.id(), H5T_NATIVE_DOUBLE, memory.id(),
                                                 space.id(), H5P_DEFAULT, to) >= 0);
        if (!isRead)
            refuse(path, "values of tile " + std::to_string(found.rows[i]) + " in sparse_map",
                   "a truncated or damaged file");
        if (isLogical) std::copy(logicals.begin(), logicals.end(), to);
    }
}

}  // namespace

extern "C" bool armillaFindHealSparse(const std::string& path, Hdf5Tiles& found) {
    const std::lock_guard lock(libraryLock());
    const Handle file = openHdf5(path);
    if (!file.isOpen()) return false;
    found.group = groupIn(path, file.id());
    if (found.group.empty()) return false;
    const Handle group(H5Gopen2(file.id(), found.group.c_str(), H5P_DEFAULT), H5Gclose);
    SparseTiles& tiles = found.tiles;
    tiles.nside = positive(path, group.id(), "nside_sparse");
    tiles.coverNside = positive(path, group.id(), "nside_coverage");
    tiles.primary = attributeText(group.id(), "primary");
    if (flagOf(group.id(), "is_rec_array")) {
        tiles.kind = Kind::Records;
    } else if (flagOf(group.id(), "is_wide_mask")) {
        tiles.kind = Kind::Bits;
        tiles.width = positive(path, group.id(), "wide_mask_width");
    } else if (flagOf(group.id(), "is_bit_packed")) {
        tiles.kind = Kind::Packed;
    }
    if (tiles.kind != Kind::Records) tiles.primary.clear();
    if (!isPowerOfTwoNside(tiles.nside) || !isPowerOfTwoNside(tiles.coverNside) ||
        tiles.coverNside > tiles.nside)
        refuse(path, "powers of two as nside of a HealSparse map and of its coverage",
               std::to_string(tiles.nside) + " and " + std::to_string(tiles.coverNside));
    takeColumns(path, group.id(), tiles);
    checkTiles(path, tiles);
    tiles.sentinel = attributeNumber(group.id(), "sentinel").value_or(kUnseen);
    for (const SparseColumn& column : tiles.columns)
        if (column.type == DiskType::Float32 &&
            (tiles.primary.empty() || column.name == tiles.primary))
            tiles.sentinel = static_cast<double>(static_cast<float>(tiles.sentinel));
    if (tiles.kind == Kind::Packed || tiles.kind == Kind::Bits) tiles.sentinel = 0.0;
    takeFacts(group.id(), tiles);
    takeCovers(path, group.id(), found);
    return true;
}

extern "C" void armillaReadHealSparse(const std::string& path, Hdf5Tiles& found,
                                      const std::vector<std::string>& names, JobContext& job) {
    const std::lock_guard lock(libraryLock());
    const Handle file = openHdf5(path);
    const Handle group(file.isOpen() ? H5Gopen2(file.id(), found.group.c_str(), H5P_DEFAULT) : -1,
                       H5Gclose);
    if (!group.isOpen()) refuse(path, "an HDF5 file", "a damaged or truncated one");
    for (SparseColumn& column : found.tiles.columns) {
        if (std::find(names.begin(), names.end(), column.name) == names.end()) continue;
        const std::string set =
            found.tiles.kind == Kind::Records ? column.name + "/" + kValues : std::string(kValues);
        readTiles(path, openSet(group.id(), set), found, column, job);
    }
}

}  // namespace armilla
