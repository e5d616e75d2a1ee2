// SPDX-License-Identifier: GPL-3.0-or-later
// Positions in the source identifiers of Gaia.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"

namespace armilla {

inline constexpr const char* kSourceIds = "source_id";
// True if the numbers are identifiers of Gaia, apart from `null`. Numbers of rows in other catalogs
// are below those of Gaia's second pixel.
bool areGaiaIds(std::span<const int64_t> ids, std::optional<int64_t> null);
// Adds columns RA_PIXEL and DEC_PIXEL with the centers of the HEALPix pixels that the identifiers
// of Gaia contain, and returns these columns. None for a table without such identifiers.
std::optional<PositionColumns> addGaiaPositions(Table& table, JobContext& job);
// The note on these positions.
inline constexpr const char* kGaiaPositions =
    "no columns of positions: positions are the centers of the HEALPix pixels (NSIDE 4096, 52 "
    "arcsec, ICRS) in Gaia's source_id";

}  // namespace armilla
