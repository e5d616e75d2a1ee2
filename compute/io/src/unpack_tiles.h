// SPDX-License-Identifier: GPL-3.0-or-later
// Packed files made plain in a temporary file that has no name.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include "byte_source.h"
#include "core/job_context.h"
#include "fits_header.h"

namespace armilla {

// Bytes that a tile-compressed table or image (ZTABLE, ZIMAGE) claims to hold. Throws IoError
// unless its Z cards fit each other, its heap and the `dataBytes` of its HDU.
int64_t unpackedBytes(const std::string& path, const FitsHeader& header, int64_t dataBytes);

// What is to be unpacked: a plain FITS file and how many bytes of it are its primary HDU.
struct PackedTiles {
    std::string path;  // for messages
    ByteSource* source = nullptr;
    int64_t primaryBytes = 0;
    int hdus = 0;
    int64_t bytes = 0;  // of the unpacked file, at most
};
// The file with every tile-compressed HDU unpacked, as the descriptor of a temporary file. cfitsio
// does it in a process of its own with limits of memory, time and disk, so that a damaged file can
// do no harm. Throws IoError, Cancelled.
int unpackTiles(const PackedTiles& packed, const std::stop_token& stop);

// The bytes of a source in a temporary file, in constant memory. Throws IoError, Cancelled.
int unpackedCopy(ByteSource& source, const std::string& path, JobContext& job);
// A new temporary file without a name. Throws IoError.
int temporaryFile(const std::string& path);

}  // namespace armilla
