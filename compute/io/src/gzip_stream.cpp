// SPDX-License-Identifier: GPL-3.0-or-later
#include "gzip_stream.h"

#include <fitsio.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

// Part of this header lacks the linkage specification that C++ needs.
extern "C" {
#include <fitsio2.h>
}

#include "core/error.h"

namespace armilla {

// What the C callback of the decoder's output stream may touch.
struct GzipStreamAccess {
    static ssize_t write(void* cookie, const char* data, size_t size) {
        // Zero bytes taken is an error to stdio, which makes the decoder stop.
        return static_cast<GzipStream*>(cookie)->push(data, size) ? static_cast<ssize_t>(size) : 0;
    }
};

GzipStream::GzipStream(const std::string& path)
    : path_(path), ring_(kCapacity), decoder_([this] { decode(); }) {}

GzipStream::~GzipStream() {
    {
        const std::lock_guard lock(lock_);
        abandoned_ = true;
    }
    spaceReady_.notify_all();
    decoder_.join();
}

void GzipStream::decode() {
    int status = 0;
    FILE* in = std::fopen(path_.c_str(), "rbe");
    cookie_io_functions_t functions{};
    functions.write = GzipStreamAccess::write;
    FILE* out = fopencookie(this, "wb", functions);
    if (in == nullptr || out == nullptr) {
        status = FILE_NOT_OPENED;
    } else {
        std::string name = path_;
        uncompress2file(name.data(), in, out, &status);
    }
    if (out != nullptr && std::fclose(out) != 0 && status == 0) status = WRITE_ERROR;
    if (in != nullptr) std::fclose(in);
    fits_clear_errmsg();
    {
        const std::lock_guard lock(lock_);
        finished_ = true;
        damaged_ = status != 0;
    }
    dataReady_.notify_all();
}

bool GzipStream::push(const char* data, size_t size) {
    std::unique_lock lock(lock_);
    while (size > 0) {
        spaceReady_.wait(lock, [this] { return abandoned_ || filled_ < kCapacity; });
        if (abandoned_) return false;
        const size_t at = (begin_ + filled_) % kCapacity;
        const size_t count = std::min({size, kCapacity - filled_, kCapacity - at});
        std::memcpy(ring_.data() + at, data, count);
        filled_ += count;
        data += count;
        size -= count;
        dataReady_.notify_one();
    }
    return true;
}

size_t GzipStream::read(std::span<std::byte> out) {
    size_t done = 0;
    std::unique_lock lock(lock_);
    while (done < out.size()) {
        dataReady_.wait(lock, [this] { return finished_ || filled_ > 0; });
        if (filled_ == 0) {
            if (damaged_)
                throw IoError(path_ +
                              ": expected a whole gzip file, found damaged or truncated data");
            break;
        }
        const size_t count = std::min({out.size() - done, filled_, kCapacity - begin_});
        std::memcpy(out.data() + done, ring_.data() + begin_, count);
        begin_ = (begin_ + count) % kCapacity;
        filled_ -= count;
        done += count;
        spaceReady_.notify_one();
    }
    return done;
}

}  // namespace armilla
