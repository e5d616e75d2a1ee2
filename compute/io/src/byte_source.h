// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of a file by offset, whether it lies plain on disk or packed with gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/job_context.h"

namespace armilla {

class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Fills `out` from `offset` on; fewer bytes come back only at the end of the file. Throws
    // IoError when the device fails or the packed stream is damaged.
    virtual size_t readAt(int64_t offset, std::span<std::byte> out) = 0;
    // The number of (unpacked) bytes, or for a packed source the most that it can hold. Sizes that
    // a header claims are held against it before memory is taken.
    virtual int64_t sizeLimit() const = 0;
    // True if threads may call readAt at once and any order of offsets costs the same. A packed
    // source goes forward; going back starts it again from the beginning.
    virtual bool randomAccess() const = 0;
    // Of a plain file, for what must be read by a library; -1 for others. Stays the source's.
    virtual int descriptor() const { return -1; }
    // Reads what lies behind the bytes read last, for a packed stream's checksum stands at its end;
    // nothing to do for a plain source. Throws IoError if the packed stream is damaged or ends
    // early, Cancelled.
    virtual void verifyRest(JobContext& job) = 0;
};

// Opens a regular file; gzip is known by its content, not by the name. Throws IoError. With `stop`
// a packed source throws Cancelled while it goes over bytes that nobody wants.
std::unique_ptr<ByteSource> openByteSource(const std::string& path, std::stop_token stop = {});
// A plain source on a descriptor that it takes over; `path` serves the messages.
std::unique_ptr<ByteSource> plainByteSource(int descriptor, std::string path);

}  // namespace armilla
