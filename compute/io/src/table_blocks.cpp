// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/io/table_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/table_rows.h"
#include "foreign_file.h"
#include "hats.h"
#include "out_of_memory.h"
#include "parquet/read_parquet.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

enum class Format { Fits, Parquet, Hdf5, Hats };

constexpr int64_t kMissing = std::numeric_limits<int64_t>::min();
constexpr std::string_view kMask = ".mask";

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
    Table outline;
    std::set<std::string> masks;  // columns NAME.mask of the file
    int64_t rows = 0;

    Table read(const std::string& file, const RowRange& range,
               const std::vector<std::string>& names, JobContext& job) const {
        TableReadOptions options;
        options.columns = names;
        for (const std::string& name : names)
            if (masks.contains(name)) options.columns.push_back(name + std::string(kMask));
        Table table = orOutOfMemory(file, [&] {
            if (format == Format::Hdf5) return readHdf5(file, options, job, range);
            if (format != Format::Fits) return readParquet(file, options, job, range);
            FitsFile fits(file, job.stopToken());
            return readFitsTable(fits, fits.selected(hdu), options, job, range);
        });
        if (format == Format::Hats) markPositions(hats, table);
        applyMasks(table);
        if (format == Format::Parquet || format == Format::Hats) unifyMissing(table, file);
        return table;
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
    if (isHatsFolder(where.path)) {
        parts->format = Format::Hats;
        parts->hats = openHats(where.path, job);
        if (parts->hats.partitions.empty()) return std::nullopt;
        parts->outline = hatsOutline(parts->hats, job);
        parts->rows = hatsRows(parts->hats, job);
    } else if (where.path == "-" || foreignFormat(where.path)) {
        return std::nullopt;
    } else if (isHdf5(where.path)) {
        parts->format = Format::Hdf5;
        parts->outline = readHdf5(where.path, {}, job, RowRange{}, &parts->rows);
    } else if (isParquet(where.path)) {
        parts->format = Format::Parquet;
        parts->outline = parquetOutline(where.path, parts->rows, job);
    } else if (looksLikeText(where.path)) {
        return std::nullopt;
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
        if (!names.insert(column.name).second) return std::nullopt;
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
    return parts_->rows;
}

int64_t TableBlocks::rowBytes() const {
    return armilla::rowBytes(parts_->outline);
}

bool TableBlocks::hasPartitions() const {
    return parts_->format == Format::Hats;
}

bool TableBlocks::findsMissing() const {
    return parts_->format == Format::Parquet || hasPartitions() || !parts_->masks.empty();
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
    if (!hasPartitions()) {
        add(parts_->path, parts_->format == Format::Parquet ? parquetGroups(parts_->path, job)
                                                            : std::vector{parts_->rows});
        return blocks;
    }
    const std::optional<double> margin = hatsMargin(parts_->hats);
    for (const HatsPartition& partition : parts_->hats.partitions) {
        job.poll();
        SkyCap disc = discOfPixel(partition.order, partition.pixel);
        disc.radius += margin.value_or(0.0);
        const auto meets = [&](const DiscUnion& part) {
            return std::any_of(part.begin(), part.end(),
                               [&](const SkyCap& each) { return each.meets(disc); });
        };
        if (margin && !std::all_of(within.begin(), within.end(), meets)) continue;
        for (const std::string& file : filesOf(parts_->hats, partition))
            add(file, parquetGroups(file, job));
    }
    return blocks;
}

Table TableBlocks::read(const Block& block, const std::vector<std::string>& names,
                        JobContext& job) const {
    return parts_->read(block.file, {block.first, block.count}, names, job);
}

Table TableBlocks::outlineOf(const std::vector<std::string>& names, JobContext& job) const {
    const std::string file = hasPartitions()
                                 ? filesOf(parts_->hats, parts_->hats.partitions.front()).front()
                                 : parts_->path;
    return parts_->read(file, {}, names, job);
}

bool SkyCap::meets(const SkyCap& other) const {
    // The chord of the sum of both radii; 1e-9 rad covers the rounding of the centers.
    const double reach = radius + other.radius + 1e-9;
    if (reach >= kPi) return true;
    const Vec3 difference = center - other.center;
    return dot(difference, difference) <= std::pow(2.0 * std::sin(0.5 * reach), 2);
}

SkyCap discOfPixel(int order, int64_t pixel) {
    const int64_t nside = int64_t{1} << order;
    const Vec3 center = directionFromNested(nside, pixel);
    return {center, maximumPixelRadius(nside)};
}

DiscUnion discsAround(const std::vector<Vec3>& directions, double margin) {
    constexpr int kOrder = 6;
    constexpr int64_t kNside = int64_t{1} << kOrder;
    std::vector<char> holds(static_cast<size_t>(pixelCount(kNside)));
    for (const Vec3& at : directions)
        holds[static_cast<size_t>(nestedFromDirection(kNside, at))] = 1;
    DiscUnion discs;
    for (size_t pixel = 0; pixel < holds.size(); ++pixel) {
        if (holds[pixel] == 0) continue;
        discs.push_back(discOfPixel(kOrder, static_cast<int64_t>(pixel)));
        discs.back().radius += margin;
    }
    return discs;
}

}  // namespace armilla
