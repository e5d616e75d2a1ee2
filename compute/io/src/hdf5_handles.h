// SPDX-License-Identifier: GPL-3.0-or-later
// Identifiers and attributes of the HDF5 library, for the sources of the module armilla-hdf5.so.
#pragma once

#include <hdf5.h>

#include <cstring>
#include <mutex>
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

inline constexpr size_t kMostTextBytes = 4096;

// A text of variable length, the form of texts in h5py.
inline std::string variableText(hid_t attribute, hid_t type) {
    const Handle held(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(held.id(), H5T_VARIABLE);
    H5Tset_cset(held.id(), H5Tget_cset(type));
    char* read = nullptr;
    if (H5Aread(attribute, held.id(), static_cast<void*>(&read)) < 0 || read == nullptr) return {};
    const std::string text(read, strnlen(read, kMostTextBytes));
    H5free_memory(read);
    return text;
}

// The text of an attribute: a single text, of fixed or variable length.
inline std::string attributeText(hid_t set, const char* name) {
    if (H5Aexists(set, name) <= 0) return {};
    const Handle attribute(H5Aopen(set, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    if (!attribute.isOpen() || H5Tget_class(type.id()) != H5T_STRING) return {};
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) return {};
    if (H5Tis_variable_str(type.id()) > 0) return variableText(attribute.id(), type.id());
    if (H5Tget_size(type.id()) > kMostTextBytes) return {};
    std::string text(H5Tget_size(type.id()) + 1, '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return {};
    text.resize(text.find('\0'));
    text.erase(text.find_last_not_of(' ') + 1);  // padding of Fortran
    return text;
}

}  // namespace armilla
