// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of F_m that pass from one who sums over orders to one who transforms rings, or back: counted
// before anything is allocated, in 64 bits. A row is of one order, at some pairs of rings or
// latitudes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sht/plan/order_slice.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// What one sends to another: of each slice of orders some latitudes, from the first that sees an
// order, by their places.
struct PassedRows {
    PassedRows() = default;
    // `first`: of each order.
    PassedRows(std::span<const OrderSlice> slices, std::span<const int> first, RingRuns rows);
    int64_t count(size_t slice) const { return slice < totals.size() ? totals[slice] : 0; }
    // Where that of place 0 of an order would be.
    int64_t rowOf(size_t slice, int slot) const {
        return at[slice * static_cast<size_t>(slots) + static_cast<size_t>(slot)];
    }
    // From the number of a latitude to its place: the same for all of its run.
    int shiftOf(int latitude) const { return rows.before(latitude) - latitude; }
    RingRuns rows;
    int slots = 0;
    std::vector<int64_t> totals;  // RowModes of each slice, of one component
    std::vector<int64_t> at;      // of each slot of each slice
};

}  // namespace armilla
