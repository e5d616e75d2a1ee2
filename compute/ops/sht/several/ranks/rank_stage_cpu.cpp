// SPDX-License-Identifier: GPL-3.0-or-later
// The stage of a rank without a device: the steps of RingTransform (ring_passes.h), with tiles
// converted from and to rows.
#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "armilla/core/memory_limit.h"
#include "shared/shape_checks.h"
#include "sht/plan/ring_passes.h"
#include "sht/several/ranks/rank_stage.h"
#include "sht/several/work_shares.h"
#include "sht/storage/large_array.h"

namespace armilla {

namespace {

// The position of an order in the tiles of an analysis.
struct PlaceInTile {
    int half = 0, i = 0;
};
std::array<PlaceInTile, kTileSpan> placesInTiles() {
    std::array<PlaceInTile, kTileSpan> places;
    for (int half = 0; half < kTileHalves; ++half)
        for (int i = 0; i < kTileModes; ++i)
            places[static_cast<size_t>(orderOf(half, 0, i))] = {half, i};
    return places;
}

}  // namespace

class CpuRankStage final : public RankStage {
public:
    CpuRankStage(const RankRings& own, int lmax, int mmax, const RowShares& shares, int rank,
                 JobContext& job)
        : lmax_(lmax),
          mmax_(mmax),
          shares_(shares),
          own_(static_cast<size_t>(rank)),
          transform_(own.part, lmax, mmax, job, LatitudeSums::WherePays),
          ofPairs_(shares.pairs) {}

    RingRuns rowsFor(const RingRuns& pairs) const override { return pairs; }
    void reserve(int64_t count) override {
        requireMemory("harmonic transform", 4 * count * static_cast<int64_t>(sizeof(RowModes)));
        for (auto* both : {&send_, &receive_})
            for (auto& buffer : *both)
                if (static_cast<int64_t>(buffer.size()) < count)
                    buffer.resize(static_cast<size_t>(count));
    }
    const RowModes* sent(size_t step) override { return send_[step % 2].data(); }
    RowModes* toReceive(size_t step) override { return receive_[step % 2].data(); }

    void startSynthesis(const StagedCall& call, std::span<const AlmShare> alm,
                        std::span<const MapSamples> maps, JobContext& job) override {
        start(call);
        requireMemory("harmonic synthesis", transform_.synthesisBytes(maps));
        images_.clear();
        if (call.derivative) images_.push_back(derivativeOf(alm[0], *call.derivative, job));
        alm_ = call.derivative ? std::span<const AlmShare>(images_) : alm;
        tails_.clear();
        spectra_.clear();
        for (const MapSamples& map : maps) {
            tails_.emplace_back(transform_.tailCount_[map.index()]);
            spectra_.emplace_back(map, tails_.back().data(), call.derivative.has_value());
        }
    }
    void sumOrders(size_t slice, JobContext& job) override {
        const StepClock clock;
        withWorkers(job, [&](auto& workers, const auto& load, const auto&) {
            const OrderSlice& orders = ownSlices()[slice];
            parallelFor(job, tilesOf(orders), 1, [&](long long tile, long long) {
                const int slot = static_cast<int>(tile) * kOrderTile;
                if (orders.orderOf(slot) > mmax_) return;
                workers.with([&](auto& worker) {
                    transform_.sumOrders(load, orders.orderOf(slot), worker, job);
                    for (int c = 0; c < call_.components(); ++c) {
                        job.poll();
                        toRows(slice, slot, c, worker);
                    }
                });
            });
        });
        clock.stop(steps_.legendre, steps_.legendreProcessor);
    }
    void takeRows(size_t step, JobContext& job) override {
        const StepClock clock;
        const std::vector<RowExchange>& takes = call_.messages->takes;
        for (size_t from = 0; from < takes.size(); ++from) {
            const RowExchange& rows = takes[from];
            if (rows.count(step) == 0) continue;
            const OrderSlice& orders = shares_.slices[from][step];
            const RowModes* const first =
                receive_[step % 2].data() +
                call_.components() * RowMessages::placeOf(takes, step, from);
            parallelFor(job, tilesOf(orders), 1, [&](long long tile, long long) {
                const int slot = static_cast<int>(tile) * kOrderTile;
                const int m = orders.orderOf(slot);
                if (m > mmax_) return;
                for (int c = 0; c < call_.components(); ++c)
                    for (int place = 0; place < rows.rows.count(); ++place) {
                        ModeTile modes{};
                        for (int i = 0; i < kTileModes && m + i <= mmax_; ++i) {
                            if (rows.rows.at(place) < seenFrom(m + i)) continue;
                            const RowModes& row =
                                first[c * rows.totals[step] + rows.rowOf(step, slot + i) + place];
                            modes.north(i) = row.north;
                            modes.south(i) = row.south;
                        }
                        transform_.storePair(place, m, modes, spectra_[static_cast<size_t>(c)]);
                    }
            });
        }
        clock.stop(steps_.fft, steps_.fftProcessor);
    }
    void finishSynthesis(JobContext& job) override {
        const StepClock clock;
        withWorkers(job, [&](auto& workers, const auto&, const auto&) {
            parallelFor(job, static_cast<long long>(transform_.pairs_.size()), 1,
                        [&](long long index, long long) {
                            workers.with([&](auto& worker) {
                                transform_.transformPair(static_cast<int>(index),
                                                         std::span<const Spectrum>(spectra_),
                                                         worker);
                            });
                        });
        });
        clock.stop(steps_.fft, steps_.fftProcessor);
        spectra_.clear();
        tails_.clear();
        images_.clear();
    }

    void startAnalysis(const StagedCall& call, std::span<const ConstMapSamples> maps,
                       std::span<const double> weights, std::span<AlmShare> alm,
                       JobContext& job) override {
        start(call);
        sums_ = alm;
        if (call.before == Before::Replaced) clearShares(alm, job);
        const OrderTiles& tiles = transform_.tiles_;
        // F_m of all own rings. Computed once, because there may be many exchanges and each would
        // repeat the ring FFTs.
        heldAt_.clear();
        size_t size = 0;
        for (int tile = 0; tile < tiles.count(); ++tile) {
            const auto [begin, end] = ownPlacesOf(tile);
            heldAt_.push_back(size);
            size += static_cast<size_t>(end - begin);
        }
        requireMemory("harmonic analysis",
                      static_cast<int64_t>(maps.size() * size * sizeof(ModeTile)));
        held_.clear();
        for (size_t c = 0; c < maps.size(); ++c) held_.emplace_back(size);
        const StepClock clock;
        withWorkers(job, [&](auto& workers, const auto&, const auto&) {
            const auto place = [&](int tile, int pair, size_t component) {
                return held(tile, ownPairs().before(pair), component);
            };
            parallelFor(job, static_cast<long long>(transform_.pairs_.size()), 1,
                        [&](long long index, long long) {
                            workers.with([&](auto& worker) {
                                transform_.tilesOfPair(static_cast<int>(index), maps, weights, 0,
                                                       tiles.count(), worker, place);
                            });
                        });
        });
        clock.stop(steps_.fft, steps_.fftProcessor);
    }
    void sendRows(size_t step, JobContext& job) override {
        const StepClock clock;
        const std::vector<RowExchange>& sends = call_.messages->sends;
        for (size_t to = 0; to < sends.size(); ++to) {
            const RowExchange& rows = sends[to];
            if (rows.count(step) == 0) continue;
            const OrderSlice& orders = shares_.slices[to][step];
            RowModes* const first =
                send_[step % 2].data() + call_.components() * RowMessages::placeOf(sends, step, to);
            parallelFor(job, orders.slots, kOrderTile, [&](long long begin, long long end) {
                for (int slot = static_cast<int>(begin); slot < static_cast<int>(end); ++slot) {
                    const int m = orders.orderOf(slot);
                    if (m > mmax_) continue;
                    for (int c = 0; c < call_.components(); ++c)
                        for (int place = rows.rows.before(seenFrom(m)); place < rows.rows.count();
                             ++place)
                            first[c * rows.totals[step] + rows.rowOf(step, slot) + place] =
                                ofRing(m, place, static_cast<size_t>(c));
                }
            });
        }
        clock.stop(steps_.fft, steps_.fftProcessor);
    }
    // Two slices form the blocks of an analysis; the rows of the first are still in their buffer at
    // the second.
    void sumRows(size_t slice, JobContext& job) override {
        if (slice % 2 == 0) return;
        const StepClock clock;
        const OrderTiles& tiles = transform_.tiles_;
        const int perHalf = tiles.count() / kTileHalves;
        const OrderSlice& second = ownSlices()[slice];
        withWorkers(job, [&](auto& workers, const auto&, const auto& save) {
            parallelFor(job, kTileHalves * tilesOf(second), 1, [&](long long index, long long) {
                const int block = ownSlices()[slice - 1].orderOf(static_cast<int>(index) /
                                                                 kTileHalves * kOrderTile) /
                                  kTileSpan;
                if (block >= perHalf) return;
                const int tile = static_cast<int>(index) % kTileHalves * perHalf + block;
                std::vector<ModeTile> all(static_cast<size_t>(tiles.pairs(tile)));
                const auto ofAll = [&](int c) {
                    gather(slice, tile, c, all);
                    return all.data();
                };
                workers.with([&](auto& worker) {
                    transform_.sumTile(call_.spin, save, call_.components(), tile, worker, ofAll,
                                       job);
                });
            });
        });
        clock.stop(steps_.legendre, steps_.legendreProcessor);
    }
    void finishAnalysis(JobContext& /*job*/) override { held_.clear(); }

private:
    using Spectrum = RingTransform::Spectrum;

    void start(const StagedCall& call) { call_ = call; }
    const std::vector<OrderSlice>& ownSlices() const { return shares_.slices[own_]; }
    static int tilesOf(const OrderSlice& orders) { return orders.slots / kOrderTile; }
    int seenFrom(int m) const { return call_.seen->pairs[static_cast<size_t>(m)]; }

    // Calls body(workers, load, save) with the series type of the call.
    template <typename Body>
    void withWorkers(JobContext& job, const Body& body) {
        if (call_.spin == 0) {
            const std::function<ScalarSeries()> make = [&] {
                return ScalarSeries(call_.derivative ? lmax_ + 1 : lmax_, 1);
            };
            RingTransform::Workers<ScalarSeries> workers(transform_, 1, make, job.threads());
            body(
                workers,
                [&](ScalarSeries& series, int m) {
                    series.prepare(m);
                    series.setCoefficients(alm_[0].of(m), 0);
                },
                [&](ScalarSeries& series, int m) { series.addCoefficients(sums_[0].of(m), 0); });
            return;
        }
        const std::function<SpinSeries()> make = [&] {
            return SpinSeries(lmax_, call_.spin, transform_.latitudes_);
        };
        RingTransform::Workers<SpinSeries> workers(transform_, 2, make, job.threads());
        body(
            workers,
            [&](SpinSeries& series, int m) {
                series.prepare(m);
                series.setCoefficients(alm_[0].of(m), alm_[1].of(m));
            },
            [&](SpinSeries& series, int m) {
                series.addCoefficients(sums_[0].of(m), sums_[1].of(m));
            });
    }

    // Distributes the sums of eight orders, of one component, to own rings and to the other ranks'
    // rows.
    template <typename Worker>
    void toRows(size_t slice, int slot, int component, Worker& worker) {
        const std::vector<RowExchange>& sends = call_.messages->sends;
        const int m = ownSlices()[slice].orderOf(slot);
        transform_.takeToRings(call_.spin, component, worker, [&](int pair, const ModeTile& modes) {
            const auto to = static_cast<size_t>(ofPairs_.owner[static_cast<size_t>(pair)]);
            const int place = ofPairs_.place[static_cast<size_t>(pair)];
            if (to == own_)
                return transform_.storePair(place, m, modes,
                                            spectra_[static_cast<size_t>(component)]);
            const RowExchange& rows = sends[to];
            RowModes* const first = send_[slice % 2].data() +
                                    call_.components() * RowMessages::placeOf(sends, slice, to) +
                                    component * rows.totals[slice];
            for (int i = 0; i < kTileModes && m + i <= mmax_; ++i)
                if (pair >= seenFrom(m + i))
                    first[rows.rowOf(slice, slot + i) + place] = {modes.north(i), modes.south(i)};
        });
    }
    const RingRuns& ownPairs() const { return shares_.pairs[own_]; }
    // Places of the own pairs with modes of a tile of an analysis.
    RingRange ownPlacesOf(int tile) const {
        const int first = transform_.tiles_.firstPair(tile);
        return {ownPairs().before(first), ownPairs().before(first + transform_.tiles_.pairs(tile))};
    }
    ModeTile* held(int tile, int place, size_t component) {
        return held_[component].data() + heldAt_[static_cast<size_t>(tile)] +
               (place - ownPlacesOf(tile).begin);
    }
    RowModes ofRing(int m, int place, size_t component) {
        const auto [half, i] = places_[static_cast<size_t>(m % kTileSpan)];
        const int tile = half * (transform_.tiles_.count() / kTileHalves) + m / kTileSpan;
        const auto [begin, end] = ownPlacesOf(tile);
        if (place < begin || place >= end) return {};
        const ModeTile& modes = *held(tile, place, component);
        return {modes.north(i), modes.south(i)};
    }
    // Collects a tile of an analysis for all rings, own and received.
    void gather(size_t slice, int tile, int component, std::vector<ModeTile>& all) {
        const OrderTiles& tiles = transform_.tiles_;
        const std::vector<RowExchange>& takes = call_.messages->takes;
        const int first = tiles.firstPair(tile), end = first + tiles.pairs(tile);
        std::fill(all.begin(), all.end(), ModeTile{});
        const auto [ownBegin, ownEnd] = ownPlacesOf(tile);
        for (int place = ownBegin; place < ownEnd; ++place)
            all[static_cast<size_t>(ownPairs().at(place) - first)] =
                *held(tile, place, static_cast<size_t>(component));
        for (int i = 0; i < kTileModes; ++i) {
            const int m = tiles.order(tile, i);
            if (m > mmax_) continue;
            // The first eight orders of a block belong to the previous slice.
            const size_t of = m % kTileSpan < kOrderTile ? slice - 1 : slice;
            const int slot = ownSlices()[of].slotOf(m);
            for (size_t from = 0; from < takes.size(); ++from) {
                const RowExchange& rows = takes[from];
                if (rows.count(of) == 0) continue;
                const RowModes* const row =
                    receive_[of % 2].data() +
                    call_.components() * RowMessages::placeOf(takes, of, from) +
                    component * rows.totals[of] + rows.rowOf(of, slot);
                for (int place = rows.rows.before(std::max(seenFrom(m), first));
                     place < rows.rows.before(end); ++place) {
                    ModeTile& modes = all[static_cast<size_t>(rows.rows.at(place) - first)];
                    modes.north(i) = row[place].north;
                    modes.south(i) = row[place].south;
                }
            }
        }
    }

    int lmax_ = 0, mmax_ = 0;
    const RowShares& shares_;
    size_t own_ = 0;
    RingTransform transform_;
    PairPlaces ofPairs_;
    const std::array<PlaceInTile, kTileSpan> places_ = placesInTiles();
    std::array<std::vector<RowModes>, 2> send_, receive_;
    // State of the current call.
    StagedCall call_;
    std::span<const AlmShare> alm_;
    std::span<AlmShare> sums_;
    std::vector<AlmShare> images_;
    std::vector<LargeArray<std::complex<double>>> tails_;
    std::vector<Spectrum> spectra_;
    std::vector<LargeArray<ModeTile>> held_;
    std::vector<size_t> heldAt_;
};

std::unique_ptr<RankStage> makeCpuRankStage(const RankRings& own, int lmax, int mmax,
                                            const RowShares& shares, int rank, JobContext& job) {
    return std::make_unique<CpuRankStage>(own, lmax, mmax, shares, rank, job);
}

}  // namespace armilla
