// SPDX-License-Identifier: GPL-3.0-or-later
// A gzip file as a stream of bytes, in constant memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace armilla {

// cfitsio opens a gzip file by unpacking it whole into memory, which breaks the memory limit of map
// reading. Its stream decoder, however, writes to any FILE; here that is a bounded pipe in memory
// whose other end is `read`, and the decoder runs in a thread of its own beside the conversion.
class GzipStream {
public:
    explicit GzipStream(const std::string& path);
    ~GzipStream();
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;
    // Fills `out`; fewer bytes only at the end. Throws IoError if the packed data are damaged or
    // end early.
    size_t read(std::span<std::byte> out);

private:
    friend struct GzipStreamAccess;
    void decode();
    // From the decoder's thread; false once nobody reads any more.
    bool push(const char* data, size_t size);

    static constexpr size_t kCapacity = size_t{4} << 20;
    std::string path_;
    std::mutex lock_;
    std::condition_variable dataReady_, spaceReady_;
    std::vector<std::byte> ring_;
    size_t begin_ = 0, filled_ = 0;
    bool finished_ = false, abandoned_ = false, damaged_ = false;
    std::thread decoder_;
};

}  // namespace armilla
