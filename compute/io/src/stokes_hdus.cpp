// SPDX-License-Identifier: GPL-3.0-or-later
#include "stokes_hdus.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// The Stokes parameter of the only field; 0 for other maps. The name of the HDU comes first: three
// HDUs I, Q and U may hold a column of one name.
char stokesOf(const MapTable& map) {
    const bool isPlain = map.coverage != Coverage::MultiOrder && !map.isSparse && !map.tiles;
    if (!isPlain || map.planes.size() != 1) return 0;
    const char named = stokesParameter(map.hdu->name());
    return named != 0 ? named : stokesParameter(map.planes.front().columnName);
}

bool hasSamePixels(const MapTable& a, const MapTable& b) {
    return a.nside == b.nside && a.ordering == b.ordering && a.frame == b.frame &&
           a.coverage == b.coverage;
}

// The next map after HDU `number`, which becomes its number; none at the end, and
// before a damaged HDU, which does not prevent reading of the first one.
std::optional<MapTable> nextMap(FitsFile& file, int& number, const StatedPixels& stated) {
    try {
        while (const FitsHdu* const hdu = file.hdu(++number))
            if (isMapTable(file, *hdu, stated)) return mapTable(file, *hdu, stated);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Internal) throw;
    }
    return std::nullopt;
}

}  // namespace

bool mayBeginStokes(const MapTable& map) {
    const char stokes = stokesOf(map);
    return stokes == 'I' || stokes == 'Q';
}

std::vector<MapTable> otherStokes(FitsFile& file, const MapTable& first,
                                  const StatedPixels& stated) {
    std::vector<MapTable> others;
    const std::string_view all = "IQU";
    const size_t begin = all.find(stokesOf(first));
    if (begin > 1) return others;
    const std::string_view wanted = all.substr(begin + 1);
    int number = first.hdu->number;
    while (auto map = nextMap(file, number, stated)) {
        if (stokesOf(*map) != wanted[others.size()] || !hasSamePixels(first, *map)) continue;
        others.push_back(std::move(*map));
        if (others.size() == wanted.size()) return others;
    }
    return {};
}

void addStokes(MapTable& first, std::vector<MapTable>& others) {
    if (others.empty()) return;
    std::vector<MapTable*> all{&first};
    for (MapTable& other : others) all.push_back(&other);
    const bool areNamed = std::all_of(all.begin(), all.end(), [](const MapTable* map) {
        return stokesParameter(map->planes.front().columnName) == stokesOf(*map);
    });
    for (MapTable* map : all) {
        MapPlane& plane = map->planes.front();
        if (!areNamed) plane.name = plane.columnName = std::string(1, stokesOf(*map)) + "_STOKES";
    }
    for (const MapTable& other : others) first.planes.push_back(other.planes.front());
}

}  // namespace armilla
