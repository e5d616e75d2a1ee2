// SPDX-License-Identifier: GPL-3.0-or-later
// Orders m in slices, as transforms on CUDA devices take them: told on the host, too, to those who
// share such transforms.
#pragma once

#include "core/hd.h"

namespace armilla {

// Of the tiles of kOrderTile successive orders slice i of n takes tiles i, i + n, ...: each slice
// has long series and short ones.
inline constexpr int kOrderTile = 8;
struct OrderSlice {
    int index = 0, count = 1;
    int slots = 0;  // places for orders, a multiple of kOrderTile; beyond mmax they stay empty
    ARMILLA_HD int orderOf(int slot) const {
        return (slot / kOrderTile * count + index) * kOrderTile + slot % kOrderTile;
    }
    ARMILLA_HD int slotOf(int m) const {
        return m / kOrderTile / count * kOrderTile + m % kOrderTile;
    }
};

}  // namespace armilla
