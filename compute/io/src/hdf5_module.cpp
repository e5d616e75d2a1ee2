// SPDX-License-Identifier: GPL-3.0-or-later
#include "hdf5_module.h"

#include <array>
#include <span>
#include <string_view>

#include "armilla/core/loaded_module.h"
#include "byte_source.h"
#include "parquet/read_parquet.h"
#include "table_formats.h"

namespace armilla {

bool isHdf5(const std::string& path) {
    // Opens through ByteSource, which keeps the bytes of pipes for a second read.
    const auto source = openByteSource(path);
    std::array<char, 8> start{};
    return source->readAt(0, std::as_writable_bytes(std::span(start))) == start.size() &&
           std::string_view(start.data(), start.size()) == "\x89HDF\r\n\x1a\n";
}

bool isHdf5OrParquet(const std::string& path) {
    return isHdf5(path) || isParquet(path);
}

Table readHdf5(const std::string& path, const TableReadOptions& options, JobContext& job,
               const OptionalRows& rows, int64_t* rowsOfFile) {
    static const auto read =
        reinterpret_cast<ArmillaReadHdf5>(moduleSymbol(kHdf5Module, "armillaReadHdf5"));
    Table table;
    int64_t count = 0;
    read(path, options, rows, job, table, count);
    if (rowsOfFile != nullptr) *rowsOfFile = count;
    return table;
}

}  // namespace armilla
