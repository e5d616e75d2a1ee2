// SPDX-License-Identifier: GPL-3.0-or-later
#include "byte_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "armilla/core/error.h"
#include "gzip_stream.h"
#include "unpack_tiles.h"

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
    // Deflate compresses at most 258 bytes to two bits (RFC 1951): 1032 to 1.
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
    bool verified_ = false;  // the end was reached and the checksum is correct
};

}  // namespace

std::unique_ptr<ByteSource> plainByteSource(int descriptor, std::string path) {
    return std::make_unique<PlainSource>(descriptor, std::move(path));
}

namespace {

// Contents of pipes, by pipe: readers open a file more than once, but a pipe can be read only once.
struct Spooled {
    std::mutex lock;
    std::map<std::pair<dev_t, ino_t>, int> files;
};
Spooled& spooled() {
    static auto* instance = new Spooled;
    return *instance;
}

// A descriptor of a temporary file with all bytes of a pipe.
int spooledPipe(int pipe, const std::string& path, const std::stop_token& stop) {
    Spooled& all = spooled();
    const std::lock_guard hold(all.lock);
    struct stat status {};
    fstat(pipe, &status);
    const auto key = std::pair(status.st_dev, status.st_ino);
    auto known = all.files.find(key);
    if (known == all.files.end()) {
        const int file = temporaryFile(path);
        std::array<std::byte, 65536> piece;
        for (;;) {
            if (stop.stop_requested()) {
                close(file);
                throw Cancelled();
            }
            pollfd waiting{pipe, POLLIN, 0};
            if (poll(&waiting, 1, 20) == 0) continue;
            const ssize_t got = read(pipe, piece.data(), piece.size());
            if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (got <= 0) break;
            for (ssize_t done = 0; done < got;) {
                const ssize_t put =
                    write(file, piece.data() + done, static_cast<size_t>(got - done));
                if (put < 0 && errno == EINTR) continue;
                if (put < 0) {
                    const int reason = errno;
                    close(file);
                    throw IoError(path + ": expected disk space for the data of the pipe, found: " +
                                  std::strerror(reason));
                }
                done += put;
            }
        }
        known = all.files.emplace(key, file).first;
    }
    return fcntl(known->second, F_DUPFD_CLOEXEC, 0);
}

// A folder that no reader of folders took.
std::string folderWords(const std::string& path) {
    const std::filesystem::path folder(path);
    for (const char* name : {"zarr.json", ".zarray", ".zgroup"}) {
        std::error_code ignored;
        if (std::filesystem::exists(folder / name, ignored))
            return "a folder of Zarr, which is read as a map alone (in Python, numpy.save writes "
                   "an "
                   "array to an .npy file)";
    }
    return "a folder";
}

}  // namespace

std::unique_ptr<ByteSource> openByteSource(const std::string& path, std::stop_token stop) {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    int file = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                           : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        throw IoError(path + ": expected a file that can be read, found: " + std::strerror(errno));
    struct stat status {};
    // A pipe by name, such as a shell's <(command). A named pipe in a folder, without a writer,
    // would read as an empty file.
    if (fstat(file, &status) == 0 && S_ISFIFO(status.st_mode) &&
        (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/"))) {
        const int pipe = file;
        try {
            file = spooledPipe(pipe, path, stop);
        } catch (...) {
            close(pipe);
            throw;
        }
        close(pipe);
        if (file < 0 || fstat(file, &status) != 0)
            throw IoError(path + ": expected a descriptor, found: " + std::strerror(errno));
    }
    auto plain = std::make_unique<PlainSource>(file, path);
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        throw IoError(
            path + ": expected a file, found " +
            (S_ISDIR(status.st_mode) ? folderWords(path) : "something that is no regular file"));
    std::array<std::byte, 2> magic{};
    if (plain->readAt(0, magic) == 2 && magic[0] == std::byte{0x1f} && magic[1] == std::byte{0x8b})
        return std::make_unique<GzipSource>(path, std::move(plain), std::move(stop));
    return plain;
}

}  // namespace armilla
