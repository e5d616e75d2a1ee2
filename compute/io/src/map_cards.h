// SPDX-License-Identifier: GPL-3.0-or-later
// Classification of map header cards: the map's own cards and cards that are copied verbatim.
#pragma once

#include <string_view>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "map_table.h"

namespace armilla {

// Object, foreign cards, history and sentinel of a file's map, plus cards of the primary header
// that the table's header lacks.
MapMetadata readMetadata(const MapTable& map);
// Fields with names of Stokes U. IAU files have these with the opposite sign.
std::vector<int> stokesUFields(const HealpixMap& map);
// True if the card is written anew from the map and must not be copied from the input.
bool isOwnCard(std::string_view card);
// True for the cards that describe the tiles of a HealSparse file.
bool isTileCard(std::string_view card);
// isOwnCard for a table that is no map.
bool isTableCard(std::string_view card);

}  // namespace armilla
