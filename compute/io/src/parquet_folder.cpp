// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "map_table.h"
#include "parquet/read_parquet.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;
using Keys = std::map<std::string, std::string>;

// Folders of an archive are nested by year, month, day, hour and the like.
constexpr int kMostDepth = 16;

bool isPart(const fs::path& path) {
    const std::string name = lowerCase(path.filename().string());
    return !name.starts_with('.') && !name.starts_with('_') &&
           (name.ends_with(".parquet") || name.ends_with(".parq") || name.ends_with(".pq"));
}

// Names that differ in the case alone are different columns, such as magnitudes g and G.
std::optional<size_t> indexOf(const Table& table, const std::string& name) {
    for (size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].name == name) return c;
    return std::nullopt;
}

bool isKeyFolder(const fs::path& path) {
    const std::string name = path.filename().string();
    const size_t equals = name.find('=');
    return !name.starts_with('.') && !name.starts_with('_') && equals != std::string::npos &&
           equals > 0;
}

bool hasPart(const fs::path& folder, int depth) {
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        std::error_code ignored;
        if (isPart(each->path()) && each->is_regular_file(ignored)) return true;
        if (depth > 0 && isKeyFolder(each->path()) && each->is_directory(ignored) &&
            hasPart(each->path(), depth - 1))
            return true;
    }
    return false;
}

int digitOf(char c) {
    const size_t at = std::string_view("0123456789abcdef")
                          .find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// Characters that are not allowed in names of folders are written as %XX.
std::string unquoted(std::string_view text) {
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? digitOf(text[i + 1]) : -1;
        const int low = high >= 0 ? digitOf(text[i + 2]) : -1;
        plain += low >= 0 ? static_cast<char>(16 * high + low) : text[i];
        if (low >= 0) i += 2;
    }
    return plain;
}

void collect(const fs::path& folder, const Keys& keys, int depth,
             std::vector<std::pair<std::string, Keys>>& found, JobContext& job) {
    for (const auto& each : fs::directory_iterator(folder)) {
        job.poll();
        if (isPart(each.path()) && each.is_regular_file()) {
            found.emplace_back(each.path().string(), keys);
        } else if (depth > 0 && isKeyFolder(each.path()) && each.is_directory()) {
            const std::string name = each.path().filename().string();
            const size_t equals = name.find('=');
            Keys more = keys;
            const std::string value = name.substr(equals + 1);
            more[unquoted(name.substr(0, equals))] =
                value == "__HIVE_DEFAULT_PARTITION__" ? std::string() : unquoted(value);
            collect(each.path(), more, depth - 1, found, job);
        }
    }
}

std::optional<int64_t> integerIn(const std::string& text) {
    int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

// The mark of missing integers in rows of one file.
constexpr int64_t kMissing = std::numeric_limits<int64_t>::min();

TableColumn emptyKeyColumn(const std::string& name, const std::vector<std::string>& all) {
    TableColumn column;
    column.name = name;
    const auto isInteger = [](const std::string& each) {
        return each.empty() || integerIn(each).has_value();
    };
    if (std::all_of(all.begin(), all.end(), isInteger))
        column.values = std::vector<int64_t>();
    else
        column.values = std::vector<std::string>();
    return column;
}

void fillKey(TableColumn& column, const std::string& value, int64_t rows) {
    const auto count = static_cast<size_t>(rows);
    if (column.isText()) {
        column.values = std::vector<std::string>(count, value);
        return;
    }
    column.values = std::vector<int64_t>(count, integerIn(value).value_or(kMissing));
    if (value.empty()) column.null = kMissing;
}

void fillMissing(TableColumn& column, int64_t rows) {
    const auto count = static_cast<size_t>(rows);
    std::visit(
        [&](auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_floating_point_v<T>)
                values.assign(count, std::numeric_limits<T>::quiet_NaN());
            else if constexpr (std::is_same_v<T, int64_t>)
                values.assign(count, kMissing);
            else
                values.assign(count, T());
        },
        column.values);
    if (column.isInteger()) column.null = kMissing;
}

// A column of the joined outline.
struct JoinedColumn {
    size_t index = 0;
    std::string file;      // the first file with a type for it
    bool isEmpty = false;  // no file so far has a type for it
};
using JoinedColumns = std::map<std::string, JoinedColumn>;

void joinColumn(ParquetFolder& folder, JoinedColumns& joined, const std::string& file,
                const TableColumn& own, const ParquetColumnFacts& facts) {
    if (own.isInteger() && !facts.isUnsigned && !facts.isEmpty)
        folder.signedColumns.insert(own.name);
    auto& columns = folder.outline.columns;
    const auto [place, isNew] =
        joined.insert({own.name, JoinedColumn{columns.size(), file, facts.isEmpty}});
    JoinedColumn& known = place->second;
    if (isNew) columns.push_back(own);
    if (isNew || facts.isEmpty) return;
    TableColumn& column = columns[known.index];
    if (known.isEmpty) {
        known = {known.index, file, false};
        column = own;
        return;
    }
    const auto conflict = [&](const std::string& expected, const std::string& found) {
        folder.conflicts.emplace(own.name, file + ": expected " + expected + " in column " +
                                               inQuotes(own.name) + ", as in " + known.file +
                                               ", found " + found);
    };
    if (own.isText() != column.isText()) {
        conflict(column.isText() ? "texts" : "numbers", own.isText() ? "texts" : "numbers");
        return;
    }
    if (column.unit.empty()) column.unit = own.unit;
    if (!own.unit.empty() && own.unit != column.unit)
        conflict("the unit " + inQuotes(column.unit), inQuotes(own.unit));
    if (own.values.index() != column.values.index()) column.values = std::vector<double>();
}

// Reads the metadata of all files.
void joinOutlines(ParquetFolder& folder, JobContext& job) {
    JoinedColumns joined;
    std::vector<std::pair<std::string, std::string>> leftOut;  // names and files
    for (const std::string& file : folder.files) {
        job.poll();
        int64_t rows = 0;
        std::vector<ParquetColumnFacts> facts;
        Table own = parquetOutline(file, rows, job, &facts);
        if (__builtin_add_overflow(folder.rows, rows, &folder.rows))
            refuse(folder.path, "fewer than 2^63 rows", "more");
        std::set<std::string> names;
        for (size_t c = 0; c < own.columns.size(); ++c) {
            if (!names.insert(own.columns[c].name).second)
                refuse(file, "columns of different names",
                       "two named " + inQuotes(own.columns[c].name));
            joinColumn(folder, joined, file, own.columns[c], facts[c]);
        }
        for (const std::string& name : own.leftOut) leftOut.emplace_back(name, file);
        if (&file != &folder.files.front()) continue;
        own.columns = std::move(folder.outline.columns);
        own.leftOut.clear();
        folder.outline = std::move(own);
    }
    for (const auto& [name, file] : leftOut) {
        if (const auto other = joined.find(name); other != joined.end()) {
            folder.conflicts.emplace(name, file + ": expected numbers or texts in column " +
                                               inQuotes(name) + ", as in " + other->second.file +
                                               ", found lists, or another type that is not read");
            continue;
        }
        auto& names = folder.outline.leftOut;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    // A column of a file goes before that of a folder.
    for (const auto& [name, values] : folder.keys)
        if (!joined.contains(name)) folder.outline.columns.push_back(emptyKeyColumn(name, values));
}

// Sets the values of a column to those of one file, in the type that the column has in all files.
// `isEmpty`: the file has the type for columns without any value. With a schema, the metadata of
// later files are read here for the first time.
void takeValues(TableColumn& column, TableColumn from, bool isEmpty, const std::string& file) {
    if (isEmpty) return fillMissing(column, from.rows());
    if (column.isText() != from.isText())
        refuse(file,
               std::string(column.isText() ? "texts" : "numbers") + " in column " +
                   inQuotes(column.name) + ", as in other files or the schema",
               from.isText() ? "texts" : "numbers");
    if (column.values.index() == from.values.index() ||
        !std::holds_alternative<std::vector<double>>(column.values)) {
        column.values = std::move(from.values);
        column.null = from.null;
        return;
    }
    // Larger integers have neighbors that a double does not tell from them.
    constexpr int64_t kMostExact = int64_t{1} << 53;
    if (const auto* whole = std::get_if<std::vector<int64_t>>(&from.values))
        for (const int64_t value : *whole)
            if (value != from.null && (value > kMostExact || value < -kMostExact))
                refuse(file,
                       "integers up to 2^53 in column " + inQuotes(column.name) +
                           ", which holds real numbers in other files",
                       std::to_string(value));
    std::vector<double> values(static_cast<size_t>(from.rows()));
    for (size_t i = 0; i < values.size(); ++i) values[i] = from.number(static_cast<int64_t>(i));
    column.values = std::move(values);
}

// Appends the rows of a column. Rows without an integer are collected, because each file may mark
// them by another number.
void append(TableColumn& to, TableColumn from, std::vector<int64_t>& missing) {
    if (to.values.index() != from.values.index())
        throw IoError("expected one type in all partitions for column " + inQuotes(to.name) +
                      ", found two");
    std::visit(
        [&](auto& all) {
            using Values = std::decay_t<decltype(all)>;
            auto& more = std::get<Values>(from.values);
            if constexpr (std::is_same_v<Values, std::vector<int64_t>>)
                if (from.null)
                    for (size_t i = 0; i < more.size(); ++i)
                        if (more[i] == *from.null) {
                            missing.push_back(static_cast<int64_t>(all.size() + i));
                            more[i] = 0;
                        }
            if (all.empty())
                all = std::move(more);
            else
                all.insert(all.end(), std::make_move_iterator(more.begin()),
                           std::make_move_iterator(more.end()));
        },
        to.values);
}

size_t indexOf(const ParquetFolder& folder, const std::string& file) {
    return static_cast<size_t>(std::find(folder.files.begin(), folder.files.end(), file) -
                               folder.files.begin());
}

}  // namespace

bool isParquetFolder(const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) && hasPart(path, kMostDepth);
}

ParquetFolder openParquetFolder(const std::string& path, JobContext& job) {
    std::vector<std::pair<std::string, Keys>> found;
    try {
        collect(path, {}, kMostDepth, found, job);
    } catch (const fs::filesystem_error& error) {
        refuse(path, "folders that can be read", error.code().message());
    }
    std::sort(found.begin(), found.end());
    ParquetFolder folder;
    folder.path = path;
    if (found.empty()) refuse(path, "a folder of Parquet files", "none");
    for (const auto& [name, value] : found.front().second) folder.keys.push_back({name, {}});
    for (const auto& [file, keys] : found) {
        folder.files.push_back(file);
        if (keys.size() != folder.keys.size())
            refuse(path, "files within folders NAME=VALUE of equal names", inQuotes(file));
        for (auto& [name, values] : folder.keys) {
            const auto own = keys.find(name);
            if (own == keys.end())
                refuse(path, "files within folders NAME=VALUE of equal names", inQuotes(file));
            values.push_back(own->second);
        }
    }
    joinOutlines(folder, job);
    return folder;
}

ParquetFolder joinedFolder(const std::string& path, std::vector<std::string> files,
                           JobContext& job) {
    ParquetFolder folder;
    folder.path = path;
    folder.files = std::move(files);
    joinOutlines(folder, job);
    return folder;
}

Table readParquetPart(const ParquetFolder& folder, const std::string& file,
                      const TableReadOptions& options, JobContext& job, const RowRange& rows) {
    int64_t count = 0;
    std::vector<ParquetColumnFacts> facts;
    const Table stored = parquetOutline(file, count, job, &facts);
    std::vector<std::string> names;
    for (const TableColumn& column : folder.outline.columns) names.push_back(column.name);
    TableReadOptions own = options;
    own.columns.clear();
    std::vector<TableColumn> columns;
    for (const int index : chosenColumns(folder.path, names, options)) {
        columns.push_back(folder.outline.columns[static_cast<size_t>(index)]);
        if (const auto conflict = folder.conflicts.find(columns.back().name);
            conflict != folder.conflicts.end())
            throw IoError(conflict->second);
        if (indexOf(stored, columns.back().name)) own.columns.push_back(columns.back().name);
    }
    // Without a column of its own, the file gives the number of rows.
    Table table;
    if (own.columns.empty()) {
        count = std::clamp<int64_t>(count - rows.first, 0, rows.count);
    } else {
        table = readParquet(file, own, job, rows);
        count = table.rows();
    }
    auto next = table.columns.begin();
    const UnsignedColumns none;
    const UnsignedColumns& wide = rows.unsignedColumns != nullptr ? *rows.unsignedColumns : none;
    for (TableColumn& column : columns) {
        const bool isText = wide.texts.contains(column.name);
        if ((isText || wide.above.contains(column.name)) &&
            (!column.isInteger() || folder.signedColumns.contains(column.name)))
            refuse(file,
                   "integers below 2^63 in column " + inQuotes(column.name) +
                       ", which holds other numbers in other files",
                   "larger ones");
        if (isText) column.values = std::vector<std::string>();
        const auto key = std::find_if(folder.keys.begin(), folder.keys.end(),
                                      [&](const auto& each) { return each.first == column.name; });
        if (const auto at = indexOf(stored, column.name))
            takeValues(column, std::move(*next++), facts[*at].isEmpty, file);
        else if (key != folder.keys.end())
            fillKey(column, key->second[indexOf(folder, file)], count);
        else
            fillMissing(column, count);
    }
    table.columns = std::move(columns);
    if (options.columns.empty()) table.leftOut = folder.outline.leftOut;
    return table;
}

Table joinFiles(const std::vector<std::string>& files, const TableReadOptions& options,
                JobContext& job, const PartReader& read) {
    Table table;
    std::vector<std::vector<int64_t>> missing;
    TableReadOptions wanted = options;
    UnsignedColumns unsignedColumns;
    const auto count = static_cast<double>(files.size());
    for (size_t i = 0; i < files.size(); ++i) {
        JobContext part =
            job.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        // A column of unsigned integers has one type in all files.
        const RowRange all{0, std::numeric_limits<int64_t>::max(), &unsignedColumns};
        Table more = read(files[i], wanted, part, all);
        if (i == 0) {
            // All files are read by the names of the first one.
            wanted.columns.clear();
            for (const TableColumn& column : more.columns) wanted.columns.push_back(column.name);
            missing.resize(more.columns.size());
            table = more;
            for (TableColumn& column : table.columns) {
                std::visit([](auto& values) { values.clear(); }, column.values);
                column.null.reset();
            }
        }
        for (size_t c = 0; c < missing.size(); ++c) try {
                const auto own = more.find(table.columns[c].name);
                if (!own)
                    throw IoError("expected column " + inQuotes(table.columns[c].name) +
                                  ", found none");
                append(table.columns[c], std::move(more.columns[static_cast<size_t>(*own)]),
                       missing[c]);
            } catch (Error& error) {
                error.addContext(files[i]);
                throw;
            }
    }
    for (size_t c = 0; c < missing.size(); ++c) {
        if (missing[c].empty()) continue;
        auto& values = std::get<std::vector<int64_t>>(table.columns[c].values);
        table.columns[c].null = unusedInteger(values);
        for (const int64_t row : missing[c])
            values[static_cast<size_t>(row)] = *table.columns[c].null;
    }
    for (TableColumn& column : table.columns)
        if (unsignedColumns.above.contains(column.name)) textsOfUnsigned(column);
    return table;
}

Table readParquetFolder(const std::string& path, const TableReadOptions& options, JobContext& job) {
    const ParquetFolder folder = openParquetFolder(path, job);
    return joinFiles(
        folder.files, options, job,
        [&](const std::string& file, const TableReadOptions& wanted, JobContext& part,
            const RowRange& rows) { return readParquetPart(folder, file, wanted, part, rows); });
}

FileSummary inspectParquetFolder(const std::string& path) {
    JobContext job;
    const ParquetFolder folder = openParquetFolder(path, job);
    std::optional<FileSummary> summary = parquetSummary(folder.outline, folder.rows);
    if (!summary)
        refuse(path, "a catalog with columns of positions (RA and DEC, GLON and GLAT, ...)",
               "Parquet files without them");
    return *summary;
}

}  // namespace armilla
