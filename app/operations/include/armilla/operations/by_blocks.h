// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on maps that exceed the memory, and on large catalogs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/io/pixel_blocks.h"
#include "armilla/operations/files.h"
#include "armilla/operations/operation.h"

namespace armilla {

// Call of an operation on files. The context must live until the outputs are written.
struct BlockCall {
    Context& context;
    const Operation& operation;
    ParameterSet& parameters;  // resolved by the call
    std::vector<std::pair<const InputSlot*, std::string>> inputs;
    ReadRequest reading{};
    std::optional<int64_t> memory{};  // bytes available; default: availableMemory()
    int64_t blockPixels = kBlockPixels;
    // Memory of a catalog above which its rows are read by blocks; rows of a block, 0: by memory.
    int64_t catalogBytes = int64_t{1} << 26;
    int64_t blockRows = 0;
};

// Runs select, count or lookup by blocks of rows if the catalog is a large file in FITS, Parquet,
// HDF5 or HATS; only the columns and partitions that the operation needs are read.
// Runs stats, lookup, calc or convert by blocks of pixels if the maps do not fit in memory. Returns
// none if they fit, if a map is no full map in an uncompressed FITS table, or if the parameters
// need whole maps (other frames, harmonics, credible levels). An output map is computed while its
// file is written, with the bytes that the operation in memory would write. Throws as runOperation.
std::optional<Outputs> runByBlocks(BlockCall& call);

}  // namespace armilla
