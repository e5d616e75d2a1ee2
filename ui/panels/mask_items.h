// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of a choice of a mask: fields of the open maps.
#pragma once

#include <QVariant>

#include "armilla/session/layer_id.h"
#include "panels/item_list.h"

namespace armilla {

class Document;

// Data of the entry of a field; an invalid layer: no mask.
QVariant maskItem(LayerId layer, int field);

// "no mask", every field with values from 0 to 1 only, and one field of each other map. The field
// that is chosen is always offered.
Items maskItems(const Document& document, LayerId chosenLayer, int chosenField);

}  // namespace armilla
