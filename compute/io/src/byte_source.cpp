// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "gzip_stream.h"

namespace armilla {

namespace {

class PlainSource : public ByteSource {
public:
    PlainSource(int descriptor, std::string path) : file_(descriptor), path_(std::move(path)) {
        struct stat status {};
        if (fstat(file_, &status) == 0) size_ = status.st_size;
    }
    ~PlainSource() override { close(file_); }
    PlainSource(const PlainSource&) = delete;
    PlainSource& operator=(const PlainSource&) = delete;

    size_t readAt(int64_t offset, std::span<std::byte> out) override {
        size_t done = 0;
        while (done < out.size()) {
            const ssize_t got = pread(file_, out.data() + done, out.size() - done,
                                      offset + static_cast<int64_t>(done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0)
                throw IoError(path_ +
                              ": expected to read the file, found: " + std::strerror(errno));
            if (got == 0) break;
            done += static_cast<size_t>(got);
        }
        return done;
    }
    int64_t sizeLimit() const override { return size_; }
    bool randomAccess() const override { return true; }
    int descriptor() const override { return file_; }
    void verifyRest(JobContext&) override {}

private:
    int file_;
    std::string path_;
    int64_t size_ = 0;
};

class GzipSource : public ByteSource {
public:
    GzipSource(std::string path, std::unique_ptr<ByteSource> packed, std::stop_token stop)
        : path_(std::move(path)), packed_(std::move(packed)), stop_(std::move(stop)) {
        restart();
    }

    size_t readAt(int64_t offset, std::span<std::byte> out) override {
        if (offset < position_) restart();
        std::array<std::byte, kStep> waste;
        while (position_ < offset) {
            if (stop_.stop_requested()) throw Cancelled();
            const auto want = std::min(static_cast<size_t>(offset - position_), waste.size());
            if (advance(std::span(waste).first(want)) < want) return 0;
        }
        return advance(out);
    }
    int64_t sizeLimit() const override { return kMaxRatio * packed_->sizeLimit(); }
    bool randomAccess() const override { return false; }
    void verifyRest(JobContext& job) override {
        std::array<std::byte, kStep> waste;
        while (!verified_) {
            job.poll();
            advance(waste);
        }
    }

private:
    // Deflate packs at most 258 bytes into two bits (RFC 1951): 1032 to 1.
    static constexpr int64_t kMaxRatio = 1032;

    static constexpr size_t kStep = 65536;

    void restart() {
        stream_ = std::make_unique<GzipStream>(*packed_, path_);
        position_ = 0;
    }
    size_t advance(std::span<std::byte> out) {
        const size_t got = stream_->read(out);
        position_ += static_cast<int64_t>(got);
        verified_ = verified_ || got < out.size();
        return got;
    }
    std::string path_;
    std::unique_ptr<ByteSource> packed_;
    std::stop_token stop_;
    std::unique_ptr<GzipStream> stream_;
    int64_t position_ = 0;
    bool verified_ = false;  // the end was reached without damage
};

}  // namespace

std::unique_ptr<ByteSource> plainByteSource(int descriptor, std::string path) {
    return std::make_unique<PlainSource>(descriptor, std::move(path));
}

std::unique_ptr<ByteSource> openByteSource(const std::string& path, std::stop_token stop) {
    // O_NONBLOCK: a named pipe must not make the program wait; it is refused below.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        throw IoError(path + ": expected a file that can be read, found: " + std::strerror(errno));
    auto plain = std::make_unique<PlainSource>(file, path);
    struct stat status {};
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        throw IoError(path + ": expected a file, found " +
                      (S_ISDIR(status.st_mode) ? "a folder" : "something that is no regular file"));
    std::array<std::byte, 2> magic{};
    if (plain->readAt(0, magic) == 2 && magic[0] == std::byte{0x1f} && magic[1] == std::byte{0x8b})
        return std::make_unique<GzipSource>(path, std::move(plain), std::move(stop));
    return plain;
}

}  // namespace armilla
