// SPDX-License-Identifier: GPL-3.0-or-later
// `match` with catalogs in partitions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "armilla/operations/by_blocks.h"

namespace armilla {

// Runs match on the partitions of HATS catalogs that can hold pairs, or that count for P_CHANCE.
// Returns none without --radius, without a HATS catalog, and for joins that need all rows of it.
// Pairs are those of the whole catalogs. Throws as runOperation.
std::optional<Outputs> matchByPartitions(BlockCall& call);
// Sets the expected number of pairs by chance, and returns the summary.
std::string setByChance(Context& context, int64_t rows, int64_t pairs, double byChance);

}  // namespace armilla
