// SPDX-License-Identifier: GPL-3.0-or-later
#include "npy_map.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "byte_source.h"
#include "map_facts.h"
#include "map_planes.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// Far above the header of any array of numbers.
constexpr int64_t kMaxHeader = 1 << 16;
constexpr int64_t kMaxFields = 999;

struct NpyArray : NumberType {
    int64_t fields = 1, pixels = 0;
    bool isInterleaved = false;  // all fields of a pixel, then those of the next one
    int64_t dataOffset = 0;
};

[[noreturn]] void refuseHeader(const std::string& path, const std::string& found) {
    refuse(path, "an array of real numbers, one a pixel, or one a field and pixel", found);
}

// The text after `key` and a colon in the dictionary of the header.
std::string_view entry(const std::string& path, std::string_view header, std::string_view key) {
    const size_t at = header.find(key);
    const size_t colon = at == std::string_view::npos ? at : header.find(':', at);
    if (colon == std::string_view::npos) refuseHeader(path, "a header without " + std::string(key));
    header.remove_prefix(colon + 1);
    while (!header.empty() && header.front() == ' ') header.remove_prefix(1);
    return header;
}

// How to save an array of another type, in parentheses.
std::string adviceFor(std::string_view type) {
    if (type.find('c') != std::string_view::npos)
        return ", complex numbers (save a.real and a.imag as two fields)";
    if (type.find('f') != std::string_view::npos) return " (save a.astype('f8'))";
    return {};
}

void readType(const std::string& path, std::string_view text, NpyArray& array) {
    if (text.starts_with('[') || text.starts_with('('))
        refuseHeader(path, "records, or an array in each value (save one of its members)");
    // '<f4': order of bytes, kind, width.
    const bool isPlain =
        text.size() >= 5 && (text[0] == '\'' || text[0] == '"') && text[4] == text[0];
    const auto type = isPlain ? numberType(text.substr(1, 3)) : std::nullopt;
    if (!type)
        refuseHeader(path, "the type " + std::string(text.substr(0, text.find(','))) +
                               adviceFor(text.substr(0, text.find(','))));
    static_cast<NumberType&>(array) = *type;
}

bool isPixelCount(int64_t count) {
    return nsideOfCount(count).has_value();
}

// One axis of pixels, or two, of which the other one counts the fields. Usually the pixels are the
// last axis.
void readShape(const std::string& path, std::string_view text, bool isFortran, NpyArray& array) {
    const size_t end = text.find(')');
    if (text.empty() || text.front() != '(' || end == std::string_view::npos)
        refuseHeader(path, "a header without a shape");
    const std::string_view inside = text.substr(1, end - 1);
    std::vector<int64_t> sizes;
    for (size_t at = 0; at < inside.size();) {
        const size_t comma = std::min(inside.find(',', at), inside.size());
        const std::string word = trimmed(inside.substr(at, comma - at));
        at = comma + 1;
        if (word.empty() && at >= inside.size()) break;
        const auto size = parseInteger(word);
        if (!size || *size < 0) refuseHeader(path, "the shape (" + std::string(inside) + ")");
        sizes.push_back(*size);
    }
    // Axes of one element count nothing.
    for (size_t axis = 0; sizes.size() > 2 && axis < sizes.size();)
        if (sizes[axis] == 1)
            sizes.erase(sizes.begin() + static_cast<long>(axis));
        else
            ++axis;
    const bool isFirst = sizes.size() == 2 && isPixelCount(sizes[0]) && !isPixelCount(sizes[1]);
    if (isFirst) std::swap(sizes[0], sizes[1]);
    const bool isMap = sizes.size() == 1 || (sizes.size() == 2 && sizes[0] <= kMaxFields);
    if (!isMap || sizes[0] == 0) refuseHeader(path, "the shape (" + std::string(inside) + ")");
    array.pixels = sizes.back();
    array.fields = sizes.size() == 2 ? sizes[0] : 1;
    // In Fortran's order, the first axis varies fastest.
    array.isInterleaved = array.fields > 1 && isFirst != isFortran;
}

// Reads the header, whose end is the start of the data.
NpyArray readHeader(const std::string& path, ByteSource& source) {
    std::array<std::byte, 12> start{};
    const size_t got = source.readAt(0, start);
    const auto byte = [&](size_t at) { return std::to_integer<int64_t>(start[at]); };
    const bool isLong = byte(6) >= 2;
    const int64_t begin = isLong ? 12 : 10;
    int64_t length = byte(8) + 256 * byte(9);
    if (isLong) length += 65536 * (byte(10) + 256 * byte(11));
    if (got < start.size() || byte(6) < 1 || byte(6) > 3 || length > kMaxHeader)
        refuse(path, "an array of NumPy in the format 1, 2 or 3", "a damaged or truncated header");
    std::string header(static_cast<size_t>(length), ' ');
    const size_t read =
        source.readAt(begin, std::as_writable_bytes(std::span(header.data(), header.size())));
    if (read < header.size())
        refuse(path, "an array of NumPy", "the end of the file in its header");
    NpyArray array;
    array.dataOffset = begin + length;
    readType(path, entry(path, header, "'descr'"), array);
    const std::string_view shape = entry(path, header, "'shape'");
    readShape(path, shape, entry(path, header, "'fortran_order'").starts_with("True"), array);
    int64_t bytes = 0;
    if (__builtin_mul_overflow(array.pixels, array.fields * array.width, &bytes) ||
        bytes > source.sizeLimit() - array.dataOffset)
        refuse(path,
               std::to_string(array.fields) + " x " + std::to_string(array.pixels) + " values of " +
                   std::to_string(array.width) + " bytes",
               "the end of the file before these (it is truncated)");
    return array;
}

std::string nameOf(const NpyArray& array, int64_t field) {
    return array.fields == 1 ? "VALUE" : "FIELD" + std::to_string(field + 1);
}

int64_t nsideOfArray(const std::string& path, const NpyArray& array, const StatedPixels& stated) {
    const auto nside = nsideOfCount(array.pixels);
    if (!nside) refuse(path, "12 NSIDE^2 values a field", std::to_string(array.pixels));
    if (stated.ordering == Ordering::Nested && !isPowerOfTwoNside(*nside))
        refuse(path, "a power of two as NSIDE of a NESTED map", std::to_string(*nside));
    return agreedNside(*nside, stated);
}

template <class Word>
Word wordAt(const std::byte* at, bool bigEndianOrder) {
    std::array<std::byte, sizeof(Word)> bytes{};
    std::memcpy(bytes.data(), at, sizeof(Word));
    if (bigEndianOrder != (std::endian::native == std::endian::big))
        std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<Word>(bytes);
}

// A number of half precision (IEEE 754 binary16), exact as float.
float fromHalf(uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    // Subnormal numbers are multiples of 2^-24; normal ones have the leading bit 2^10.
    float value = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    if (exponent == 0x1f) value = std::numeric_limits<float>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -value : value;
}

// Infinities are bad values, too.
template <class T>
void decodeHalves(const NumberType& array, const std::byte* in, int64_t count, T* out) {
    for (int64_t i = 0; i < count; ++i)
        out[i] = static_cast<T>(fromHalf(wordAt<uint16_t>(in + 2 * i, array.bigEndian)));
}

template <class Word, class T>
void decodeRun(const NumberType& array, const std::byte* in, int64_t count, T* out) {
    const BadValues bad = healpixBadValues(std::nullopt);
    for (int64_t i = 0; i < count; ++i, in += sizeof(Word)) {
        const Word word = wordAt<Word>(in, array.bigEndian);
        if constexpr (std::is_floating_point_v<Word>) {
            out[i] = bad.isBad(static_cast<double>(word)) ? std::numeric_limits<T>::quiet_NaN()
                                                          : static_cast<T>(word);
        } else {
            out[i] = static_cast<T>(word);
        }
    }
}

template <class T>
void decodeValues(const NumberType& array, const std::byte* in, int64_t count, T* out) {
    const bool isUnsigned = array.kind != 'i';
    if (array.kind == 'f' && array.width == 2)
        decodeHalves(array, in, count, out);
    else if (array.kind == 'f')
        array.width == 4 ? decodeRun<float>(array, in, count, out)
                         : decodeRun<double>(array, in, count, out);
    else if (array.width == 1)
        isUnsigned ? decodeRun<uint8_t>(array, in, count, out)
                   : decodeRun<int8_t>(array, in, count, out);
    else if (array.width == 2)
        isUnsigned ? decodeRun<uint16_t>(array, in, count, out)
                   : decodeRun<int16_t>(array, in, count, out);
    else if (array.width == 4)
        isUnsigned ? decodeRun<uint32_t>(array, in, count, out)
                   : decodeRun<int32_t>(array, in, count, out);
    else
        isUnsigned ? decodeRun<uint64_t>(array, in, count, out)
                   : decodeRun<int64_t>(array, in, count, out);
}

// Positions of the named fields; all fields without names.
std::vector<int64_t> chosenFields(const std::string& path, const NpyArray& array,
                                  const std::vector<std::string>& names) {
    std::vector<int64_t> chosen;
    for (const std::string& text : names) {
        const auto number = parseInteger(text);
        int64_t found = number ? *number - 1 : -1;
        for (int64_t field = 0; field < array.fields; ++field)
            if (upperTrimmed(text) == nameOf(array, field)) found = field;
        if (found < 0 || found >= array.fields)
            refuse(path, "a field number from 1 to " + std::to_string(array.fields),
                   inQuotes(text));
        chosen.push_back(found);
    }
    for (int64_t field = 0; names.empty() && field < array.fields; ++field) chosen.push_back(field);
    return chosen;
}

// The values of the field at position `number` of the file.
template <class T>
void readField(const std::string& path, ByteSource& source, const NpyArray& array, int64_t number,
               std::vector<T>& values, JobContext& job) {
    constexpr int64_t kPieceBytes = int64_t{1} << 20;
    const int64_t each = array.isInterleaved ? array.fields * array.width : array.width;
    const int64_t piece = std::max<int64_t>(1, kPieceBytes / each);
    std::vector<std::byte> bytes;
    for (int64_t begin = 0; begin < array.pixels; begin += piece) {
        job.report(static_cast<double>(begin) / static_cast<double>(array.pixels), "reading");
        job.poll();
        const int64_t count = std::min(piece, array.pixels - begin);
        bytes.resize(static_cast<size_t>(count * each));
        const int64_t first = array.isInterleaved ? begin : number * array.pixels + begin;
        const int64_t at = array.dataOffset + first * each;
        if (source.readAt(at, bytes) < bytes.size())
            refuse(path, "all values of the array", "the end of the file (it is truncated)");
        if (array.isInterleaved)
            for (int64_t i = 0; i < count; ++i)
                std::memmove(bytes.data() + i * array.width,
                             bytes.data() + i * each + number * array.width,
                             static_cast<size_t>(array.width));
        T* const out = values.data() + begin;
        decodeValues(array, bytes.data(), count, out);
        if constexpr (std::is_same_v<T, double>)
            if (array.width == 8 && array.kind != 'f' && !isExact(out, count))
                refuseInexact(path, nameOf(array, number));
    }
}

}  // namespace

std::optional<NumberType> numberType(std::string_view word) {
    static constexpr std::array<std::string_view, 12> kKnown = {"b1", "i1", "u1", "i2", "u2", "i4",
                                                                "u4", "i8", "u8", "f2", "f4", "f8"};
    const bool isKnown = word.size() == 3 &&
                         std::string_view("<>|=").find(word[0]) != std::string_view::npos &&
                         std::find(kKnown.begin(), kKnown.end(), word.substr(1)) != kKnown.end();
    if (!isKnown) return std::nullopt;
    return NumberType{word[1], word[2] - '0', word[0] == '>'};
}

DiskType typeOf(const NumberType& array) {
    if (array.kind == 'b') return DiskType::Logical;
    if (array.kind == 'f') return array.width <= 4 ? DiskType::Float32 : DiskType::Float64;
    const bool isUnsigned = array.kind == 'u';
    switch (array.width) {
        case 1: return isUnsigned ? DiskType::UInt8 : DiskType::Int16;
        case 2: return isUnsigned ? DiskType::Int32 : DiskType::Int16;
        case 4: return isUnsigned ? DiskType::Int64 : DiskType::Int32;
        default: return DiskType::Int64;
    }
}

void decodeNumbers(const NumberType& type, const std::byte* in, int64_t count, float* out) {
    decodeValues(type, in, count, out);
}
void decodeNumbers(const NumberType& type, const std::byte* in, int64_t count, double* out) {
    decodeValues(type, in, count, out);
}

bool isNpyFile(const std::string& path) {
    return startOfTextFile(path).starts_with(kMagic);
}

FileSummary inspectNpyMap(const std::string& path, const StatedPixels& stated) {
    const NpyArray array = readHeader(path, *openByteSource(path));
    FileSummary summary;
    summary.kind = FileKind::Map;
    summary.hdu = 0;
    summary.nside = nsideOfArray(path, array, stated);
    summary.ordering = stated.ordering.value_or(Ordering::Ring);
    summary.rows = array.pixels;
    for (int64_t field = 0; field < array.fields; ++field)
        summary.columns.push_back({nameOf(array, field), "", typeOf(array), 1});
    if (!stated.ordering)
        summary.assumed = "RING ordering is assumed (--input-ordering nested states the other)";
    return summary;
}

HealpixMap readNpyMap(const std::string& path, const MapReadOptions& options, JobContext& job) {
    const auto source = openByteSource(path, job.stopToken());
    const NpyArray array = readHeader(path, *source);
    const int64_t nside = nsideOfArray(path, array, options.stated);
    const std::vector<int64_t> chosen = chosenFields(path, array, options.fields);
    const DiskType type = typeOf(array);
    const bool isSingle = type == DiskType::UInt8 || type == DiskType::Int16 ||
                          type == DiskType::Logical || type == DiskType::Float32;
    requireMemory(path, std::ssize(chosen) * array.pixels * (isSingle ? 4 : 8));
    std::vector<Field> fields;
    for (size_t f = 0; f < chosen.size(); ++f) {
        const auto share = static_cast<double>(chosen.size());
        JobContext part =
            job.part(static_cast<double>(f) / share, static_cast<double>(f + 1) / share);
        Field field{nameOf(array, chosen[f]), "", type, {}};
        if (isSingle)
            field.values = newVector<float>(array.pixels, part);
        else
            field.values = newVector<double>(array.pixels, part);
        std::visit([&](auto& values) { readField(path, *source, array, chosen[f], values, part); },
                   field.values);
        fields.push_back(std::move(field));
    }
    source->verifyRest(job);
    return {nside, options.stated.ordering.value_or(Ordering::Ring), Frame::Unknown,
            std::move(fields)};
}

}  // namespace armilla
