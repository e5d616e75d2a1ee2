// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/read_parquet.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "astropy_header.h"
#include "parquet/codecs.h"
#include "parquet/convert.h"
#include "parquet/pages.h"
#include "table_formats.h"
#include "text_file.h"
#include "unpack_tiles.h"

namespace armilla {

namespace parquet {
namespace {

// A file with its metadata.
struct File {
    std::string path;
    std::unique_ptr<ByteSource> source;
    Metadata metadata;
    std::vector<Column> columns;
};

// Throws IoError unless the numbers of rows agree with each other and with the size of the file.
void checkRows(const File& file) {
    // Row groups of one repeated value have the most rows per byte: pyarrow writes at most 2^26
    // rows to a group, in 500 bytes with its metadata.
    constexpr int64_t kMostRowsPerByte = int64_t{1} << 17U;
    int64_t rows = 0;
    for (const RowGroup& group : file.metadata.groups) {
        if (group.rows < 0 || __builtin_add_overflow(rows, group.rows, &rows))
            refuse(file.path, "numbers of rows", "a damaged file");
        if (group.chunks.size() != file.columns.size())
            refuse(file.path,
                   std::to_string(file.columns.size()) + " columns in each group of rows",
                   std::to_string(group.chunks.size()));
    }
    if (rows != file.metadata.rows)
        refuse(file.path, std::to_string(file.metadata.rows) + " rows", std::to_string(rows));
    if (rows / kMostRowsPerByte > file.metadata.dataEnd)
        refuse(file.path, "a file with its " + std::to_string(rows) + " rows",
               "a damaged or truncated one");
}

File openParquet(const std::string& path, JobContext& job) {
    File file;
    file.path = path;
    file.source = openByteSource(path, job.stopToken());
    // The metadata are at the end, which a gzip file cannot reach directly.
    if (!file.source->randomAccess())
        file.source = plainByteSource(unpackedCopy(*file.source, path, job), path);
    try {
        file.metadata = readMetadata(*file.source);
        file.columns = columnsOf(file.metadata);
    } catch (Error& error) {
        error.addContext(path);
        throw;
    }
    checkRows(file);
    return file;
}

void requireReadable(const Column& column, const Chunk& chunk, int64_t rows) {
    if (chunk.isEncrypted) throw IoError("expected a plain column, found an encrypted one");
    if (!chunk.otherFile.empty())
        throw IoError("expected pages in the file itself, found pages in the file " +
                      inQuotes(chunk.otherFile));
    if (chunk.physical != column.node.physical || chunk.values != rows)
        throw IoError("expected a column as in the schema, found another (a damaged file)");
    requireCodec(chunk.codec);
}

// Rows of a column in one row group.
template <class T>
struct Part {
    std::span<T> values;
    std::span<uint8_t> missing;  // marks missing integers by 1; empty for other columns
};

// Throws OutOfMemory if the letters of the texts do not fit into memory. A dictionary refers to one
// long text many times.
void requireLetters(std::span<const std::string> dictionary, std::span<const uint32_t> indices) {
    constexpr int64_t kSmall = int64_t{1} << 20U;
    int64_t letters = 0;
    for (const uint32_t index : indices) letters += static_cast<int64_t>(dictionary[index].size());
    if (letters > kSmall) requireMemory("texts", letters);
}

template <class T>
void decodeIndices(const Page& page, const std::vector<T>& dictionary, std::span<T> to) {
    if (to.empty()) return;
    if (page.encoded.empty()) throw IoError("expected indices in a page, found an empty page");
    constexpr size_t kSmall = size_t{1} << 20U;
    if (to.size() > kSmall)
        requireMemory("indices of a page", static_cast<int64_t>(to.size() * sizeof(uint32_t)));
    std::vector<uint32_t> indices(to.size());
    BitRuns(page.encoded.subspan(1), static_cast<unsigned>(page.encoded[0])).read(indices);
    if (*std::max_element(indices.begin(), indices.end()) >= dictionary.size())
        throw IoError("expected indices of a dictionary of " + std::to_string(dictionary.size()) +
                      " values, found larger ones (a damaged page)");
    if constexpr (std::is_same_v<T, std::string>) requireLetters(dictionary, indices);
    for (size_t i = 0; i < to.size(); ++i) to[i] = dictionary[indices[i]];
}

template <class T>
void decodeInto(const SchemaNode& node, Encoding encoding, std::span<const std::byte> bytes,
                std::span<T> to) {
    convertValues(node, decodeValues(encoding, node, bytes, to.size()), to);
}

// Moves the values that are present to their rows; `to` starts with them.
template <class T>
void spread(const std::vector<uint32_t>& levels, uint32_t present, size_t count, Part<T> to) {
    for (size_t row = levels.size(); row-- > 0;) {
        if (levels[row] == present) {
            --count;
            if (count != row) to.values[row] = std::move(to.values[count]);
            continue;
        }
        if constexpr (std::is_floating_point_v<T>)
            to.values[row] = std::numeric_limits<T>::quiet_NaN();
        else
            to.values[row] = T{};
        if (!to.missing.empty()) to.missing[row] = 1;
    }
}

template <class T>
void decodeData(const Column& column, const Page& page,
                const std::optional<std::vector<T>>& dictionary, Part<T> to) {
    const auto present = static_cast<uint32_t>(column.maxDefinition);
    const std::vector<uint32_t>& levels = page.definition.each;
    size_t count = page.values;
    if (!levels.empty())
        count = static_cast<size_t>(std::count(levels.begin(), levels.end(), present));
    else if (page.definition.same != present)
        count = 0;
    const std::span<T> values = to.values.first(count);
    if (page.encoding == Encoding::RleDictionary || page.encoding == Encoding::PlainDictionary) {
        if (!dictionary) throw IoError("expected a dictionary before its indices, found none");
        decodeIndices(page, *dictionary, values);
    } else {
        decodeInto(column.node, page.encoding, page.encoded, values);
    }
    if (count == page.values) return;
    if (levels.empty())
        spread(std::vector<uint32_t>(page.values, page.definition.same), present, count, to);
    else
        spread(levels, present, count, to);
}

// The values of a page from `skip` on, as many as `to` takes.
template <class T>
void decodePart(const Column& column, const Page& page,
                const std::optional<std::vector<T>>& dictionary, size_t skip, Part<T> to) {
    constexpr size_t kSmall = size_t{1} << 20U;
    if (page.values > kSmall)
        requireMemory("a page", static_cast<int64_t>(page.values * sizeof(T)));
    std::vector<T> values(page.values);
    std::vector<uint8_t> missing(to.missing.empty() ? 0 : page.values);
    decodeData(column, page, dictionary, Part<T>{values, missing});
    for (size_t i = 0; i < to.values.size(); ++i) {
        to.values[i] = std::move(values[skip + i]);
        if (!to.missing.empty()) to.missing[i] = missing[skip + i];
    }
}

// The values of a chunk from `skip` on, as many as `to` takes.
template <class T>
void decodeChunk(const File& file, const Column& column, const Chunk& chunk, size_t skip,
                 Part<T> to, const JobContext& job) {
    ChunkPages pages(*file.source, column, chunk, file.metadata.dataEnd);
    std::optional<std::vector<T>> dictionary;
    while (!to.values.empty()) {
        job.poll();
        const Page page = pages.next(skip);
        if (page.isDictionary) {
            if (dictionary) throw IoError("expected one dictionary in a column, found two");
            // PLAIN_DICTIONARY means PLAIN here.
            const RawValues raw =
                decodeValues(Encoding::Plain, column.node, page.encoded, page.values);
            dictionary.emplace(page.values);
            convertValues(column.node, raw, std::span(*dictionary));
            continue;
        }
        const size_t taken = std::min(page.values - std::min(skip, page.values), to.values.size());
        if (taken == page.values)
            decodeData(column, page, dictionary, to);
        else
            decodePart(column, page, dictionary, skip,
                       Part<T>{to.values.first(taken),
                               to.missing.empty() ? to.missing : to.missing.first(taken)});
        skip = 0;
        to.values = to.values.subspan(taken);
        if (!to.missing.empty()) to.missing = to.missing.subspan(taken);
    }
}

// The columns to read, and the names of the rest.
std::vector<int> columnsToRead(const File& file, const TableReadOptions& options, Table& table) {
    std::vector<std::string> names;
    for (const Column& column : file.columns) names.push_back(column.name);
    std::vector<int> chosen;
    for (const int index : chosenColumns(file.path, names, options)) {
        const Column& column = file.columns[static_cast<size_t>(index)];
        if (column.held != Held::None)
            chosen.push_back(index);
        else if (options.columns.empty() &&
                 (table.leftOut.empty() || table.leftOut.back() != column.name))
            table.leftOut.push_back(column.name);  // once for all parts of a map
        else if (!options.columns.empty())
            refuse(file.path, "a column of numbers or texts named " + inQuotes(column.name),
                   "a list, or another type that is not read");
    }
    return chosen;
}

bool isUnsignedWide(const Column& column) {
    return column.node.isUnsigned && column.node.physical == Physical::Int64;
}

TableColumn emptyColumn(const Column& column) {
    TableColumn empty;
    empty.name = column.name;
    empty.unit = column.unit;
    switch (column.held) {
        case Held::Float: empty.values = std::vector<float>(); break;
        case Held::Integer: empty.values = std::vector<int64_t>(); break;
        case Held::Text: empty.values = std::vector<std::string>(); break;
        default: empty.values = std::vector<double>(); break;
    }
    return empty;
}

// Allocates the columns after a comparison of their size with the memory available.
void allocate(const File& file, int64_t rows, Table& table, JobContext& job) {
    int64_t bytes = 0, rowBytes = 0;
    for (const TableColumn& column : table.columns)
        std::visit(
            [&](const auto& values) { rowBytes += static_cast<int64_t>(sizeof *values.data()); },
            column.values);
    if (__builtin_mul_overflow(rowBytes, rows, &bytes)) bytes = std::numeric_limits<int64_t>::max();
    requireMemory(file.path, bytes);
    for (TableColumn& column : table.columns)
        std::visit(
            [&](auto& values) {
                using T = typename std::decay_t<decltype(values)>::value_type;
                values = newVector<T>(rows, job);
            },
            column.values);
}

// Chooses the integer for "no value" of a column with missing values.
void markMissing(TableColumn& column, const std::vector<uint8_t>& missing) {
    auto* values = std::get_if<std::vector<int64_t>>(&column.values);
    if (values == nullptr || std::find(missing.begin(), missing.end(), 1) == missing.end()) return;
    column.null = unusedInteger(*values);
    for (size_t i = 0; i < missing.size(); ++i)
        if (missing[i] != 0) (*values)[i] = *column.null;
}

// The rows of one row group that a range takes.
struct GroupPart {
    size_t group = 0;
    size_t skip = 0, count = 0;  // rows of the group
    size_t to = 0;               // row of the table
};

std::vector<GroupPart> partsOf(const Metadata& metadata, const RowRange& range) {
    std::vector<GroupPart> parts;
    int64_t first = 0;
    for (size_t g = 0; g < metadata.groups.size(); ++g) {
        const int64_t rows = metadata.groups[g].rows;
        const int64_t begin = std::max(first, range.first),
                      end = std::min(first + rows, range.first + range.count);
        if (begin < end)
            parts.push_back({g, static_cast<size_t>(begin - first),
                             static_cast<size_t>(end - begin),
                             static_cast<size_t>(begin - range.first)});
        first += rows;
    }
    return parts;
}

void decodeColumns(const File& file, const std::vector<int>& chosen, const RowRange& range,
                   Table& table, JobContext& job) {
    const auto& groups = file.metadata.groups;
    const std::vector<GroupPart> parts = partsOf(file.metadata, range);
    std::vector<std::vector<uint8_t>> missing(chosen.size());
    for (size_t c = 0; c < chosen.size(); ++c)
        if (table.columns[c].isInteger() &&
            file.columns[static_cast<size_t>(chosen[c])].maxDefinition > 0)
            missing[c] = newVector<uint8_t>(range.count, job);
    const auto decodeOne = [&](const GroupPart& from, size_t c) {
        const Column& column = file.columns[static_cast<size_t>(chosen[c])];
        const Chunk& chunk = groups[from.group].chunks[column.leaf];
        try {
            requireReadable(column, chunk, groups[from.group].rows);
            std::visit(
                [&](auto& values) {
                    using T = typename std::decay_t<decltype(values)>::value_type;
                    Part<T> part{std::span(values).subspan(from.to, from.count), {}};
                    if (!missing[c].empty())
                        part.missing = std::span(missing[c]).subspan(from.to, from.count);
                    decodeChunk(file, column, chunk, from.skip, part, job);
                },
                table.columns[c].values);
        } catch (Error& error) {
            error.addContext(file.path + ": column " + inQuotes(column.name));
            throw;
        }
    };
    const size_t columns = chosen.size();
    parallelFor(
        job, static_cast<long long>(parts.size() * columns), 1,
        [&](long long begin, long long end) {
            for (auto task = static_cast<size_t>(begin); task < static_cast<size_t>(end); ++task)
                decodeOne(parts[task / columns], task % columns);
        },
        "reading");
    for (size_t c = 0; c < columns; ++c) markMissing(table.columns[c], missing[c]);
}

// Units, descriptions and history that astropy stores, or TOPCAT as a VOTable (VOParquet).
void takeMetadata(const File& file, Table& table) {
    for (const auto& [key, value] : file.metadata.keys) {
        if (key == "table_meta_yaml") takeAstropyHeader(file.path, value, table);
        if (key == "IVOA.VOTable-Parquet.content") takeVoTableHeader(file.path, value, table);
    }
}

Table readTable(const std::string& path, const TableReadOptions& options, JobContext& job,
                const OptionalRows& rows) {
    const File file = openParquet(path, job);
    Table table;
    const std::vector<int> chosen = columnsToRead(file, options, table);
    for (const int index : chosen)
        table.columns.push_back(emptyColumn(file.columns[static_cast<size_t>(index)]));
    if (table.columns.empty())
        refuse(path, "a Parquet file with columns of numbers or texts", "none");
    RowRange range = rows.value_or(RowRange{0, file.metadata.rows});
    range.count = std::min(range.count, file.metadata.rows - range.first);
    allocate(file, range.count, table, job);
    decodeColumns(file, chosen, range, table, job);
    for (size_t c = 0; c < chosen.size(); ++c) {
        if (isUnsignedWide(file.columns[static_cast<size_t>(chosen[c])]))
            textsIfAbove63Bits(table.columns[c], rows);
    }
    takeMetadata(file, table);
    return table;
}

}  // namespace
}  // namespace parquet

bool isParquet(const std::string& path) {
    const std::string start = startOfTextFile(path, 4);
    return start == "PAR1" || start == "PARE";
}

Table readParquet(const std::string& path, const TableReadOptions& options, JobContext& job,
                  const OptionalRows& rows) {
    return parquet::readTable(path, options, job, rows);
}

std::vector<int64_t> parquetGroups(const std::string& path, JobContext& job) {
    std::vector<int64_t> rows;
    for (const parquet::RowGroup& group : parquet::openParquet(path, job).metadata.groups)
        rows.push_back(group.rows);
    return rows;
}

Table parquetOutline(const std::string& path, int64_t& rows, JobContext& job,
                     std::vector<ParquetColumnFacts>* facts) {
    const parquet::File file = parquet::openParquet(path, job);
    Table outline;
    for (const int index : parquet::columnsToRead(file, {}, outline)) {
        const parquet::Column& column = file.columns[static_cast<size_t>(index)];
        outline.columns.push_back(parquet::emptyColumn(column));
        if (facts != nullptr)
            facts->push_back({parquet::isUnsignedWide(column),
                              column.node.logical == parquet::Logical::Unknown});
    }
    parquet::takeMetadata(file, outline);
    rows = file.metadata.rows;
    return outline;
}

std::optional<bool> parquetAbove63Bits(const std::string& path, const std::string& name,
                                       JobContext& job) {
    const parquet::File file = parquet::openParquet(path, job);
    const auto column =
        std::find_if(file.columns.begin(), file.columns.end(),
                     [&](const parquet::Column& each) { return each.name == name; });
    if (column == file.columns.end() || !parquet::isUnsignedWide(*column)) return false;
    bool isAbove = false;
    for (const parquet::RowGroup& group : file.metadata.groups) {
        const std::string& largest = group.chunks.at(column->leaf).largest;
        if (largest.size() != sizeof(uint64_t)) return std::nullopt;
        isAbove = isAbove || (static_cast<unsigned char>(largest.back()) & 0x80U) != 0;
    }
    return isAbove;
}

std::optional<FileSummary> parquetSummary(const Table& outline, int64_t rows) {
    auto position = findPositions(outline);
    if (!position) position = findTextPositions(outline);
    if (!position) return std::nullopt;
    FileSummary summary;
    summary.kind = FileKind::Catalog;
    summary.hdu = 0;
    summary.rows = rows;
    summary.frame = position->frame;
    for (const TableColumn& column : outline.columns)
        summary.columns.push_back({column.name, column.unit,
                                   column.isInteger() ? DiskType::Int64 : DiskType::Float64, 1});
    return summary;
}

std::optional<FileSummary> inspectParquetCatalog(const std::string& path) {
    JobContext job;
    int64_t rows = 0;
    const Table outline = parquetOutline(path, rows, job);
    return parquetSummary(outline, rows);
}

}  // namespace armilla
