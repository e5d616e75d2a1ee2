// SPDX-License-Identifier: GPL-3.0-or-later
// The two passes of RingTransform, tile by tile and pair by pair. They are also used by a transform
// whose orders and rings are partitioned among ranks (sht/several/ranks/rank_transform.h).
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <type_traits>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/seconds_since.h"
#include "sht/plan/ring_transform.h"

namespace armilla {

// Number of rings whose spin s > 0 sums take about 10 ms: cancellation is checked between such
// slices.
inline int ringsBetweenPolls(int lmax) {
    return std::max(kRingGroup, (1 << 24) / (lmax + 1) / kRingGroup * kRingGroup);
}

// A pair of rings less a constant, in the type of the samples.
struct LevelledRings {
    std::vector<double> doubles;
    std::vector<float> singles;

    template <typename Sample>
    const Sample* subtract(double level, const Sample* ring, int64_t count, bool isSouth) {
        auto& rings = [this]() -> std::vector<Sample>& {
            if constexpr (std::is_same_v<Sample, double>)
                return doubles;
            else
                return singles;
        }();
        // The north comes first, and its ring has as many samples.
        if (rings.size() < static_cast<size_t>(2 * count))
            rings.resize(static_cast<size_t>(2 * count));
        Sample* const to = rings.data() + (isSouth ? count : 0);
        for (int64_t j = 0; j < count; ++j)
            to[j] = static_cast<Sample>(static_cast<double>(ring[j]) - level);
        return to;
    }
};

// Working memory of one thread. `planes`: for kTileModes orders (successive ones in a synthesis),
// F_m at the latitudes of the Legendre sums.
template <typename Series>
struct RingTransform::Worker {
    Series series;
    RingFft::Workspace fft;
    AlignedArray<double> sums;
    ThetaResampling::Planes planes{};
    std::optional<ThetaResampling::Workspace> resampling;
    TileRuns tiles;                  // for the current pair of rings
    std::vector<ModeTile> gathered;  // one tile of orders, if it comes from several ranks
    LevelledRings levelled;
};

// One Worker for each thread, borrowed by the ranges of a parallel loop.
template <typename Series>
class RingTransform::Workers {
public:
    Workers(const RingTransform& t, int components, const std::function<Series()>& make,
            int threads) {
        threads = std::min(threads, std::max({t.mmax_ / kTileModes + 1, t.tiles_.count(),
                                              static_cast<int>(t.pairs_.size())}));
        const int planes = components * kPlanes;
        for (int i = 0; i < threads; ++i) {
            Worker<Series>& worker = all_.emplace_back(Worker<Series>{
                make(), RingFft::Workspace(t.fft_, t.mmax_), {}, {}, {}, {}, {}, {}});
            worker.sums = AlignedArray<double>(static_cast<size_t>(t.latitudes_.count) *
                                               static_cast<size_t>(planes * kTileModes));
            worker.planes = {worker.sums.data(), t.latitudes_.count, planes};
            if (t.resampling_) worker.resampling.emplace(*t.resampling_);
            free_.push_back(&worker);
        }
    }

    template <typename Body>
    void with(const Body& body) {
        Worker<Series>* const worker = take();
        try {
            body(*worker);
        } catch (...) {
            give(worker);
            throw;
        }
        give(worker);
    }

private:
    Worker<Series>* take() {
        const std::lock_guard lock(lock_);
        ARMILLA_ASSERT(!free_.empty());
        Worker<Series>* const worker = free_.back();
        free_.pop_back();
        return worker;
    }
    void give(Worker<Series>* worker) {
        const std::lock_guard lock(lock_);
        free_.push_back(worker);
    }

    std::mutex lock_;
    std::deque<Worker<Series>> all_;
    std::vector<Worker<Series>*> free_;
};

// Computes F_m of the orders firstMode .. firstMode + 7 at the latitudes of the Legendre sums, in
// the worker's planes.
template <typename Series, typename Load>
void RingTransform::sumOrders(const Load& load, int firstMode, Worker<Series>& worker,
                              JobContext& job) const {
    const int slice = ringsBetweenPolls(lmax_);
    const ThetaResampling::Planes& planes = worker.planes;
    for (int i = 0; i < kTileModes; ++i) {
        const int m = firstMode + i;
        double* const out = planes.data + i * planes.planesOfMode * planes.stride;
        const int first = m > mmax_ ? latitudes_.count : useful_.first(m);
        for (int p = 0; p < planes.planesOfMode; ++p)
            std::fill_n(out + p * planes.stride, first, 0.0);
        if (first == latitudes_.count) continue;
        load(worker.series, m);
        for (int at = first; at < latitudes_.count; at += slice) {
            job.poll();
            worker.series.synthesize(latitudes_, at, std::min(slice, latitudes_.count - at),
                                     out + at, planes.stride);
        }
    }
}

// Transfers one component from these latitudes to all pairs of rings: calls take(pair, tile).
template <typename Series, typename Take>
void RingTransform::takeToRings(int spin, int component, Worker<Series>& worker,
                                const Take& take) const {
    const ThetaResampling::Planes& planes = worker.planes;
    if (resampling_) {
        resampling_->interpolate(planes, component * kPlanes, spin, *worker.resampling, take);
        return;
    }
    const double* const base = planes.data + component * kPlanes * planes.stride;
    const ptrdiff_t modeStride = planes.planesOfMode * planes.stride;
    ModeTile tile;
    for (int p = 0; p < allPairs_; ++p) {
        const double* in = base + p;
        for (int i = 0; i < kTileModes; ++i, in += modeStride) {
            tile.north(i) = {in[0], in[planes.stride]};
            tile.south(i) = {in[2 * planes.stride], in[3 * planes.stride]};
        }
        take(p, tile);
    }
}

// Transforms the F_m of a pair of rings to samples, in place.
template <typename Series>
void RingTransform::transformPair(int index, std::span<const Spectrum> spectra,
                                  Worker<Series>& worker) const {
    const RingPair& pair = pairs_[static_cast<size_t>(index)];
    const Ring& north = grid_.rings[static_cast<size_t>(pair.north)];
    const auto toSamples = [&]<typename Sample>(std::span<Sample> map, const Spectrum& spectrum) {
        RingFft::Side<Sample> sides[2];
        sides[0] = {map.data() + north.first, modesOf(pair, false, spectrum)};
        if (pair.south >= 0)
            sides[1] = {map.data() + grid_.rings[static_cast<size_t>(pair.south)].first,
                        modesOf(pair, true, spectrum)};
        fft_.synthesize(north, sides[0], sides[1], worker.fft);
    };
    for (const Spectrum& spectrum : spectra)
        std::visit([&](const auto& map) { toSamples(map, spectrum); }, spectrum.rings);
}

// The F_m of a pair of rings of one map, for the tiles `begin` .. `end - 1` with modes on the pair.
// `place(tile, pair, component)` returns their destination; `pair` is numbered among all pairs.
// `level` is subtracted from the samples.
template <typename Series, typename Place>
void RingTransform::tilesOfPair(int index, std::span<const ConstMapSamples> maps,
                                std::span<const double> weights, int begin, int end,
                                Worker<Series>& worker, const Place& place, double level) const {
    const int at = own_.at(index);
    const RingPair& pair = pairs_[static_cast<size_t>(index)];
    const Ring& north = grid_.rings[static_cast<size_t>(pair.north)];
    const auto fromSamples = [&]<typename Sample>(std::span<const Sample> map) {
        RingFft::WeightedSide<Sample> sides[2];
        sides[0] = {map.data() + north.first, weights[static_cast<size_t>(pair.north)]};
        if (pair.south >= 0)
            sides[1] = {map.data() + grid_.rings[static_cast<size_t>(pair.south)].first,
                        weights[static_cast<size_t>(pair.south)]};
        for (RingFft::WeightedSide<Sample>& side : sides)
            if (level != 0.0 && side.samples != nullptr)
                side.samples =
                    worker.levelled.subtract(level, side.samples, north.count, &side == &sides[1]);
        fft_.analyze(north, sides[0], sides[1], pair.modes, worker.tiles, worker.fft);
    };
    for (size_t c = 0; c < maps.size(); ++c) {
        for (TileRun& run : worker.tiles.half) run.tiles.clear();
        for (int tile = begin; tile < end; ++tile) {
            if (at < tiles_.firstPair(tile) || at >= tiles_.firstPair(tile) + tiles_.pairs(tile))
                continue;
            TileRun& run = worker.tiles.half[tiles_.half(tile)];
            if (run.tiles.empty()) run.first = tiles_.place(tile);
            run.tiles.push_back(place(tile, at, c));
        }
        if (worker.tiles.empty()) return;
        if (stage_ != nullptr)
            stage_->tiles(at, static_cast<int>(c), pair.modes, worker.tiles);
        else
            std::visit(fromSamples, maps[c]);
    }
}

// The sums of the orders of a tile. `tiles(component)` returns their F_m at the pairs with modes of
// the tile.
template <typename Series, typename Save, typename Tiles>
void RingTransform::sumTile(int spin, const Save& save, int components, int tile,
                            Worker<Series>& worker, const Tiles& tiles, JobContext& job) const {
    if (tiles_.pairs(tile) == 0) return;
    const int slice = ringsBetweenPolls(lmax_);
    const ThetaResampling::Planes& planes = worker.planes;
    for (int c = 0; c < components; ++c) {
        job.poll();
        const ModeTile* const from = tiles(c);
        if (resampling_)
            resampling_->spread(planes, c * kPlanes, spin, *worker.resampling, from,
                                tiles_.firstPair(tile), tiles_.pairs(tile));
        else
            fetch(planes, c, tile, from);
    }
    for (const int i : tiles_.ascending(tile)) {
        const int m = tiles_.order(tile, i);
        if (m > mmax_) break;
        const int first = useful_.first(m);
        if (first == latitudes_.count) continue;
        const double* const in = planes.data + i * planes.planesOfMode * planes.stride;
        worker.series.prepare(m);
        for (int at = first; at < latitudes_.count; at += slice) {
            job.poll();
            worker.series.accumulate(latitudes_, at, std::min(slice, latitudes_.count - at),
                                     in + at, planes.stride);
        }
        save(worker.series, m);
    }
}

}  // namespace armilla
