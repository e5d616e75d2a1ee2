// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/codecs_module.h"

#if ARMILLA_HAVE_LZ4
#include <lz4.h>
#endif
#if ARMILLA_HAVE_SNAPPY
#include <snappy.h>
#endif
#if ARMILLA_HAVE_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <climits>

namespace armilla::parquet {

namespace {

// A build with some of the libraries uses some of these functions.
[[maybe_unused]] CodecStatus doneIf(bool isDone) {
    return isDone ? CodecStatus::Done : CodecStatus::Damaged;
}

[[maybe_unused]] const char* textOf(const std::byte* bytes) {
    return reinterpret_cast<const char*>(bytes);
}

#if ARMILLA_HAVE_LZ4
bool unpackLz4(const std::byte* from, size_t fromBytes, std::byte* to, size_t toBytes) {
    return fromBytes <= INT_MAX && toBytes <= INT_MAX &&
           LZ4_decompress_safe(textOf(from), reinterpret_cast<char*>(to),
                               static_cast<int>(fromBytes),
                               static_cast<int>(toBytes)) == static_cast<int>(toBytes);
}

// Blocks, each after its unpacked and packed sizes with the highest byte first. Old versions of
// Arrow wrote plain LZ4 under this number.
bool unpackLz4Hadoop(const CodecRequest& request) {
    const auto sizeAt = [&](size_t at) {
        size_t size = 0;
        for (size_t i = 0; i < 4; ++i)
            size = size << 8U | static_cast<size_t>(request.from[at + i]);
        return size;
    };
    size_t at = 0, done = 0;
    while (request.fromBytes - at >= 8) {
        const size_t bytes = sizeAt(at), packed = sizeAt(at + 4);
        at += 8;
        if (packed > request.fromBytes - at || bytes > request.toBytes - done ||
            !unpackLz4(request.from + at, packed, request.to + done, bytes))
            break;
        at += packed;
        done += bytes;
        if (at == request.fromBytes && done == request.toBytes) return true;
    }
    return unpackLz4(request.from, request.fromBytes, request.to, request.toBytes);
}
#endif

}  // namespace

CodecStatus armillaUnpackPage(CodecRequest& request) {
    switch (static_cast<Codec>(request.codec)) {
#if ARMILLA_HAVE_SNAPPY
        case Codec::Snappy: {
            size_t bytes = 0;
            return doneIf(
                snappy::GetUncompressedLength(textOf(request.from), request.fromBytes, &bytes) &&
                bytes == request.toBytes &&
                snappy::RawUncompress(textOf(request.from), request.fromBytes,
                                      reinterpret_cast<char*>(request.to)));
        }
#endif
#if ARMILLA_HAVE_ZSTD
        case Codec::Zstd:
            return doneIf(ZSTD_decompress(request.to, request.toBytes, request.from,
                                          request.fromBytes) == request.toBytes);
#endif
#if ARMILLA_HAVE_LZ4
        case Codec::Lz4Raw:
            return doneIf(unpackLz4(request.from, request.fromBytes, request.to, request.toBytes));
        case Codec::Lz4Hadoop: return doneIf(unpackLz4Hadoop(request));
#endif
        default: return CodecStatus::NotBuilt;
    }
}

CodecStatus armillaPackPage(CodecRequest& request) {
    switch (static_cast<Codec>(request.codec)) {
#if ARMILLA_HAVE_SNAPPY
        case Codec::Snappy: {
            if (request.toBytes < snappy::MaxCompressedLength(request.fromBytes))
                return CodecStatus::Damaged;
            snappy::RawCompress(textOf(request.from), request.fromBytes,
                                reinterpret_cast<char*>(request.to), &request.toBytes);
            return CodecStatus::Done;
        }
#endif
#if ARMILLA_HAVE_ZSTD
        case Codec::Zstd: {
            // Level 1 packs catalogs within a few percent of level 3, at twice the speed.
            const size_t bytes =
                ZSTD_compress(request.to, request.toBytes, request.from, request.fromBytes, 1);
            if (ZSTD_isError(bytes) != 0) return CodecStatus::Damaged;
            request.toBytes = bytes;
            return CodecStatus::Done;
        }
#endif
        default: return CodecStatus::NotBuilt;
    }
}

}  // namespace armilla::parquet
