// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of tests, written by the library.
#pragma once

#include <hdf5.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace armilla::testing {

// An HDF5 file, closed by its destructor.
class Hdf5Writer {
public:
    explicit Hdf5Writer(const std::string& path, bool areFixed = false)
        : areFixed_(areFixed),
          file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~Hdf5Writer() { H5Fclose(file_); }
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    void group(const char* name) {
        H5Gclose(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    // `chunk`: lengths of a chunk; empty for a contiguous data set.
    template <class Value>
    void add(const char* name, hid_t stored, hid_t held, const std::vector<hsize_t>& size,
             const std::vector<Value>& values, const std::vector<hsize_t>& chunk = {}) {
        const hid_t space = size.empty() ? H5Screate(H5S_SCALAR)
                                         : H5Screate_simple(int(size.size()), size.data(), nullptr);
        const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_obj_track_times(made, false);  // the same bytes each time
        if (!chunk.empty()) {
            H5Pset_chunk(made, int(chunk.size()), chunk.data());
            H5Pset_deflate(made, 4);
        }
        const hid_t set = H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, made, H5P_DEFAULT);
        if (!values.empty()) H5Dwrite(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(set);
        H5Pclose(made);
        H5Sclose(space);
    }
    // Structs, by the names, offsets and types of their members.
    struct Member {
        const char* name;
        size_t offset;
        hid_t type;
    };
    template <class Record>
    void addRecords(const char* name, const std::vector<Member>& members,
                    const std::vector<Record>& records) {
        const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Record));
        for (const Member& member : members)
            H5Tinsert(type, member.name, member.offset, member.type);
        add(name, type, type, {records.size()}, records);
        H5Tclose(type);
    }
    // One chunk of `size` integers of two bytes, packed by a filter that this program does not
    // have.
    void addPacked(const char* name, H5Z_filter_t filter, const std::vector<unsigned>& parameters,
                   const std::vector<unsigned char>& packed, hsize_t size = 48) {
        const hsize_t first = 0;
        const hid_t space = H5Screate_simple(1, &size, nullptr);
        const hid_t made = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(made, 1, &size);
        H5Pset_filter(made, filter, H5Z_FLAG_OPTIONAL, parameters.size(), parameters.data());
        const hid_t set =
            H5Dcreate2(file_, name, H5T_STD_I16LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
        H5Dwrite_chunk(set, H5P_DEFAULT, 0, &first, packed.size(), packed.data());
        H5Dclose(set);
        H5Pclose(made);
        H5Sclose(space);
    }
    void addDoubles(const char* name, const std::vector<hsize_t>& size,
                    const std::vector<double>& values, const std::vector<hsize_t>& chunk = {}) {
        add(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, size, values, chunk);
    }
    void addIntegers(const char* name, const std::vector<hsize_t>& size,
                     const std::vector<int64_t>& values) {
        add(name, H5T_STD_I64LE, H5T_NATIVE_INT64, size, values);
    }
    // Texts of fixed length, a scalar for a single one.
    void addText(const char* name, const std::string& text) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, text.size());
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        add(name, type, type, {}, std::vector<char>(text.begin(), text.end()));
        H5Tclose(type);
    }
    // Texts of variable length.
    void addTexts(const char* name, const std::vector<const char*>& texts) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        H5Tset_cset(type, H5T_CSET_UTF8);
        add(name, type, type, {texts.size()}, texts);
        H5Tclose(type);
    }
    void attribute(const char* set, const char* key, const char* text) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, areFixed_ ? strlen(text) : H5T_VARIABLE);
        H5Tset_strpad(type, areFixed_ ? H5T_STR_NULLPAD : H5T_STR_NULLTERM);
        attribute(set, key, type, areFixed_ ? static_cast<const void*>(text) : &text);
        H5Tclose(type);
    }
    void attribute(const char* set, const char* key, int64_t number) {
        attribute(set, key, H5T_NATIVE_INT64, &number);
    }
    void attribute(const char* set, const char* key, double number) {
        attribute(set, key, H5T_NATIVE_DOUBLE, &number);
    }
    // A logical value of h5py.
    void flag(const char* set, const char* key, bool isSet) {
        const hid_t type = logicalType();
        const auto value = static_cast<signed char>(isSet);
        attribute(set, key, type, &value);
        H5Tclose(type);
    }
    static hid_t logicalType() {
        const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
        for (const signed char value : {0, 1})
            H5Tenum_insert(type, value == 0 ? "FALSE" : "TRUE", &value);
        return type;
    }
    hid_t id() const { return file_; }

private:
    void attribute(const char* set, const char* key, hid_t type, const void* value) {
        const hid_t object = H5Oopen(file_, set, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
        const hid_t made = H5Acreate2(object, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, type, value);
        H5Aclose(made);
        H5Sclose(space);
        H5Oclose(object);
    }
    bool areFixed_;  // attributes are texts of fixed length
    hid_t file_;
};

inline std::vector<double> ramp(size_t count) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 0.25);
    return values;
}

}  // namespace armilla::testing
