// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/metadata.h"

#include <array>
#include <cstring>
#include <string_view>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "parquet/compact_thrift.h"

namespace armilla::parquet {

namespace {

using Type = ThriftType;

// TimeType and TimestampType.
void parseTime(ThriftReader& in, Type type, SchemaNode& node) {
    in.readStruct(type, [&](int id, Type inner) {
        if (id != 2) return in.skip(inner);
        in.readStruct(inner, [&](int unit, Type empty) {
            node.timeUnit = unit;
            in.skip(empty);
        });
    });
}

void parseLogical(ThriftReader& in, Type type, SchemaNode& node) {
    in.readStruct(type, [&](int id, Type inner) {
        node.logical = static_cast<Logical>(id);
        switch (node.logical) {
            case Logical::Decimal:
                return in.readStruct(inner, [&](int field, Type of) {
                    if (field == 1)
                        node.scale = in.integer32(of);
                    else
                        in.skip(of);
                });
            case Logical::Time:
            case Logical::Timestamp: return parseTime(in, inner, node);
            case Logical::Integer:
                return in.readStruct(inner, [&](int field, Type of) {
                    if (field == 1)
                        node.bitWidth = in.integer32(of);
                    else if (field == 2)
                        node.isUnsigned = !in.boolean(of);
                    else
                        in.skip(of);
                });
            default: return in.skip(inner);
        }
    });
}

// The logical type that an old file states as ConvertedType.
void takeConverted(int32_t converted, SchemaNode& node) {
    constexpr std::array kLogical = {
        Logical::String,  Logical::Map,       Logical::Map,       Logical::List,
        Logical::Enum,    Logical::Decimal,   Logical::Date,      Logical::Time,
        Logical::Time,    Logical::Timestamp, Logical::Timestamp, Logical::Integer,
        Logical::Integer, Logical::Integer,   Logical::Integer,   Logical::Integer,
        Logical::Integer, Logical::Integer,   Logical::Integer,   Logical::Json,
        Logical::Bson,    Logical::Interval};
    constexpr int32_t kFirstUnsigned = 11, kFirstSigned = 15;
    if (converted < 0 || static_cast<size_t>(converted) >= kLogical.size()) return;
    node.logical = kLogical.at(static_cast<size_t>(converted));
    if (node.logical == Logical::Time || node.logical == Logical::Timestamp)
        node.timeUnit = converted % 2 == 1 ? 1 : 2;
    if (node.logical == Logical::Integer) {
        node.isUnsigned = converted < kFirstSigned;
        node.bitWidth = 8 << (converted - (node.isUnsigned ? kFirstUnsigned : kFirstSigned));
    }
}

SchemaNode parseNode(ThriftReader& in) {
    SchemaNode node;
    int32_t converted = -1;
    bool isStated = false;
    in.readStruct([&](int id, Type type) {
        switch (id) {
            case 1: node.physical = static_cast<Physical>(in.integer32(type)); break;
            case 2: node.typeLength = in.integer32(type); break;
            case 3: node.repetition = static_cast<Repetition>(in.integer32(type)); break;
            case 4: node.name = in.text(type); break;
            case 5: node.children = in.integer32(type); break;
            case 6: converted = in.integer32(type); break;
            case 7: node.scale = in.integer32(type); break;
            case 10:
                isStated = true;
                parseLogical(in, type, node);
                break;
            default: in.skip(type);
        }
    });
    if (!isStated) takeConverted(converted, node);
    return node;
}

void parseChunkMetadata(ThriftReader& in, Type type, Chunk& chunk) {
    in.readStruct(type, [&](int id, Type inner) {
        switch (id) {
            case 1: chunk.physical = static_cast<Physical>(in.integer32(inner)); break;
            case 4: chunk.codec = static_cast<Codec>(in.integer32(inner)); break;
            case 5: chunk.values = in.integer(inner); break;
            case 7: chunk.packedBytes = in.integer(inner); break;
            case 9: chunk.dataOffset = in.integer(inner); break;
            case 11: chunk.dictionaryOffset = in.integer(inner); break;
            case 12:
                in.readStruct(inner, [&](int field, Type kind) {
                    if (field == 5)  // max_value, in the order of the logical type
                        chunk.largest = in.text(kind);
                    else
                        in.skip(kind);
                });
                break;
            default: in.skip(inner);
        }
    });
}

Chunk parseChunk(ThriftReader& in) {
    Chunk chunk;
    in.readStruct([&](int id, Type type) {
        switch (id) {
            case 1: chunk.otherFile = in.text(type); break;
            case 3: parseChunkMetadata(in, type, chunk); break;
            case 8:
                chunk.isEncrypted = true;
                in.skip(type);
                break;
            default: in.skip(type);
        }
    });
    return chunk;
}

RowGroup parseGroup(ThriftReader& in) {
    RowGroup group;
    in.readStruct([&](int id, Type type) {
        if (id == 1)
            in.readList(type, Type::Struct, [&] { group.chunks.push_back(parseChunk(in)); });
        else if (id == 3)
            group.rows = in.integer(type);
        else
            in.skip(type);
    });
    return group;
}

std::pair<std::string, std::string> parseKey(ThriftReader& in) {
    std::pair<std::string, std::string> key;
    in.readStruct([&](int id, Type type) {
        if (id == 1)
            key.first = in.text(type);
        else if (id == 2)
            key.second = in.text(type);
        else
            in.skip(type);
    });
    return key;
}

Metadata parseMetadata(std::span<const std::byte> bytes) {
    ThriftReader in(bytes);
    Metadata metadata;
    in.readStruct([&](int id, Type type) {
        switch (id) {
            case 2:
                in.readList(type, Type::Struct, [&] { metadata.schema.push_back(parseNode(in)); });
                break;
            case 3: metadata.rows = in.integer(type); break;
            case 4:
                in.readList(type, Type::Struct, [&] { metadata.groups.push_back(parseGroup(in)); });
                break;
            case 5:
                in.readList(type, Type::Struct, [&] { metadata.keys.push_back(parseKey(in)); });
                break;
            default: in.skip(type);
        }
    });
    return metadata;
}

void parseDataHeader(ThriftReader& in, Type type, PageHeader& header) {
    in.readStruct(type, [&](int id, Type inner) {
        switch (id) {
            case 1: header.values = in.integer32(inner); break;
            case 2: header.encoding = static_cast<Encoding>(in.integer32(inner)); break;
            case 3: header.definition = static_cast<Encoding>(in.integer32(inner)); break;
            case 4: header.repetition = static_cast<Encoding>(in.integer32(inner)); break;
            default: in.skip(inner);
        }
    });
}

void parseDictionaryHeader(ThriftReader& in, Type type, PageHeader& header) {
    in.readStruct(type, [&](int id, Type inner) {
        if (id == 1)
            header.values = in.integer32(inner);
        else if (id == 2)
            header.encoding = static_cast<Encoding>(in.integer32(inner));
        else
            in.skip(inner);
    });
}

void parseDataHeaderV2(ThriftReader& in, Type type, PageHeader& header) {
    in.readStruct(type, [&](int id, Type inner) {
        switch (id) {
            case 1: header.values = in.integer32(inner); break;
            case 4: header.encoding = static_cast<Encoding>(in.integer32(inner)); break;
            case 5: header.definitionBytes = in.integer32(inner); break;
            case 6: header.repetitionBytes = in.integer32(inner); break;
            case 7: header.isPacked = in.boolean(inner); break;
            default: in.skip(inner);
        }
    });
}

}  // namespace

Metadata readMetadata(ByteSource& source) {
    // The last bytes are the size of the metadata and a mark.
    constexpr int64_t kMark = 4, kTail = 8;
    const int64_t size = source.sizeLimit();
    std::array<std::byte, kTail> tail{};
    if (size < kMark + kTail || source.readAt(size - kTail, tail) != tail.size())
        throw IoError("expected a Parquet file, found a truncated one");
    const std::string_view mark(reinterpret_cast<const char*>(tail.data()) + kMark, kMark);
    if (mark == "PARE")
        throw IoError("expected a Parquet file, found an encrypted one, which is not supported");
    if (mark != "PAR1")
        throw IoError("expected the metadata of a Parquet file at its end, found a truncated file");
    uint32_t bytes = 0;
    std::memcpy(&bytes, tail.data(), sizeof bytes);
    if (bytes > size - kMark - kTail)
        throw IoError("expected metadata of at most " + std::to_string(size - kMark - kTail) +
                      " bytes, found " + std::to_string(bytes) + " (a damaged file)");
    requireMemory("metadata", bytes);
    std::vector<std::byte> footer(bytes);
    const int64_t start = size - kTail - bytes;
    if (source.readAt(start, footer) != footer.size())
        throw IoError("expected the metadata of a Parquet file, found a truncated file");
    Metadata metadata = parseMetadata(footer);
    metadata.dataEnd = start;
    return metadata;
}

size_t parsePageHeader(std::span<const std::byte> bytes, PageHeader& header) {
    ThriftReader in(bytes);
    in.readStruct([&](int id, Type type) {
        switch (id) {
            case 1: header.kind = static_cast<PageHeader::Kind>(in.integer32(type)); break;
            case 2: header.bytes = in.integer32(type); break;
            case 3: header.packedBytes = in.integer32(type); break;
            case 4:
                header.checksum = static_cast<uint32_t>(in.integer32(type));
                header.hasChecksum = true;
                break;
            case 5: parseDataHeader(in, type, header); break;
            case 7: parseDictionaryHeader(in, type, header); break;
            case 8: parseDataHeaderV2(in, type, header); break;
            default: in.skip(type);
        }
    });
    if (header.bytes < 0 || header.packedBytes < 0 || header.definitionBytes < 0 ||
        header.repetitionBytes < 0)
        throw IoError("expected sizes of a page, found negative ones (a damaged file)");
    return in.position();
}

}  // namespace armilla::parquet
