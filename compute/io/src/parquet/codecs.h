// SPDX-License-Identifier: GPL-3.0-or-later
// Compression of pages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "parquet/metadata.h"

namespace armilla::parquet {

// Throws IoError "expected ..., found compression by NAME, ..." for codecs that the program or the
// build lacks.
void requireCodec(Codec codec);
// Unpacks into exactly `to`. Throws IoError for damaged bytes, and as requireCodec.
void unpackPage(Codec codec, std::span<const std::byte> from, std::span<std::byte> to);
// The codec of written files: zstd, otherwise snappy, otherwise none, by the libraries of the
// build.
Codec codecForWriting();
std::vector<std::byte> packPage(Codec codec, std::span<const std::byte> bytes);

}  // namespace armilla::parquet
