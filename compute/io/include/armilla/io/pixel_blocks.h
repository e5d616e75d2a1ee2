// SPDX-License-Identifier: GPL-3.0-or-later
// Full maps on disk that exceed the memory: blocks of consecutive pixels in either ordering.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/io/file_parts.h"

namespace armilla {

// Number of pixels in a ring, counted from 1.
int64_t ringLength(int64_t nside, int64_t ring);

// Fields with the names and types of `like` and `count` values.
std::vector<Field> fieldsLike(const std::vector<Field>& like, int64_t count, JobContext& job);

// Pixels in a block: 16 MB of a field in single precision, 32 MB of pixel numbers.
inline constexpr int64_t kBlockPixels = int64_t{1} << 22;

// Blocks that cover the sky in ascending order and have at most `most` pixels each. NESTED: one
// pixel of a smaller nside each. RING: whole rings, at least one.
std::vector<ElementRun> pixelBlocks(int64_t nside, Ordering ordering, int64_t most = kBlockPixels);

// The values of one of these blocks. The file may have the other ordering; the values are read from
// the rings, or the nested cells, that the block crosses. Throws as MapPartReader::read.
std::vector<Field> readPixelBlock(MapPartReader& reader, Ordering ordering, ElementRun block,
                                  JobContext& job);

// The values of listed pixels: ascending numbers in the ordering of the file. Throws as
// MapPartReader::read.
std::vector<Field> readPixels(MapPartReader& reader, std::span<const int64_t> pixels,
                              JobContext& job);

}  // namespace armilla
