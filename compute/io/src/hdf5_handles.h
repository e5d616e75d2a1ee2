// SPDX-License-Identifier: GPL-3.0-or-later
// Identifiers and attributes of the HDF5 library, for the sources of the module armilla-hdf5.so.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace armilla {

// Owns an identifier of the library and its closing function.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    hid_t id() const { return id_; }
    bool isOpen() const { return id_ >= 0; }
    // Closes before the destructor, for the result of the library.
    herr_t closeNow() { return close_(std::exchange(id_, -1)); }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

// Debian's build of the library is not thread-safe: every function of the module holds this lock.
inline std::mutex& libraryLock() {
    static std::mutex lock;
    return lock;
}

// A file for reading; not open if it cannot be read. Throws IoError if the library fails at the
// file. Call with libraryLock() held.
Handle openHdf5(const std::string& path);

// A version of a file.
struct FileState {
    std::string path;
    int64_t device = 0, inode = 0, bytes = 0, second = 0, nanosecond = 0;
    bool operator==(const FileState&) const = default;
};
// The present version; none for a file that has just changed, because it may change again within
// the resolution of its time.
std::optional<FileState> settledState(const std::string& path);

inline constexpr size_t kMostTextBytes = 4096;

// The text of an attribute: a single text, of fixed or variable length; empty for others.
std::string attributeText(hid_t object, const char* name);
// The number of an attribute: a single number, a logical value of h5py, or a whole number in text.
std::optional<double> attributeNumber(hid_t object, const char* name);

}  // namespace armilla
