// SPDX-License-Identifier: GPL-3.0-or-later
#include "gzip_stream.h"

#include <algorithm>

#include "armilla/core/error.h"
#include "fits_file.h"

namespace armilla {

namespace {

constexpr size_t kInputBytes = size_t{1} << 18;
// 15: the largest window of deflate; 16 more: gzip headers and checksums only (zlib.h,
// inflateInit2).
constexpr int kGzipWindow = 15 + 16;

}  // namespace

GzipStream::GzipStream(ByteSource& packed, std::string path)
    : packed_(packed), path_(std::move(path)), input_(kInputBytes) {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK)
        throw OutOfMemory(path_ + ": expected memory to unpack gzip data, found too little");
}

GzipStream::~GzipStream() {
    inflateEnd(&stream_);
}

void GzipStream::refuseDamaged(const std::string& found) const {
    refuse(path_, "a whole gzip file", found);
}

bool GzipStream::refill() {
    const size_t got = packed_.readAt(position_, input_);
    position_ += static_cast<int64_t>(got);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return got > 0;
}

bool GzipStream::nextMember() {
    for (;;) {
        for (; stream_.avail_in > 0 && *stream_.next_in == 0; ++stream_.next_in) --stream_.avail_in;
        if (stream_.avail_in > 0) break;
        if (!refill()) return false;
    }
    inflateReset(&stream_);
    return true;
}

size_t GzipStream::read(std::span<std::byte> out) {
    // zlib counts in 32 bits.
    constexpr size_t kMost = size_t{1} << 30;
    size_t done = 0;
    while (done < out.size() && !ended_) {
        if (stream_.avail_in == 0 && !refill()) refuseDamaged("one that ends early");
        const size_t room = std::min(out.size() - done, kMost);
        stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
        stream_.avail_out = static_cast<uInt>(room);
        const int status = inflate(&stream_, Z_NO_FLUSH);
        done += room - stream_.avail_out;
        if (status == Z_STREAM_END)
            ended_ = !nextMember();
        else if (status == Z_MEM_ERROR)
            throw OutOfMemory(path_ + ": expected memory to unpack gzip data, found too little");
        else if (status != Z_OK)
            refuseDamaged("damaged data");
    }
    return done;
}

}  // namespace armilla
