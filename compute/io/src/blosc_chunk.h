// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks of Blosc (version 1), the usual compression of Zarr.
#pragma once

#include <cstddef>
#include <span>

namespace armilla {

// Unpacks a chunk of exactly `to.size()` bytes. Throws IoError for a damaged chunk.
void unpackBlosc(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace armilla
