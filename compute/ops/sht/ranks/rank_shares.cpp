// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/ranks/rank_shares.h"

#include <algorithm>
#include <numeric>

namespace armilla {

TileExchange::TileExchange(std::span<const PassingTile> tiles, std::span<const RingRange> pairs,
                           int rank, int components, OwnPart ownPart)
    : rank_(rank),
      tiles_(tiles.begin(), tiles.end()),
      ranges_(pairs.begin(), pairs.end()),
      ringTiles_(tiles.size()),
      atOrders_(ranges_.size() + 1),
      atRings_(ranges_.size() + 1) {
    for (const PassingTile& tile : tiles_)
        if (tile.owner == rank) own_.push_back({tile, std::vector<int64_t>(ranges_.size())});
    const auto count = [&](const PassingTile& tile, int ringRank) {
        const RingRange range = pairsOf(tile, ringRank);
        return static_cast<int64_t>(range.end - range.begin) * components;
    };
    for (int other = 0; other < static_cast<int>(ranges_.size()); ++other) {
        const auto at = static_cast<size_t>(other);
        atOrders_[at] = ordersSize_;
        for (OwnTile& tile : own_) {
            tile.at[at] = ordersSize_;
            if (other != rank || ownPart == OwnPart::AtOrders)
                ordersSize_ += count(tile.what, other);
        }
        atRings_[at] = ringsSize_;
        size_t own = 0;
        for (size_t i = 0; i < tiles_.size(); ++i) {
            if (tiles_[i].owner != other) continue;
            ringTiles_[i] = other == rank ? own_[own++].at[at] : ringsSize_;
            if (other != rank) ringsSize_ += count(tiles_[i], rank);
        }
    }
    atOrders_.back() = ordersSize_;
    atRings_.back() = ringsSize_;
}

RingRange TileExchange::pairsOf(const PassingTile& tile, int ringRank) const {
    const RingRange own = ranges_[static_cast<size_t>(ringRank)];
    const int begin = std::max(tile.begin, own.begin);
    return {begin, std::max(begin, std::min(tile.end, own.end))};
}

std::vector<RingRange> blockSlices(std::span<const int64_t> volume, int ranks, int64_t bytes) {
    const int64_t all = std::accumulate(volume.begin(), volume.end(), int64_t{0});
    const int64_t share = all / ranks * static_cast<int64_t>(sizeof(ModeTile));
    const int64_t wanted = (share + bytes - 1) / std::max<int64_t>(1, bytes);
    const auto most = static_cast<int64_t>(volume.size());
    const std::vector<double> equal(
        static_cast<size_t>(std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, most))), 1.0);
    return dividedRings({0, static_cast<int>(volume.size())}, equal, [&](int block) {
        return static_cast<double>(volume[static_cast<size_t>(block)]);
    });
}

}  // namespace armilla
