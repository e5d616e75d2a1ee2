// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/ring_transform.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <mutex>

#include "core/error.h"
#include "core/memory_limit.h"
#include "shared/legendre_recurrence.h"
#include "shared/map_groups.h"
#include "shared/new_alm.h"
#include "shared/shape_checks.h"
#include "sht/storage/large_array.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Interpolation in latitude pays if it saves this share of the rings; below this lmax all is over
// in milliseconds.
constexpr double kResamplingGain = 1.25;
constexpr int kResamplingLmax = 256;

// Of this many rings a spin s > 0 sum takes about 10 ms: between such slices a stop is tested.
int ringsBetweenPolls(int lmax) {
    return std::max(kRingGroup, (1 << 24) / (lmax + 1) / kRingGroup * kRingGroup);
}

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Maps whose sums share a recurrence: more would save little more and ask for more registers.
constexpr size_t kBatch = 2;

std::span<const Complex> column(const Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}
std::span<Complex> column(Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}

}  // namespace

// What one thread needs; `planes`: for kTileModes orders, in a synthesis successive ones, the F_m
// where the Legendre sums are formed.
template <typename Series>
struct RingTransform::Worker {
    Series series;
    RingFft::Workspace fft;
    AlignedArray<double> sums;
    ThetaResampling::Planes planes{};
    std::optional<ThetaResampling::Workspace> resampling;
    TileRuns tiles;  // of the pair of rings at hand
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
            Worker<Series>& worker = all_.emplace_back(
                Worker<Series>{make(), RingFft::Workspace(t.fft_, t.mmax_), {}, {}, {}, {}});
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

RingTransform::RingTransform(RingGrid grid, int lmax, int mmax, JobContext& job, LatitudeSums sums)
    : grid_(std::move(grid)), lmax_(lmax), mmax_(mmax), fft_(grid_, job) {
    if (lmax < 0 || mmax < 0 || mmax > lmax)
        throw InvalidArgument("expected 0 <= mmax <= lmax, found lmax " + std::to_string(lmax) +
                              ", mmax " + std::to_string(mmax));
    pairRings();
    std::vector<Ring> northern;
    std::vector<int> modes;
    for (const RingPair& pair : pairs_) {
        northern.push_back(grid_.rings[static_cast<size_t>(pair.north)]);
        modes.push_back(pair.modes);
    }
    tiles_ = OrderTiles(modes, mmax_);
    // One degree more than lmax: the gradient takes it.
    if (sums == LatitudeSums::WherePays && lmax >= kResamplingLmax &&
        kResamplingGain * ThetaResampling::sourcePairs(lmax + 1) <
            static_cast<double>(pairs_.size())) {
        resampling_.emplace(lmax + 1, northern);
        northern = resampling_->sourceRings();
    }
    latitudes_ = RingLatitudes(northern);
    useful_ = UsefulRings(latitudes_, lmax_ + 1, mmax_, kMaxSpin);
}

void RingTransform::checkMap(size_t samples) const {
    if (samples != static_cast<size_t>(grid_.sampleCount()))
        throw InvalidArgument("expected a map of " + std::to_string(grid_.sampleCount()) +
                              " samples, found " + std::to_string(samples));
}

void RingTransform::checkAlm(const Alm& alm) const {
    armilla::checkAlm(alm, lmax_, mmax_);
}

template <typename Series, typename Load>
void RingTransform::synthesize(int spin, const Load& load, std::span<const MapSamples> maps,
                               const std::function<Series()>& make, JobContext& job,
                               bool overSine) {
    const int components = static_cast<int>(maps.size());
    requireMemory("harmonic synthesis", synthesisBytes(maps));
    Workers<Series> workers(*this, components, make, job.threads());
    std::vector<LargeArray<Complex>> tails;
    std::vector<Spectrum> spectra;
    for (const MapSamples& map : maps) {
        tails.emplace_back(tailCount_[map.index()]);
        spectra.emplace_back(map, tails.back().data(), overSine);
    }

    JobContext legendreJob = job.part(0.0, 0.7), fftJob = job.part(0.7, 1.0);
    const int slice = ringsBetweenPolls(lmax_);
    auto start = std::chrono::steady_clock::now();
    parallelFor(
        legendreJob, mmax_ / kTileModes + 1, 1,
        [&](long long tile, long long) {
            const int firstMode = static_cast<int>(tile) * kTileModes;
            workers.with([&](Worker<Series>& worker) {
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
                        legendreJob.poll();
                        worker.series.synthesize(latitudes_, at,
                                                 std::min(slice, latitudes_.count - at), out + at,
                                                 planes.stride);
                    }
                }
                for (int c = 0; c < components; ++c) {
                    legendreJob.poll();
                    const Spectrum& spectrum = spectra[static_cast<size_t>(c)];
                    if (resampling_)
                        resampling_->interpolate(planes, c * kPlanes, spin, *worker.resampling,
                                                 [&](int pair, const ModeTile& modes) {
                                                     storePair(pair, firstMode, modes, spectrum);
                                                 });
                    else
                        store(planes, c, firstMode, spectrum);
                }
            });
        },
        "Legendre sums");
    steps_.legendre = secondsSince(start);

    start = std::chrono::steady_clock::now();
    if (stage_ != nullptr) {
        const auto read = [&](int pair, bool south, int component, std::vector<Complex>& out) {
            const RingModes modes = modesOf(pairs_[static_cast<size_t>(pair)], south,
                                            spectra[static_cast<size_t>(component)]);
            out.resize(static_cast<size_t>(modes.count));
            for (int m = 0; m < modes.count; ++m) out[static_cast<size_t>(m)] = modes.at(m);
        };
        const double sums = steps_.legendre;
        steps_ = stage_->synthesize(spin, read, maps, fftJob);
        steps_.legendre = sums;
        return;
    }
    parallelFor(
        fftJob, static_cast<long long>(pairs_.size()), 1,
        [&](long long index, long long) {
            const RingPair& pair = pairs_[static_cast<size_t>(index)];
            const Ring& north = grid_.rings[static_cast<size_t>(pair.north)];
            const auto toSamples = [&]<typename Sample>(std::span<Sample> map,
                                                        const Spectrum& spectrum,
                                                        RingFft::Workspace& work) {
                RingFft::Side<Sample> sides[2];
                sides[0] = {map.data() + north.first, modesOf(pair, false, spectrum)};
                if (pair.south >= 0)
                    sides[1] = {map.data() + grid_.rings[static_cast<size_t>(pair.south)].first,
                                modesOf(pair, true, spectrum)};
                fft_.synthesize(north, sides[0], sides[1], work);
            };
            workers.with([&](Worker<Series>& worker) {
                for (const Spectrum& spectrum : spectra)
                    std::visit([&](const auto& map) { toSamples(map, spectrum, worker.fft); },
                               spectrum.rings);
            });
        },
        "ring FFTs");
    steps_.fft = secondsSince(start);
    job.report(1.0, "ring FFTs");
}

template <typename Series>
void RingTransform::tilesFromRings(std::span<const ConstMapSamples> maps,
                                   std::span<const double> weights, int begin, int end,
                                   Workers<Series>& workers, JobContext& job) {
    const auto place = [&](int tile, int pair, size_t component) {
        return scratch_[component].data() + (tiles_.offset(tile) - tiles_.offset(begin)) +
               (pair - tiles_.firstPair(tile));
    };
    parallelFor(
        job, static_cast<long long>(pairs_.size()), 1,
        [&](long long index, long long) {
            const int at = static_cast<int>(index);
            const RingPair& pair = pairs_[static_cast<size_t>(index)];
            const Ring& north = grid_.rings[static_cast<size_t>(pair.north)];
            const auto fromSamples = [&]<typename Sample>(std::span<const Sample> map,
                                                          Worker<Series>& worker) {
                RingFft::WeightedSide<Sample> sides[2];
                sides[0] = {map.data() + north.first, weights[static_cast<size_t>(pair.north)]};
                if (pair.south >= 0)
                    sides[1] = {map.data() + grid_.rings[static_cast<size_t>(pair.south)].first,
                                weights[static_cast<size_t>(pair.south)]};
                fft_.analyze(north, sides[0], sides[1], pair.modes, worker.tiles, worker.fft);
            };
            workers.with([&](Worker<Series>& worker) {
                for (size_t c = 0; c < maps.size(); ++c) {
                    for (TileRun& run : worker.tiles.half) run.tiles.clear();
                    for (int tile = begin; tile < end; ++tile) {
                        if (at < tiles_.firstPair(tile) ||
                            at >= tiles_.firstPair(tile) + tiles_.pairs(tile))
                            continue;
                        TileRun& run = worker.tiles.half[tiles_.half(tile)];
                        if (run.tiles.empty()) run.first = tiles_.place(tile);
                        run.tiles.push_back(place(tile, at, c));
                    }
                    if (worker.tiles.empty()) return;
                    if (stage_ != nullptr)
                        stage_->tiles(at, static_cast<int>(c), pair.modes, worker.tiles);
                    else
                        std::visit([&](const auto& map) { fromSamples(map, worker); }, maps[c]);
                }
            });
        },
        "ring FFTs");
}

template <typename Series, typename Save>
void RingTransform::sumsFromTiles(int spin, const Save& save, int components, int begin, int end,
                                  Workers<Series>& workers, JobContext& job) {
    const int slice = ringsBetweenPolls(lmax_);
    parallelFor(
        job, end - begin, 1,
        [&](long long index, long long) {
            const int tile = begin + static_cast<int>(index);
            if (tiles_.pairs(tile) == 0) return;
            workers.with([&](Worker<Series>& worker) {
                const ThetaResampling::Planes& planes = worker.planes;
                for (int c = 0; c < components; ++c) {
                    job.poll();
                    const ModeTile* const tiles = scratch_[static_cast<size_t>(c)].data() +
                                                  (tiles_.offset(tile) - tiles_.offset(begin));
                    if (resampling_)
                        resampling_->spread(planes, c * kPlanes, spin, *worker.resampling, tiles,
                                            tiles_.firstPair(tile), tiles_.pairs(tile));
                    else
                        fetch(planes, c, tile, tiles);
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
                        worker.series.accumulate(latitudes_, at,
                                                 std::min(slice, latitudes_.count - at), in + at,
                                                 planes.stride);
                    }
                    save(worker.series, m);
                }
            });
        },
        "Legendre sums");
}

template <typename Series, typename Save>
void RingTransform::accumulate(int spin, const Save& save, std::span<const ConstMapSamples> maps,
                               std::span<const double> weights, const std::function<Series()>& make,
                               JobContext& job) {
    const int components = static_cast<int>(maps.size());
    size_t precision = 1;
    for (const ConstMapSamples& map : maps) precision = std::min(precision, map.index());
    const size_t capacity = capacityFor(components, precision);
    requireMemory("harmonic analysis", analysisBytes(components, precision));
    Workers<Series> workers(*this, components, make, job.threads());
    if (capacity != capacity_) scratch_.clear();
    capacity_ = capacity;
    while (scratch_.size() < maps.size()) scratch_.emplace_back(capacity);
    const std::vector<int> bounds = tiles_.sliceBounds(capacity);
    steps_ = {};
    if (stage_ != nullptr) {
        JobContext rings(job.stopToken(), {}, job.threads());
        steps_ = stage_->analyze(spin, maps, weights, rings);
    }
    for (size_t i = 1; i < bounds.size(); ++i) {
        const double done = static_cast<double>(i - 1) / static_cast<double>(bounds.size() - 1);
        const double share = 1.0 / static_cast<double>(bounds.size() - 1);
        JobContext fftJob = job.part(done, done + 0.3 * share);
        JobContext legendreJob = job.part(done + 0.3 * share, done + share);
        auto start = std::chrono::steady_clock::now();
        tilesFromRings(maps, weights, bounds[i - 1], bounds[i], workers, fftJob);
        (stage_ == nullptr ? steps_.fft : steps_.transfer) += secondsSince(start);
        start = std::chrono::steady_clock::now();
        sumsFromTiles(spin, save, components, bounds[i - 1], bounds[i], workers, legendreJob);
        steps_.legendre += secondsSince(start);
    }
    job.report(1.0, "Legendre sums");
}

void RingTransform::synthesizeScalar(std::span<const Alm> alm, std::span<const MapSamples> maps,
                                     JobContext& job, bool overSine) {
    const int count = static_cast<int>(maps.size()), lmax = alm[0].lmax();
    synthesize<ScalarSeries>(
        0,
        [&](ScalarSeries& series, int m) {
            series.prepare(m);
            for (int i = 0; i < count; ++i)
                series.setCoefficients(column(alm[static_cast<size_t>(i)], m), i);
        },
        maps, [&] { return ScalarSeries(lmax, count); }, job, overSine);
}

void RingTransform::synthesis(std::span<const Alm> alm, std::span<const MapSamples> maps,
                              JobContext& job) {
    checkNumbers(alm.size(), maps.size());
    for (const Alm& one : alm) checkAlm(one);
    for (const MapSamples& map : maps) checkMap(sizeOf(map));
    ShtSteps steps;
    forEachGroup(maps.size(), kBatch, job, [&](size_t first, size_t count, JobContext& share) {
        synthesizeScalar(alm.subspan(first, count), maps.subspan(first, count), share);
        steps += steps_;
    });
    steps_ = steps;
}

void RingTransform::synthesis(const Alm& alm, MapSamples map, JobContext& job) {
    synthesis({&alm, 1}, {&map, 1}, job);
}

void RingTransform::adjoint(std::span<const ConstMapSamples> maps, std::span<const double> weights,
                            std::span<Alm> alm, JobContext& job) {
    checkNumbers(alm.size(), maps.size());
    for (const Alm& one : alm) checkAlm(one);
    for (const ConstMapSamples& map : maps) checkMap(sizeOf(map));
    ShtSteps steps;
    forEachGroup(maps.size(), kBatch, job, [&](size_t first, size_t count, JobContext& share) {
        const int series = static_cast<int>(count);
        accumulate<ScalarSeries>(
            0,
            [&](ScalarSeries& sums, int m) {
                for (int i = 0; i < series; ++i)
                    sums.addCoefficients(column(alm[first + static_cast<size_t>(i)], m), i);
            },
            maps.subspan(first, count), weights, [&] { return ScalarSeries(lmax_, series); },
            share);
        steps += steps_;
    });
    steps_ = steps;
}

void RingTransform::adjoint(ConstMapSamples map, std::span<const double> weights, Alm& alm,
                            JobContext& job) {
    adjoint({&map, 1}, weights, {&alm, 1}, job);
}

void RingTransform::synthesisSpin(int spin, const Alm& e, const Alm& b, MapSamples q, MapSamples u,
                                  JobContext& job) {
    checkSpin(spin);
    checkAlm(e);
    checkAlm(b);
    checkMap(sizeOf(q));
    checkMap(sizeOf(u));
    const MapSamples maps[] = {q, u};
    synthesize<SpinSeries>(
        spin,
        [&](SpinSeries& series, int m) {
            series.prepare(m);
            series.setCoefficients(column(e, m), column(b, m));
        },
        maps, [&] { return SpinSeries(lmax_, spin, latitudes_); }, job);
}

void RingTransform::adjointSpin(int spin, ConstMapSamples q, ConstMapSamples u,
                                std::span<const double> weights, Alm& e, Alm& b, JobContext& job) {
    checkSpin(spin);
    checkAlm(e);
    checkAlm(b);
    checkMap(sizeOf(q));
    checkMap(sizeOf(u));
    const ConstMapSamples maps[] = {q, u};
    accumulate<SpinSeries>(
        spin,
        [&](SpinSeries& series, int m) { series.addCoefficients(column(e, m), column(b, m)); },
        maps, weights, [&] { return SpinSeries(lmax_, spin, latitudes_); }, job);
}

void RingTransform::gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) {
    checkAlm(alm);
    checkMap(sizeOf(dTheta));
    checkMap(sizeOf(dPhi));
    if (grid_.rings.front().sinTheta == 0.0 || grid_.rings.back().sinTheta == 0.0)
        throw InvalidArgument("expected a grid without poles for the gradient, found one with");
    Alm images[] = {newAlm(lmax_ + 1, mmax_, job), newAlm(lmax_ + 1, mmax_, job)};
    const auto at = [&](int l, int m) { return l < m || l > lmax_ ? Complex(0.0) : alm(l, m); };
    parallelFor(job, mmax_ + 1, orderGrain(lmax_), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < static_cast<int>(end); ++m)
            for (int l = m; l <= lmax_ + 1; ++l) {
                images[0](l, m) = (l - 1.0) * scalarEpsilon(l, m) * at(l - 1, m) -
                                  (l + 2.0) * scalarEpsilon(l + 1, m) * at(l + 1, m);
                images[1](l, m) = Complex(0.0, m) * at(l, m);
            }
    });
    const MapSamples maps[] = {dTheta, dPhi};
    synthesizeScalar(images, maps, job, true);
}

}  // namespace armilla
