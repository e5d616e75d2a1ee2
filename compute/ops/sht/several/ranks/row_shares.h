// SPDX-License-Identifier: GPL-3.0-or-later
// Partition of the work if some ranks compute on devices, and the exchange between them: rows of
// F_m, order by order. Sizes are computed in 64 bits before any allocation.
//
// Orders come in slices (plan/order_slice.h). Two successive slices form the blocks of sixteen
// orders that an analysis on the CPU takes. A rank sends its slices one after the other; the first
// exchange contains the first slices of all ranks. A row (several/row_exchange.h) has one order, at
// some pairs of rings. If all ranks have devices, a row of a synthesis is at the latitudes of the
// sums, and the rank of the rings interpolates.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/ops/ring_grid.h"
#include "sht/plan/order_slice.h"
#include "sht/plan/ring_windows.h"
#include "sht/several/row_exchange.h"

namespace armilla {

// F_m of a pair of rings, or of latitudes.
struct RowModes {
    std::complex<double> north, south;
};

// The processor of a rank and its speed.
struct RankPower {
    bool device = false;
    double speed = 1.0;  // relative to other ranks
};

struct RowShares {
    // `given`: the pairs of rings of each rank, if they are not to be partitioned by cost.
    RowShares(const RingGrid& grid, int lmax, int mmax, std::span<const RankPower> ranks,
              const std::vector<RingRuns>* given = nullptr);
    // A rank without rings has no orders either.
    bool works(size_t rank) const { return pairs[rank].count() > 0; }
    // Number of exchanges of a transform.
    size_t steps() const;

    bool devicesAlone = false, interpolates = false;
    std::vector<RingRuns> pairs;                  // for each rank
    std::vector<std::vector<OrderSlice>> slices;  // for each rank
    std::vector<int> ownerOfOrder;
};

// Messages to and from all ranks in one direction; a rank's own message is empty. In a message the
// rows of successive components are contiguous.
struct RowMessages {
    std::vector<RowExchange> sends, takes;
    static int64_t countOf(std::span<const RowExchange> rows, size_t step) {
        return placeOf(rows, step, rows.size());
    }
    // The start of a rank's rows in the contiguous messages of one exchange, for one component.
    static int64_t placeOf(std::span<const RowExchange> rows, size_t step, size_t rank) {
        int64_t sum = 0;
        for (size_t i = 0; i < rank; ++i) sum += rows[i].count(step);
        return sum;
    }
    // The largest number of rows of an exchange, sent or received.
    int64_t most() const;
};

// The first row of a synthesis, and the first pair of rings, with modes of each order in a
// transform of `spin`. Both use the limits of devices and, if there are ranks without devices, also
// those of the CPU.
struct SeenFrom {
    SeenFrom(const RingGrid& grid, int lmax, int mmax, int spin, const RowShares& shares);
    std::vector<int> rows, pairs;
};

}  // namespace armilla
