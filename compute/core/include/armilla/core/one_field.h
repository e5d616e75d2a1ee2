// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

#include "armilla/core/healpix_map.h"

namespace armilla {

// The fields of a map with this field alone. A list in braces would copy its samples.
inline std::vector<Field> oneField(Field&& field) {
    std::vector<Field> fields;
    fields.push_back(std::move(field));
    return fields;
}

}  // namespace armilla
