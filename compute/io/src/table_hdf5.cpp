// SPDX-License-Identifier: GPL-3.0-or-later
// Tables in HDF5 files. Data sets of one or two axes are columns with as many rows as their first
// axis. Files of telescope samples have this form (HCGrid, HEGrid, many single-dish pipelines). The
// members of a data set of records also are columns (Astropy, PyTables, h5py of a structured
// array). Pandas gathers columns of one type in a block, whose columns get their own names here.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "astropy_header.h"
#include "hdf5_handles.h"
#include "hdf5_module.h"
#include "hdf5_pixels.h"
#include "table_formats.h"
#include "yaml_header.h"

namespace armilla {

namespace {

constexpr hsize_t kRowsAtOnce = 1 << 16, kBytesAtOnce = 1 << 23;
constexpr size_t kMostDataSets = 100000;

// Location of a column: a data set, or a member of a data set of records.
struct DataSet {
    std::string path, member;
    int64_t rows = 0, width = 1;
    H5T_class_t type = H5T_NO_CLASS;
    size_t valueBytes = 0;
    bool isUnsigned = false;  // integers
    bool isArray = false;     // a member of several values a record, also of one
    int64_t element = -1;     // the only value of a row to read; -1: all
    std::string label;        // name of the element

    std::string name() const {
        if (!label.empty()) return path.substr(0, path.rfind('/') + 1) + label;
        return member.empty() ? path : path + "/" + member;
    }
};

herr_t collectName(hid_t /*from*/, const char* name, const H5O_info_t* info, void* names) {
    auto& list = *static_cast<std::vector<std::string>*>(names);
    if (info->type == H5O_TYPE_DATASET) list.emplace_back(name);
    return list.size() > kMostDataSets ? -1 : 0;
}

// Accepts a number, an enumeration (the logical values of h5py) or a text of fixed length; false
// for other types.
bool takeType(hid_t type, DataSet& to) {
    to.type = H5Tget_class(type);
    // The library converts enumerations to integers.
    if (to.type == H5T_ENUM) to.type = H5T_INTEGER;
    to.valueBytes = H5Tget_size(type);
    to.isUnsigned = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
    if (to.type == H5T_STRING)
        return H5Tis_variable_str(type) == 0 && to.valueBytes <= kMostTextBytes;
    return to.type == H5T_INTEGER || to.type == H5T_FLOAT;
}

// A member of records: a number, a text, or an array of numbers.
std::optional<DataSet> describeMember(const DataSet& records, hid_t type, unsigned index) {
    DataSet found = records;
    char* const name = H5Tget_member_name(type, index);
    if (name == nullptr) return std::nullopt;
    found.member = name;
    H5free_memory(name);
    const Handle member(H5Tget_member_type(type, index), H5Tclose);
    if (!member.isOpen()) return std::nullopt;
    if (H5Tget_class(member.id()) != H5T_ARRAY)
        return takeType(member.id(), found) ? std::optional(found) : std::nullopt;
    hsize_t size = 0;
    const Handle element(H5Tget_super(member.id()), H5Tclose);
    if (H5Tget_array_ndims(member.id()) != 1 || H5Tget_array_dims2(member.id(), &size) < 0 ||
        !takeType(element.id(), found) || size < 1)
        return std::nullopt;
    found.isArray = true;
    found.width = static_cast<int64_t>(size);
    return found;
}

// Describes columns of numbers and fixed-length texts in one or two axes, stored in the file
// itself; for records, each suitable member. Empty for other data sets.
std::vector<DataSet> describe(hid_t file, const std::string& path) {
    const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.isOpen()) return {};
    const Handle made(H5Dget_create_plist(set.id()), H5Pclose);
    if (!made.isOpen() || H5Pget_layout(made.id()) == H5D_VIRTUAL ||
        H5Pget_external_count(made.id()) != 0)
        return {};
    const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
    const int axes = space.isOpen() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    std::array<hsize_t, 2> size{0, 1};
    if (!type.isOpen() || axes < 1 || axes > 2 ||
        H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) < 0)
        return {};
    DataSet found;
    found.path = path;
    found.rows = static_cast<int64_t>(size[0]);
    found.width = static_cast<int64_t>(size[1]);
    if (found.rows < 1 || found.width < 1) return {};
    std::vector<DataSet> all;
    if (H5Tget_class(type.id()) == H5T_COMPOUND && axes == 1) {
        const int members = H5Tget_nmembers(type.id());
        for (int i = 0; i < members; ++i)
            if (const auto member = describeMember(found, type.id(), static_cast<unsigned>(i)))
                all.push_back(*member);
    } else if (takeType(type.id(), found)) {
        all.push_back(found);
    }
    std::erase_if(all, [](const DataSet& one) { return one.rows > INT64_MAX / one.width; });
    return all;
}

// Bytes of one value in memory.
size_t heldBytes(const DataSet& from) {
    if (from.type == H5T_STRING) return from.valueBytes;
    return from.type == H5T_FLOAT && from.valueBytes <= sizeof(float) ? sizeof(float)
                                                                      : sizeof(double);
}

// The type of one value in memory. `whole` is the type of the data set.
hid_t heldType(const DataSet& from, hid_t whole) {
    if (from.type == H5T_INTEGER)
        // Read as unsigned, because the library would clip identifiers to the largest signed value.
        return H5Tcopy(from.isUnsigned ? H5T_NATIVE_UINT64 : H5T_NATIVE_INT64);
    if (from.type == H5T_FLOAT)
        return H5Tcopy(heldBytes(from) == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, from.valueBytes);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    // The library does not convert character sets.
    const int member = from.member.empty() ? -1 : H5Tget_member_index(whole, from.member.c_str());
    const Handle stored(
        member < 0 ? H5Tcopy(whole) : H5Tget_member_type(whole, static_cast<unsigned>(member)),
        H5Tclose);
    const Handle single(from.isArray ? H5Tget_super(stored.id()) : H5Tcopy(stored.id()), H5Tclose);
    H5Tset_cset(text, H5Tget_cset(single.id()));
    return text;
}

// Columns of one data set, which is read once for all of them.
class SetReader {
public:
    // All `columns` are of the data set of the first one.
    SetReader(const std::string& path, hid_t file, std::vector<const DataSet*> columns)
        : path_(path),
          columns_(std::move(columns)),
          set_(H5Dopen2(file, first().path.c_str(), H5P_DEFAULT), H5Dclose),
          whole_(H5Dget_type(set_.id()), H5Tclose) {
        for (const DataSet* from : columns_) {
            const size_t bytes = heldBytes(*from) * static_cast<size_t>(from->width);
            // Two elements of a member have one place; a data set without members is one place.
            const auto [place, isNew] = places_.emplace(from->member, rowBytes_);
            if (isNew) rowBytes_ += bytes;
            offsets_.push_back(
                place->second +
                (from->element < 0 ? 0 : static_cast<size_t>(from->element) * heldBytes(*from)));
        }
    }

    std::vector<TableColumn> read(const RowRange& range, JobContext& job) {
        requireFilters(path_, set_.id(), first().path);
        std::vector<TableColumn> all;
        for (const DataSet* from : columns_) all.push_back(emptyColumn(*from, range.count));
        const Handle element(elementType(), H5Tclose);
        const Handle space(H5Dget_space(set_.id()), H5Sclose);
        const auto rows = static_cast<hsize_t>(range.count),
                   width = first().member.empty() ? static_cast<hsize_t>(first().width) : 1;
        const hsize_t step = std::clamp<hsize_t>(kBytesAtOnce / rowBytes_, 1, kRowsAtOnce);
        std::vector<char> bytes(static_cast<size_t>(std::min(step, rows)) * rowBytes_);
        for (hsize_t row = 0; row < rows; row += step) {
            job.poll();
            const std::array<hsize_t, 2> start{static_cast<hsize_t>(range.first) + row, 0},
                count{std::min(step, rows - row), width};
            const hsize_t total = count[0] * width;
            const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose);
            if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                    nullptr) < 0 ||
                H5Dread(set_.id(), element.id(), memory.id(), space.id(), H5P_DEFAULT,
                        bytes.data()) < 0)
                refuse(path_, "values in data set '" + nameForErrors() + "'",
                       "a truncated or damaged file (" +
                           std::to_string(H5Sget_simple_extent_ndims(space.id())) + " axes, row " +
                           std::to_string(row + 1) + ")");
            for (size_t c = 0; c < all.size(); ++c)
                take(*columns_[c], bytes.data() + offsets_[c], static_cast<size_t>(row),
                     static_cast<size_t>(count[0]), all[c]);
        }
        return all;
    }

private:
    const DataSet& first() const { return *columns_.front(); }
    std::string nameForErrors() const {
        return columns_.size() == 1 ? first().name() : first().path;
    }
    // The type of an element in memory: a value, or a record of the members that are read.
    hid_t elementType() const {
        if (first().member.empty()) return heldType(first(), whole_.id());
        const hid_t record = H5Tcreate(H5T_COMPOUND, rowBytes_);
        std::set<std::string> inserted;
        for (const DataSet* from : columns_) {
            if (!inserted.insert(from->member).second) continue;
            const Handle value(heldType(*from, whole_.id()), H5Tclose);
            const auto size = static_cast<hsize_t>(from->width);
            const Handle member(
                from->isArray ? H5Tarray_create2(value.id(), 1, &size) : H5Tcopy(value.id()),
                H5Tclose);
            H5Tinsert(record, from->member.c_str(), places_.at(from->member), member.id());
        }
        return record;
    }
    TableColumn emptyColumn(const DataSet& from, int64_t rows) const {
        TableColumn column;
        column.width = from.element < 0 ? from.width : 1;
        for (const char* name : {"unit", "units", "UNIT", "UNITS", "Unit", "Units"})
            if (column.unit.empty() && from.member.empty())
                column.unit = attributeText(set_.id(), name);
        const auto values = static_cast<double>(rows) * static_cast<double>(column.width);
        const double bytes = values * static_cast<double>(std::max<size_t>(8, 2 * from.valueBytes));
        requireMemory(path_ + ": data set '" + from.name() + "'",
                      bytes < 9e18 ? static_cast<int64_t>(bytes) : INT64_MAX);
        const auto size = static_cast<size_t>(rows * column.width);
        if (from.type == H5T_INTEGER)
            column.values = std::vector<int64_t>(size);
        else if (from.type == H5T_STRING)
            column.values = std::vector<std::string>(size);
        else if (heldBytes(from) == sizeof(float))
            column.values = std::vector<float>(size);
        else
            column.values = std::vector<double>(size);
        return column;
    }
    // Copies the values of `count` rows, the first of which is at `from`, to row `row` on.
    void take(const DataSet& set, const char* from, size_t row, size_t count,
              TableColumn& to) const {
        const auto width = static_cast<size_t>(to.width);
        std::visit(
            [&](auto& values) {
                using T = typename std::decay_t<decltype(values)>::value_type;
                auto* out = values.data() + row * width;
                for (size_t i = 0; i < count; ++i, from += rowBytes_, out += width)
                    if constexpr (std::is_same_v<T, std::string>)
                        for (size_t k = 0; k < width; ++k) {
                            const char* const text = from + k * set.valueBytes;
                            out[k].assign(text, strnlen(text, set.valueBytes));
                        }
                    else
                        std::memcpy(out, from, width * sizeof(T));
            },
            to.values);
    }

    const std::string& path_;
    std::vector<const DataSet*> columns_;
    Handle set_, whole_;
    size_t rowBytes_ = 0;                   // memory of a row
    std::map<std::string, size_t> places_;  // offsets of members in a row
    std::vector<size_t> offsets_;           // offset of the first value of each column
};

TableColumn readColumn(const std::string& path, hid_t file, const DataSet& from,
                       const RowRange& range, JobContext& job) {
    return std::move(SetReader(path, file, {&from}).read(range, job).front());
}

// The texts of a list in the first protocol of Python's pickle: lines "Vra", then "aVdec".
std::vector<std::string> pickledTexts(std::string_view pickle) {
    std::vector<std::string> texts;
    if (!pickle.starts_with("(lp")) return texts;
    for (size_t at = 0; at < pickle.size();) {
        const size_t end = std::min(pickle.find('\n', at), pickle.size());
        std::string_view line = pickle.substr(at, end - at);
        at = end + 1;
        if (line.starts_with('a')) line.remove_prefix(1);
        if (line.starts_with('V')) texts.emplace_back(line.substr(1));
    }
    return texts;
}

// The names of the columns in a block of pandas, which stores them in an attribute of a table
// (values_block_0_kind), or beside the block (block0_items). Empty for other data sets.
std::vector<std::string> namesInBlock(const std::string& path, hid_t file, const DataSet& block,
                                      JobContext& job) {
    constexpr std::string_view kOfTable = "values_block_", kValues = "_values", kItems = "_items";
    if (block.member.starts_with(kOfTable)) {
        const Handle set(H5Dopen2(file, block.path.c_str(), H5P_DEFAULT), H5Dclose);
        return pickledTexts(attributeText(set.id(), (block.member + "_kind").c_str()));
    }
    const std::string last = block.path.substr(block.path.rfind('/') + 1);
    if (!block.member.empty() || !last.starts_with("block") || !last.ends_with(kValues)) return {};
    std::string items = block.path.substr(0, block.path.size() - kValues.size());
    items += kItems;
    if (H5Lexists(file, items.c_str(), H5P_DEFAULT) <= 0) return {};
    const std::vector<DataSet> found = describe(file, items);
    if (found.size() != 1 || found[0].type != H5T_STRING || found[0].width != 1) return {};
    return std::get<std::vector<std::string>>(
        readColumn(path, file, found[0], {0, found[0].rows}, job).values);
}

// Replaces blocks of pandas by their columns.
std::vector<DataSet> withBlocksNamed(const std::string& path, hid_t file,
                                     const std::vector<DataSet>& sets, JobContext& job) {
    std::vector<DataSet> all;
    for (const DataSet& set : sets) {
        const std::vector<std::string> names = namesInBlock(path, file, set, job);
        if (names.empty() || std::ssize(names) != set.width) {
            all.push_back(set);
            continue;
        }
        for (size_t i = 0; i < names.size(); ++i) {
            all.push_back(set);
            all.back().element = static_cast<int64_t>(i);
            all.back().label = names[i];
        }
    }
    return all;
}

// True for the parts of an index of PyTables, in groups named "_i_TABLE".
bool isOfIndex(const std::string& path) {
    return path.starts_with("_i_") || path.find("/_i_") != std::string::npos;
}

// "value/flux_3" is named flux_3 unless another data set has the same last part.
std::vector<std::string> shortNames(const std::vector<DataSet>& sets) {
    const auto last = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    std::map<std::string, int> uses;
    for (const DataSet& set : sets) ++uses[last(set.name())];
    std::vector<std::string> names;
    for (const DataSet& set : sets)
        names.push_back(uses[last(set.name())] == 1 ? last(set.name()) : set.name());
    return names;
}

// Astropy describes the columns of a table "data" in "data.__table_column_meta__": lines of YAML.
constexpr std::string_view kColumnMeta = ".__table_column_meta__";

// Adds units, descriptions and UCDs to the columns of the data set that `path` describes.
void takeColumnMeta(const std::string& file, hid_t id, const std::string& path,
                    const std::vector<DataSet>& sets, Table& table, JobContext& job) {
    const std::vector<DataSet> found = describe(id, path);
    if (found.size() != 1 || found.front().type != H5T_STRING) return;
    const TableColumn lines = readColumn(file, id, found.front(), {0, found.front().rows}, job);
    std::string text, whole;
    bool isOfColumns = true;
    for (const std::string& line : std::get<std::vector<std::string>>(lines.values)) {
        isOfColumns = isOfColumns && !line.starts_with("meta:");
        if (isOfColumns) text += line + '\n';
        whole += line + '\n';
    }
    try {
        takeCoordinateFrames(parseYaml(whole), table);
    } catch (const InvalidArgument&) {
        // Metadata of the table may be Python objects, which are not read.
    }
    YamlNode header;
    try {
        header = parseYaml(text);
    } catch (const InvalidArgument& error) {
        throw IoError(file + ": data set '" + path + "': " + error.message());
    }
    const YamlNode* columns = header.find("datatype");
    if (columns == nullptr || columns->kind != YamlNode::Kind::Sequence) return;
    const std::string described = path.substr(0, path.size() - kColumnMeta.size());
    for (size_t i = 0; i < sets.size(); ++i) {
        if (sets[i].path != described) continue;
        for (const YamlNode& entry : columns->items) {
            if (entry.text("name") != sets[i].member) continue;
            table.columns[i].unit = entry.text("unit");
            table.columns[i].description = entry.text("description");
            if (const YamlNode* meta = entry.find("meta")) table.columns[i].ucd = meta->text("ucd");
        }
    }
}

Table tableOfHdf5(const std::string& path, const TableReadOptions& options,
                  const OptionalRows& part, int64_t& rowsOfFile, JobContext& job) {
    const std::lock_guard lock(libraryLock());
    const Handle file = openHdf5(path);
    if (!file.isOpen()) refuse(path, "an HDF5 file", "a damaged or truncated one");
    std::vector<std::string> names;
    if (H5Ovisit(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, collectName, &names) < 0)
        refuse(path, "an HDF5 file of at most " + std::to_string(kMostDataSets) + " data sets",
               "more, or a damaged one");
    Table table;
    std::vector<DataSet> sets;
    std::map<int64_t, int> lengths;
    std::vector<std::string> metas;
    for (const std::string& name : names) {
        job.poll();
        if (name.ends_with(kColumnMeta)) {
            metas.push_back(name);
            continue;
        }
        if (isOfIndex(name)) continue;
        const std::vector<DataSet> found =
            withBlocksNamed(path, file.id(), describe(file.id(), name), job);
        if (found.empty()) table.leftOut.push_back(name);
        for (const DataSet& set : found) {
            sets.push_back(set);
            ++lengths[set.rows];
        }
    }
    if (sets.empty()) refuse(path, "data sets of numbers in one or two axes", "none");
    // Columns are the data sets of the most frequent length, the longer length in a tie.
    const int64_t rows =
        std::max_element(lengths.begin(), lengths.end(), [](const auto& a, const auto& b) {
            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
        })->first;
    for (const DataSet& set : sets)
        if (set.rows != rows) table.leftOut.push_back(set.name());
    std::erase_if(sets, [&](const DataSet& set) { return set.rows != rows; });
    rowsOfFile = rows;
    const RowRange range = part.value_or(RowRange{0, rows});
    const std::vector<std::string> shown = shortNames(sets);
    std::vector<int> wanted = chosenColumns(path, shown, options);
    std::vector<DataSet> read;
    std::map<std::string, std::vector<size_t>> bySet;
    for (const int index : wanted) {
        read.push_back(sets[static_cast<size_t>(index)]);
        bySet[read.back().path].push_back(read.size() - 1);
    }
    table.columns.resize(read.size());
    for (const auto& [set, columns] : bySet) {
        std::vector<const DataSet*> from;
        for (const size_t c : columns) from.push_back(&read[c]);
        std::vector<TableColumn> values = SetReader(path, file.id(), from).read(range, job);
        for (size_t i = 0; i < columns.size(); ++i)
            table.columns[columns[i]] = std::move(values[i]);
    }
    for (size_t c = 0; c < read.size(); ++c) {
        table.columns[c].name = shown[static_cast<size_t>(wanted[c])];
        if (read[c].isUnsigned) textsIfAbove63Bits(table.columns[c], part);
    }
    for (const std::string& meta : metas) takeColumnMeta(path, file.id(), meta, read, table, job);
    return table;
}

}  // namespace

// The function of the module armilla-hdf5.so for tables (hdf5_module.h).
extern "C" void armillaReadHdf5(const std::string& path, const TableReadOptions& options,
                                const OptionalRows& rows, JobContext& job, Table& table,
                                int64_t& rowsOfFile) {
    table = tableOfHdf5(path, options, rows, rowsOfFile, job);
}

}  // namespace armilla
