// SPDX-License-Identifier: GPL-3.0-or-later
// The selected row of a catalog.
#pragma once

#include <cstdint>

#include "armilla/session/layer_id.h"

namespace armilla {

struct RowSelection {
    LayerId layer;
    int64_t row = -1;
    bool operator==(const RowSelection&) const = default;
};

}  // namespace armilla
