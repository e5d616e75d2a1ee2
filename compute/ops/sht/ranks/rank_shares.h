// SPDX-License-Identifier: GPL-3.0-or-later
// What passes between ranks: counted before anything is allocated, in 64 bits.
//
// Orders are dealt (plan/work_shares.h) in blocks of kTileSpan = 16, the least that the tiles of a
// synthesis and of an analysis have in common. What passes are ModeTiles: of a tile of eight
// orders, the pairs of rings that see it (order_tiles.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sht/plan/work_shares.h"
#include "sht/storage/order_tiles.h"

namespace armilla {

// One tile that passes: all pairs from `begin` to `end` see it.
struct PassingTile {
    int tile = 0, owner = 0;
    int begin = 0, end = 0;
};

// What a rank has both the orders and the rings of does not pass: where its place is.
enum class OwnPart { Nowhere, AtOrders };

// One exchange of some tiles between the ranks of their orders and those of their rings, the same
// either way. On the side of the orders lie, one after the other, for each rank of rings: its part
// of each own tile, component by component. On the side of the rings, for each rank of orders: the
// own pairs of each of its tiles, likewise.
class TileExchange {
public:
    // `pairs`: of each rank, those that take part.
    TileExchange(std::span<const PassingTile> tiles, std::span<const RingRuns> pairs, int rank,
                 int components, OwnPart ownPart);

    // In ModeTiles, of the part that goes to or comes from a rank of rings, of orders.
    int64_t atOrders(int ringRank) const { return atOrders_[static_cast<size_t>(ringRank)]; }
    int64_t atRings(int orderRank) const { return atRings_[static_cast<size_t>(orderRank)]; }
    int64_t ordersSize() const { return ordersSize_; }
    int64_t ringsSize() const { return ringsSize_; }
    // Where what passes between this rank and each other begins at that one: at its rings, of the
    // orders that are this rank's; at its orders, of the rings that are this rank's.
    std::vector<int64_t> atRingsOfOthers() const;
    std::vector<int64_t> atOrdersOfOthers() const;

    // Of a tile, what lies together since one rank has the rings: places of pairs among those of
    // that rank, and where the first of them lies, component 0.
    struct Part {
        RingRange places;
        int64_t at = 0;
        int64_t of(int component, int place) const {
            return at + int64_t{component} * (places.end - places.begin) + (place - places.begin);
        }
    };
    struct OwnTile {
        PassingTile what;
        std::vector<Part> parts;  // of each rank of rings
    };
    const std::vector<OwnTile>& ownTiles() const { return own_; }
    const RingRuns& pairsOf(int ringRank) const { return pairs_[static_cast<size_t>(ringRank)]; }
    const std::vector<PassingTile>& tiles() const { return tiles_; }
    // Of the tile number `i` of all: whether it is an own one, and the part of the own rings: at
    // the orders if it is, else at the rings.
    bool isOwn(size_t i) const { return tiles_[i].owner == rank_; }
    const Part& ringPart(size_t i) const { return ringParts_[i]; }

private:
    int64_t sizeOf(const PassingTile& tile, int ringRank) const;

    int rank_ = 0, components_ = 1;
    OwnPart ownPart_ = OwnPart::Nowhere;
    std::vector<PassingTile> tiles_;
    std::vector<RingRuns> pairs_;
    std::vector<OwnTile> own_;
    std::vector<Part> ringParts_;
    std::vector<int64_t> atOrders_, atRings_;
    int64_t ordersSize_ = 0, ringsSize_ = 0;
};

// Ranges of blocks whose tiles pass together: as many as keep what a rank holds of them below
// `bytes`, if they are of equal size, but none of fewer blocks than ranks. `volume`: ModeTiles of
// each block, of all pairs.
std::vector<RingRange> blockSlices(std::span<const int64_t> volume, int ranks, int64_t bytes);

}  // namespace armilla
