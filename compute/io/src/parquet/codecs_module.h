// SPDX-License-Identifier: GPL-3.0-or-later
// The module that compresses pages by snappy, zstd and LZ4 (codecs_module.cpp). A module, because
// most commands need none of these libraries. The build omits a codec whose library is absent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace armilla::parquet {

enum class Codec : int32_t {
    Uncompressed,
    Snappy,
    Gzip,
    Lzo,
    Brotli,
    Lz4Hadoop,  // blocks of LZ4 with the sizes that Hadoop writes before each
    Zstd,
    Lz4Raw
};

enum class CodecStatus : int32_t { Done, Damaged, NotBuilt };

// The bytes of a page before and after compression.
struct CodecRequest {
    int32_t codec = 0;  // a number of Codec
    const std::byte* from = nullptr;
    size_t fromBytes = 0;
    std::byte* to = nullptr;
    size_t toBytes = 0;  // unpacking: the exact number; packing: at most, then the number written
};

inline constexpr const char* kCodecsModule = "armilla-codecs.so";
using ArmillaCodec = CodecStatus (*)(CodecRequest& request);
extern "C" CodecStatus armillaUnpackPage(CodecRequest& request);
// Packs with snappy or zstd.
extern "C" CodecStatus armillaPackPage(CodecRequest& request);

}  // namespace armilla::parquet
