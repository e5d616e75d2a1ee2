// SPDX-License-Identifier: GPL-3.0-or-later
// Which header cards belong to the map itself and which are carried through unread.
#pragma once

#include <string_view>
#include <vector>

#include "core/healpix_map.h"
#include "map_table.h"

namespace armilla {

// Object, unknown cards, history and sentinel of a file's map; cards of the primary header that the
// table's header lacks come along.
MapMetadata readMetadata(const MapTable& map);
// Fields that hold Stokes U by their names. IAU files have these with the other sign.
std::vector<int> stokesUFields(const HealpixMap& map);
// True if the card is written anew from the map, so that the one of the input must not stay.
bool isOwnCard(std::string_view card);
// The same of a table that is no map.
bool isTableCard(std::string_view card);

}  // namespace armilla
