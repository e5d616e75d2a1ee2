// SPDX-License-Identifier: GPL-3.0-or-later
// Writes HealSparse maps (healsparse 1.15, io_map_hdf5.py). Threads compress the tiles, which
// go to the file in order.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <vector>

#include "armilla/core/error.h"
#include "hdf5_handles.h"
#include "hdf5_healsparse.h"

namespace armilla {

namespace {

using Kind = PixelTiles::Kind;

// The level of h5py.
constexpr int kLevel = 4;
static_assert(std::endian::native == std::endian::little, "types of the file are little-endian");

// Throws for a function of the library that failed.
template <class Result>
Result done(Result result, const char* what) {
    if (result < 0)
        throw IoError(std::string("expected to write ") + what +
                      " of an HDF5 file, found an error; the disk may be full");
    return result;
}

// When the program ends, the library closes again what it failed to close, such as a file on a full
// disk. That step crashes, so it is left out. The module closes its files itself.
[[maybe_unused]] const bool kHasNoStepAtExit = H5dont_atexit() >= 0;

// The logical type of h5py.
Handle logicalType() {
    Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
    for (const signed char value : {0, 1})
        done(H5Tenum_insert(type.id(), value == 0 ? "FALSE" : "TRUE", &value), "a type");
    return type;
}

// The type of a column, in memory and in the file.
Handle typeOf(DiskType type) {
    const auto copied = [](hid_t of) { return Handle(H5Tcopy(of), H5Tclose); };
    switch (type) {
        case DiskType::UInt8: return copied(H5T_STD_U8LE);
        case DiskType::Int16: return copied(H5T_STD_I16LE);
        case DiskType::Int32: return copied(H5T_STD_I32LE);
        case DiskType::Int64: return copied(H5T_STD_I64LE);
        case DiskType::Float32: return copied(H5T_IEEE_F32LE);
        case DiskType::Float64: return copied(H5T_IEEE_F64LE);
        case DiskType::Logical: break;
    }
    return logicalType();
}

void putAttribute(hid_t group, const std::string& name, hid_t type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        H5Acreate2(group, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    done(attribute.id(), "an attribute");
    done(H5Awrite(attribute.id(), type, value), "an attribute");
}
void putNumber(hid_t group, const char* name, int64_t value) {
    putAttribute(group, name, H5T_STD_I64LE, &value);
}
void putFlag(hid_t group, const char* name, bool value) {
    const signed char byte = value ? 1 : 0;
    putAttribute(group, name, logicalType().id(), &byte);
}
// A text of variable length, as h5py writes it.
void putText(hid_t group, const std::string& name, const std::string& value) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    const char* const text = value.c_str();
    putAttribute(group, name, type.id(), static_cast<const void*>(&text));
}
void putSentinel(hid_t group, const Hdf5TilesToWrite& tiles) {
    const bool isFlag = tiles.kind == Kind::Packed || tiles.sentinelType == DiskType::Logical;
    if (isFlag) return putFlag(group, "sentinel", false);
    if (tiles.sentinelType == DiskType::Float64)
        return putAttribute(group, "sentinel", H5T_IEEE_F64LE, &tiles.sentinel);
    if (tiles.sentinelType == DiskType::Float32) {
        const auto single = static_cast<float>(tiles.sentinel);
        return putAttribute(group, "sentinel", H5T_IEEE_F32LE, &single);
    }
    putNumber(group, "sentinel", tiles.wholeSentinel);
}

// Groups and data sets without times: the same map gives the same bytes.
Handle groupAt(hid_t parent, const std::string& name) {
    const Handle how(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(how.id(), false);
    Handle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, how.id(), H5P_DEFAULT), H5Gclose);
    done(group.id(), "a group");
    return group;
}
Handle setAt(hid_t group, const char* name, hid_t type, const std::vector<hsize_t>& size,
             const std::vector<hsize_t>& chunk) {
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(how.id(), false);
    H5Pset_chunk(how.id(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(how.id(), kLevel);
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                       H5Sclose);
    Handle set(H5Dcreate2(group, name, type, space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT),
               H5Dclose);
    done(set.id(), "a data set");
    return set;
}

std::vector<Bytef> compressed(const std::vector<std::byte>& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::vector<Bytef> out(size);
    if (compress2(out.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), kLevel) != Z_OK)
        throw OutOfMemory("expected memory to compress a tile, found none");
    out.resize(size);
    return out;
}

void writeIndex(hid_t group, const std::vector<int64_t>& index) {
    const std::vector<hsize_t> size{static_cast<hsize_t>(index.size())};
    const std::vector<hsize_t> chunk{std::min<hsize_t>(size[0], 1 << 16)};
    const Handle set = setAt(group, "cov_index_map", H5T_STD_I64LE, size, chunk);
    done(H5Dwrite(set.id(), H5T_STD_I64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, index.data()),
         "the coverage");
}

void writeFacts(hid_t group, const Hdf5TilesToWrite& tiles) {
    putNumber(group, "nside_sparse", tiles.nside);
    putNumber(group, "nside_coverage", tiles.coverNside);
    putSentinel(group, tiles);
    putText(group, "primary", tiles.primary);
    putFlag(group, "nest", true);
    putFlag(group, "is_rec_array", tiles.kind == Kind::Records);
    putFlag(group, "is_bit_packed", tiles.kind == Kind::Packed);
    putFlag(group, "is_wide_mask", tiles.kind == Kind::Bits);
    putNumber(group, "wide_mask_width", tiles.width);
    for (const auto& [name, text] : tiles.texts) putText(group, name, text);
}

// Writes everything below the root of the file.
void writeMap(hid_t root, const Hdf5TilesToWrite& tiles, JobContext& job) {
    const Handle map = groupAt(root, "map");
    writeFacts(map.id(), tiles);
    writeIndex(map.id(), tiles.index);
    std::vector<hsize_t> size{static_cast<hsize_t>(tiles.rows), static_cast<hsize_t>(tiles.pixels)};
    if (tiles.width > 0) size.push_back(static_cast<hsize_t>(tiles.width));
    std::vector<hsize_t> chunk = size;
    chunk[0] = 1;
    std::vector<Handle> sets;
    for (const Hdf5Column& column : tiles.columns) {
        const Handle type = typeOf(column.type);
        if (column.name.empty()) {
            sets.push_back(setAt(map.id(), "sparse_map", type.id(), size, chunk));
            continue;
        }
        const Handle group = groupAt(map.id(), column.name);
        if (!column.unit.empty()) putText(group.id(), "unit", column.unit);
        sets.push_back(setAt(group.id(), "sparse_map", type.id(), size, chunk));
    }
    // Threads compress the tiles of a part; the tiles go to the file in order, for the same bytes.
    const long long most = 8 * static_cast<long long>(job.threads());
    std::vector<std::vector<std::vector<Bytef>>> part(static_cast<size_t>(most));
    for (long long first = 0; first < tiles.rows; first += most) {
        job.report(static_cast<double>(first) / static_cast<double>(tiles.rows), "writing");
        const long long count = std::min<long long>(most, tiles.rows - first);
        parallelFor(job, count, 1, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i) {
                std::vector<std::vector<Bytef>>& packed = part[static_cast<size_t>(i)];
                packed.clear();
                for (const std::vector<std::byte>& column : tiles.tileOf(first + i))
                    packed.push_back(compressed(column));
            }
        });
        for (long long i = 0; i < count; ++i) {
            const std::array<hsize_t, 3> at{static_cast<hsize_t>(first + i), 0, 0};
            for (size_t c = 0; c < sets.size(); ++c) {
                const std::vector<Bytef>& bytes = part[static_cast<size_t>(i)][c];
                done(H5Dwrite_chunk(sets[c].id(), H5P_DEFAULT, 0, at.data(), bytes.size(),
                                    bytes.data()),
                     "a tile");
            }
        }
    }
}

}  // namespace

extern "C" void armillaWriteHealSparse(const std::string& path, const Hdf5TilesToWrite& tiles,
                                       JobContext& job) {
    const std::lock_guard lock(libraryLock());
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    done(file.id(), "the start");
    writeMap(file.id(), tiles, job);
    done(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "the end");
    done(file.closeNow(), "the end");
}

}  // namespace armilla
