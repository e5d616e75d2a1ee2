// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on catalogs that are read by blocks of rows.
#pragma once

#include <optional>

#include "armilla/operations/by_blocks.h"

namespace armilla {

// Runs select, count or lookup on blocks of rows, and reads only the columns and the partitions of
// a HATS catalog that the operation needs. Returns none for catalogs of at most
// `call.catalogBytes`, for files without blocks, and for positions that follow from all rows
// (frames by rows, Gaia's identifiers). Outputs have the bytes of the operation in memory. Throws
// as runOperation.
std::optional<Outputs> runByRows(BlockCall& call);

}  // namespace armilla
