// SPDX-License-Identifier: GPL-3.0-or-later
// Orders m in slices for transforms on CUDA devices. The host uses them, too, to partition such
// transforms.
#pragma once

#include "armilla/core/hd.h"

namespace armilla {

// A tile is kOrderTile successive orders. Slice i of n takes tiles i, i + n, ..., so each slice has
// long and short series.
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
