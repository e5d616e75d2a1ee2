// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/compared_pair.h"

#include "armilla/session/document.h"

namespace armilla {

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
    for (auto entry = document.entries().rbegin(); entry != document.entries().rend(); ++entry)
        if (entry->map && entry->id != shown.entry)
            return {shown, Shown{entry->id, 0, Quantity::Field}};
    const Layer* here = document.entry(shown.entry);
    if (here && here->map->fieldCount() > 1)
        return {shown,
                Shown{here->id, (shown.field + 1) % here->map->fieldCount(), Quantity::Field}};
    return {shown, std::nullopt};
}

}  // namespace armilla
