// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/mask_items.h"

#include <QCoreApplication>
#include <algorithm>

#include "armilla/figure/unit_text.h"
#include "armilla/session/document.h"

namespace armilla {
namespace {

// Whether the field has values from 0 to 1 only, by some thousand pixels. Other maps come after
// these in the choice of a mask.
bool mayBeMask(const HealpixMap& map, int field) {
    constexpr int64_t kMost = 4096;
    const int64_t count = map.elementCount();
    const int64_t step = std::max<int64_t>(1, count / kMost);
    for (int64_t i = 0; i < count; i += step)
        if (const double value = map.field(field).at(i); value < 0.0 || value > 1.0) return false;
    return count > 0;
}

}  // namespace

QVariant maskItem(LayerId layer, int field) {
    return QVariantList{QVariant::fromValue(layer), layer.isValid() ? field : 0};
}

Items maskItems(const Document& document, LayerId chosenLayer, int chosenField) {
    Items items{{QCoreApplication::translate("SpectrumPanel", "no mask"), maskItem({}, 0)}};
    Items others;
    for (const Layer& entry : document.entries()) {
        if (entry.live || !entry.map || entry.map->fieldCount() == 0) continue;
        const int count = entry.map->fieldCount();
        bool isMask = false;
        for (int field = 0; field < count; ++field) {
            const bool isChosen = entry.id == chosenLayer && field == chosenField;
            if (!isChosen && !mayBeMask(*entry.map, field)) continue;
            isMask = true;
            const QString name = nameText(QString::fromStdString(entry.map->field(field).name));
            items.emplace_back(count == 1 ? entry.name : name + QStringLiteral(" · ") + entry.name,
                               maskItem(entry.id, field));
        }
        if (!isMask) others.emplace_back(entry.name, maskItem(entry.id, 0));
    }
    items.insert(items.end(), others.begin(), others.end());
    return items;
}

}  // namespace armilla
