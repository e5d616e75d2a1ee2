// SPDX-License-Identifier: GPL-3.0-or-later
// Who does what where some ranks compute on devices, and what passes between them: rows of F_m,
// order by order, counted before anything is allocated, in 64 bits.
//
// Orders come in slices (plan/order_slice.h), two of them side by side for the blocks of sixteen
// that an analysis on the CPU takes; slices of a rank go out one after the other, all ranks' first
// ones in the first exchange. A row (plan/passed_rows.h) is of one order, at some pairs of rings;
// where all ranks have devices, that of a synthesis is of latitudes summed at, which the rank of
// the rings interpolates.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/ring_grid.h"
#include "sht/plan/order_slice.h"
#include "sht/plan/passed_rows.h"
#include "sht/plan/ring_windows.h"

namespace armilla {

// F_m of a pair of rings, or of latitudes.
struct RowModes {
    std::complex<double> north, south;
};

// What a rank computes with.
struct RankPower {
    bool device = false;
    double speed = 1.0;  // relative to the others
};

struct RowShares {
    // `given`: the pairs of rings of each rank where they are not to be dealt by cost.
    RowShares(const RingGrid& grid, int lmax, int mmax, std::span<const RankPower> ranks,
              const std::vector<RingRuns>* given = nullptr);
    // A rank without rings has no orders either.
    bool works(size_t rank) const { return pairs[rank].count() > 0; }
    // Exchanges of a transform.
    size_t steps() const;

    bool devicesAlone = false, interpolates = false;
    std::vector<RingRuns> pairs;                  // of each rank
    std::vector<std::vector<OrderSlice>> slices;  // of each
    std::vector<int> ownerOfOrder;
};

// To and from all ranks, in one direction; own ones are empty. In a message rows of a component
// follow those of the one before.
struct RowMessages {
    std::vector<PassedRows> sends, takes;
    static int64_t countOf(std::span<const PassedRows> rows, size_t step) {
        return placeOf(rows, step, rows.size());
    }
    // Where those of a rank begin in the messages of one exchange that lie one after the other, of
    // one component.
    static int64_t placeOf(std::span<const PassedRows> rows, size_t step, size_t rank) {
        int64_t sum = 0;
        for (size_t i = 0; i < rank; ++i) sum += rows[i].count(step);
        return sum;
    }
    // Of both, of the fullest exchange.
    int64_t most() const;
};

// The first row of a synthesis, and the first pair of rings, that see each order in a transform of
// `spin`: by what devices look at, and where there are others also by what the CPU looks at.
struct SeenFrom {
    SeenFrom(const RingGrid& grid, int lmax, int mmax, int spin, const RowShares& shares);
    std::vector<int> rows, pairs;
};

}  // namespace armilla
