// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/item_list.h"

#include <algorithm>

namespace armilla {

void setItems(QComboBox& box, const Items& items) {
    const auto have = static_cast<size_t>(box.count()), want = items.size();
    const auto isSame = [&](size_t at, size_t item) {
        const int index = static_cast<int>(at);
        return box.itemData(index) == items[item].second &&
               box.itemText(index) == items[item].first;
    };
    const size_t shorter = std::min(have, want);
    size_t first = 0, last = 0;  // number of equal items at the beginning and at the end
    while (first < shorter && isSame(first, first)) ++first;
    while (last < shorter - first && isSame(have - 1 - last, want - 1 - last)) ++last;
    for (size_t at = have - last; at > first; --at) box.removeItem(static_cast<int>(at) - 1);
    for (size_t at = first; at + last < want; ++at)
        box.insertItem(static_cast<int>(at), items[at].first, items[at].second);
}

}  // namespace armilla
