// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/codecs.h"

#include <zlib.h>

#include <array>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/core/loaded_module.h"
#include "parquet/codecs_module.h"

namespace armilla::parquet {

namespace {

constexpr std::array<const char*, 8> kNames = {"none",   "snappy", "gzip", "LZO",
                                               "Brotli", "LZ4",    "zstd", "LZ4"};

std::string nameOf(Codec codec) {
    const auto number = static_cast<size_t>(codec);
    return number < kNames.size() ? kNames.at(number) : "codec " + std::to_string(number);
}

CodecStatus call(const char* function, CodecRequest& request) {
    const auto symbol = reinterpret_cast<ArmillaCodec>(moduleSymbol(kCodecsModule, function));
    return symbol(request);
}

// gzip or zlib, by the first bytes.
CodecStatus unpackGzip(std::span<const std::byte> from, std::span<std::byte> to) {
    constexpr int kAnyHeader = MAX_WBITS + 32;
    z_stream stream{};
    if (inflateInit2(&stream, kAnyHeader) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data()));
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = reinterpret_cast<Bytef*>(to.data());
    stream.avail_out = static_cast<uInt>(to.size());
    int status = Z_OK;
    // A page may consist of several members.
    while ((status = inflate(&stream, Z_FINISH)) == Z_STREAM_END && stream.avail_out > 0 &&
           stream.avail_in > 0)
        inflateReset(&stream);
    const bool isDone = status == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return isDone ? CodecStatus::Done : CodecStatus::Damaged;
}

[[noreturn]] void refuseCodec(Codec codec) {
    throw IoError(
        "expected pages in snappy, gzip, zstd, LZ4 or without compression, found compression by " +
        nameOf(codec) + ", which is not supported");
}

}  // namespace

void requireCodec(Codec codec) {
    switch (codec) {
        case Codec::Uncompressed:
        case Codec::Gzip: return;
        case Codec::Snappy:
        case Codec::Zstd:
        case Codec::Lz4Raw:
        case Codec::Lz4Hadoop: {
            CodecRequest request{static_cast<int32_t>(codec)};
            if (call("armillaUnpackPage", request) != CodecStatus::NotBuilt) return;
            throw IoError("expected a codec of this build, found compression by " + nameOf(codec) +
                          " (install lib" +
                          (codec == Codec::Zstd     ? "zstd"
                           : codec == Codec::Snappy ? "snappy"
                                                    : "lz4") +
                          "-dev and build again)");
        }
        default: refuseCodec(codec);
    }
}

void unpackPage(Codec codec, std::span<const std::byte> from, std::span<std::byte> to) {
    CodecStatus status = CodecStatus::Damaged;
    if (to.empty()) return;
    if (codec == Codec::Uncompressed) {
        if (from.size() == to.size()) {
            std::memcpy(to.data(), from.data(), to.size());
            status = CodecStatus::Done;
        }
    } else if (codec == Codec::Gzip) {
        status = unpackGzip(from, to);
    } else {
        CodecRequest request{static_cast<int32_t>(codec), from.data(), from.size(), to.data(),
                             to.size()};
        status = call("armillaUnpackPage", request);
    }
    if (status == CodecStatus::NotBuilt) requireCodec(codec);
    if (status != CodecStatus::Done)
        throw IoError("expected a page of " + std::to_string(to.size()) + " bytes in " +
                      nameOf(codec) + ", found a damaged page");
}

Codec codecForWriting() {
    constexpr std::array<std::byte, 8> kBytes{};
    for (const Codec codec : {Codec::Zstd, Codec::Snappy}) {
        std::array<std::byte, 256> packed{};
        CodecRequest request{static_cast<int32_t>(codec), kBytes.data(), kBytes.size(),
                             packed.data(), packed.size()};
        if (call("armillaPackPage", request) == CodecStatus::Done) return codec;
    }
    return Codec::Uncompressed;
}

std::vector<std::byte> packPage(Codec codec, std::span<const std::byte> bytes) {
    if (codec == Codec::Uncompressed) return {bytes.begin(), bytes.end()};
    // Above the bounds of both libraries: snappy adds a sixth and 32 bytes, zstd less.
    std::vector<std::byte> packed(bytes.size() + bytes.size() / 6 + 1024);
    CodecRequest request{static_cast<int32_t>(codec), bytes.data(), bytes.size(), packed.data(),
                         packed.size()};
    ARMILLA_ASSERT(call("armillaPackPage", request) == CodecStatus::Done);
    packed.resize(request.toBytes);
    return packed;
}

}  // namespace armilla::parquet
