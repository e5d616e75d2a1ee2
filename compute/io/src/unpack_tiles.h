// SPDX-License-Identifier: GPL-3.0-or-later
// Decompression of files into unnamed temporary files.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "armilla/core/job_context.h"
#include "byte_source.h"
#include "fits_header.h"

namespace armilla {

// Unpacked size in bytes that a tile-compressed table or image (ZTABLE, ZIMAGE) declares. Throws
// IoError unless its Z cards are consistent with each other, with its heap and with the `dataBytes`
// of its HDU.
int64_t unpackedBytes(const std::string& path, const FitsHeader& header, int64_t dataBytes);

// A plain FITS file to unpack, and the size of its primary HDU in bytes.
struct PackedTiles {
    std::string path;  // for messages
    ByteSource* source = nullptr;
    int64_t primaryBytes = 0;
    int hdus = 0;
    int64_t bytes = 0;  // upper bound of the unpacked file's size
};
// Unpacks every tile-compressed HDU into a temporary file and returns its descriptor. cfitsio runs
// in a separate process with limits of memory, time and disk, so that a damaged file cannot do
// harm. Throws IoError, Cancelled.
int unpackTiles(const PackedTiles& packed, const std::stop_token& stop);

// Copies the bytes of a source to a temporary file, in constant memory; returns its descriptor.
// Throws IoError, Cancelled.
int unpackedCopy(ByteSource& source, const std::string& path, JobContext& job);
// The descriptor of a new unnamed temporary file. Throws IoError.
int temporaryFile(const std::string& path);

}  // namespace armilla
