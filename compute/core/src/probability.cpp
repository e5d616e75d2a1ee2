// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/probability.h"

#include "armilla/core/ascii_text.h"
#include "armilla/core/physical_unit.h"

namespace armilla {

bool isProbability(const Field& field) {
    const bool isShare = unitRatio(field.unit, "") || unitRatio(field.unit, "pix-1") ||
                         unitRatio(field.unit, "sr-1");
    return isShare && lowerCase(field.name).starts_with("prob");
}

}  // namespace armilla
