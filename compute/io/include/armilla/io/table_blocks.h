// SPDX-License-Identifier: GPL-3.0-or-later
// Tables on disk of which blocks of rows and some columns are read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/io/sky_parts.h"

namespace armilla {

// A table in a plain FITS file, Parquet, HDF5, a HATS folder or long delimited text.
class TableBlocks {
public:
    // The table of a FITS file without a selector: the first one, or the first one with positions.
    enum class Choice { FirstTable, FirstWithPositions };
    // None for short and other text, VOTable and compressed files, which are read as a whole, and
    // for tables with two columns of one name. Delimited text of 16 MiB or more is read once, which
    // finds its columns. Throws as readTable.
    static std::optional<TableBlocks> open(const std::string& path, Choice choice, JobContext& job);
    ~TableBlocks();
    TableBlocks(TableBlocks&& other) noexcept;
    TableBlocks& operator=(TableBlocks&& other) noexcept;

    // All columns that readTable would read, without rows.
    const Table& outline() const;
    int64_t rows() const;
    // Memory of one row, bytes; letters of texts beyond 15 are not counted.
    int64_t rowBytes() const;
    // True for a HATS catalog, whose partitions are parts of the sky.
    bool hasPartitions() const;
    // A disc around each partition that may hold rows in each of the parts of the sky.
    DiscUnion partitionDiscs(std::span<const DiscUnion> within, JobContext& job) const;
    // True if reading a few rows costs as much as their bytes, not as the page of a column.
    bool readsAnyRows() const;
    // True if only the values tell whether integers are missing (Parquet).
    bool findsMissing() const;

    // Consecutive rows of one file.
    struct Block {
        std::string file;
        int64_t first = 0, count = 0;
    };
    // Blocks of at most `rows` rows that hold the table in order, without the partitions that lie
    // outside one of the parts of the sky.
    std::vector<Block> blocks(int64_t rows, std::span<const DiscUnion> within,
                              JobContext& job) const;
    // The columns that `names` names, in this order. Missing integers are the smallest integer.
    // Throws as readTable, and IoError for a value equal to this integer in a column with missing
    // values.
    Table read(const Block& block, const std::vector<std::string>& names, JobContext& job) const;
    // These columns without rows.
    Table outlineOf(const std::vector<std::string>& names, JobContext& job) const;

private:
    struct Parts;
    explicit TableBlocks(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace armilla
