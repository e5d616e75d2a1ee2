// SPDX-License-Identifier: GPL-3.0-or-later
// The selected row of a catalog.
#pragma once

#include <cstdint>

namespace armilla {

struct RowSelection {
    int layer = -1;
    int64_t row = -1;
    bool operator==(const RowSelection&) const = default;
};

}  // namespace armilla
