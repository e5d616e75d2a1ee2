// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of a column chunk, unpacked one after another.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "byte_source.h"
#include "parquet/bit_runs.h"
#include "parquet/columns.h"

namespace armilla::parquet {

// A page; its bytes are valid until the next page is read.
struct Page {
    bool isDictionary = false;
    size_t values = 0;  // missing ones included
    Encoding encoding = Encoding::Plain;
    Levels definition, repetition;
    std::span<const std::byte> encoded;
};

class ChunkPages {
public:
    // `end`: offset in the file behind the last page. `source` must allow random access.
    ChunkPages(ByteSource& source, const Column& column, const Chunk& chunk, int64_t end);
    // The next page of values or dictionary. Throws IoError beyond the last one and for damaged
    // pages. Pages of values that lie within the first `skip` values are passed over, not unpacked,
    // and their values subtracted from `skip`.
    Page next(size_t& skip);

private:
    // The next `bytes` bytes of the file, which stay in the buffer until the next call.
    std::span<const std::byte> peek(size_t bytes);
    PageHeader takeHeader();
    std::span<const std::byte> unpacked(std::span<const std::byte> packed, size_t bytes);
    Page dataPage(const PageHeader& header, std::span<const std::byte> packed);

    ByteSource& source_;
    const Column& column_;
    const Chunk& chunk_;
    int64_t at_, end_;
    int64_t left_;  // values in the pages to come
    // Bytes of the file from `at_` on.
    std::unique_ptr<std::byte[]> window_;
    size_t windowSize_ = 0, windowFirst_ = 0, windowLast_ = 0;
    std::unique_ptr<std::byte[]> page_;
    size_t pageSize_ = 0;
};

}  // namespace armilla::parquet
