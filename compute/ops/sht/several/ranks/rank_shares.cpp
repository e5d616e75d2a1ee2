// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/ranks/rank_shares.h"

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

int64_t TileExchange::sizeOf(const PassingTile& tile, int ringRank) const {
    if (tile.owner == ringRank && ownPart_ == OwnPart::Nowhere) return 0;
    const RingRuns& rings = pairsOf(ringRank);
    return int64_t{components_} * (rings.before(tile.end) - rings.before(tile.begin));
}

std::vector<int64_t> TileExchange::atRingsOfOthers() const {
    std::vector<int64_t> at(pairs_.size());
    for (const PassingTile& tile : tiles_)
        for (int ringRank = 0; tile.owner < rank_ && ringRank < static_cast<int>(at.size());
             ++ringRank)
            if (tile.owner != ringRank) at[static_cast<size_t>(ringRank)] += sizeOf(tile, ringRank);
    return at;
}

std::vector<int64_t> TileExchange::atOrdersOfOthers() const {
    std::vector<int64_t> at(pairs_.size());
    for (const PassingTile& tile : tiles_)
        for (int ringRank = 0; ringRank < rank_; ++ringRank)
            at[static_cast<size_t>(tile.owner)] += sizeOf(tile, ringRank);
    return at;
}

std::vector<RingRange> blockSlices(std::span<const int64_t> volume, int ranks, int64_t bytes) {
    const int64_t all = std::accumulate(volume.begin(), volume.end(), int64_t{0});
    const int64_t share = all / ranks * static_cast<int64_t>(sizeof(ModeTile));
    const int64_t wanted = (share + bytes - 1) / std::max<int64_t>(1, bytes);
    // Successive blocks, as many as ranks, go to different ranks while their costs fall slowly
    // (work_shares.h). A slice of complete rounds therefore keeps all ranks busy.
    const int blocks = static_cast<int>(volume.size()), rounds = (blocks + ranks - 1) / ranks;
    const auto blocksOf = [&](RingRange some) {
        return RingRange{some.begin * ranks, std::min(some.end * ranks, blocks)};
    };
    const std::vector<double> equal(
        static_cast<size_t>(std::clamp<int64_t>(wanted, 1, std::max(1, rounds))), 1.0);
    std::vector<RingRange> slices = dividedRings({0, rounds}, equal, [&](int round) {
        const RingRange some = blocksOf({round, round + 1});
        return static_cast<double>(
            std::accumulate(volume.begin() + some.begin, volume.begin() + some.end, int64_t{0}));
    });
    for (RingRange& slice : slices) slice = blocksOf(slice);
    return slices;
}

}  // namespace armilla
