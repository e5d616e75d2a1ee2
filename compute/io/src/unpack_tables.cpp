// SPDX-License-Identifier: GPL-3.0-or-later
#include "unpack_tables.h"

#include <fcntl.h>
#include <fitsio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "cfitsio_error.h"
#include "core/error.h"

namespace armilla {

namespace {

// cfitsio's handle of an open file.
class CfitsioFile {
public:
    CfitsioFile() = default;
    ~CfitsioFile() {
        int status = 0;
        if (handle_ != nullptr) fits_close_file(handle_, &status);
        fits_clear_errmsg();
    }
    CfitsioFile(const CfitsioFile&) = delete;
    CfitsioFile& operator=(const CfitsioFile&) = delete;
    fitsfile** address() { return &handle_; }
    fitsfile* get() const { return handle_; }
    void close(int* status) {
        fitsfile* handle = handle_;
        handle_ = nullptr;
        if (handle != nullptr) fits_close_file(handle, status);
    }

private:
    fitsfile* handle_ = nullptr;
};

// A folder of its own that only this user can enter, removed with what is in it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code failure;
        std::filesystem::path base = std::filesystem::temp_directory_path(failure);
        if (failure) base = "/tmp";
        path_ = (base / "armilla-XXXXXX").string();
        if (mkdtemp(path_.data()) == nullptr)
            throw IoError(path_ +
                          ": expected to make a temporary folder, found: " + std::strerror(errno));
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

class Descriptor {
public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return descriptor_; }
    int release() { return std::exchange(descriptor_, -1); }

private:
    int descriptor_;
};

void copyUnpacked(fitsfile* in, fitsfile* out, int* status) {
    int count = 0;
    fits_get_num_hdus(in, &count, status);
    for (int number = 1; number <= count && *status == 0; ++number) {
        fits_movabs_hdu(in, number, nullptr, status);
        int packed = 0, missing = 0;
        fits_read_key(in, TLOGICAL, "ZTABLE", &packed, nullptr, &missing);
        fits_clear_errmsg();
        if (number > 1 && missing == 0 && packed != 0)
            fits_uncompress_table(in, out, status);
        else
            fits_copy_hdu(in, out, 0, status);
    }
}

}  // namespace

int unpackTileCompressedTables(const std::string& path) {
    const TemporaryFolder folder;
    const std::string unpacked = folder.path() + "/unpacked.fits";
    int status = 0;
    {
        CfitsioFile in, out;
        fits_open_diskfile(in.address(), path.c_str(), READONLY, &status);
        fits_create_diskfile(out.address(), unpacked.c_str(), &status);
        if (status == 0) copyUnpacked(in.get(), out.get(), &status);
        checkCfitsio(status, path, "a tile-compressed table that unpacks");
        out.close(&status);
        checkCfitsio(status, path, "room to unpack the table in " + folder.path());
    }
    const int file = open(unpacked.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        throw IoError(path +
                      ": expected to read the unpacked table, found: " + std::strerror(errno));
    return file;
}

int unpackedCopy(ByteSource& source, const std::string& path, JobContext& job) {
    const TemporaryFolder folder;
    Descriptor file(open((folder.path() + "/unpacked.fits").c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    const auto refuseNoRoom = [&] {
        throw IoError(path + ": expected room to unpack the file in " + folder.path() +
                      ", found: " + std::strerror(errno));
    };
    if (file.get() < 0) refuseNoRoom();
    std::vector<std::byte> piece(size_t{1} << 20);
    for (int64_t at = 0;;) {
        job.poll();
        const size_t got = source.readAt(at, piece);
        for (size_t done = 0; done < got;) {
            const ssize_t put = write(file.get(), piece.data() + done, got - done);
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) refuseNoRoom();
            done += static_cast<size_t>(put);
        }
        at += static_cast<int64_t>(got);
        if (got < piece.size()) return file.release();
    }
}

}  // namespace armilla
