// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/ranks/rank_transform.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "armilla/core/memory_limit.h"
#include "shared/new_alm.h"
#include "shared/shape_checks.h"
#include "sht/plan/ring_passes.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Limits of the data between the passes: one part in so many of a rank's map and coefficients, or
// the least number of bytes below. Synthesis: a limit for each of the sent and the received data; a
// further slice costs one exchange. Analysis: a limit for the F_m that are summed together and for
// the amount sent at a time. One half of the orders has F_m of some 2 / 5 of map and coefficients,
// and a further slice would cost half a transform of every ring.
constexpr int64_t kSynthesisPart = 16, kAnalysisPart = 2, kChunkPart = 10;
// Components of a transform: of a spin, or of a gradient.
constexpr int kMostComponents = 2;
constexpr int64_t kLeastOfSynthesis = int64_t{1} << 20, kLeastOfAnalysis = int64_t{8} << 20;

// The cost of each block of orders.
std::vector<double> blockCosts(std::span<const int> modes, int lmax, int mmax) {
    std::vector<double> costs(static_cast<size_t>(mmax / kTileSpan + 1), 0.0);
    const std::vector<double> ofOrders = orderCosts(modes, lmax, mmax);
    for (size_t m = 0; m < ofOrders.size(); ++m) costs[m / kTileSpan] += ofOrders[m];
    return costs;
}

}  // namespace

struct RankTransform::Setup {
    std::vector<int> ownerOfBlock, ownerOfOrder;
    std::vector<RingRuns> pairs;
    RankRings own;
    int64_t samples = 0;  // samples of the complete map
};

RankTransform::Setup RankTransform::partition(const RingGrid& grid, int lmax, int mmax,
                                              Ranks& ranks, const std::vector<RingRuns>* given) {
    std::vector<int> modes;
    for (const RingTransform::RingPair& pair : RingTransform::pairsOf(grid, lmax, mmax))
        modes.push_back(pair.modes);
    const std::vector<double> equal(static_cast<size_t>(ranks.size()), 1.0);
    std::vector<RingRuns> pairs =
        given != nullptr
            ? *given
            : partitionedPairs(pairCosts(grid, mirroredPairs(grid), modes, RingsOn::Cpus), equal);
    std::vector<int> blocks = partitionedBlocks(blockCosts(modes, lmax, mmax), equal), orders;
    for (int m = 0; m <= mmax; ++m) orders.push_back(blocks[static_cast<size_t>(m / kTileSpan)]);
    RankRings own(grid, lmax, mmax, pairs, ranks.rank());
    return {std::move(blocks), std::move(orders), std::move(pairs), std::move(own),
            grid.sampleCount()};
}

RankTransform::RankTransform(const RingGrid& grid, int lmax, int mmax, Ranks& ranks,
                             JobContext& job, const std::vector<RingRuns>* pairs, LatitudeSums sums)
    : RankTransform(partition(grid, lmax, mmax, ranks, pairs), lmax, mmax, ranks, job, sums) {}

RankTransform::RankTransform(Setup setup, int lmax, int mmax, Ranks& ranks, JobContext& job,
                             LatitudeSums sums)
    : ShareTransform(setup.own, setup.pairs, std::move(setup.ownerOfOrder), lmax, ranks.rank()),
      ranks_(ranks),
      lmax_(lmax),
      mmax_(mmax),
      ownerOfBlock_(std::move(setup.ownerOfBlock)),
      places_(setup.pairs),
      modes_(setup.own.part.modes),
      transform_(setup.own.part, lmax, mmax, job, sums) {
    planSlices(setup.samples);
    planPassing(job);
}

void RankTransform::planSlices(int64_t samples) {
    const int size = ranks_.size();
    const int64_t whole = samples * static_cast<int64_t>(sizeof(double)) + almBytes(lmax_, mmax_);
    const OrderTiles& tiles = transform_.tiles_;
    std::vector<int64_t> volume(ownerOfBlock_.size());
    for (int tile = 0; tile < tiles.count(); ++tile)
        volume[static_cast<size_t>(tiles.place(tile))] += tiles.pairs(tile);
    const auto bytes = [&](int64_t part, int64_t least) {
        return std::max(least, whole / part / size);
    };
    // The exchanged data: all but a rank's own part.
    std::vector<int64_t> passing;
    for (const int64_t each : volume) passing.push_back(each / size * (size - 1));
    slices_ = blockSlices(passing, size, bytes(kSynthesisPart, kLeastOfSynthesis));
    // One half of the tiles at a time, hence twice the number of blocks.
    halfSlices_ = blockSlices(volume, size, kTileHalves * bytes(kAnalysisPart, kLeastOfAnalysis));
    const int64_t sent = std::accumulate(passing.begin(), passing.end(), int64_t{0}) /
                         (kTileHalves * size * static_cast<int64_t>(halfSlices_.size())) *
                         static_cast<int64_t>(sizeof(ModeTile));
    const int64_t limit = bytes(kChunkPart, kLeastOfSynthesis);
    messagesOfSlice_ = static_cast<size_t>(std::max<int64_t>(1, (sent + limit - 1) / limit));
}

// The exchange writes into the memory of other ranks or, if there is no shared memory, sends
// messages, for which the buffers are smaller.
void RankTransform::planPassing(JobContext& job) {
    measure(1);
    const int64_t own[] = {ofSynthesis_.rings, ofAnalysis_.orders};
    int64_t orders = 0;
    for (const auto& each : ranks_.gatherAll(std::span<const int64_t>(own), job)) {
        halfOfBuffer_ = std::max(halfOfBuffer_, each.at(0));
        orders = std::max(orders, each.at(1));
    }
    const int64_t tiles = kMostComponents * std::max(2 * halfOfBuffer_, orders);
    workspace_ = SharedBuffer::make(tiles * static_cast<int64_t>(sizeof(ModeTile)), ranks_, job);
    if (!workspace_) measure(messagesOfSlice_);
    const int64_t synthesis =
        ofSynthesis_.rings + (workspace_ ? ofSynthesis_.rings : ofSynthesis_.orders);
    const int64_t analysis = ofAnalysis_.orders + (workspace_ ? 0 : ofAnalysis_.rings);
    sliceBytes_ = std::max(synthesis, analysis) * static_cast<int64_t>(sizeof(ModeTile));
}

// Divides the pairs of each rank into `chunks` chunks, and computes the sizes of their exchanges.
void RankTransform::measure(size_t chunks) {
    const std::vector<double> equal(chunks, 1.0);
    chunks_.assign(chunks, {});
    for (const RingRuns& all : pairs()) {
        // Chunks of equal numbers of modes, because modes are sent.
        std::vector<RingRange> parts = dividedRings({0, all.count()}, equal, [&](int place) {
            return static_cast<double>(modes_[static_cast<size_t>(all.at(place))]);
        });
        parts.resize(chunks);
        for (size_t chunk = 0; chunk < chunks; ++chunk)
            chunks_[chunk].push_back(all.part(parts[chunk]));
    }
    const auto see = [](int64_t orders, int64_t rings, Most& most) {
        most = {std::max(most.orders, orders), std::max(most.rings, rings)};
    };
    ofSynthesis_ = ofAnalysis_ = {};
    for (const RingRange slice : slices_) {
        const TileExchange plan(synthesisTiles(slice), pairs(), ranks_.rank(), 1, OwnPart::Nowhere);
        see(plan.ordersSize(), plan.ringsSize(), ofSynthesis_);
    }
    for (const RingRange slice : halfSlices_)
        for (int half = 0; half < kTileHalves; ++half) {
            const Chunks all = chunksOf(half, slice, 1);
            for (const TileExchange& plan : all.plans)
                see(all.base.back(), plan.ringsSize(), ofAnalysis_);
        }
}

RankTransform::Chunks RankTransform::chunksOf(int half, RingRange blocks, int components) const {
    Chunks chunks;
    const std::vector<PassingTile> tiles = analysisTiles(half, blocks);
    chunks.base.push_back(0);
    for (const std::vector<RingRuns>& pairs : chunks_) {
        const TileExchange& plan =
            chunks.plans.emplace_back(tiles, pairs, ranks_.rank(), components, OwnPart::AtOrders);
        chunks.base.push_back(chunks.base.back() + plan.ordersSize());
    }
    return chunks;
}

ModeTile* RankTransform::Held::workspace(int64_t wanted) {
    if (count < wanted) {
        array.reset();  // before the allocation: memory may not suffice for both
        array = std::make_unique<LargeArray<ModeTile>>(static_cast<size_t>(wanted));
        count = wanted;
    }
    return array ? array->data() : nullptr;
}

ModeTile* RankTransform::ofOrders(int components) {
    return workspace_ ? workspaceOf(ranks_.rank())
                      : atOrders_.workspace(components * ofAnalysis_.orders);
}

// Tiles of successive orders, two for each block: the orders that a synthesis sums together.
std::vector<PassingTile> RankTransform::synthesisTiles(RingRange blocks) const {
    std::vector<PassingTile> tiles;
    for (int tile = 2 * blocks.begin; tile < 2 * blocks.end; ++tile) {
        const int first = tile * kTileModes;
        if (first > mmax_) break;
        const auto sees = [&](int pair) { return modes_[static_cast<size_t>(pair)] > first; };
        int begin = 0, end = static_cast<int>(modes_.size());
        while (begin < end && !sees(begin)) ++begin;
        while (begin < end && !sees(end - 1)) --end;
        tiles.push_back({tile, ownerOfBlock_[static_cast<size_t>(tile / 2)], begin, end});
    }
    return tiles;
}

// Tiles of one half of the residues, one for each block.
std::vector<PassingTile> RankTransform::analysisTiles(int half, RingRange blocks) const {
    const OrderTiles& all = transform_.tiles_;
    const int perHalf = all.count() / kTileHalves;
    std::vector<PassingTile> tiles;
    for (int block = blocks.begin; block < blocks.end; ++block) {
        const int tile = half * perHalf + block, begin = all.firstPair(tile);
        tiles.push_back(
            {tile, ownerOfBlock_[static_cast<size_t>(block)], begin, begin + all.pairs(tile)});
    }
    return tiles;
}

void RankTransform::checkMap(size_t samples) const {
    transform_.checkMap(samples);
}

// On the order side of a synthesis.
std::vector<RankTransform::Target> RankTransform::forRings(const TileExchange& plan, int64_t half,
                                                           ModeTile* sent) const {
    std::vector<Target> to(static_cast<size_t>(ranks_.size()), {sent, 0});
    if (!workspace_) return to;
    const std::vector<int64_t> begins = plan.atRingsOfOthers();
    for (int other = 0; other < ranks_.size(); ++other)
        to[static_cast<size_t>(other)] = {
            workspaceOf(other), half + begins[static_cast<size_t>(other)] - plan.atOrders(other)};
    return to;
}

// On the ring side of an analysis.
std::vector<RankTransform::Target> RankTransform::forOrders(const TileExchange& plan,
                                                            ModeTile* sent, ModeTile* here) const {
    std::vector<Target> to(static_cast<size_t>(ranks_.size()), {sent, 0});
    to[static_cast<size_t>(ranks_.rank())] = {here, 0};
    if (!workspace_) return to;
    const std::vector<int64_t> begins = plan.atOrdersOfOthers();
    for (int other = 0; other < ranks_.size(); ++other)
        if (other != ranks_.rank())
            to[static_cast<size_t>(other)] = {
                workspaceOf(other), begins[static_cast<size_t>(other)] - plan.atRings(other)};
    return to;
}

void RankTransform::requireSlices(const char* what, int components, int64_t besides) {
    ARMILLA_ASSERT(components <= kMostComponents);
    const int64_t bytes = components * sliceBytes_;
    requireMemory(what, besides + std::max(int64_t{0}, bytes - inBuffer_));
    if (workspace_) inBuffer_ = std::max(inBuffer_, bytes);
}

void RankTransform::startWriting(JobContext& job) {
    if (!workspace_) return;
    const auto start = std::chrono::steady_clock::now();
    SharedBuffer::meet(ranks_, job);
    steps_.exchange += secondsSince(start);
}

void RankTransform::pass(const TileExchange& plan, const ModeTile* from, ModeTile* to, bool toRings,
                         JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    if (workspace_) {
        SharedBuffer::meet(ranks_, job);
        steps_.bytesSent += (toRings ? plan.ordersSize() : plan.ringsSize()) *
                            static_cast<int64_t>(sizeof(ModeTile));
        steps_.exchangedBy = ExchangedBy::SharedMemory;
    } else {
        send(plan, from, to, toRings, job);
    }
    steps_.exchange += secondsSince(start);
}

void RankTransform::send(const TileExchange& plan, const ModeTile* from, ModeTile* to, bool toRings,
                         JobContext& job) {
    std::vector<Ranks::ConstBytes> sends;
    std::vector<Ranks::Bytes> receives;
    for (int other = 0; other < ranks_.size(); ++other) {
        if (other == ranks_.rank()) {
            sends.emplace_back();
            receives.emplace_back();
            continue;
        }
        const int64_t orders = plan.atOrders(other), ordersEnd = plan.atOrders(other + 1);
        const int64_t rings = plan.atRings(other), ringsEnd = plan.atRings(other + 1);
        const int64_t first = toRings ? orders : rings, end = toRings ? ordersEnd : ringsEnd;
        const int64_t place = toRings ? rings : orders, placeEnd = toRings ? ringsEnd : ordersEnd;
        sends.push_back(std::as_bytes(std::span(from + first, from + end)));
        receives.push_back(std::as_writable_bytes(std::span(to + place, to + placeEnd)));
    }
    ranks_.exchange(sends, receives, job);
}

// Transfers the received tiles pair by pair of rings, so that all of a slice's orders of a pair are
// written together.
void RankTransform::takeToRings(const TileExchange& plan, const ModeTile* come,
                                std::span<const RingTransform::Spectrum> spectra, JobContext& job) {
    constexpr int kPairsAtOnce = 8;
    const std::vector<PassingTile>& tiles = plan.tiles();
    parallelFor(
        job, static_cast<long long>(transform_.pairs_.size()), kPairsAtOnce,
        [&](long long first, long long end) {
            for (size_t c = 0; c < spectra.size(); ++c)
                for (int place = static_cast<int>(first); place < static_cast<int>(end); ++place)
                    for (size_t i = 0; i < tiles.size(); ++i) {
                        const TileExchange::Part& part = plan.ringPart(i);
                        if (plan.isOwn(i) || place < part.places.begin || place >= part.places.end)
                            continue;
                        transform_.putPair(place, tiles[i].tile * kTileModes,
                                           come[part.of(static_cast<int>(c), place)], spectra[c]);
                    }
        });
}

template <typename Series, typename Load>
void RankTransform::synthesize(int spin, const Load& load, std::span<const MapSamples> maps,
                               const std::function<Series()>& make, JobContext& job,
                               bool overSine) {
    RingTransform& t = transform_;
    const int components = static_cast<int>(maps.size()), own = ranks_.rank();
    requireSlices("harmonic synthesis", components, t.synthesisBytes(maps));
    RingTransform::Workers<Series> workers(t, components, make, job.threads());
    std::vector<LargeArray<Complex>> tails;
    std::vector<RingTransform::Spectrum> spectra;
    for (const MapSamples& map : maps) {
        tails.emplace_back(t.tailCount_[map.index()]);
        spectra.emplace_back(map, tails.back().data(), overSine);
    }
    ModeTile* const sent =
        workspace_ ? nullptr : atOrders_.workspace(components * ofSynthesis_.orders);
    ModeTile* const received =
        workspace_ ? nullptr : atRings_.workspace(components * ofSynthesis_.rings);
    const auto share = 0.8 / static_cast<double>(slices_.size());
    startWriting(job);
    for (size_t slice = 0; slice < slices_.size(); ++slice) {
        const double done = static_cast<double>(slice) * share;
        JobContext part = job.part(done, done + share);
        const TileExchange plan(synthesisTiles(slices_[slice]), pairs(), own, components,
                                OwnPart::Nowhere);
        // One half of the shared memory is written while the other half is read.
        const int64_t half = static_cast<int64_t>(slice % 2) * components * halfOfBuffer_;
        const std::vector<Target> sums = forRings(plan, half, sent);
        ModeTile* const come = workspace_ ? workspaceOf(own) + half : received;
        StepClock start;
        parallelFor(
            part, static_cast<long long>(plan.ownTiles().size()), 1,
            [&](long long index, long long) {
                const TileExchange::OwnTile& tile = plan.ownTiles()[static_cast<size_t>(index)];
                workers.with([&](RingTransform::Worker<Series>& worker) {
                    t.sumOrders(load, tile.what.tile * kTileModes, worker, part);
                    for (int c = 0; c < components; ++c) {
                        part.poll();
                        t.takeToRings(spin, c, worker, [&](int pair, const ModeTile& modes) {
                            if (pair < tile.what.begin || pair >= tile.what.end) return;
                            const int to = places_.owner[static_cast<size_t>(pair)];
                            const int place = places_.place[static_cast<size_t>(pair)];
                            if (to == own)
                                return t.storePair(place, tile.what.tile * kTileModes, modes,
                                                   spectra[static_cast<size_t>(c)]);
                            const auto at = static_cast<size_t>(to);
                            sums[at].at(tile.parts[at].of(c, place)) = modes;
                        });
                    }
                });
            },
            "Legendre sums");
        start.stop(steps_.legendre, steps_.legendreProcessor);
        pass(plan, sent, come, true, part);
        start = StepClock();
        takeToRings(plan, come, spectra, part);
        start.stop(steps_.fft, steps_.fftProcessor);
    }
    JobContext fftJob = job.part(0.8, 1.0);
    const StepClock start;
    parallelFor(
        fftJob, static_cast<long long>(t.pairs_.size()), 1,
        [&](long long index, long long) {
            workers.with([&](RingTransform::Worker<Series>& worker) {
                t.transformPair(static_cast<int>(index), spectra, worker);
            });
        },
        "ring FFTs");
    start.stop(steps_.fft, steps_.fftProcessor);
    job.report(1.0, "ring FFTs");
}

// All pairs of an own tile, contiguous: the original data if it is contiguous, else a copy in
// `room`.
const ModeTile* RankTransform::gathered(const Chunks& chunks, size_t ownTile, int component,
                                        const ModeTile* sums,
                                        std::vector<ModeTile>& workspace) const {
    const PassingTile& what = chunks.plans[0].ownTiles()[ownTile].what;
    if (chunks.plans.size() == 1 && ranks_.size() == 1) {
        const TileExchange::Part& part = chunks.plans[0].ownTiles()[ownTile].parts[0];
        return sums + part.of(component, part.places.begin);
    }
    workspace.resize(static_cast<size_t>(what.end - what.begin));
    for (size_t chunk = 0; chunk < chunks.plans.size(); ++chunk) {
        const TileExchange& plan = chunks.plans[chunk];
        for (int from = 0; from < ranks_.size(); ++from) {
            const TileExchange::Part& part =
                plan.ownTiles()[ownTile].parts[static_cast<size_t>(from)];
            const ModeTile* next =
                sums + chunks.base[chunk] + part.of(component, part.places.begin);
            for (const auto& [first, last, place] : plan.pairsOf(from)) {
                const int begin = std::max(first, what.begin), end = std::min(last, what.end);
                if (begin >= end) continue;
                std::copy_n(next, end - begin, workspace.begin() + (begin - what.begin));
                next += end - begin;
            }
        }
    }
    return workspace.data();
}

template <typename Series, typename Save>
void RankTransform::accumulate(int spin, const Save& save, std::span<const ConstMapSamples> maps,
                               std::span<const double> weights, const std::function<Series()>& make,
                               JobContext& job) {
    const int components = static_cast<int>(maps.size());
    requireSlices("harmonic analysis", components, 0);
    RingTransform::Workers<Series> workers(transform_, components, make, job.threads());
    ModeTile* const sums = ofOrders(components);
    const auto share = 1.0 / static_cast<double>(kTileHalves * halfSlices_.size());
    double done = 0.0;
    for (int half = 0; half < kTileHalves; ++half)
        for (const RingRange slice : halfSlices_) {
            JobContext fftJob = job.part(done, done + 0.3 * share);
            JobContext legendreJob = job.part(done + 0.3 * share, done + share);
            done += share;
            const Chunks chunks = chunksOf(half, slice, components);
            startWriting(fftJob);
            tilesToOrders(half, slice, chunks, maps, weights, workers, fftJob);
            const StepClock start;
            const std::vector<TileExchange::OwnTile>& own = chunks.plans[0].ownTiles();
            parallelFor(
                legendreJob, static_cast<long long>(own.size()), 1,
                [&](long long index, long long) {
                    const auto at = static_cast<size_t>(index);
                    workers.with([&](RingTransform::Worker<Series>& worker) {
                        const auto tiles = [&](int c) {
                            return gathered(chunks, at, c, sums, worker.gathered);
                        };
                        transform_.sumTile(spin, save, components, own[at].what.tile, worker, tiles,
                                           legendreJob);
                    });
                },
                "Legendre sums");
            start.stop(steps_.legendre, steps_.legendreProcessor);
        }
    job.report(1.0, "Legendre sums");
}

// Ring transforms of all own pairs for a slice of one half of the orders, chunk by chunk. Each
// chunk goes to the ranks of the orders.
template <typename Series>
void RankTransform::tilesToOrders(int half, RingRange slice, const Chunks& chunks,
                                  std::span<const ConstMapSamples> maps,
                                  std::span<const double> weights,
                                  RingTransform::Workers<Series>& workers, JobContext& job) {
    RingTransform& t = transform_;
    const int components = static_cast<int>(maps.size()), own = ranks_.rank();
    ModeTile* const sums = ofOrders(components);
    ModeTile* const sent =
        workspace_ ? nullptr : atRings_.workspace(components * ofAnalysis_.rings);
    const int first = half * (t.tiles_.count() / kTileHalves) + slice.begin;
    const int end = first + slice.end - slice.begin;
    for (size_t chunk = 0; chunk < chunks.plans.size(); ++chunk) {
        const TileExchange& plan = chunks.plans[chunk];
        ModeTile* const at = sums + chunks.base[chunk];
        const RingRuns& pairs = plan.pairsOf(own);
        const std::vector<Target> modes = forOrders(plan, sent, at);
        const auto place = [&](int tile, int pair, size_t component) {
            const auto i = static_cast<size_t>(tile - first);
            return modes[static_cast<size_t>(plan.tiles()[i].owner)].from(
                plan.ringPart(i).of(static_cast<int>(component), pairs.before(pair)));
        };
        const double count = static_cast<double>(chunks.plans.size());
        JobContext part =
            job.part(static_cast<double>(chunk) / count, static_cast<double>(chunk + 1) / count);
        const StepClock start;
        parallelFor(
            part, pairs.count(), 1,
            [&](long long index, long long) {
                const int pair =
                    places_.place[static_cast<size_t>(pairs.at(static_cast<int>(index)))];
                workers.with([&](RingTransform::Worker<Series>& worker) {
                    t.tilesOfPair(pair, maps, weights, first, end, worker, place);
                });
            },
            "ring FFTs");
        start.stop(steps_.fft, steps_.fftProcessor);
        pass(plan, sent, at, false, part);
    }
}

void RankTransform::synthesizeScalar(std::span<const AlmShare> alm,
                                     std::span<const MapSamples> maps, JobContext& job,
                                     bool overSine) {
    const int count = static_cast<int>(maps.size()), lmax = alm[0].lmax();
    synthesize<ScalarSeries>(
        0,
        [&](ScalarSeries& series, int m) {
            series.prepare(m);
            for (int i = 0; i < count; ++i)
                series.setCoefficients(alm[static_cast<size_t>(i)].of(m), i);
        },
        maps, [&] { return ScalarSeries(lmax, count); }, job, overSine);
}

void RankTransform::synthesis(int spin, std::span<const AlmShare> alm,
                              std::span<const MapSamples> maps, JobContext& job) {
    checkNumbers(alm.size(), maps.size());
    for (const MapSamples& map : maps) checkMap(sizeOf(map));
    if (spin == 0) return synthesizeScalar(alm, maps, job);
    checkSpin(spin);
    synthesize<SpinSeries>(
        spin,
        [&](SpinSeries& series, int m) {
            series.prepare(m);
            series.setCoefficients(alm[0].of(m), alm[1].of(m));
        },
        maps, [&] { return SpinSeries(lmax_, spin, transform_.latitudes_); }, job);
}

void RankTransform::adjoint(int spin, std::span<const ConstMapSamples> maps,
                            std::span<const double> weights, std::span<AlmShare> alm, Before before,
                            JobContext& job) {
    checkNumbers(alm.size(), maps.size());
    for (const ConstMapSamples& map : maps) checkMap(sizeOf(map));
    if (before == Before::Replaced) clearShares(alm, job);
    if (spin == 0) {
        const int series = static_cast<int>(maps.size());
        accumulate<ScalarSeries>(
            0,
            [&](ScalarSeries& sums, int m) {
                for (int i = 0; i < series; ++i)
                    sums.addCoefficients(alm[static_cast<size_t>(i)].of(m), i);
            },
            maps, weights, [&] { return ScalarSeries(lmax_, series); }, job);
        return;
    }
    checkSpin(spin);
    accumulate<SpinSeries>(
        spin,
        [&](SpinSeries& series, int m) { series.addCoefficients(alm[0].of(m), alm[1].of(m)); },
        maps, weights, [&] { return SpinSeries(lmax_, spin, transform_.latitudes_); }, job);
}

void RankTransform::gradient(const AlmShare& alm, MapSamples dTheta, MapSamples dPhi,
                             JobContext& job) {
    checkMap(sizeOf(dTheta));
    checkMap(sizeOf(dPhi));
    refusePoles();
    const AlmShare images[] = {derivativeOf(alm, GradientPart::Theta, job),
                               derivativeOf(alm, GradientPart::Phi, job)};
    const MapSamples maps[] = {dTheta, dPhi};
    synthesizeScalar(images, maps, job, true);
}

}  // namespace armilla
