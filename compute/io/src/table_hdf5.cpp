// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in HDF5 files: data sets of one axis, or of two, are columns of as many rows as their
// first axis is long. Files of samples are written so (HCGrid, HEGrid, many single-dish pipelines).
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "byte_source.h"
#include "core/error.h"
#include "core/memory_limit.h"
#include "table_formats.h"

namespace armilla {

namespace {

constexpr hsize_t kRowsAtOnce = 1 << 16;
constexpr size_t kMostDataSets = 100000, kMostTextBytes = 4096;

// An identifier of the library, closed by the function of its kind.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    hid_t id() const { return id_; }
    bool isOpen() const { return id_ >= 0; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

struct DataSet {
    std::string path;
    int64_t rows = 0, width = 1;
    H5T_class_t type = H5T_NO_CLASS;
    size_t valueBytes = 0;
};

herr_t collectName(hid_t /*from*/, const char* name, const H5O_info_t* info, void* names) {
    auto& list = *static_cast<std::vector<std::string>*>(names);
    if (info->type == H5O_TYPE_DATASET) list.emplace_back(name);
    return list.size() > kMostDataSets ? -1 : 0;
}

// Numbers and texts of fixed length in one or two axes, whose values lie in the file itself.
std::optional<DataSet> describe(hid_t file, const std::string& path) {
    const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.isOpen()) return std::nullopt;
    const Handle made(H5Dget_create_plist(set.id()), H5Pclose);
    if (!made.isOpen() || H5Pget_layout(made.id()) == H5D_VIRTUAL ||
        H5Pget_external_count(made.id()) != 0)
        return std::nullopt;
    const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
    const int axes = space.isOpen() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    std::array<hsize_t, 2> size{0, 1};
    if (!type.isOpen() || axes < 1 || axes > 2 ||
        H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) < 0)
        return std::nullopt;
    DataSet found{path, static_cast<int64_t>(size[0]), static_cast<int64_t>(size[1]),
                  H5Tget_class(type.id()), H5Tget_size(type.id())};
    const bool isNumber = found.type == H5T_INTEGER || found.type == H5T_FLOAT;
    const bool isText = found.type == H5T_STRING && H5Tis_variable_str(type.id()) == 0 &&
                        found.valueBytes <= kMostTextBytes;
    if ((!isNumber && !isText) || found.rows < 1 || found.width < 1) return std::nullopt;
    if (found.rows > INT64_MAX / found.width) return std::nullopt;
    return found;
}

// The text of an attribute of a data set, if it has such a one of fixed length.
std::string attributeText(hid_t set, const char* name) {
    if (H5Aexists(set, name) <= 0) return {};
    const Handle attribute(H5Aopen(set, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    if (!attribute.isOpen() || H5Tget_class(type.id()) != H5T_STRING ||
        H5Tis_variable_str(type.id()) != 0 || H5Tget_size(type.id()) > kMostTextBytes)
        return {};
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) return {};
    std::string text(H5Tget_size(type.id()) + 1, '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return {};
    text.resize(text.find('\0'));
    return text;
}

template <typename Value>
std::vector<Value> readValues(const std::string& path, const DataSet& from, hid_t set, hid_t type,
                              size_t valuesEach, JobContext& job) {
    const auto rows = static_cast<hsize_t>(from.rows), width = static_cast<hsize_t>(from.width);
    std::vector<Value> values(static_cast<size_t>(rows * width) * valuesEach);
    const Handle space(H5Dget_space(set), H5Sclose);
    const int axes = H5Sget_simple_extent_ndims(space.id());
    const hsize_t step = std::max<hsize_t>(1, kRowsAtOnce / width);
    for (hsize_t row = 0; row < rows; row += step) {
        job.poll();
        const std::array<hsize_t, 2> start{row, 0}, count{std::min(step, rows - row), width};
        const hsize_t total = count[0] * width;
        const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose);
        if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr) < 0 ||
            H5Dread(set, type, memory.id(), space.id(), H5P_DEFAULT,
                    values.data() + static_cast<size_t>(row * width) * valuesEach) < 0)
            refuse(path, "values in data set '" + from.path + "'",
                   "a file that ends before them, or is damaged (" + std::to_string(axes) +
                       " axes, row " + std::to_string(row + 1) + ")");
    }
    return values;
}

TableColumn readColumn(const std::string& path, hid_t file, const DataSet& from, JobContext& job) {
    const Handle set(H5Dopen2(file, from.path.c_str(), H5P_DEFAULT), H5Dclose);
    TableColumn column;
    column.width = from.width;
    for (const char* name : {"unit", "units", "UNIT"})
        if (column.unit.empty()) column.unit = attributeText(set.id(), name);
    // Read whole before it is spread: as many bytes again for text.
    const auto bytes = static_cast<double>(from.rows) * static_cast<double>(from.width) *
                       static_cast<double>(std::max<size_t>(8, 2 * from.valueBytes));
    requireMemory(path + ": data set '" + from.path + "'",
                  bytes < 9e18 ? static_cast<int64_t>(bytes) : INT64_MAX);
    if (from.type == H5T_INTEGER) {
        column.values = readValues<int64_t>(path, from, set.id(), H5T_NATIVE_INT64, 1, job);
    } else if (from.type == H5T_FLOAT && from.valueBytes <= sizeof(float)) {
        column.values = readValues<float>(path, from, set.id(), H5T_NATIVE_FLOAT, 1, job);
    } else if (from.type == H5T_FLOAT) {
        column.values = readValues<double>(path, from, set.id(), H5T_NATIVE_DOUBLE, 1, job);
    } else {
        const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type.id(), from.valueBytes);
        H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
        // The library turns no character set into another.
        const Handle stored(H5Dget_type(set.id()), H5Tclose);
        H5Tset_cset(type.id(), H5Tget_cset(stored.id()));
        const std::vector<char> bytesRead =
            readValues<char>(path, from, set.id(), type.id(), from.valueBytes, job);
        std::vector<std::string> texts;
        for (size_t at = 0; at < bytesRead.size(); at += from.valueBytes) {
            std::string text(bytesRead.data() + at, from.valueBytes);
            text.resize(std::min(text.find('\0'), text.size()));
            texts.push_back(std::move(text));
        }
        column.values = std::move(texts);
    }
    return column;
}

// "value/flux_3" is named flux_3 where no other data set ends so.
std::vector<std::string> shortNames(const std::vector<DataSet>& sets) {
    const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    std::map<std::string, int> uses;
    for (const DataSet& set : sets) ++uses[last(set.path)];
    std::vector<std::string> names;
    for (const DataSet& set : sets)
        names.push_back(uses[last(set.path)] == 1 ? last(set.path) : set.path);
    return names;
}

}  // namespace

bool isHdf5(const std::string& path) {
    // Through the source that pipes are kept in: what is taken from a pipe is gone.
    const auto source = openByteSource(path);
    std::array<char, 8> start{};
    return source->readAt(0, std::as_writable_bytes(std::span(start))) == start.size() &&
           std::string_view(start.data(), start.size()) == "\x89HDF\r\n\x1a\n";
}

Table readHdf5(const std::string& path, const TableReadOptions& options, JobContext& job) {
    // The library of Debian is not made for several threads at once.
    static std::mutex guard;
    const std::lock_guard lock(guard);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);  // filters of the library alone, no code that a file asks for
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (!file.isOpen()) refuse(path, "an HDF5 file", "a damaged or truncated one");
    std::vector<std::string> names;
    if (H5Ovisit(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, collectName, &names) < 0)
        refuse(path, "an HDF5 file of at most " + std::to_string(kMostDataSets) + " data sets",
               "more, or a damaged one");
    Table table;
    std::vector<DataSet> sets;
    std::map<int64_t, int> lengths;
    for (const std::string& name : names) {
        job.poll();
        if (const auto set = describe(file.id(), name)) {
            sets.push_back(*set);
            ++lengths[set->rows];
        } else {
            table.leftOut.push_back(name);
        }
    }
    if (sets.empty()) refuse(path, "data sets of numbers in one or two axes", "none");
    // Columns are the data sets of the length that most have, the longer ones where two share it.
    const int64_t rows =
        std::max_element(lengths.begin(), lengths.end(), [](const auto& a, const auto& b) {
            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
        })->first;
    for (const DataSet& set : sets)
        if (set.rows != rows) table.leftOut.push_back(set.path);
    std::erase_if(sets, [&](const DataSet& set) { return set.rows != rows; });
    const std::vector<std::string> shown = shortNames(sets);
    std::vector<int> wanted = chosenColumns(path, shown, options);
    for (const int index : wanted) {
        table.columns.push_back(readColumn(path, file.id(), sets[static_cast<size_t>(index)], job));
        table.columns.back().name = shown[static_cast<size_t>(index)];
    }
    return table;
}

}  // namespace armilla
