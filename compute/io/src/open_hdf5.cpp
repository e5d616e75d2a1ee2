// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "fits_file.h"
#include "hdf5_handles.h"
#include "hdf5_pixels.h"
#include "limited_child.h"

namespace armilla {

namespace {

constexpr hsize_t kMostObjects = 1000000;
constexpr hsize_t kMostChunkBytes = hsize_t{1} << 32;  // the limit of the library

bool isSoundNumber(hid_t type) {
    const size_t bytes = H5Tget_size(type), bits = H5Tget_precision(type);
    const int offset = H5Tget_offset(type);
    const auto isInside = [bytes](size_t first, size_t count) {
        return first <= 8 * bytes && count <= 8 * bytes - first;
    };
    if (bits < 1 || offset < 0 || !isInside(static_cast<size_t>(offset), bits)) return false;
    if (H5Tget_class(type) != H5T_FLOAT) return true;
    size_t sign = 0, exponent = 0, exponentBits = 0, mantissa = 0, mantissaBits = 0;
    return H5Tget_fields(type, &sign, &exponent, &exponentBits, &mantissa, &mantissaBits) >= 0 &&
           isInside(sign, 1) && isInside(exponent, exponentBits) &&
           isInside(mantissa, mantissaBits);
}

// False for types that claim more bits or bytes than they have: the library would read and write
// beyond its buffers in conversions.
bool isSound(hid_t type) {
    const size_t bytes = H5Tget_size(type);
    if (bytes == 0) return false;
    const H5T_class_t kind = H5Tget_class(type);
    switch (kind) {
        case H5T_INTEGER:
        case H5T_FLOAT:
        case H5T_BITFIELD: return isSoundNumber(type);
        case H5T_COMPOUND: {
            const int members = H5Tget_nmembers(type);
            for (int i = 0; i < members; ++i) {
                const auto index = static_cast<unsigned>(i);
                const Handle member(H5Tget_member_type(type, index), H5Tclose);
                const size_t at = H5Tget_member_offset(type, index);
                if (!member.isOpen() || at > bytes || H5Tget_size(member.id()) > bytes - at ||
                    !isSound(member.id()))
                    return false;
            }
            return members >= 0;
        }
        case H5T_ENUM:
        case H5T_ARRAY:
        case H5T_VLEN: {
            const Handle element(H5Tget_super(type), H5Tclose);
            if (!element.isOpen() || !isSound(element.id())) return false;
            const size_t each = H5Tget_size(element.id());
            return kind == H5T_VLEN || (kind == H5T_ENUM ? bytes == each : bytes % each == 0);
        }
        default: return true;
    }
}

// Reads the value of an attribute as the readers do: texts of variable length from their heap.
// Ends the iteration at a type that is not sound.
herr_t readAttribute(hid_t object, const char* name, const H5A_info_t* /*info*/, void* /*data*/) {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    if (!type.isOpen()) return 0;  // the readers do not open it either
    if (!isSound(type.id())) return 1;
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const size_t bytes = H5Tget_size(type.id());
    constexpr size_t kMostBytes = size_t{1} << 24;
    if (count < 1 || static_cast<size_t>(count) > kMostBytes / bytes) return 0;
    std::vector<char> value(static_cast<size_t>(count) * bytes);
    H5Aread(attribute.id(), type.id(), value.data());
    return 0;
}

// Filters that HDF5 itself contains.
struct Filters {
    unsigned deflate = 0;  // bit of the filter in a chunk's mask of filters left out; 0: none
    unsigned checksum = 0;
    bool areKnown = true;
};

Filters filtersOf(hid_t made) {
    Filters found;
    const int count = H5Pget_nfilters(made);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        size_t none = 0;
        const H5Z_filter_t which = H5Pget_filter2(made, static_cast<unsigned>(i), &flags, &none,
                                                  nullptr, 0, nullptr, nullptr);
        const unsigned bit = 1u << i;
        if (which == H5Z_FILTER_DEFLATE) found.deflate = bit;
        if (which == H5Z_FILTER_FLETCHER32) found.checksum = bit;
        found.areKnown =
            found.areKnown && (which == H5Z_FILTER_DEFLATE || which == H5Z_FILTER_FLETCHER32 ||
                               which == H5Z_FILTER_SHUFFLE);
    }
    if (found.checksum != 0 && found.checksum < found.deflate) found.areKnown = false;
    return found;
}

// Without memory for the values, whose stated number may be absurd.
bool inflatesTo(hsize_t bytes, std::vector<unsigned char>& packed) {
    std::array<unsigned char, 1 << 16> piece;
    z_stream stream{};
    stream.next_in = packed.data();
    stream.avail_in = static_cast<uInt>(packed.size());
    if (inflateInit(&stream) != Z_OK) return false;
    int how = Z_OK;
    while (how == Z_OK && stream.total_out <= bytes) {
        stream.next_out = piece.data();
        stream.avail_out = static_cast<uInt>(piece.size());
        how = inflate(&stream, Z_NO_FLUSH);
    }
    inflateEnd(&stream);
    return how == Z_STREAM_END && stream.total_out == bytes;
}

// False for chunks of another size than their data set states: the library reads on behind them.
// Looks at the first chunks and inflates one of them, because a damaged size is that of all chunks.
bool areChunksWhole(hid_t set, hid_t made, hid_t space, hsize_t valueBytes) {
    constexpr hsize_t kMostChunks = 16;  // because the library searches each from the first on
    constexpr hsize_t kMostPackedBytes = hsize_t{1} << 28;  // a larger one would double the reading
    std::array<hsize_t, H5S_MAX_RANK> sides{}, at{};
    const int axes = H5Pget_chunk(made, H5S_MAX_RANK, sides.data());
    hsize_t chunks = 0, whole = valueBytes;
    for (int axis = 0; axis < axes; ++axis) {
        const hsize_t side = sides[static_cast<size_t>(axis)];
        if (side == 0 || whole > kMostChunkBytes / side) return false;
        whole *= side;
    }
    const Filters filters = filtersOf(made);
    if (!filters.areKnown) return true;
    if (axes < 1 || H5Dget_num_chunks(set, space, &chunks) < 0) return false;
    bool isPackedSeen = false;
    for (hsize_t i = 0; i < std::min(chunks, kMostChunks); ++i) {
        unsigned leftOut = 0;
        haddr_t address = 0;
        hsize_t size = 0;
        if (H5Dget_chunk_info(set, space, i, at.data(), &leftOut, &address, &size) < 0)
            return false;
        const hsize_t added = filters.checksum != 0 && (leftOut & filters.checksum) == 0 ? 4 : 0;
        if (filters.deflate == 0 || (leftOut & filters.deflate) != 0) {
            if (size != whole + added) return false;
        } else if (!isPackedSeen && size <= kMostPackedBytes) {
            isPackedSeen = true;
            if (size <= added || size > compressBound(whole) + added) return false;
            std::vector<unsigned char> packed(size);
            uint32_t mask = 0;
            if (H5Dread_chunk(set, H5P_DEFAULT, at.data(), &mask, packed.data()) < 0) return false;
            packed.resize(size - added);
            if (!inflatesTo(whole, packed)) return false;
        }
    }
    return true;
}

// False where a data set holds fewer values than it states, in its header or in chunks, and where
// their type is not sound.
bool isWhole(hid_t set) {
    const Handle made(H5Dget_create_plist(set), H5Pclose);
    const Handle space(H5Dget_space(set), H5Sclose), type(H5Dget_type(set), H5Tclose);
    const hsize_t stored = H5Dget_storage_size(set);  // walks the index of chunks, if there is one
    const size_t bytes = H5Tget_size(type.id());
    if (!made.isOpen() || !space.isOpen() || !type.isOpen()) return true;  // the readers refuse it
    if (!isSound(type.id())) return false;
    const H5D_layout_t layout = H5Pget_layout(made.id());
    // Texts of variable length have another size in memory; the readers leave them out.
    const bool isVariable =
        H5Tdetect_class(type.id(), H5T_VLEN) > 0 || H5Tis_variable_str(type.id()) > 0 ||
        (H5Tget_class(type.id()) == H5T_COMPOUND && H5Tdetect_class(type.id(), H5T_STRING) > 0);
    if (layout == H5D_CHUNKED)
        return isVariable || areChunksWhole(set, made.id(), space.id(), bytes);
    const hssize_t points = H5Sget_simple_extent_npoints(space.id());
    return layout != H5D_COMPACT || (points >= 0 && static_cast<hsize_t>(points) <= stored / bytes);
}

struct Walk {
    hsize_t objects = 0;
    bool isSound = true;
};

// Reads everything about an object but the values of its data set.
herr_t readObject(hid_t file, const char* name, const H5O_info_t* info, void* to) {
    const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
    if (!object.isOpen()) return 0;
    auto& walk = *static_cast<Walk*>(to);
    // A list of attributes that the library cannot build may hold pointers that it never set, and
    // it frees them: whether that ends the process depends on what its memory held before.
    if (H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, readAttribute, nullptr) !=
        0)
        walk.isSound = false;
    if (info->type == H5O_TYPE_DATASET) walk.isSound = walk.isSound && isWhole(object.id());
    return ++walk.objects > kMostObjects ? 1 : 0;
}

hid_t openFile(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    registerFilters();
    H5PLset_loading_state(0);  // only built-in filters, no plugin code named by a file
    return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
}

// An exception ends the child.
[[noreturn]] void readInChild(const std::string& path, const ChildLimits& limits) noexcept {
    confine(limits);
    const hid_t file = openFile(path);
    Walk walk;
    // A walk that fails has left out objects, which a reader would meet first.
    const bool isWalked =
        file < 0 || H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, readObject, &walk) >= 0;
    _exit(isWalked && walk.isSound ? 0 : 1);
}

}  // namespace

std::optional<FileState> settledState(const std::string& path) {
    constexpr int64_t kSettled = 2;  // s
    struct stat now {};
    timespec time{};
    if (stat(path.c_str(), &now) != 0 || clock_gettime(CLOCK_REALTIME, &time) != 0 ||
        time.tv_sec - now.st_mtim.tv_sec <= kSettled)
        return std::nullopt;
    return FileState{path,
                     static_cast<int64_t>(now.st_dev),
                     static_cast<int64_t>(now.st_ino),
                     static_cast<int64_t>(now.st_size),
                     static_cast<int64_t>(now.st_mtim.tv_sec),
                     static_cast<int64_t>(now.st_mtim.tv_nsec)};
}

namespace {

// Processor time to walk a file, s. The library takes milliseconds for a small sound file, and runs
// without end at some damaged ones.
int secondsFor(const std::string& path) {
    constexpr int64_t kLeast = 4, kMost = 60, kBytesPerSecond = int64_t{1} << 24;
    struct stat facts {};
    const int64_t bytes = stat(path.c_str(), &facts) == 0 ? int64_t{facts.st_size} : 0;
    return static_cast<int>(std::min(kMost, kLeast + bytes / kBytesPerSecond));
}

// HDF5 reads freed memory, or ends its process, at some damaged files (version 1.10 more
// than 1.14). A child process meets them first.
void requireReadable(const std::string& path) {
    // Readers by blocks open a file again for each block, and several readers try a damaged one.
    static std::optional<FileState> sound, damaged;
    const std::optional<FileState> now = settledState(path);
    if (now && now == sound) return;
    const auto refuseIt = [&] {
        refuse(path, "an HDF5 file", "a damaged one, at which the HDF5 library fails");
    };
    if (now && now == damaged) refuseIt();
    constexpr int64_t kMemory = int64_t{1} << 30;
    ChildLimits limits;
    limits.memoryBytes = addressSpace() + kMemory;
    limits.seconds = secondsFor(path);
    const pid_t child = fork();
    if (child < 0) refuse(path, "a process to check the file", std::strerror(errno));
    if (child == 0) readInChild(path, limits);
    const int status = endOf(child);
    const ChildEnd end = childEnd(status);
    if (end == ChildEnd::Killed)
        refuse(path, "a process that checks the file to its end",
               "its end by signal " + std::to_string(WTERMSIG(status)) +
                   ", as from a system short of memory (try again)");
    if (end == ChildEnd::Broken) {
        damaged = settledState(path);
        refuseIt();
    }
    sound = now;
}

}  // namespace

Handle openHdf5(const std::string& path) {
    requireReadable(path);
    return {openFile(path), H5Fclose};
}

}  // namespace armilla
