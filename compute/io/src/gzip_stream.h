// SPDX-License-Identifier: GPL-3.0-or-later
// A gzip file as a stream of bytes, in constant memory.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "byte_source.h"

namespace armilla {

// Decompresses the members of a gzip file (RFC 1952) in sequence; `cat a.gz b.gz` and bgzip make
// several. Zeros after the last member, as left by tapes and tar, are ignored.
class GzipStream {
public:
    // Reads from `packed`, which must outlive the stream; `path` is for messages.
    GzipStream(ByteSource& packed, std::string path);
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;
    // Fills `out`; returns fewer bytes only at the end. Throws IoError if the compressed data are
    // damaged or truncated. The checksum of a member follows its data; therefore data are verified
    // only after a call that returned fewer bytes without an exception.
    size_t read(std::span<std::byte> out);

private:
    bool refill();
    bool nextMember();
    [[noreturn]] void refuseDamaged(const std::string& found) const;

    ByteSource& packed_;
    std::string path_;
    std::vector<std::byte> input_;
    int64_t position_ = 0;  // in the compressed file, after the bytes in `input_`
    z_stream stream_{};
    bool ended_ = false;
};

}  // namespace armilla
