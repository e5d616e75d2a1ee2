// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>

#include "armilla/core/error.h"
#include "blosc_chunk.h"
#include "fits_file.h"
#include "zarr_array.h"

namespace armilla {

namespace {

// Offset and size of a chunk that a shard does not hold.
constexpr uint64_t kAbsent = std::numeric_limits<uint64_t>::max();

// CRC-32C (Castagnoli, RFC 3720), the lowest bit first.
uint32_t checksumOf(std::span<const std::byte> bytes) {
    static const auto kTable = [] {
        constexpr uint32_t kPolynomial = 0x82f63b78U;
        std::array<uint32_t, 256> table{};
        for (uint32_t i = 0; i < table.size(); ++i) {
            table[i] = i;
            for (int bit = 0; bit < 8; ++bit)
                table[i] = table[i] >> 1U ^ ((table[i] & 1U) != 0 ? kPolynomial : 0U);
        }
        return table;
    }();
    uint32_t sum = ~0U;
    for (const std::byte byte : bytes)
        sum = sum >> 8U ^ kTable[(sum ^ std::to_integer<uint32_t>(byte)) & 0xffU];
    return ~sum;
}

// Removes the checksum behind the bytes; false if it is another one.
bool takeChecksum(std::vector<std::byte>& bytes) {
    uint32_t stated = 0;
    if (bytes.size() < sizeof stated) return false;
    const std::span<const std::byte> plain = std::span(bytes).first(bytes.size() - sizeof stated);
    std::memcpy(&stated, plain.data() + plain.size(), sizeof stated);  // little-endian hosts
    if (stated != checksumOf(plain)) return false;
    bytes.resize(plain.size());
    return true;
}

std::vector<std::byte> bytesOf(const std::string& file, uintmax_t first, uintmax_t count) {
    std::ifstream in(file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(first));
    std::vector<std::byte> bytes(static_cast<size_t>(count));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    if (!in) refuse(file, std::to_string(count) + " bytes", "the end of the file");
    return bytes;
}

}  // namespace

bool ZarrChunks::read(const std::vector<int64_t>& places, std::vector<std::byte>& bytes) {
    std::vector<int64_t> outer = places;
    size_t within = 0;
    for (size_t axis = 0; !array_.shard.empty() && axis < places.size(); ++axis) {
        const int64_t chunks = array_.shard[axis] / array_.chunk[axis];
        outer[axis] = places[axis] / chunks;
        within = within * static_cast<size_t>(chunks) + static_cast<size_t>(places[axis] % chunks);
    }
    std::string key = array_.hasPrefix ? "c" : "";
    for (const int64_t place : outer) {
        if (!key.empty()) key += array_.separator;
        key += std::to_string(place);
    }
    const std::string file = (std::filesystem::path(array_.folder) / key).string();
    std::error_code failure;
    const uintmax_t whole = std::filesystem::file_size(file, failure);
    if (failure == std::errc::no_such_file_or_directory) return false;
    if (failure) refuse(file, "a chunk that can be read", failure.message());
    uintmax_t first = 0, count = whole;
    if (!array_.shard.empty()) {
        const auto [at, size] = placeIn(file, whole, within);
        if (at == kAbsent && size == kAbsent) return false;
        if (at > whole || size > whole - at)
            refuse(file, "chunks within the shard", "a damaged index");
        first = at;
        count = size;
    }
    constexpr uintmax_t kMoreBytes = 1 << 20;  // Headers of codecs.
    if (count > bytes.size() + bytes.size() / 8 + kMoreBytes)
        refuse(file, "a chunk of at most " + std::to_string(bytes.size()) + " bytes",
               std::to_string(count));
    unpack(file, bytesOf(file, first, count), bytes);
    return true;
}

ZarrChunks::Place ZarrChunks::placeIn(const std::string& file, uintmax_t size, size_t within) {
    if (indexOf_ != file) readIndex(file, size);
    return index_[within];
}

void ZarrChunks::readIndex(const std::string& file, uintmax_t size) {
    size_t chunks = 1;
    for (size_t axis = 0; axis < array_.shard.size(); ++axis) {
        const auto along = static_cast<size_t>(array_.shard[axis] / array_.chunk[axis]);
        if (__builtin_mul_overflow(chunks, along, &chunks)) chunks = SIZE_MAX / 32;
    }
    const size_t added = array_.isShardIndexSummed ? 4 : 0;
    if (chunks > size / sizeof(Place) || chunks * sizeof(Place) + added > size)
        refuse(file, "an index of " + std::to_string(chunks) + " chunks",
               "a shard of " + std::to_string(size) + " bytes");
    const uintmax_t whole = chunks * sizeof(Place) + added;
    std::vector<std::byte> bytes =
        bytesOf(file, array_.isShardIndexFirst ? 0 : size - whole, whole);
    if (array_.isShardIndexSummed && !takeChecksum(bytes))
        refuse(file, "an index of the shard with its checksum", "a damaged one");
    index_.resize(chunks);
    for (size_t i = 0; i < chunks; ++i) {
        std::memcpy(&index_[i].first, bytes.data() + 16 * i, 8);
        std::memcpy(&index_[i].second, bytes.data() + 16 * i + 8, 8);
    }
    indexOf_ = file;
}

void ZarrChunks::unpack(const std::string& file, std::vector<std::byte> packed,
                        std::vector<std::byte>& bytes) const {
    if (array_.hasChecksum && !takeChecksum(packed))
        refuse(file, "a chunk with its checksum", "a damaged one");
    const size_t before = array_.beginsWithSize ? std::min<size_t>(4, packed.size()) : 0;
    try {
        if (array_.isBlosc)
            unpackBlosc(packed, bytes);
        else
            parquet::unpackPage(array_.codec, std::span(packed).subspan(before), bytes);
    } catch (const IoError& error) {
        if (array_.isBlosc) throw IoError(file + ": " + error.message());
        refuse(file, "a chunk of " + std::to_string(bytes.size()) + " bytes",
               "a damaged chunk, or one of another size");
    }
}

}  // namespace armilla
