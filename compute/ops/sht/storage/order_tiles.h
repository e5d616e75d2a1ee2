// SPDX-License-Identifier: GPL-3.0-or-later
// F_m of pairs of rings, in tiles of a few orders m: the data between the ring FFTs and the
// Legendre sums of an analysis. A tile stores all pairs with modes in it contiguously. So the sums
// read memory in one run and the FFTs write complete cache lines.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "sht/storage/aligned_array.h"

namespace armilla {

// Orders processed together, an even number.
inline constexpr int kTileModes = 8;

// F_m of one pair for the m of a tile: north and south, even and odd m apart.
struct ModeTile {
    alignas(kVectorAlignment) std::complex<double> parity[2][2][kTileModes / 2];
    // The value of the i-th m.
    std::complex<double>& north(int i) { return parity[0][i & 1][i / 2]; }
    std::complex<double>& south(int i) { return parity[1][i & 1][i / 2]; }
    const std::complex<double>& north(int i) const { return parity[0][i & 1][i / 2]; }
    const std::complex<double>& south(int i) const { return parity[1][i & 1][i / 2]; }
};

// The orders of an analysis are partitioned into two halves of tiles by their residues modulo 8.
// The F_m of one half then need half an FFT (real_input_fft_kernels.h). Each pair of residues is
// closed under negation modulo 8.
inline constexpr int kTileHalves = 2;
inline constexpr int kTileSpan = kTileHalves * kTileModes;
inline constexpr int kHalfResidues[kTileHalves][4] = {{0, 4, 1, 7}, {2, 6, 3, 5}};
// The i-th order of a tile of a half: even and odd orders alternate, and orders below 16 tile + 8
// come first.
inline constexpr int orderOf(int half, int tile, int i) {
    return kTileSpan * tile + 8 * (i / 4) + kHalfResidues[half][2 * (i % 2) + i / 2 % 2];
}

// Successive tiles of each half for one pair; `first` is the first tile.
struct TileRun {
    int first = 0;
    std::vector<ModeTile*> tiles;
};
struct TileRuns {
    TileRun half[kTileHalves];

    bool empty() const { return half[0].tiles.empty() && half[1].tiles.empty(); }
    // Calls `body(m, tile, i)` for all orders m < modes, and clears the remaining places.
    template <typename Body>
    void forEach(int modes, const Body& body) const {
        for (int h = 0; h < kTileHalves; ++h)
            for (size_t t = 0; t < half[h].tiles.size(); ++t)
                for (int i = 0; i < kTileModes; ++i) {
                    ModeTile& tile = *half[h].tiles[t];
                    const int m = orderOf(h, half[h].first + static_cast<int>(t), i);
                    if (m < modes)
                        body(m, tile, i);
                    else
                        tile.north(i) = tile.south(i) = 0.0;
                }
    }
};

// The layout of the tiles: the first half's tiles, then the second half's.
class OrderTiles {
public:
    OrderTiles() = default;
    // `modes`: number of orders of each pair, m = 0 .. modes - 1.
    OrderTiles(std::span<const int> modes, int mmax);

    int count() const { return static_cast<int>(runs_.size()) - 1; }
    int half(int tile) const { return tile < perHalf_ ? 0 : 1; }
    // The number of a tile within its half.
    int place(int tile) const { return tile - half(tile) * perHalf_; }
    int order(int tile, int i) const { return orderOf(half(tile), place(tile), i); }
    int leastOrder(int tile) const { return order(tile, 0); }
    // The indices i of a tile by ascending order m.
    std::span<const int> ascending(int tile) const {
        static constexpr int kAscending[kTileHalves][kTileModes] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                                                    {0, 1, 3, 2, 4, 5, 7, 6}};
        return kAscending[half(tile)];
    }
    // The pairs with modes in a tile, including all pairs between them.
    int firstPair(int tile) const { return runs_[static_cast<size_t>(tile)].firstPair; }
    int pairs(int tile) const { return runs_[static_cast<size_t>(tile)].pairs; }
    // Number of ModeTiles before `tile`, which is at most count().
    size_t offset(int tile) const { return runs_[static_cast<size_t>(tile)].offset; }
    // ModeTiles of all tiles, and of the largest tile.
    size_t size() const { return runs_.back().offset; }
    size_t largestTile() const;
    // Bounds of successive slices of tiles, the first 0 and the last count(). One slice if all
    // tiles fit `capacity` ModeTiles. Otherwise each slice belongs to one half: as many tiles as
    // fit, then the remaining ones. Few rings have modes in the orders of a late slice of a half.
    std::vector<int> sliceBounds(size_t capacity) const;

private:
    struct Run {
        int firstPair = 0, pairs = 0;
        size_t offset = 0;
    };
    std::vector<Run> runs_ = {{}};  // one for each tile, and the end
    int perHalf_ = 0;
};

}  // namespace armilla
