// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange of F_m rows between the Legendre step (distributed over orders m) and the ring FFTs
// (distributed over rings). Sizes are computed in 64 bits before any allocation. A row holds one
// order at some pairs of rings or latitudes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sht/plan/order_slice.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// The rows sent between two owners: for each slice of orders some latitudes, from the first with
// modes of an order, stored by their places.
struct RowExchange {
    RowExchange() = default;
    // `first`: the first latitude of each order.
    RowExchange(std::span<const OrderSlice> slices, std::span<const int> first, RingRuns rows);
    int64_t count(size_t slice) const { return slice < totals.size() ? totals[slice] : 0; }
    // The index that place 0 of an order would have.
    int64_t rowOf(size_t slice, int slot) const {
        return at[slice * static_cast<size_t>(slots) + static_cast<size_t>(slot)];
    }
    // The difference between a latitude's place and its number; it is the same for all latitudes of
    // a run.
    int shiftOf(int latitude) const { return rows.before(latitude) - latitude; }
    RingRuns rows;
    int slots = 0;
    std::vector<int64_t> totals;  // rows of each slice, for one component
    std::vector<int64_t> at;      // for each slot of each slice
};

}  // namespace armilla
