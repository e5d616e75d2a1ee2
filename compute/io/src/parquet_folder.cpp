// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet_folder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
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

TableColumn keyColumn(const std::string& name, const std::vector<std::string>& all,
                      const std::string& value, int64_t rows) {
    TableColumn column;
    column.name = name;
    const auto isInteger = [](const std::string& each) {
        return each.empty() || integerIn(each).has_value();
    };
    const auto count = static_cast<size_t>(rows);
    if (std::all_of(all.begin(), all.end(), isInteger)) {
        constexpr int64_t kMissing = std::numeric_limits<int64_t>::min();
        column.values = std::vector<int64_t>(count, integerIn(value).value_or(kMissing));
        if (value.empty()) column.null = kMissing;
    } else {
        column.values = std::vector<std::string>(count, value);
    }
    return column;
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
    return folder;
}

Table readParquetPart(const ParquetFolder& folder, const std::string& file,
                      const TableReadOptions& options, JobContext& job, const RowRange& rows) {
    const auto at = static_cast<size_t>(std::find(folder.files.begin(), folder.files.end(), file) -
                                        folder.files.begin());
    int64_t count = 0;
    const Table outline = parquetOutline(file, count, job);
    const auto isWanted = [&](const std::string& name) {
        return options.columns.empty() || std::find(options.columns.begin(), options.columns.end(),
                                                    name) != options.columns.end();
    };
    // A column of the file goes before that of a folder.
    std::vector<size_t> added;
    for (size_t k = 0; k < folder.keys.size(); ++k)
        if (!outline.find(folder.keys[k].first) && isWanted(folder.keys[k].first))
            added.push_back(k);
    if (added.empty()) return readParquet(file, options, job, rows);
    TableReadOptions own = options;
    std::erase_if(own.columns, [&](const std::string& name) {
        return std::any_of(added.begin(), added.end(),
                           [&](size_t k) { return folder.keys[k].first == name; });
    });
    // Without a column of its own, the file gives the number of rows.
    Table table;
    if (own.columns.empty() && !options.columns.empty()) {
        count = std::clamp<int64_t>(count - rows.first, 0, rows.count);
    } else {
        table = readParquet(file, own, job, rows);
        count = table.rows();
    }
    for (const size_t k : added)
        table.columns.push_back(keyColumn(folder.keys[k].first, folder.keys[k].second,
                                          folder.keys[k].second[at], count));
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

Table parquetFolderOutline(const ParquetFolder& folder, JobContext& job) {
    return readParquetPart(folder, folder.files.front(), {}, job, RowRange{});
}

int64_t parquetFolderRows(const ParquetFolder& folder, JobContext& job) {
    int64_t rows = 0;
    for (const std::string& file : folder.files) {
        int64_t own = 0;
        parquetOutline(file, own, job);
        rows += own;
    }
    return rows;
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
    std::optional<FileSummary> summary = inspectParquetCatalog(folder.files.front());
    if (!summary)
        refuse(path, "a catalog with columns of positions (RA and DEC, GLON and GLAT, ...)",
               "Parquet files without them");
    summary->rows = parquetFolderRows(folder, job);
    const Table outline = parquetFolderOutline(folder, job);
    for (size_t c = summary->columns.size(); c < outline.columns.size(); ++c)
        summary->columns.push_back({outline.columns[c].name, "", DiskType::Int64, 1});
    return *summary;
}

}  // namespace armilla
