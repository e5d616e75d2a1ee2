// SPDX-License-Identifier: GPL-3.0-or-later
// Updates the items of a combo box that mirror a list of the document.
#pragma once

#include <QComboBox>
#include <utility>
#include <vector>

namespace armilla {

// Text and data of each.
using Items = std::vector<std::pair<QString, QVariant>>;

// Sets the items of `box` in this order and changes only differing ones, because usually one of a
// thousand layers is added or removed. The current item stays if it still exists.
void setItems(QComboBox& box, const Items& items);

}  // namespace armilla
