// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/table_blocks.h"

#include <algorithm>
#include <limits>
#include <set>

#include "armilla/core/error.h"
#include "armilla/core/table_rows.h"
#include "byte_source.h"
#include "csv_file.h"
#include "foreign_file.h"
#include "hats.h"
#include "out_of_memory.h"
#include "parquet/read_parquet.h"
#include "parquet_folder.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

enum class Format { Fits, Parquet, Hdf5, Hats, ParquetFiles, Csv };

constexpr int64_t kMissing = std::numeric_limits<int64_t>::min();
constexpr std::string_view kMask = ".mask";
// A shorter text is read as a whole in less time than the pass over it that finds its columns.
constexpr int64_t kLeastCsvBytes = int64_t{1} << 24;

// Delimited text of which blocks are read: no packed one, which is read from its beginning.
bool isLongCsv(const std::string& path) {
    const auto source = openByteSource(path);
    return source->randomAccess() && source->sizeLimit() >= kLeastCsvBytes && isCsv(path);
}

// Blocks of different files mark missing integers by one number.
void unifyMissing(Table& table, const std::string& path) {
    for (TableColumn& column : table.columns)
        if (column.isInteger() && column.null && *column.null != kMissing)
            throw IoError(path + ": expected integers above -2^63 in column " +
                          inQuotes(column.name) + ", which has missing values, found " +
                          std::to_string(kMissing));
}

}  // namespace

struct TableBlocks::Parts {
    Format format = Format::Fits;
    std::string path;
    std::string hdu;  // number of the HDU in a FITS file
    HatsCatalog hats;
    ParquetFolder folder;
    std::unique_ptr<CsvFile> csv;
    Table outline;
    std::set<std::string> masks;  // columns NAME.mask of the file
    std::optional<int64_t> rows = 0;
    std::stop_token stop;
    UnsignedColumns unsignedColumns;
    std::set<std::string> decided;  // unsigned columns whose type is known

    bool isParquetData() const {
        return format == Format::Parquet || format == Format::Hats ||
               format == Format::ParquetFiles;
    }
    // Rows with missing integers marked as in the file.
    Table decode(const std::string& file, RowRange range, const std::vector<std::string>& names,
                 JobContext& job) {
        range.unsignedColumns = &unsignedColumns;
        TableReadOptions options;
        options.columns = names;
        for (const std::string& name : names)
            if (masks.contains(name)) options.columns.push_back(name + std::string(kMask));
        Table table = orOutOfMemory(file, [&] {
            if (format == Format::Hdf5) return readHdf5(file, options, job, range);
            if (format == Format::ParquetFiles || format == Format::Hats)
                return readParquetPart(folder, file, options, job, range);
            if (format == Format::Csv)
                return csv->read(chosenColumns(file, namesOf(csv->outline()), options), range.first,
                                 range.count, job);
            if (format != Format::Fits) return readParquet(file, options, job, range);
            FitsFile fits(file, job.stopToken());
            return readFitsTable(fits, fits.selected(hdu), options, job, range);
        });
        if (format == Format::Hats) markPositions(hats, table);
        applyMasks(table);
        return table;
    }
    Table read(const std::string& file, const RowRange& range,
               const std::vector<std::string>& names, JobContext& job) {
        Table table = decode(file, range, names, job);
        if (isParquetData()) unifyMissing(table, file);
        return table;
    }
    std::vector<std::string> files() const {
        if (format == Format::ParquetFiles) return folder.files;
        if (format != Format::Hats) return {path};
        std::vector<std::string> all;
        for (const HatsPartition& partition : hats.partitions)
            for (const std::string& file : filesOf(hats, partition)) all.push_back(file);
        return all;
    }
    // Whether a column of unsigned integers has one above 2^63-1 in this file. From its metadata,
    // or else from its values.
    bool isAbove63Bits(const std::string& file, const std::string& name, JobContext& job) {
        if (isParquetData())
            if (const auto stated = parquetAbove63Bits(file, name, job)) return *stated;
        constexpr int64_t kRowsAtOnce = 1 << 20;
        int64_t most = rows.value_or(0);
        if (isParquetData()) parquetOutline(file, most, job);
        for (int64_t first = 0; first < most; first += kRowsAtOnce) {
            decode(file, {first, std::min(kRowsAtOnce, most - first)}, {name}, job);
            if (unsignedColumns.above.contains(name)) return true;
        }
        return false;
    }
    // Finds out which of these columns of unsigned integers are read as texts: those that a reader
    // of the whole table would read so.
    void decideTypes(const std::vector<std::string>& names, JobContext& job) {
        for (const std::string& name : names) {
            if (!unsignedColumns.found.contains(name) || !decided.insert(name).second) continue;
            for (const std::string& file : files()) {
                job.poll();
                if (!isAbove63Bits(file, name, job)) continue;
                unsignedColumns.texts.insert(name);
                break;
            }
        }
    }
};

TableBlocks::TableBlocks(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TableBlocks::~TableBlocks() = default;
TableBlocks::TableBlocks(TableBlocks&& other) noexcept = default;
TableBlocks& TableBlocks::operator=(TableBlocks&& other) noexcept = default;

std::optional<TableBlocks> TableBlocks::open(const std::string& text, Choice choice,
                                             JobContext& job) {
    const FilePath where = parseFilePath(text);
    auto parts = std::make_unique<Parts>();
    parts->path = where.path;
    parts->stop = job.stopToken();
    if (isHatsFolder(where.path)) {
        parts->format = Format::Hats;
        parts->hats = openHats(where.path, job);
        if (parts->hats.partitions.empty()) return std::nullopt;
        parts->folder = hatsColumns(parts->hats, job);
        parts->outline = parts->folder.outline;
        parts->rows.reset();  // without a statement in the properties, all files are opened
    } else if (isParquetFolder(where.path)) {
        parts->format = Format::ParquetFiles;
        parts->folder = openParquetFolder(where.path, job);
        parts->outline = parts->folder.outline;
        parts->rows = parts->folder.rows;
    } else if (where.path == "-" || foreignFormat(where.path)) {
        return std::nullopt;
    } else if (isHdf5(where.path)) {
        parts->format = Format::Hdf5;
        parts->outline = readHdf5(where.path, {}, job, RowRange{}, &*parts->rows);
    } else if (isParquet(where.path)) {
        parts->format = Format::Parquet;
        parts->outline = parquetOutline(where.path, *parts->rows, job);
    } else if (looksLikeText(where.path)) {
        if (!isLongCsv(where.path)) return std::nullopt;
        parts->format = Format::Csv;
        parts->csv = std::make_unique<CsvFile>(where.path, job);
        if (parts->csv->needsOtherNull()) return std::nullopt;
        parts->outline = parts->csv->outline();
        parts->rows = parts->csv->rows();
    } else {
        FitsFile file(where.path, job.stopToken());
        if (!file.randomAccess()) return std::nullopt;
        const FitsHdu& hdu =
            tableHdu(file, where.path, where.hdu, choice == Choice::FirstWithPositions);
        if (file.isUnpacked()) return std::nullopt;
        parts->hdu = std::to_string(hdu.number);
        TableReadOptions options;
        options.variableLength = TableReadOptions::VariableLength::LeaveOut;
        parts->outline = readFitsTable(file, hdu, options, job, RowRange{});
        parts->rows = tableLayout(file, hdu).rows;
    }
    std::set<std::string> names;
    for (const TableColumn& column : parts->outline.columns) {
        // Readers of whole tables rename such columns.
        if (column.name.empty() || !names.insert(column.name).second) return std::nullopt;
        if (column.name.ends_with(kMask))
            parts->masks.insert(column.name.substr(0, column.name.size() - kMask.size()));
    }
    applyMasks(parts->outline);
    return TableBlocks(std::move(parts));
}

const Table& TableBlocks::outline() const {
    return parts_->outline;
}

int64_t TableBlocks::rows() const {
    if (!parts_->rows) {
        JobContext job(parts_->stop, {}, 1);
        parts_->rows = hatsRows(parts_->hats, job);
    }
    return *parts_->rows;
}

int64_t TableBlocks::rowBytes() const {
    return armilla::rowBytes(parts_->outline);
}

bool TableBlocks::hasPartitions() const {
    return parts_->format == Format::Hats;
}

DiscUnion TableBlocks::partitionDiscs(std::span<const DiscUnion> within, JobContext& job) const {
    const double margin = hatsMargin(parts_->hats).value_or(kPi);
    DiscUnion discs;
    for (const HatsPartition& partition : partitionsWithin(parts_->hats, within, job)) {
        discs.push_back(discOfPixel(partition.order, partition.pixel));
        discs.back().radius += margin;
    }
    return discs;
}

bool TableBlocks::readsAnyRows() const {
    return parts_->format == Format::Fits;
}

bool TableBlocks::findsMissing() const {
    return parts_->isParquetData() || !parts_->masks.empty();
}

std::vector<TableBlocks::Block> TableBlocks::blocks(int64_t rows, std::span<const DiscUnion> within,
                                                    JobContext& job) const {
    std::vector<Block> blocks;
    // A group of rows that fits a block is not read in two pieces.
    const auto add = [&](const std::string& file, const std::vector<int64_t>& groups) {
        int64_t first = 0, count = 0;
        const auto flush = [&](int64_t most) {
            while (count > 0) {
                const int64_t taken = std::min(count, most);
                blocks.push_back({file, first, taken});
                first += taken;
                count -= taken;
            }
        };
        for (const int64_t group : groups) {
            if (count > 0 && count + group > rows) flush(rows);
            count += group;
        }
        flush(rows);
    };
    if (parts_->format == Format::ParquetFiles) {
        for (const std::string& file : parts_->folder.files) add(file, parquetGroups(file, job));
        return blocks;
    }
    if (!hasPartitions()) {
        add(parts_->path, parts_->format == Format::Parquet ? parquetGroups(parts_->path, job)
                                                            : std::vector{*parts_->rows});
        return blocks;
    }
    for (const HatsPartition& partition : partitionsWithin(parts_->hats, within, job))
        for (const std::string& file : filesOf(parts_->hats, partition))
            add(file, parquetGroups(file, job));
    return blocks;
}

Table TableBlocks::read(const Block& block, const std::vector<std::string>& names,
                        JobContext& job) const {
    parts_->decideTypes(names, job);
    return parts_->read(block.file, {block.first, block.count}, names, job);
}

Table TableBlocks::outlineOf(const std::vector<std::string>& names, JobContext& job) const {
    const std::string file = hasPartitions()
                                 ? filesOf(parts_->hats, parts_->hats.partitions.front()).front()
                                 : parts_->files().front();
    parts_->decode(file, {}, names, job);
    parts_->decideTypes(names, job);
    return parts_->read(file, {}, names, job);
}

}  // namespace armilla
