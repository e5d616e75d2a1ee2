// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a plain or gzip file by offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "armilla/core/job_context.h"

namespace armilla {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Fills `out` from `offset` on; returns fewer bytes only at the end of the file. Throws IoError
    // for a failing device or a damaged gzip stream.
    virtual size_t readAt(int64_t offset, std::span<std::byte> out) = 0;
    // The number of (unpacked) bytes, or for a gzip source an upper bound. Sizes from headers are
    // compared with this before memory is allocated.
    virtual int64_t sizeLimit() const = 0;
    // True if threads may call readAt concurrently and the order of offsets does not affect the
    // cost. A gzip source reads forward; a step back restarts at the beginning.
    virtual bool randomAccess() const = 0;
    // The descriptor of a plain file, for libraries that read it; -1 for others. Owned by the
    // source.
    virtual int descriptor() const { return -1; }
    // Reads to the end of a gzip stream, because its checksum is there; does nothing for a plain
    // source. Throws IoError if the stream is damaged or truncated, Cancelled.
    virtual void verifyRest(JobContext& job) = 0;
};

// Opens a regular file; gzip is detected by content, not by name. Throws IoError. With `stop`, a
// gzip source throws Cancelled while skipping bytes.
std::unique_ptr<ByteSource> openByteSource(const std::string& path, std::stop_token stop = {});
// A plain source that takes ownership of a descriptor; `path` is for messages.
std::unique_ptr<ByteSource> plainByteSource(int descriptor, std::string path);

}  // namespace armilla
