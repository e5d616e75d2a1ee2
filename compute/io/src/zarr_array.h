// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of Zarr: their metadata and chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "npy_map.h"
#include "parquet/codecs.h"
#include "yaml_header.h"

namespace armilla {

struct ZarrArray {
    std::string folder, name;
    std::vector<int64_t> sizes, chunk;
    std::vector<int64_t> shard;       // sides of the files of several chunks; empty: a file a chunk
    bool isShardIndexFirst = false;   // before the chunks, not behind them
    bool isShardIndexSummed = false;  // with a checksum
    bool hasChecksum = false;         // CRC-32C behind each chunk
    NumberType type;
    double fill = 0.0;
    parquet::Codec codec = parquet::Codec::Uncompressed;
    bool isBlosc = false;         // each chunk names its own codec
    bool beginsWithSize = false;  // LZ4 of numcodecs: the number of bytes before each chunk
    bool hasPrefix = false;       // keys "c/0/1" instead of "0/1"
    char separator = '.';
    bool arePixelsFirst = false;
    int64_t fields = 1, pixels = 0;
    std::string unit;
};

// Take the facts from the metadata of version 2 (.zarray) or 3 (zarr.json). Throw IoError for
// arrays that are not read: more than two axes, other types than real numbers, other codecs.
void takeVersion2(const YamlNode& data, ZarrArray& array);
void takeVersion3(const YamlNode& data, ZarrArray& array);

// Reads chunks of an array. Keeps the index of the last shard.
class ZarrChunks {
public:
    explicit ZarrChunks(const ZarrArray& array) : array_(array) {}

    // Reads the chunk at these places along the axes into `bytes`; false for a chunk of fill
    // values. Throws IoError for a damaged one.
    bool read(const std::vector<int64_t>& places, std::vector<std::byte>& bytes);

private:
    using Place = std::pair<uint64_t, uint64_t>;  // offset and number of bytes

    Place placeIn(const std::string& file, uintmax_t size, size_t within);
    void readIndex(const std::string& file, uintmax_t size);
    void unpack(const std::string& file, std::vector<std::byte> packed,
                std::vector<std::byte>& bytes) const;

    const ZarrArray& array_;
    std::string indexOf_;  // path of the shard
    std::vector<Place> index_;
};

}  // namespace armilla
