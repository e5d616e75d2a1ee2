// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and layout of the exchange between ranks, computed in 64 bits before any allocation.
//
// Orders are partitioned (several/work_shares.h) in blocks of kTileSpan = 16, the smallest common
// unit of the tiles of a synthesis and of an analysis. The exchange moves ModeTiles: for a tile of
// eight orders, the pairs of rings with modes of the tile (order_tiles.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sht/several/work_shares.h"
#include "sht/storage/order_tiles.h"

namespace armilla {

// One tile of an exchange: all pairs from `begin` to `end` have modes of it.
struct PassingTile {
    int tile = 0, owner = 0;
    int begin = 0, end = 0;
};

// Place of a rank's own part, for which it has both the orders and the rings and which is not sent.
enum class OwnPart { Nowhere, AtOrders };

// One exchange of some tiles between the ranks of their orders and the ranks of their rings, the
// same in both directions. The order side stores contiguously, for each rank of rings, its part of
// each own tile, component by component. The ring side stores, for each rank of orders, the own
// pairs of each of its tiles, component by component.
class TileExchange {
public:
    // `pairs`: the participating pairs of each rank.
    TileExchange(std::span<const PassingTile> tiles, std::span<const RingRuns> pairs, int rank,
                 int components, OwnPart ownPart);

    // Start, in ModeTiles, of the part that is exchanged with a rank of rings, or with a rank of
    // orders.
    int64_t atOrders(int ringRank) const { return atOrders_[static_cast<size_t>(ringRank)]; }
    int64_t atRings(int orderRank) const { return atRings_[static_cast<size_t>(orderRank)]; }
    int64_t ordersSize() const { return ordersSize_; }
    int64_t ringsSize() const { return ringsSize_; }
    // Start of this rank's data on each other rank: on the ring side, the data of this rank's
    // orders; on the order side, the data of this rank's rings.
    std::vector<int64_t> atRingsOfOthers() const;
    std::vector<int64_t> atOrdersOfOthers() const;

    // The contiguous part of a tile whose rings belong to one rank: places of the pairs in that
    // rank's numbering, and the position of the first pair, component 0.
    struct Part {
        RingRange places;
        int64_t at = 0;
        int64_t of(int component, int place) const {
            return at + int64_t{component} * (places.end - places.begin) + (place - places.begin);
        }
    };
    struct OwnTile {
        PassingTile what;
        std::vector<Part> parts;  // one for each rank of rings
    };
    const std::vector<OwnTile>& ownTiles() const { return own_; }
    const RingRuns& pairsOf(int ringRank) const { return pairs_[static_cast<size_t>(ringRank)]; }
    const std::vector<PassingTile>& tiles() const { return tiles_; }
    // For tile number `i` of all tiles: whether this rank owns it, and the part of the own rings.
    // That part is on the order side for an own tile, else on the ring side.
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

// Ranges of blocks whose tiles are exchanged together. There are as many ranges as keep a rank's
// part below `bytes`, if all ranges have equal sizes. No range has fewer blocks than there are
// ranks. `volume`: ModeTiles of each block for all pairs.
std::vector<RingRange> blockSlices(std::span<const int64_t> volume, int ranks, int64_t bytes);

}  // namespace armilla
