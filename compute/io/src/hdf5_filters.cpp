// SPDX-License-Identifier: GPL-3.0-or-later
// Compression of HDF5 chunks beyond that of the library: lzf, which every h5py writes, and
// bitshuffle with LZ4, which draco writes.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "armilla/core/error.h"
#include "bit_rows.h"
#include "fits_file.h"
#include "hdf5_handles.h"
#include "hdf5_pixels.h"
#include "parquet/codecs.h"

namespace armilla {

namespace {

using Bytes = std::span<const unsigned char>;

constexpr H5Z_filter_t kLzf = 32000, kBitshuffle = 32008;
// Packing of bitshuffle.
constexpr unsigned kPlain = 0, kLz4 = 2;
constexpr size_t kMostBytes = size_t{1} << 32;  // the largest chunk of the library

// Copies `count` bytes from `distance` bytes before the end; the ranges may overlap.
bool repeat(std::vector<unsigned char>& to, size_t distance, size_t count, size_t most) {
    if (distance == 0 || distance > to.size() || count > most - to.size()) return false;
    for (size_t i = 0; i < count; ++i) to.push_back(to[to.size() - distance]);
    return true;
}

bool append(std::vector<unsigned char>& to, Bytes from, size_t most) {
    if (from.size() > most - to.size()) return false;
    to.insert(to.end(), from.begin(), from.end());
    return true;
}

// LibLZF: a byte below 32 begins 1 to 32 literals; others are a length in the top three bits, 7
// with a further byte, and a distance of 13 bits.
bool unpackLzf(Bytes from, size_t most, std::vector<unsigned char>& to) {
    for (size_t at = 0; at < from.size();) {
        const unsigned control = from[at++];
        if (control < 32) {
            const size_t count = control + 1;
            if (count > from.size() - at || !append(to, from.subspan(at, count), most))
                return false;
            at += count;
            continue;
        }
        size_t count = control >> 5;
        if (count == 7) {
            if (at >= from.size()) return false;
            count += from[at++];
        }
        if (at >= from.size()) return false;
        const size_t distance = ((control & 31u) << 8) + from[at++] + 1;
        if (!repeat(to, distance, count + 2, most)) return false;
    }
    return true;
}

uint64_t bigEndian(Bytes from) {
    uint64_t value = 0;
    for (const unsigned char byte : from) value = (value << 8) | byte;
    return value;
}

// Values per block where the file does not state them: 8 kB, at least 128 values.
size_t usualBlock(size_t valueBytes) {
    return std::max<size_t>(128, 8192 / valueBytes / 8 * 8);
}

// Parameters of the filter: version (two), bytes of a value, values of a block or 0, and 2 for LZ4.
bool restoreShuffled(Bytes from, std::span<const unsigned> parameters,
                     std::vector<unsigned char>& to) {
    constexpr size_t kHeader = 12;
    const size_t valueBytes = parameters.size() > 2 ? parameters[2] : 0;
    const unsigned packing = parameters.size() > 4 ? parameters[4] : kPlain;
    if (valueBytes < 1 || valueBytes > 1024 || (packing != kPlain && packing != kLz4)) return false;
    size_t block = parameters.size() > 3 ? parameters[3] : 0;
    size_t whole = from.size();
    if (packing == kLz4) {
        if (from.size() < kHeader) return false;
        whole = bigEndian(from.first(8));
        block = bigEndian(from.subspan(8, 4)) / valueBytes;
        from = from.subspan(kHeader);
    }
    if (block == 0) block = usualBlock(valueBytes);
    if (whole > kMostBytes || block % 8 != 0 || block > kMostBytes / valueBytes) return false;
    // An LZ4 block grows at most 255 times.
    if (packing == kLz4 && whole / 256 > from.size() + 16) return false;
    size_t values = whole / valueBytes;
    to.reserve(whole);
    std::vector<unsigned char> rows;
    while (values >= 8) {
        const size_t count = std::min(block, values / 8 * 8), bytes = count * valueBytes;
        Bytes shuffled;
        size_t used = bytes;
        if (packing == kLz4) {
            if (from.size() < 4) return false;
            used = bigEndian(from.first(4));
            from = from.subspan(4);
            if (used > from.size()) return false;
            rows.resize(bytes);
            parquet::unpackPage(parquet::Codec::Lz4Raw, std::as_bytes(from.first(used)),
                                std::as_writable_bytes(std::span(rows)));
            shuffled = rows;
        } else {
            if (used > from.size()) return false;
            shuffled = from.first(used);
        }
        const size_t start = to.size();
        to.resize(start + shuffled.size());
        restoreBits(std::as_bytes(shuffled), valueBytes,
                    std::as_writable_bytes(std::span(to).subspan(start)));
        from = from.subspan(used);
        values -= count;
    }
    // The last values, fewer than 8, are stored as they are.
    return append(to, from, whole) && to.size() == whole;
}

// Replaces the buffer of the library by `values`. Returns their number, 0 for a failure.
size_t give(const std::vector<unsigned char>& values, size_t* size, void** buffer) {
    if (values.empty()) return 0;
    void* const held = H5allocate_memory(values.size(), false);
    if (held == nullptr) throw std::bad_alloc();
    std::memcpy(held, values.data(), values.size());
    H5free_memory(*buffer);
    *buffer = held;
    *size = values.size();
    return values.size();
}

// Exceptions may not pass the library.
template <class Unpack>
size_t filtered(unsigned flags, size_t packed, size_t* size, void** buffer, const Unpack& unpack) {
    if ((flags & H5Z_FLAG_REVERSE) == 0) return 0;  // nothing is written with these filters
    try {
        std::vector<unsigned char> values;
        const Bytes from(static_cast<const unsigned char*>(*buffer), packed);
        return unpack(from, values) ? give(values, size, buffer) : 0;
    } catch (const std::bad_alloc&) {
        H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE,
                 "no memory for a chunk");
        return 0;
    } catch (const std::exception&) {
        return 0;
    }
}

size_t lzfFilter(unsigned flags, size_t count, const unsigned* parameters, size_t packed,
                 size_t* size, void** buffer) {
    // The third parameter is the size of a chunk.
    const size_t most = count > 2 && parameters[2] > 0 ? parameters[2] : kMostBytes;
    return filtered(flags, packed, size, buffer,
                    [&](Bytes from, auto& values) { return unpackLzf(from, most, values); });
}

size_t bitshuffleFilter(unsigned flags, size_t count, const unsigned* parameters, size_t packed,
                        size_t* size, void** buffer) {
    return filtered(flags, packed, size, buffer, [&](Bytes from, auto& values) {
        return restoreShuffled(from, std::span(parameters, count), values);
    });
}

// The usual name of a registered filter, or its number.
std::string nameOfFilter(H5Z_filter_t filter) {
    switch (filter) {
        case H5Z_FILTER_SZIP: return "szip";
        case 307: return "bzip2";
        case 32001: return "Blosc";
        case 32004: return "LZ4";
        case 32013: return "ZFP";
        case 32015: return "Zstandard";
        case 32026: return "Blosc2";
        default: return "filter " + std::to_string(filter);
    }
}

}  // namespace

void registerFilters() {
    static const bool isDone = [] {
        const H5Z_class2_t lzf{H5Z_CLASS_T_VERS, kLzf, 0, 1, "lzf", nullptr, nullptr, lzfFilter};
        const H5Z_class2_t bits{H5Z_CLASS_T_VERS, kBitshuffle, 0,       1,
                                "bitshuffle",     nullptr,     nullptr, bitshuffleFilter};
        return H5Zregister(&lzf) >= 0 && H5Zregister(&bits) >= 0;
    }();
    static_cast<void>(isDone);  // requireFilters() refuses a filter that is absent
}

void requireFilters(const std::string& path, hid_t set, const std::string& name) {
    const Handle made(H5Dget_create_plist(set), H5Pclose);
    const int filters = made.isOpen() ? H5Pget_nfilters(made.id()) : 0;
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::array<unsigned, 8> parameters{};
        size_t count = parameters.size();
        const H5Z_filter_t filter = H5Pget_filter2(made.id(), static_cast<unsigned>(i), &flags,
                                                   &count, parameters.data(), 0, nullptr, nullptr);
        const bool isOther = filter == kBitshuffle && count > 4 && parameters[4] > kLz4;
        if (filter == kBitshuffle && count > 4 && parameters[4] == kLz4) {
            try {
                parquet::requireCodec(parquet::Codec::Lz4Raw);
            } catch (const IoError& error) {
                throw IoError(path + ": data set '" + name + "': " + error.what());
            }
        }
        if (H5Zfilter_avail(filter) > 0 && !isOther) continue;
        refuse(
            path,
            "data set '" + name + "' without compression, or with gzip, lzf or bitshuffle of LZ4",
            isOther ? "bitshuffle of Zstandard"
                    : nameOfFilter(filter) + ", which is not supported");
    }
}

}  // namespace armilla
