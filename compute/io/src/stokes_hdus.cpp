// SPDX-License-Identifier: GPL-3.0-or-later
#include "stokes_hdus.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "armilla/core/error.h"

namespace armilla {

namespace {

struct Stokes {
    char parameter = 0;
    std::string rest;  // other words of the name, which are equal in all HDUs of a map
};

// The Stokes parameter in the name of an HDU: "Q", "STOKES Q", "MAP_Q", "Q_143GHZ".
Stokes stokesOfHdu(const std::string& name) {
    // Words of the field, such as TEMPERATURE and Q_POLARISATION. Numbers tell maps apart.
    const bool hasNumber = std::any_of(name.begin(), name.end(), isDigit);
    if (const char known = stokesParameter(name); known != 0 && !hasNumber) return {known, {}};
    Stokes found;
    std::string word;
    const auto endWord = [&] {
        const bool isLetter = word == "I" || word == "T" || word == "Q" || word == "U";
        if (isLetter && found.parameter == 0)
            found.parameter = word == "T" ? 'I' : word.front();
        else if (!word.empty())
            found.rest += word + ' ';
        word.clear();
    };
    for (const char c : upperTrimmed(name))
        if (isDigit(c) || (c >= 'A' && c <= 'Z'))
            word += c;
        else
            endWord();
    endWord();
    return found;
}

// The Stokes parameter of the only field; 0 for other maps. The name of the HDU comes first: three
// HDUs I, Q and U may hold a column of one name.
Stokes stokesOf(const MapTable& map) {
    const bool isPlain = map.coverage != Coverage::MultiOrder && !map.isSparse && !map.tiles;
    if (!isPlain || map.planes.size() != 1) return {};
    Stokes named = stokesOfHdu(map.hdu->name());
    if (named.parameter == 0) named = {stokesParameter(map.planes.front().columnName), {}};
    return named;
}

bool hasSamePixels(const MapTable& a, const MapTable& b) {
    return a.nside == b.nside && a.ordering == b.ordering && a.frame == b.frame &&
           a.coverage == b.coverage;
}

// The next map after HDU `number`, which becomes its number; none at the end, and before a damaged
// HDU, which does not prevent reading of the first one. `damage` receives its description.
std::optional<MapTable> nextMap(FitsFile& file, int& number, const StatedPixels& stated,
                                std::string& damage) {
    try {
        while (const FitsHdu* const hdu = file.hdu(++number))
            if (isMapTable(file, *hdu, stated)) return mapTable(file, *hdu, stated);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::Internal) throw;
        damage = "HDU " + std::to_string(number) +
                 ", which may hold Q or U, cannot be read and is left out: " + error.message();
    }
    return std::nullopt;
}

}  // namespace

bool mayBeginStokes(const MapTable& map) {
    const char parameter = stokesOf(map).parameter;
    return parameter == 'I' || parameter == 'Q';
}

std::vector<MapTable> otherStokes(FitsFile& file, const MapTable& first, const StatedPixels& stated,
                                  std::string& damage) {
    std::vector<MapTable> others;
    const std::string_view all = "IQU";
    const Stokes of = stokesOf(first);
    const size_t begin = all.find(of.parameter);
    if (begin > 1) return others;
    const std::string_view wanted = all.substr(begin + 1);
    int number = first.hdu->number;
    while (auto map = nextMap(file, number, stated, damage)) {
        const Stokes next = stokesOf(*map);
        if (next.parameter != wanted[others.size()] || next.rest != of.rest ||
            !hasSamePixels(first, *map))
            continue;
        others.push_back(std::move(*map));
        if (others.size() == wanted.size()) return others;
    }
    if (damage.empty() && file.hasOtherEnd())
        damage = "the bytes behind HDU " + std::to_string(number - 1) +
                 " are no HDU: Q and U, which they may hold, are left out";
    return {};
}

void addStokes(MapTable& first, std::vector<MapTable>& others) {
    if (others.empty()) return;
    std::vector<MapTable*> all{&first};
    for (MapTable& other : others) all.push_back(&other);
    const bool areNamed = std::all_of(all.begin(), all.end(), [](const MapTable* map) {
        return stokesParameter(map->planes.front().columnName) == stokesOf(*map).parameter;
    });
    for (MapTable* map : all) {
        MapPlane& plane = map->planes.front();
        if (!areNamed)
            plane.name = plane.columnName = std::string(1, stokesOf(*map).parameter) + "_STOKES";
    }
    for (const MapTable& other : others) first.planes.push_back(other.planes.front());
}

}  // namespace armilla
