// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/compact_thrift.h"

#include <limits>
#include <utility>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Parquet nests six levels of structs at most.
constexpr int kDeepest = 32;

[[noreturn]] void refuseDamaged() {
    throw IoError("expected metadata of Parquet, found a damaged or truncated file");
}

bool isBoolean(ThriftType type) {
    return type == ThriftType::True || type == ThriftType::False;
}

}  // namespace

ThriftReader::Nesting::Nesting(ThriftReader& reader) : reader_(reader) {
    if (reader.depth_ >= kDeepest) refuseDamaged();
    ++reader.depth_;
}

void ThriftReader::require(ThriftType found, ThriftType expected) {
    if (found != expected) refuseDamaged();
}

uint8_t ThriftReader::byte() {
    if (at_ >= bytes_.size()) refuseDamaged();
    return static_cast<uint8_t>(bytes_[at_++]);
}

void ThriftReader::advance(uint64_t count) {
    if (count > bytes_.size() - at_) refuseDamaged();
    at_ += count;
}

uint64_t ThriftReader::varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const uint8_t next = byte();
        value |= uint64_t{next & 0x7fU} << shift;
        if (next < 0x80) return value;
    }
    refuseDamaged();
}

ThriftType ThriftReader::nextField(int& id) {
    const uint8_t head = byte();
    const unsigned type = head & 0x0fU, step = head >> 4U;
    if (type > static_cast<unsigned>(ThriftType::Struct)) refuseDamaged();
    if (type == 0) return ThriftType::Stop;
    if (step > 0)
        id += static_cast<int>(step);
    else
        id = integer32(ThriftType::Int16);
    // The protocol has 16 bits for identifiers.
    if (id < 0 || id > std::numeric_limits<int16_t>::max()) refuseDamaged();
    return static_cast<ThriftType>(type);
}

uint64_t ThriftReader::listSize(ThriftType of) {
    const uint8_t head = byte();
    const auto found = static_cast<ThriftType>(head & 0x0fU);
    if (found != of && !(isBoolean(found) && isBoolean(of))) refuseDamaged();
    const uint64_t count = head >> 4U == 15 ? varint() : head >> 4U;
    // Every item takes at least a byte.
    if (count > bytes_.size() - at_) refuseDamaged();
    return count;
}

int64_t ThriftReader::integer(ThriftType type) {
    if (type == ThriftType::Byte) return static_cast<int8_t>(byte());
    if (type != ThriftType::Int16 && type != ThriftType::Int32 && type != ThriftType::Int64)
        refuseDamaged();
    const uint64_t value = varint();
    return static_cast<int64_t>(value >> 1U) ^ -static_cast<int64_t>(value & 1U);
}

int32_t ThriftReader::integer32(ThriftType type) {
    const int64_t value = integer(type);
    if (value != static_cast<int32_t>(value)) refuseDamaged();
    return static_cast<int32_t>(value);
}

bool ThriftReader::boolean(ThriftType type) const {
    if (!isBoolean(type)) refuseDamaged();
    return type == ThriftType::True;
}

std::string_view ThriftReader::text(ThriftType type) {
    require(type, ThriftType::Binary);
    const uint64_t size = varint();
    const size_t start = at_;
    advance(size);
    return {reinterpret_cast<const char*>(bytes_.data()) + start, size};
}

void ThriftReader::skipItems(ThriftType of, uint64_t count) {
    for (; count > 0; --count) {
        // Booleans of a list take a byte each.
        if (isBoolean(of))
            advance(1);
        else
            skip(of);
    }
}

void ThriftReader::skip(ThriftType type) {
    const Nesting nesting(*this);
    switch (type) {
        case ThriftType::True:
        case ThriftType::False: return;
        case ThriftType::Byte: return advance(1);
        case ThriftType::Int16:
        case ThriftType::Int32:
        case ThriftType::Int64: varint(); return;
        case ThriftType::Double: return advance(8);
        case ThriftType::Binary: text(type); return;
        case ThriftType::List:
        case ThriftType::Set: {
            const auto of = static_cast<ThriftType>(
                static_cast<unsigned>(at_ < bytes_.size() ? bytes_[at_] : std::byte{}) & 0x0fU);
            return skipItems(of, listSize(of));
        }
        case ThriftType::Map: {
            const uint64_t count = varint();
            if (count == 0) return;
            const uint8_t types = byte();
            if (count > bytes_.size() - at_) refuseDamaged();
            for (uint64_t i = 0; i < count; ++i) {
                skipItems(static_cast<ThriftType>(types >> 4U), 1);
                skipItems(static_cast<ThriftType>(types & 0x0fU), 1);
            }
            return;
        }
        case ThriftType::Struct: return readStruct([this](int, ThriftType inner) { skip(inner); });
        default: refuseDamaged();
    }
}

void ThriftWriter::varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7fU) | 0x80U);
    bytes_ += static_cast<char>(value);
}

void ThriftWriter::zigzag(int64_t value) {
    varint((static_cast<uint64_t>(value) << 1U) ^ static_cast<uint64_t>(value >> 63));
}

// Parquet numbers the fields of a struct from 1 to 16, and this program writes them in order.
void ThriftWriter::field(int id, ThriftType type) {
    ARMILLA_ASSERT(id > last_ && id - last_ < 16);
    bytes_ +=
        static_cast<char>((static_cast<unsigned>(id - last_) << 4U) | static_cast<unsigned>(type));
    last_ = id;
}

void ThriftWriter::integer32(int id, int32_t value) {
    field(id, ThriftType::Int32);
    zigzag(value);
}

void ThriftWriter::integer64(int id, int64_t value) {
    field(id, ThriftType::Int64);
    zigzag(value);
}

void ThriftWriter::boolean(int id, bool value) {
    field(id, value ? ThriftType::True : ThriftType::False);
}

void ThriftWriter::itemText(std::string_view value) {
    varint(value.size());
    bytes_ += value;
}

void ThriftWriter::text(int id, std::string_view value) {
    field(id, ThriftType::Binary);
    itemText(value);
}

void ThriftWriter::beginList(int id, ThriftType of, size_t count) {
    field(id, ThriftType::List);
    const unsigned small = count < 15 ? static_cast<unsigned>(count) : 15;
    bytes_ += static_cast<char>((small << 4U) | static_cast<unsigned>(of));
    if (small == 15) varint(count);
}

void ThriftWriter::beginStruct(int id) {
    field(id, ThriftType::Struct);
    beginItem();
}

void ThriftWriter::beginItem() {
    enclosing_ += static_cast<char>(last_);
    last_ = 0;
}

void ThriftWriter::endStruct() {
    bytes_ += '\0';
    last_ = enclosing_.back();
    enclosing_.pop_back();
}

std::string ThriftWriter::finish() {
    ARMILLA_ASSERT(enclosing_.empty());
    bytes_ += '\0';
    return std::move(bytes_);
}

}  // namespace armilla
