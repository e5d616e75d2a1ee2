// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "armilla/core/error.h"
#include "fits_file.h"
#include "hdf5_handles.h"
#include "limited_child.h"

namespace armilla {

namespace {

constexpr hsize_t kMostObjects = 1000000;

// Reads the value of an attribute as the readers do: texts of variable length from their heap.
herr_t readAttribute(hid_t object, const char* name, const H5A_info_t* /*info*/, void* /*data*/) {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const size_t bytes = H5Tget_size(type.id());
    constexpr size_t kMostBytes = size_t{1} << 24;
    if (count < 1 || bytes == 0 || static_cast<size_t>(count) > kMostBytes / bytes) return 0;
    std::vector<char> value(static_cast<size_t>(count) * bytes);
    H5Aread(attribute.id(), type.id(), value.data());
    return 0;
}

// Reads everything about an object but the values of its data set.
herr_t readObject(hid_t file, const char* name, const H5O_info_t* info, void* count) {
    const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
    if (!object.isOpen()) return 0;
    H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, readAttribute, nullptr);
    if (info->type == H5O_TYPE_DATASET) {
        const Handle made(H5Dget_create_plist(object.id()), H5Pclose);
        const Handle space(H5Dget_space(object.id()), H5Sclose);
        const Handle type(H5Dget_type(object.id()), H5Tclose);
        H5Dget_storage_size(object.id());  // walks the index of the chunks
    }
    auto& objects = *static_cast<hsize_t*>(count);
    return ++objects > kMostObjects ? 1 : 0;
}

hid_t openFile(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);  // only built-in filters, no plugin code named by a file
    return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
}

[[noreturn]] void readInChild(const std::string& path, const ChildLimits& limits) {
    confine(limits);
    const hid_t file = openFile(path);
    hsize_t objects = 0;
    if (file >= 0) H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, readObject, &objects);
    _exit(0);
}

// HDF5 reads freed memory, or ends its process, at some damaged files (1.10 more than 1.14). A
// child process meets them first.
void requireReadable(const std::string& path) {
    constexpr int64_t kMemory = int64_t{1} << 30;
    ChildLimits limits;
    limits.memoryBytes = addressSpace() + kMemory;
    limits.seconds = 60;
    const pid_t child = fork();
    if (child < 0) refuse(path, "a process to check the file", std::strerror(errno));
    if (child == 0) readInChild(path, limits);
    const int how = endOf(child);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        refuse(path, "an HDF5 file", "a damaged one, at which the HDF5 library fails");
}

}  // namespace

Handle openHdf5(const std::string& path) {
    requireReadable(path);
    return {openFile(path), H5Fclose};
}

}  // namespace armilla
