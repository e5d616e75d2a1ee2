// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a combo box that follow a list of the document.
#pragma once

#include <QComboBox>
#include <utility>
#include <vector>

namespace armilla {

// Text and data of each.
using Items = std::vector<std::pair<QString, QVariant>>;

// Makes `box` hold these items in this order. Only what differs is touched: of a thousand layers
// one comes or goes at a time. The current one stays if it is among them.
void setItems(QComboBox& box, const Items& items);

}  // namespace armilla
