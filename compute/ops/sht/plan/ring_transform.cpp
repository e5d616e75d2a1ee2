// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/ring_transform.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "shared/legendre_recurrence.h"
#include "shared/map_groups.h"
#include "shared/new_alm.h"
#include "shared/shape_checks.h"
#include "sht/plan/ring_passes.h"
#include "sht/storage/large_array.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Interpolation in latitude pays if it reduces the number of latitudes by this factor. Below this
// lmax a transform takes milliseconds.
constexpr double kResamplingGain = 1.25;
constexpr int kResamplingLmax = 256;

// Maps whose sums use one recurrence: more would save little and need more registers.
constexpr size_t kBatch = 2;

std::span<const Complex> column(const Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}
std::span<Complex> column(Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}

}  // namespace

RingTransform::RingTransform(RingGrid grid, int lmax, int mmax, JobContext& job, LatitudeSums sums)
    : grid_(std::move(grid)), lmax_(lmax), mmax_(mmax), fft_(grid_, job) {
    checkOrders();
    pairRings();
    const RingRange all{0, static_cast<int>(pairs_.size())};
    own_ = RingRuns({&all, 1});
    std::vector<Ring> northern;
    std::vector<int> modes;
    for (const RingPair& pair : pairs_) {
        northern.push_back(grid_.rings[static_cast<size_t>(pair.north)]);
        modes.push_back(pair.modes);
    }
    placeLatitudes(std::move(northern), modes, sums);
}

RingTransform::RingTransform(const RingPart& part, int lmax, int mmax, JobContext& job,
                             LatitudeSums sums)
    : grid_(part.grid),
      lmax_(lmax),
      mmax_(mmax),
      own_(part.pairs),
      fft_(grid_, job, part.fftLibrary) {
    checkOrders();
    pairRings();
    placeLatitudes(part.northern, part.modes, sums);
}

void RingTransform::checkOrders() const {
    if (lmax_ < 0 || mmax_ < 0 || mmax_ > lmax_)
        throw InvalidArgument("expected 0 <= mmax <= lmax, found lmax " + std::to_string(lmax_) +
                              ", mmax " + std::to_string(mmax_));
}

// Sets the latitudes of the Legendre sums for pairs of rings with these northern rings.
void RingTransform::placeLatitudes(std::vector<Ring> northern, std::span<const int> modes,
                                   LatitudeSums sums) {
    allPairs_ = static_cast<int>(northern.size());
    tiles_ = OrderTiles(modes, mmax_);
    // lmax + 1, because the gradient needs one more degree.
    if (sums == LatitudeSums::WherePays && lmax_ >= kResamplingLmax &&
        kResamplingGain * ThetaResampling::sourcePairs(lmax_ + 1) <
            static_cast<double>(northern.size())) {
        resampling_.emplace(lmax_ + 1, northern);
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
    auto start = std::chrono::steady_clock::now();
    parallelFor(
        legendreJob, mmax_ / kTileModes + 1, 1,
        [&](long long tile, long long) {
            const int firstMode = static_cast<int>(tile) * kTileModes;
            workers.with([&](Worker<Series>& worker) {
                sumOrders(load, firstMode, worker, legendreJob);
                for (int c = 0; c < components; ++c) {
                    legendreJob.poll();
                    const Spectrum& spectrum = spectra[static_cast<size_t>(c)];
                    takeToRings(spin, c, worker, [&](int pair, const ModeTile& modes) {
                        storePair(pair, firstMode, modes, spectrum);
                    });
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
            workers.with([&](Worker<Series>& worker) {
                transformPair(static_cast<int>(index), spectra, worker);
            });
        },
        "ring FFTs");
    steps_.fft = secondsSince(start);
    job.report(1.0, "ring FFTs");
}

template <typename Series>
void RingTransform::tilesFromRings(std::span<const ConstMapSamples> maps,
                                   std::span<const double> weights, int begin, int end,
                                   double level, Workers<Series>& workers, JobContext& job) {
    const auto place = [&](int tile, int pair, size_t component) {
        return scratch_[component].data() + (tiles_.offset(tile) - tiles_.offset(begin)) +
               (pair - tiles_.firstPair(tile));
    };
    parallelFor(
        job, static_cast<long long>(pairs_.size()), 1,
        [&](long long index, long long) {
            workers.with([&](Worker<Series>& worker) {
                tilesOfPair(static_cast<int>(index), maps, weights, begin, end, worker, place,
                            level);
            });
        },
        "ring FFTs");
}

template <typename Series, typename Save>
void RingTransform::sumsFromTiles(int spin, const Save& save, int components, int begin, int end,
                                  Workers<Series>& workers, JobContext& job) {
    parallelFor(
        job, end - begin, 1,
        [&](long long index, long long) {
            const int tile = begin + static_cast<int>(index);
            const auto tiles = [&](int component) {
                return scratch_[static_cast<size_t>(component)].data() +
                       (tiles_.offset(tile) - tiles_.offset(begin));
            };
            workers.with([&](Worker<Series>& worker) {
                sumTile(spin, save, components, tile, worker, tiles, job);
            });
        },
        "Legendre sums");
}

template <typename Series, typename Save>
void RingTransform::accumulate(int spin, const Save& save, std::span<const ConstMapSamples> maps,
                               std::span<const double> weights, const std::function<Series()>& make,
                               JobContext& job, double level) {
    if (stage_ != nullptr && level != 0.0)
        throw InvalidArgument("expected no level to subtract beside a ring stage, found one");
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
        tilesFromRings(maps, weights, bounds[i - 1], bounds[i], level, workers, fftJob);
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
                            std::span<Alm> alm, JobContext& job, double level) {
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
            maps.subspan(first, count), weights, [&] { return ScalarSeries(lmax_, series); }, share,
            level);
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
