// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of a Parquet file: schema, row groups, column chunks and page headers. Numbers of
// types, encodings and codecs are those of the format (parquet.thrift, version 2.11).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "byte_source.h"
#include "parquet/codecs_module.h"

namespace armilla::parquet {

enum class Physical : int32_t {
    None = -1,
    Boolean,
    Int32,
    Int64,
    Int96,
    Float,
    Double,
    ByteArray,
    FixedBytes
};
enum class Encoding : int32_t {
    Plain = 0,
    PlainDictionary = 2,
    Rle = 3,
    BitPacked = 4,
    DeltaBinaryPacked = 5,
    DeltaLengthByteArray = 6,
    DeltaByteArray = 7,
    RleDictionary = 8,
    ByteStreamSplit = 9
};
enum class Repetition : int32_t { Required, Optional, Repeated };
// Fields of the union LogicalType.
enum class Logical : int32_t {
    None = 0,
    String = 1,
    Map = 2,
    List = 3,
    Enum = 4,
    Decimal = 5,
    Date = 6,
    Time = 7,
    Timestamp = 8,
    Integer = 10,
    Unknown = 11,
    Json = 12,
    Bson = 13,
    Uuid = 14,
    Float16 = 15,
    Variant = 16,
    // ConvertedType INTERVAL, which has no logical type
    Interval = 100
};

// A node of the schema; nodes are stored depth first.
struct SchemaNode {
    std::string name;
    Physical physical = Physical::None;
    int32_t typeLength = 0;
    Repetition repetition = Repetition::Required;
    int32_t children = 0;
    Logical logical = Logical::None;
    int32_t timeUnit = 0;  // 1: ms, 2: us, 3: ns
    int32_t bitWidth = 0;
    bool isUnsigned = false;
    int32_t scale = 0;
};

// The pages of one column in one row group.
struct Chunk {
    Physical physical = Physical::None;
    Codec codec = Codec::Uncompressed;
    int64_t values = 0, packedBytes = 0;
    int64_t dataOffset = 0, dictionaryOffset = 0;  // offsets of the first pages; 0: none
    bool isEncrypted = false;
    std::string largest;    // bytes of a value that none exceeds; empty: not stated
    std::string otherFile;  // the file with the pages, if not this one
};

struct RowGroup {
    int64_t rows = 0;
    std::vector<Chunk> chunks;
};

struct Metadata {
    std::vector<SchemaNode> schema;
    int64_t rows = 0;
    std::vector<RowGroup> groups;
    std::vector<std::pair<std::string, std::string>> keys;
    int64_t dataEnd = 0;  // offset of the metadata in the file
};

struct PageHeader {
    enum class Kind : int32_t { Data, Index, Dictionary, DataV2 } kind = Kind::Data;
    int32_t bytes = 0, packedBytes = 0;
    bool hasChecksum = false;
    uint32_t checksum = 0;  // CRC-32 of the stored bytes
    int32_t values = -1;
    Encoding encoding = Encoding::Plain;
    Encoding definition = Encoding::Rle, repetition = Encoding::Rle;
    // version 2 only
    int32_t definitionBytes = 0, repetitionBytes = 0;
    bool isPacked = true;
};

// Reads the metadata at the end of a file. Throws IoError, without the path.
Metadata readMetadata(ByteSource& source);
// Parses the header of a page at the start of `bytes`; returns the number of its bytes. Throws
// IoError.
size_t parsePageHeader(std::span<const std::byte> bytes, PageHeader& header);

}  // namespace armilla::parquet
