// SPDX-License-Identifier: GPL-3.0-or-later
// A file of delimited text: its columns, found in one pass over the file, and blocks of rows of
// some columns, decoded without the others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "byte_source.h"
#include "text_records.h"

namespace armilla {

class CsvFile {
public:
    // Reads the file once, because all cells of a column decide its type. Throws IoError.
    CsvFile(const std::string& path, JobContext& job);

    // The columns without rows. `null` of integer columns with missing values is the smallest
    // integer.
    const Table& outline() const { return outline_; }
    int64_t rows() const { return rows_; }
    // True if the smallest integer is also a value of an integer column with missing ones, so that
    // the marker depends on all rows.
    bool needsOtherNull() const;
    // `count` rows from row `first` on of these columns, numbered from 0. Throws IoError, also for
    // a file that has changed, and OutOfMemory.
    Table read(std::span<const int> columns, int64_t first, int64_t count, JobContext& job) const;

private:
    struct Reading;
    struct Column {
        size_t cell = 0;             // index in a record
        bool decimalCommas = false;  // numbers have a comma in place of the point
        bool hasLeast = false;       // the smallest integer is a value
    };
    void scan(Reading& found, JobContext& job);
    [[noreturn]] void refuseCells(int64_t record, const std::vector<std::string>& cells) const;
    [[noreturn]] void refuseChange() const;
    void append(const Column& from, const std::string& text, TableColumn& to,
                std::vector<size_t>& missing) const;

    std::string path_;
    std::unique_ptr<ByteSource> source_;
    LineEnd lineEnd_ = LineEnd::Feed;
    char delimiter_ = ',';
    size_t cells_ = 0;  // in a record
    Table outline_;
    std::vector<Column> columns_;  // one for each column of the outline
    int64_t rows_ = 0;
    int64_t skipped_ = 0;           // records of units, rules and types below the names
    std::vector<int64_t> offsets_;  // offset of each kStep-th record below the names
};

}  // namespace armilla
