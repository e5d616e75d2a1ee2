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

// Unpacks the members of a gzip file (RFC 1952) one behind the other: `cat a.gz b.gz` and bgzip
// make several. Zeros behind the last one, as tapes and tar leave them, are no data.
class GzipStream {
public:
    // Reads from `packed`, which must outlive the stream; `path` serves the messages.
    GzipStream(ByteSource& packed, std::string path);
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;
    // Fills `out`; fewer bytes only at the end. Throws IoError if the packed data are damaged or
    // end early. The checksum of a member lies behind its data, so data count as sound only once
    // the call that returned fewer bytes did not throw.
    size_t read(std::span<std::byte> out);

private:
    bool refill();
    bool nextMember();
    [[noreturn]] void refuseDamaged(const std::string& found) const;

    ByteSource& packed_;
    std::string path_;
    std::vector<std::byte> input_;
    int64_t position_ = 0;  // in the packed file, behind what `input_` holds
    z_stream stream_{};
    bool ended_ = false;
};

}  // namespace armilla
