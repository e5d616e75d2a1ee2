// SPDX-License-Identifier: GPL-3.0-or-later
// The compact protocol of Apache Thrift, in which Parquet stores its metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace armilla {

// Types of the protocol. In structs, `True` and `False` are the values of a boolean.
enum class ThriftType : uint8_t {
    Stop,
    True,
    False,
    Byte,
    Int16,
    Int32,
    Int64,
    Double,
    Binary,
    List,
    Set,
    Map,
    Struct
};

// Reads bytes from a file that may be damaged. Every function throws IoError "expected ..., found
// ..." beyond the last byte, for another type than the requested one, and beyond 32 nested structs.
class ThriftReader {
public:
    explicit ThriftReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    // Bytes read so far.
    size_t position() const { return at_; }
    // Calls `field(id, type)` for each field of a struct. The callee reads or skips the value.
    template <class Field>
    void readStruct(Field field) {
        const Nesting nesting(*this);
        int id = 0;
        for (ThriftType type; (type = nextField(id)) != ThriftType::Stop;) field(id, type);
    }
    // readStruct for a field of a struct, whose type is verified.
    template <class Field>
    void readStruct(ThriftType type, Field field) {
        require(type, ThriftType::Struct);
        readStruct(field);
    }
    // Calls `item()` for each item of a list of `of`.
    template <class Item>
    void readList(ThriftType type, ThriftType of, Item item) {
        require(type, ThriftType::List);
        for (uint64_t left = listSize(of); left > 0; --left) item();
    }
    // An integer of 8 to 64 bits.
    int64_t integer(ThriftType type);
    // An integer in [-2^31, 2^31).
    int32_t integer32(ThriftType type);
    bool boolean(ThriftType type) const;
    // A view into the bytes.
    std::string_view text(ThriftType type);
    void skip(ThriftType type);

private:
    // One level of nested values.
    class Nesting {
    public:
        explicit Nesting(ThriftReader& reader);
        ~Nesting() { --reader_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        ThriftReader& reader_;
    };

    static void require(ThriftType found, ThriftType expected);
    ThriftType nextField(int& id);
    uint64_t listSize(ThriftType of);
    void skipItems(ThriftType of, uint64_t count);
    uint8_t byte();
    uint64_t varint();
    void advance(uint64_t count);

    std::span<const std::byte> bytes_;
    size_t at_ = 0;
    int depth_ = 0;
};

// Writes one struct and the structs and lists within.
class ThriftWriter {
public:
    void integer32(int id, int32_t value);
    void integer64(int id, int64_t value);
    void text(int id, std::string_view value);
    void boolean(int id, bool value);
    // `count` items follow, each by an item function or between beginItem and endStruct.
    void beginList(int id, ThriftType of, size_t count);
    void beginStruct(int id);
    void beginItem();
    void itemInteger32(int32_t value) { zigzag(value); }
    void itemText(std::string_view value);
    void endStruct();
    // Ends the struct of the writer and returns its bytes.
    std::string finish();

private:
    void field(int id, ThriftType type);
    void varint(uint64_t value);
    void zigzag(int64_t value);

    std::string bytes_;
    // Last identifier of the present struct and of each one around it.
    std::string enclosing_;
    int last_ = 0;
};

}  // namespace armilla
