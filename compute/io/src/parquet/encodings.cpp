// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/encodings.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "parquet/bit_runs.h"

namespace armilla::parquet {

static_assert(std::endian::native == std::endian::little, "Parquet stores the lowest byte first");

namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuseShort() {
    throw IoError("expected encoded values to the end of a page, found a damaged page");
}

size_t widthOf(const SchemaNode& node) {
    switch (node.physical) {
        case Physical::Boolean: return 1;
        case Physical::Int32:
        case Physical::Float: return 4;
        case Physical::Int64:
        case Physical::Double: return 8;
        case Physical::Int96: return 12;
        case Physical::FixedBytes: return static_cast<size_t>(node.typeLength);
        default: return 0;
    }
}

RawValues fixedValues(size_t width, Bytes bytes, size_t count) {
    if (bytes.size() / width < count) refuseShort();
    RawValues values;
    values.width = width;
    values.fixed = bytes.first(count * width);
    return values;
}

// A value of `width` bytes in new storage.
RawValues newValues(size_t width, size_t count) {
    RawValues values;
    values.width = width;
    values.storage.resize(width * count);
    values.fixed = values.storage;
    return values;
}

RawValues plainTexts(Bytes bytes, size_t count) {
    RawValues values;
    values.texts.reserve(std::min(count, bytes.size() / 4));
    for (size_t at = 0; values.texts.size() < count;) {
        uint32_t length = 0;
        if (bytes.size() - at < sizeof length) refuseShort();
        std::memcpy(&length, bytes.data() + at, sizeof length);
        at += sizeof length;
        if (bytes.size() - at < length) refuseShort();
        values.texts.emplace_back(reinterpret_cast<const char*>(bytes.data()) + at, length);
        at += length;
    }
    return values;
}

RawValues plainBooleans(Bytes bytes, size_t count) {
    if (bytes.size() < (count + 7) / 8) refuseShort();
    RawValues values = newValues(1, count);
    for (size_t i = 0; i < count; ++i) values.storage[i] = bytes[i / 8] >> i % 8 & std::byte{1};
    return values;
}

// Booleans as runs, after the number of their bytes.
RawValues runBooleans(Bytes bytes, size_t count) {
    uint32_t size = 0;
    if (bytes.size() < sizeof size) refuseShort();
    std::memcpy(&size, bytes.data(), sizeof size);
    if (bytes.size() - sizeof size < size) refuseShort();
    std::vector<uint32_t> bits(count);
    BitRuns(bytes.subspan(sizeof size, size), 1).read(bits);
    RawValues values = newValues(1, count);
    for (size_t i = 0; i < count; ++i) values.storage[i] = static_cast<std::byte>(bits[i]);
    return values;
}

uint64_t unzigzag(uint64_t value) {
    return value >> 1U ^ (~(value & 1U) + 1);
}

// The values of DELTA_BINARY_PACKED at `at`, modulo 2^64; moves `at` past them. Blocks consist of
// smaller blocks, each with a width in bits of the differences above the smallest one.
std::vector<uint64_t> takeDeltas(Bytes bytes, size_t& at, size_t count) {
    constexpr uint64_t kLargestBlock = 1 << 20;
    const uint64_t blockSize = takeVarint(bytes, at), parts = takeVarint(bytes, at),
                   total = takeVarint(bytes, at);
    uint64_t value = unzigzag(takeVarint(bytes, at));
    if (blockSize == 0 || blockSize > kLargestBlock || parts == 0 || blockSize % parts != 0 ||
        blockSize / parts % 8 != 0 || total != count)
        refuseShort();
    const size_t partSize = blockSize / parts;
    std::vector<uint64_t> values;
    values.reserve(count);
    if (count > 0) values.push_back(value);
    while (values.size() < count) {
        const uint64_t least = unzigzag(takeVarint(bytes, at));
        if (bytes.size() - at < parts) refuseShort();
        const Bytes widths = bytes.subspan(at, parts);
        at += parts;
        for (size_t part = 0; part < parts && values.size() < count; ++part) {
            const auto width = static_cast<unsigned>(widths[part]);
            const size_t here = std::min(partSize, count - values.size());
            if (width > 64 || bytes.size() - at < (here * width + 7) / 8) refuseShort();
            const Bytes packed =
                bytes.subspan(at, std::min(partSize / 8 * width, bytes.size() - at));
            for (size_t i = 0; i < here; ++i)
                values.push_back(value += least + packedValue(packed, i, width));
            at += packed.size();
        }
    }
    return values;
}

RawValues deltaIntegers(size_t width, Bytes bytes, size_t count) {
    size_t at = 0;
    const std::vector<uint64_t> numbers = takeDeltas(bytes, at, count);
    RawValues values = newValues(width, count);
    for (size_t i = 0; i < count; ++i)
        std::memcpy(values.storage.data() + i * width, &numbers[i], width);
    return values;
}

// Texts after all of their lengths, from `at`.
std::vector<std::string_view> takeLengthTexts(Bytes bytes, size_t at, size_t count) {
    const std::vector<uint64_t> lengths = takeDeltas(bytes, at, count);
    std::vector<std::string_view> texts;
    texts.reserve(count);
    for (const uint64_t length : lengths) {
        if (length > bytes.size() - at) refuseShort();
        texts.emplace_back(reinterpret_cast<const char*>(bytes.data()) + at, length);
        at += length;
    }
    return texts;
}

// Texts that begin with the first letters of the text before.
RawValues prefixedTexts(const SchemaNode& node, Bytes bytes, size_t count) {
    size_t at = 0;
    const std::vector<uint64_t> prefixes = takeDeltas(bytes, at, count);
    const std::vector<std::string_view> ends = takeLengthTexts(bytes, at, count);
    uint64_t total = 0, last = 0;
    for (size_t i = 0; i < count; ++i) {
        if (prefixes[i] > last) refuseShort();
        last = prefixes[i] + ends[i].size();
        if (node.physical == Physical::FixedBytes && last != widthOf(node)) refuseShort();
        if (__builtin_add_overflow(total, last, &total) || total > INT64_MAX) refuseShort();
    }
    requireMemory("texts of a page", static_cast<int64_t>(total));
    RawValues values;
    values.storage.resize(total);
    values.texts.reserve(count);
    auto* to = reinterpret_cast<char*>(values.storage.data());
    const char* before = to;
    for (size_t i = 0; i < count; ++i) {
        std::memmove(to, before, prefixes[i]);
        std::copy(ends[i].begin(), ends[i].end(), to + prefixes[i]);
        values.texts.emplace_back(to, prefixes[i] + ends[i].size());
        before = to;
        to += values.texts.back().size();
    }
    if (node.physical != Physical::FixedBytes) return values;
    values.texts.clear();
    values.width = widthOf(node);
    values.fixed = values.storage;
    return values;
}

// First bytes of all values, then second bytes, and so on.
RawValues splitValues(size_t width, Bytes bytes, size_t count) {
    if (bytes.size() / width < count) refuseShort();
    RawValues values = newValues(width, count);
    for (size_t k = 0; k < width; ++k)
        for (size_t i = 0; i < count; ++i) values.storage[i * width + k] = bytes[k * count + i];
    return values;
}

}  // namespace

RawValues decodeValues(Encoding encoding, const SchemaNode& node, Bytes bytes, size_t count) {
    const size_t width = widthOf(node);
    const bool isTexts = node.physical == Physical::ByteArray,
               isBooleans = node.physical == Physical::Boolean,
               isWhole = node.physical == Physical::Int32 || node.physical == Physical::Int64;
    switch (encoding) {
        case Encoding::Plain:
            return isTexts      ? plainTexts(bytes, count)
                   : isBooleans ? plainBooleans(bytes, count)
                                : fixedValues(width, bytes, count);
        case Encoding::Rle:
            if (isBooleans) return runBooleans(bytes, count);
            break;
        case Encoding::DeltaBinaryPacked:
            if (isWhole) return deltaIntegers(width, bytes, count);
            break;
        case Encoding::DeltaLengthByteArray: {
            if (!isTexts) break;
            RawValues values;
            values.texts = takeLengthTexts(bytes, 0, count);
            return values;
        }
        case Encoding::DeltaByteArray:
            if (isTexts || node.physical == Physical::FixedBytes)
                return prefixedTexts(node, bytes, count);
            break;
        case Encoding::ByteStreamSplit:
            if (!isTexts && !isBooleans) return splitValues(width, bytes, count);
            break;
        default: break;
    }
    throw IoError("expected an encoding of Parquet 2 for the type of the column, found number " +
                  std::to_string(static_cast<int32_t>(encoding)));
}

}  // namespace armilla::parquet
