// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "armilla/core/error.h"

namespace armilla::parquet {

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

template <class Stored>
Stored storedAt(const RawValues& from, size_t i) {
    Stored value{};
    std::memcpy(&value, from.fixed.data() + i * sizeof value, sizeof value);
    return value;
}

template <class Stored, class To>
void widen(const RawValues& from, std::span<To> to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<To>(storedAt<Stored>(from, i));
}

std::string_view textAt(const RawValues& from, size_t i) {
    if (from.width == 0) return from.texts[i];
    return {reinterpret_cast<const char*>(from.fixed.data()) + i * from.width, from.width};
}

// A two's complement number, the highest byte first.
Wide bigNumber(std::string_view bytes) {
    if (bytes.size() > sizeof(Wide))
        throw IoError("expected decimal numbers of at most 16 bytes, found " +
                      std::to_string(bytes.size()));
    UnsignedWide value = !bytes.empty() && (bytes[0] & 0x80) != 0 ? ~UnsignedWide{0} : 0;
    for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
    return static_cast<Wide>(value);
}

// value * 10^-scale, rounded once.
double decimalNumber(Wide value, int32_t scale) {
    std::array<char, 64> text{};
    char* const end = text.data() + text.size();
    char* start = end;
    auto left = value < 0 ? -static_cast<UnsignedWide>(value) : static_cast<UnsignedWide>(value);
    for (int i = 0; i < 4; ++i) *--start = ' ';
    char* const power = start;
    std::to_chars(power, end, -scale);
    *--start = 'e';
    do {
        *--start = static_cast<char>('0' + static_cast<int>(left % 10));
        left /= 10;
    } while (left > 0);
    if (value < 0) *--start = '-';
    double result = 0.0;
    std::from_chars(start, end, result);
    return result;
}

void convertDecimals(const SchemaNode& node, const RawValues& from, std::span<double> to) {
    // Integers and powers of ten up to these limits are exact in a double: one rounding division.
    constexpr int32_t kExactPower = 22;
    constexpr Wide kExact = Wide{1} << 53;
    const double power = std::pow(10.0, node.scale);
    for (size_t i = 0; i < to.size(); ++i) {
        const Wide value = node.physical == Physical::Int32   ? storedAt<int32_t>(from, i)
                           : node.physical == Physical::Int64 ? storedAt<int64_t>(from, i)
                                                              : bigNumber(textAt(from, i));
        to[i] = node.scale <= kExactPower && value <= kExact && value >= -kExact
                    ? static_cast<double>(value) / power
                    : decimalNumber(value, node.scale);
    }
}

// A number of IEEE 754 with 5 bits of exponent and 10 of fraction.
float halfNumber(uint16_t bits) {
    const uint32_t sign = (bits & 0x8000U) << 16U, exponent = bits >> 10U & 0x1fU,
                   fraction = bits & 0x3ffU;
    if (exponent == 0) {
        const float size = std::ldexp(static_cast<float>(fraction), -24);
        return sign != 0 ? -size : size;
    }
    const uint32_t wide = exponent == 31 ? 255 : exponent + 127 - 15;
    return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
}

// Nanoseconds since 1970 of a Julian day and the nanoseconds after midnight.
int64_t oldTimestamp(const RawValues& from, size_t i) {
    constexpr int64_t kDay1970 = 2440588, kNanosecondsADay = 86400000000000;
    int64_t inDay = 0, result = 0;
    int32_t day = 0;
    std::memcpy(&inDay, from.fixed.data() + i * 12, sizeof inDay);
    std::memcpy(&day, from.fixed.data() + i * 12 + 8, sizeof day);
    if (__builtin_mul_overflow(day - kDay1970, kNanosecondsADay, &result) ||
        __builtin_add_overflow(result, inDay, &result))
        throw IoError("expected times from the years 1677 to 2262, found Julian day " +
                      std::to_string(day));
    return result;
}

std::string uuidText(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        const auto byte = static_cast<unsigned char>(bytes[i]);
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

}  // namespace

void convertValues(const SchemaNode& node, const RawValues& from, std::span<double> to) {
    if (node.logical == Logical::Decimal) return convertDecimals(node, from, to);
    if (!to.empty()) std::memcpy(to.data(), from.fixed.data(), to.size_bytes());
}

void convertValues(const SchemaNode& node, const RawValues& from, std::span<float> to) {
    if (node.logical == Logical::Float16) {
        for (size_t i = 0; i < to.size(); ++i) to[i] = halfNumber(storedAt<uint16_t>(from, i));
    } else if (!to.empty()) {
        std::memcpy(to.data(), from.fixed.data(), to.size_bytes());
    }
}

void convertValues(const SchemaNode& node, const RawValues& from, std::span<int64_t> to) {
    switch (node.physical) {
        case Physical::Boolean: return widen<uint8_t>(from, to);
        case Physical::Int32:
            return node.isUnsigned ? widen<uint32_t>(from, to) : widen<int32_t>(from, to);
        case Physical::Int64:
            widen<int64_t>(from, to);  // unsigned ones above 2^63-1 as negative ones of their bits
            return;
        default:
            for (size_t i = 0; i < to.size(); ++i) to[i] = oldTimestamp(from, i);
    }
}

void convertValues(const SchemaNode& node, const RawValues& from, std::span<std::string> to) {
    for (size_t i = 0; i < to.size(); ++i) {
        std::string_view text = textAt(from, i);
        if (node.logical == Logical::Uuid) {
            to[i] = uuidText(text);
            continue;
        }
        // Fill of texts with a fixed length.
        while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
        to[i] = text;
    }
}

}  // namespace armilla::parquet
