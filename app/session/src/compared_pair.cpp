// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/compared_pair.h"

#include <algorithm>
#include <vector>

#include "armilla/session/document.h"

namespace armilla {
namespace {

// The next map of the list after this one, in a circle. The sky that the program makes at its first
// start comes last. Null if no other map is open.
const Layer* nextMap(const Document& document, LayerId shown) {
    std::vector<const Layer*> maps;
    for (const Layer& layer : document.entries())
        if (layer.map && !layer.live) maps.push_back(&layer);
    const auto here = std::find_if(maps.begin(), maps.end(),
                                   [shown](const Layer* map) { return map->id == shown; });
    if (here == maps.end()) return nullptr;
    std::rotate(maps.begin(), here, maps.end());
    maps.erase(maps.begin());
    const auto opened = std::find_if(maps.begin(), maps.end(), [](const Layer* map) {
        return map->recipe.kind != RecipeKind::SampleSky;
    });
    if (opened != maps.end()) return *opened;
    return maps.empty() ? nullptr : maps.front();
}

}  // namespace

ComparedPair pairToCompare(const Document& document) {
    const Shown shown = document.view().shown();
    const Layer* live = document.live();
    const Layer* parent = live ? document.entry(live->parent) : nullptr;
    if (live && parent && shown.entry == live->id)
        return {{parent->id, live->recipe.field, Quantity::Field}, shown};
    if (live && parent && shown.entry == parent->id)
        return {shown, document.liveLayer().counterpart(shown, live->id, *live->map)};
    if (document.entry(document.view().compared().entry) && document.view().compared() != shown)
        return {shown, document.view().compared()};
    const Layer* here = document.entry(shown.entry);
    if (!here) return {shown, std::nullopt};
    if (const Layer* other = nextMap(document, shown.entry))
        return {shown, Shown{other->id, 0, Quantity::Field}};
    if (here->map->fieldCount() > 1)
        return {shown,
                Shown{here->id, (shown.field + 1) % here->map->fieldCount(), Quantity::Field}};
    return {shown, std::nullopt};
}

}  // namespace armilla
