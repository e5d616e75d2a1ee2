// SPDX-License-Identifier: GPL-3.0-or-later
// F_m of pairs of rings, by tiles of successive orders m: what passes from the ring FFTs to the
// Legendre sums of an analysis. For each tile all pairs that see its modes lie one after the other,
// so that the sums read memory in one run and the FFTs write whole cache lines.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "sht/aligned_array.h"

namespace armilla {

// Successive m worked on together, an even number; the first m of a tile is a multiple of it.
inline constexpr int kTileModes = 8;

// F_m of one pair for the m of a tile: north and south, even and odd m apart.
struct ModeTile {
    alignas(kVectorAlignment) std::complex<double> parity[2][2][kTileModes / 2];
    // Of the i-th m.
    std::complex<double>& north(int i) { return parity[0][i & 1][i / 2]; }
    std::complex<double>& south(int i) { return parity[1][i & 1][i / 2]; }
    const std::complex<double>& north(int i) const { return parity[0][i & 1][i / 2]; }
    const std::complex<double>& south(int i) const { return parity[1][i & 1][i / 2]; }
};

// Where the tiles of each pair lie.
class OrderTiles {
public:
    OrderTiles() = default;
    // `modes`: of each pair, m = 0 .. modes - 1.
    OrderTiles(std::span<const int> modes, int mmax);

    int count() const { return static_cast<int>(runs_.size()) - 1; }
    // The pairs that see modes of a tile, with those between them.
    int firstPair(int tile) const { return runs_[static_cast<size_t>(tile)].firstPair; }
    int pairs(int tile) const { return runs_[static_cast<size_t>(tile)].pairs; }
    // ModeTiles before those of `tile`, of count() or fewer.
    size_t offset(int tile) const { return runs_[static_cast<size_t>(tile)].offset; }
    // ModeTiles of all tiles, and of the largest.
    size_t size() const { return runs_.back().offset; }
    size_t largestTile() const;
    // Bounds of successive slices of tiles, first 0 and last count(): as many as fit `capacity`
    // ModeTiles, and the rest after them. Few rings see the orders of a late slice.
    std::vector<int> sliceBounds(size_t capacity) const;

private:
    struct Run {
        int firstPair = 0, pairs = 0;
        size_t offset = 0;
    };
    std::vector<Run> runs_ = {{}};  // of each tile, and the end
};

}  // namespace armilla
