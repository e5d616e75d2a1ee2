// SPDX-License-Identifier: GPL-3.0-or-later
#include "blosc_chunk.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "bit_rows.h"
#include "parquet/codecs.h"

namespace armilla {

namespace {

// Format of c-blosc 1: a header of 16 bytes, the offset of each block, blocks of one or more parts,
// each behind its packed size (README_HEADER.rst of c-blosc).
constexpr size_t kHeader = 16, kWord = 4;
constexpr unsigned kShuffled = 0x01, kPlain = 0x02, kBitShuffled = 0x04, kUnsplit = 0x10;
constexpr size_t kMostParts = 16, kLeastPart = 128;

[[noreturn]] void refuseDamage() {
    throw IoError("expected a chunk of Blosc, found a damaged one");
}

size_t wordAt(std::span<const std::byte> bytes, size_t at) {
    if (at > bytes.size() || bytes.size() - at < kWord) refuseDamage();
    uint32_t word = 0;
    for (size_t i = 0; i < kWord; ++i) word |= std::to_integer<uint32_t>(bytes[at + i]) << (8 * i);
    return word;
}

// Codec numbers of Blosc, in the top three bits of the flags.
constexpr unsigned kBloscLz = 0;

parquet::Codec codecOf(unsigned flags) {
    switch (flags >> 5) {
        case 1: return parquet::Codec::Lz4Raw;
        case 2: return parquet::Codec::Snappy;
        case 3: return parquet::Codec::Gzip;
        case 4: return parquet::Codec::Zstd;
        default:
            throw IoError(
                "expected BloscLZ, LZ4, zstd, zlib or snappy in a chunk of Blosc, found codec " +
                std::to_string(flags >> 5));
    }
}

// BloscLZ, a form of FastLZ (blosclz.c of c-blosc): a byte below 32 begins 1 to 32 literals; others
// are a length in the top three bits, continued by bytes while they are 255, and a distance of 13
// bits. The largest distance continues in 16 bits. The top bits of the first byte are a version.
void unpackBloscLz(std::span<const std::byte> from, std::span<std::byte> to) {
    constexpr size_t kFarthest = 8191;
    size_t at = 0, written = 0;
    const auto next = [&]() -> size_t {
        if (at >= from.size()) refuseDamage();
        return std::to_integer<size_t>(from[at++]);
    };
    while (at < from.size()) {
        const bool isFirst = at == 0;
        const size_t control = isFirst ? next() & 31U : next();
        if (control < 32) {
            const size_t count = control + 1;
            if (count > from.size() - at || count > to.size() - written) refuseDamage();
            std::memcpy(to.data() + written, from.data() + at, count);
            at += count;
            written += count;
            continue;
        }
        size_t count = (control >> 5U) + 2;
        if (control >> 5U == 7)
            for (size_t more = 255; more == 255; count += more) more = next();
        size_t distance = (control & 31U) << 8U;
        distance += next();
        if (distance == kFarthest) {
            distance += next() << 8U;
            distance += next();
        }
        ++distance;
        if (distance > written || count > to.size() - written) refuseDamage();
        // The ranges may overlap.
        for (size_t i = 0; i < count; ++i, ++written) to[written] = to[written - distance];
    }
    if (written != to.size()) refuseDamage();
}

void unpackPart(unsigned flags, std::span<const std::byte> from, std::span<std::byte> to) {
    if (from.size() == to.size())
        std::memcpy(to.data(), from.data(), to.size());
    else if (flags >> 5U == kBloscLz)
        unpackBloscLz(from, to);
    else
        parquet::unpackPage(codecOf(flags), from, to);
}

// The first bytes of all values lie before their second bytes, and so on. Bytes behind the last
// whole value stay.
void unshuffle(std::span<const std::byte> from, size_t width, std::span<std::byte> to) {
    const size_t count = from.size() / width;
    for (size_t byte = 0; byte < width; ++byte)
        for (size_t i = 0; i < count; ++i) to[i * width + byte] = from[byte * count + i];
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(count * width), from.end(),
              to.begin() + static_cast<std::ptrdiff_t>(count * width));
}

// Blosc shuffles bits only in blocks of a multiple of 8 values.
void unshuffleBits(std::span<const std::byte> from, size_t width, std::span<std::byte> to) {
    const size_t count = from.size() / width, size = count % 8 == 0 ? count * width : 0;
    restoreBits(from.first(size), width, to.first(size));
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(size), from.end(),
              to.begin() + static_cast<std::ptrdiff_t>(size));
}

}  // namespace

void unpackBlosc(std::span<const std::byte> from, std::span<std::byte> to) {
    if (from.size() < kHeader) refuseDamage();
    const auto flags = std::to_integer<unsigned>(from[2]);
    const auto width = std::to_integer<size_t>(from[3]);
    const size_t size = wordAt(from, 4), blockSize = wordAt(from, 8);
    if (size != to.size() || width == 0) refuseDamage();
    if (size == 0) return;
    if ((flags & kPlain) != 0) {
        if (from.size() - kHeader < size) refuseDamage();
        std::memcpy(to.data(), from.data() + kHeader, size);
        return;
    }
    if (flags >> 5U != kBloscLz) codecOf(flags);  // refuses other codecs
    if (blockSize == 0 || blockSize > size) refuseDamage();
    const size_t blocks = (size + blockSize - 1) / blockSize;
    const bool areBitsShuffled = (flags & kBitShuffled) != 0;
    const bool isShuffled = areBitsShuffled || ((flags & kShuffled) != 0 && width > 1);
    std::vector<std::byte> shuffled(isShuffled ? blockSize : 0);
    for (size_t block = 0; block < blocks; ++block) {
        const std::span<std::byte> out =
            to.subspan(block * blockSize, std::min(blockSize, size - block * blockSize));
        const bool isSplit = (flags & kUnsplit) == 0 && width <= kMostParts &&
                             blockSize / width >= kLeastPart && out.size() == blockSize;
        const size_t parts = isSplit ? width : 1, partSize = out.size() / parts;
        const std::span<std::byte> target =
            isShuffled ? std::span(shuffled).first(out.size()) : out;
        size_t at = wordAt(from, kHeader + kWord * block);
        for (size_t part = 0; part < parts; ++part) {
            const size_t packed = wordAt(from, at);
            at += kWord;
            if (packed > from.size() - at) refuseDamage();
            const auto bytes = from.subspan(at, packed);
            const auto place = target.subspan(part * partSize, partSize);
            unpackPart(flags, bytes, place);
            at += packed;
        }
        if (isShuffled)
            areBitsShuffled ? unshuffleBits(target, width, out) : unshuffle(target, width, out);
    }
}

}  // namespace armilla
