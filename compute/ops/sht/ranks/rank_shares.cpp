// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/ranks/rank_shares.h"

#include <algorithm>
#include <numeric>

namespace armilla {

TileExchange::TileExchange(std::span<const PassingTile> tiles, std::span<const RingRuns> pairs,
                           int rank, int components, OwnPart ownPart)
    : rank_(rank),
      components_(components),
      ownPart_(ownPart),
      tiles_(tiles.begin(), tiles.end()),
      pairs_(pairs.begin(), pairs.end()),
      ringParts_(tiles.size()),
      atOrders_(pairs_.size() + 1),
      atRings_(pairs_.size() + 1) {
    for (const PassingTile& tile : tiles_)
        if (tile.owner == rank) own_.push_back({tile, std::vector<Part>(pairs_.size())});
    const auto partOf = [&](const PassingTile& tile, int ringRank, int64_t at) {
        const RingRuns& own = pairsOf(ringRank);
        return Part{{own.before(tile.begin), own.before(tile.end)}, at};
    };
    const auto sizeOf = [&](const Part& part) {
        return static_cast<int64_t>(part.places.end - part.places.begin) * components;
    };
    for (int other = 0; other < static_cast<int>(pairs_.size()); ++other) {
        const auto at = static_cast<size_t>(other);
        atOrders_[at] = ordersSize_;
        for (OwnTile& tile : own_) {
            tile.parts[at] = partOf(tile.what, other, ordersSize_);
            if (other != rank || ownPart == OwnPart::AtOrders)
                ordersSize_ += sizeOf(tile.parts[at]);
        }
        atRings_[at] = ringsSize_;
        size_t own = 0;
        for (size_t i = 0; i < tiles_.size(); ++i) {
            if (tiles_[i].owner != other) continue;
            ringParts_[i] =
                other == rank ? own_[own++].parts[at] : partOf(tiles_[i], rank, ringsSize_);
            if (other != rank) ringsSize_ += sizeOf(ringParts_[i]);
        }
    }
    atOrders_.back() = ordersSize_;
    atRings_.back() = ringsSize_;
}

int64_t TileExchange::sizeBetween(int orderRank, int ringRank) const {
    if (orderRank == ringRank && ownPart_ == OwnPart::Nowhere) return 0;
    const RingRuns& rings = pairsOf(ringRank);
    int64_t size = 0;
    for (const PassingTile& tile : tiles_)
        if (tile.owner == orderRank) size += rings.before(tile.end) - rings.before(tile.begin);
    return size * components_;
}

int64_t TileExchange::atOrdersOf(int orderRank, int ringRank) const {
    int64_t at = 0;
    for (int before = 0; before < ringRank; ++before) at += sizeBetween(orderRank, before);
    return at;
}

int64_t TileExchange::atRingsOf(int ringRank, int orderRank) const {
    int64_t at = 0;
    for (int before = 0; before < orderRank; ++before)
        if (before != ringRank) at += sizeBetween(before, ringRank);
    return at;
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
