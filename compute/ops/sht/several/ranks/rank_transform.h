// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of RingTransform over ranks: Legendre sums of own orders at all latitudes, ring
// transforms of own rings for all orders, and between them an exchange, slice by slice of orders.
// The exchange uses messages or, if all ranks are on one machine, writes into the receiver's memory
// (shared_buffer.h). The steps are those of RingTransform (ring_passes.h). Each order and each pair
// of rings is summed by one rank: the same bits for any number of ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "armilla/ops/distributed_sht.h"
#include "sht/plan/ring_transform.h"
#include "sht/several/ranks/rank_shares.h"
#include "sht/several/ranks/share_transform.h"
#include "sht/several/ranks/shared_buffer.h"
#include "sht/storage/large_array.h"

namespace armilla {

class RankTransform final : public ShareTransform {
public:
    // `pairs`: the pairs of each rank, if they are not to be partitioned by cost.
    RankTransform(const RingGrid& grid, int lmax, int mmax, Ranks& ranks, JobContext& job,
                  const std::vector<RingRuns>* pairs = nullptr,
                  LatitudeSums sums = LatitudeSums::WherePays);

    void synthesis(int spin, std::span<const AlmShare> alm, std::span<const MapSamples> maps,
                   JobContext& job) override;
    void gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi,
                  JobContext& job) override;
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<const double> weights,
                 std::span<AlmShare> alm, Before before, JobContext& job) override;
    void release() override {
        atOrders_ = Held();
        atRings_ = Held();
    }

private:
    struct Setup;
    RankTransform(Setup setup, int lmax, int mmax, Ranks& ranks, JobContext& job,
                  LatitudeSums sums);
    // For a slice and half of an analysis: the exchanges of successive chunks of each rank's pairs.
    // On the order side all chunks are contiguous.
    struct Chunks {
        std::vector<TileExchange> plans;
        std::vector<int64_t> base;  // start of each chunk on the order side; and the end
    };
    Chunks chunksOf(int half, RingRange blocks, int components) const;
    const ModeTile* gathered(const Chunks& chunks, size_t ownTile, int component,
                             const ModeTile* sums, std::vector<ModeTile>& workspace) const;
    static Setup partition(const RingGrid& grid, int lmax, int mmax, Ranks& ranks,
                           const std::vector<RingRuns>* pairs);

    template <typename Series, typename Load>
    void synthesize(int spin, const Load& load, std::span<const MapSamples> maps,
                    const std::function<Series()>& make, JobContext& job, bool overSine = false);
    template <typename Series, typename Save>
    void accumulate(int spin, const Save& save, std::span<const ConstMapSamples> maps,
                    std::span<const double> weights, const std::function<Series()>& make,
                    JobContext& job);
    template <typename Series>
    void tilesToOrders(int half, RingRange slice, const Chunks& chunks,
                       std::span<const ConstMapSamples> maps, std::span<const double> weights,
                       RingTransform::Workers<Series>& workers, JobContext& job);
    void synthesizeScalar(std::span<const AlmShare> alm, std::span<const MapSamples> maps,
                          JobContext& job, bool overSine = false);
    void planSlices(int64_t samples);
    void planPassing(JobContext& job);
    void measure(size_t chunks);
    std::vector<PassingTile> synthesisTiles(RingRange blocks) const;
    std::vector<PassingTile> analysisTiles(int half, RingRange blocks) const;
    void checkMap(size_t samples) const;
    // Destination of this rank's results for another rank. `place` is the position that a plan uses
    // on this side.
    struct Target {
        ModeTile* base = nullptr;
        int64_t shift = 0;
        ModeTile& at(int64_t place) const { return base[place + shift]; }
        ModeTile* from(int64_t place) const { return base + (place + shift); }
    };
    // For each rank: that rank's own memory, or else `sent`, from which messages are sent; for this
    // rank `here`. `half`: start, in tiles, of the half of a synthesis' memory.
    std::vector<Target> forRings(const TileExchange& plan, int64_t half, ModeTile* sent) const;
    std::vector<Target> forOrders(const TileExchange& plan, ModeTile* sent, ModeTile* here) const;
    ModeTile* workspaceOf(int rank) const {
        return reinterpret_cast<ModeTile*>(workspace_->of(rank));
    }
    // The memory of the F_m that an analysis sums.
    ModeTile* ofOrders(int components);
    void takeToRings(const TileExchange& plan, const ModeTile* come,
                     std::span<const RingTransform::Spectrum> spectra, JobContext& job);
    // Throws OutOfMemory unless the data between the passes and `besides` bytes fit.
    void requireSlices(const char* what, int components, int64_t besides);
    // Before a rank writes into others' memory: waits until they have read the old content.
    void startWriting(JobContext& job);
    void pass(const TileExchange& plan, const ModeTile* from, ModeTile* to, bool toRings,
              JobContext& job);
    void send(const TileExchange& plan, const ModeTile* from, ModeTile* to, bool toRings,
              JobContext& job);

    Ranks& ranks_;
    int lmax_ = 0, mmax_ = 0;
    std::vector<int> ownerOfBlock_;
    PairPlaces places_;
    std::vector<int> modes_;
    RingTransform transform_;
    std::vector<RingRange> slices_, halfSlices_;  // blocks: for a synthesis, for an analysis
    size_t messagesOfSlice_ = 1;                  // for an analysis
    std::vector<std::vector<RingRuns>> chunks_;   // pairs of each chunk and rank
    // ModeTiles of the largest exchange in either direction, for one component: on the order side,
    // and on the ring side.
    struct Most {
        int64_t orders = 0, rings = 0;
    };
    Most ofSynthesis_, ofAnalysis_;
    // The arrays for them, used by all slices and kept from call to call until `release`.
    struct Held {
        std::unique_ptr<LargeArray<ModeTile>> array;
        int64_t count = 0;
        ModeTile* workspace(int64_t wanted);
    };
    Held atOrders_, atRings_;
    // Replaces both arrays, if it exists, for the life of this object. A synthesis reads one half
    // of a rank's part while the other half is written; a half has halfOfBuffer_ ModeTiles a
    // component.
    std::unique_ptr<SharedBuffer> workspace_;
    int64_t halfOfBuffer_ = 0, inBuffer_ = 0;  // inBuffer_: bytes in use since earlier calls
    // Largest memory of this rank between the passes, for one component.
    int64_t sliceBytes_ = 0;
};

}  // namespace armilla
