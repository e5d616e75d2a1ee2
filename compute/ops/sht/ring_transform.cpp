// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/ring_transform.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <mutex>

#include "core/error.h"
#include "core/memory_limit.h"
#include "shared/legendre_recurrence.h"
#include "shared/new_alm.h"
#include "sht/large_array.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Successive m worked on together: what they write to a ring fills whole cache lines.
constexpr int kTileModes = kResampledModes;
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

std::span<const Complex> column(const Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}
void checkSpin(int spin) {
    if (spin < 1 || spin > kMaxSpin)
        throw InvalidArgument("expected spin from 1 to " + std::to_string(kMaxSpin) + ", found " +
                              std::to_string(spin));
}
std::span<Complex> column(Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}

}  // namespace

// What one thread needs; `planes`: for successive m = firstMode .. firstMode + kTileModes - 1 the
// F_m where the Legendre sums are formed.
template <typename Series>
struct RingTransform::Worker {
    Series series;
    RingFft::Workspace fft;
    AlignedArray<double> sums;
    ThetaResampling::Planes planes{};
    std::optional<ThetaResampling::Workspace> resampling;
};

// One Worker for each thread, borrowed by the ranges of a parallel loop.
template <typename Series>
class RingTransform::Workers {
public:
    Workers(const RingTransform& t, int components, const std::function<Series()>& make,
            int threads) {
        threads = std::min(threads,
                           std::max(t.mmax_ / kTileModes + 1, static_cast<int>(t.pairs_.size())));
        const int planes = components * kPlanes;
        for (int i = 0; i < threads; ++i) {
            Worker<Series>& worker = all_.emplace_back(
                Worker<Series>{make(), RingFft::Workspace(t.fft_, t.mmax_), {}, {}, {}});
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
    for (const RingPair& pair : pairs_)
        northern.push_back(grid_.rings[static_cast<size_t>(pair.north)]);
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

// For every l <= lmax + 1, which the gradient takes, and every spin. Rings pair up where the grid
// is symmetric about the equator; others stand alone.
void RingTransform::pairRings() {
    int north = 0, south = static_cast<int>(grid_.rings.size()) - 1;
    while (north <= south) {
        const Ring& n = grid_.rings[static_cast<size_t>(north)];
        const Ring& s = grid_.rings[static_cast<size_t>(south)];
        const bool alike = north < south && n.z == -s.z && n.count == s.count && n.phi0 == s.phi0;
        pairs_.push_back({north, alike ? south : -1,
                          usefulModes(lmax_ + 1, mmax_, kMaxSpin, n.sinTheta, n.z), tailCount_});
        tailCount_ += 2 * static_cast<size_t>(modesInTail(pairs_.back()));
        ++north;
        if (alike) --south;
    }
}

int RingTransform::modesInTail(const RingPair& pair) const {
    const Ring& ring = grid_.rings[static_cast<size_t>(pair.north)];
    return std::max(0, pair.modes - modesInRing(ring.count));
}

RingModes RingTransform::modesOf(const RingPair& pair, bool south, const Spectrum& spectrum) const {
    const Ring& ring = grid_.rings[static_cast<size_t>(south ? pair.south : pair.north)];
    const size_t tail = pair.tail + static_cast<size_t>(south ? modesInTail(pair) : 0);
    // An array of doubles may be taken as one of half as many complex numbers.
    return {reinterpret_cast<Complex*>(spectrum.rings + ring.first), spectrum.tails + tail,
            modesInRing(ring.count), pair.modes};
}

void RingTransform::checkMap(size_t samples) const {
    if (samples != static_cast<size_t>(grid_.sampleCount()))
        throw InvalidArgument("expected a map of " + std::to_string(grid_.sampleCount()) +
                              " samples, found " + std::to_string(samples));
}

void RingTransform::checkAlm(const Alm& alm) const {
    if (alm.lmax() != lmax_ || alm.mmax() != mmax_)
        throw InvalidArgument("expected alm of lmax " + std::to_string(lmax_) + ", mmax " +
                              std::to_string(mmax_) + ", found " + std::to_string(alm.lmax()) +
                              ", " + std::to_string(alm.mmax()));
}

// Each ring lies in pages of its own: asks for the place of a tile in the rings of a later pair.
void RingTransform::prefetch(int index, int firstMode, const Spectrum& spectrum) const {
    constexpr int kAhead = 12, kLine = 8;  // pairs; doubles of a cache line
    if (index + kAhead >= static_cast<int>(pairs_.size())) return;
    const RingPair& pair = pairs_[static_cast<size_t>(index + kAhead)];
    if (firstMode >=
        std::min(pair.modes, modesInRing(grid_.rings[static_cast<size_t>(pair.north)].count)))
        return;
    for (const int r : {pair.north, std::max(pair.south, 0)}) {
        const double* const place =
            spectrum.rings + grid_.rings[static_cast<size_t>(r)].first + 2 * firstMode;
        __builtin_prefetch(place, 1);
        __builtin_prefetch(place + kLine, 1);
    }
}

// F_m of a tile to the spectra of a pair of rings.
void RingTransform::storePair(int index, int firstMode, ThetaResampling::Modes& tile,
                              const Spectrum& spectrum) const {
    prefetch(index, firstMode, spectrum);
    const RingPair& pair = pairs_[static_cast<size_t>(index)];
    const int count = std::min(kTileModes, pair.modes - firstMode);
    if (count <= 0) return;
    const auto put = [&](const RingModes& modes, bool south) {
        if (count == kTileModes && firstMode + kTileModes <= modes.headCount) {
            Complex* const to = modes.head + firstMode;
            for (int i = 0; i < kTileModes; ++i) to[i] = tile.parity[south ? 1 : 0][i & 1][i / 2];
            return;
        }
        for (int i = 0; i < count; ++i)
            modes.at(firstMode + i) = tile.parity[south ? 1 : 0][i & 1][i / 2];
    };
    put(modesOf(pair, false, spectrum), false);
    if (pair.south >= 0) put(modesOf(pair, true, spectrum), true);
}

// The reverse; 0 where there are no modes.
void RingTransform::fetchPair(int index, int firstMode, ThetaResampling::Modes& tile,
                              const Spectrum& spectrum) const {
    prefetch(index, firstMode, spectrum);
    const RingPair& pair = pairs_[static_cast<size_t>(index)];
    const int count = std::min(kTileModes, pair.modes - firstMode);
    if (count < kTileModes || pair.south < 0) tile = {};
    if (count <= 0) return;
    const auto take = [&](const RingModes& modes, bool south) {
        if (count == kTileModes && firstMode + kTileModes <= modes.headCount) {
            const Complex* const from = modes.head + firstMode;
            for (int i = 0; i < kTileModes; ++i) tile.parity[south ? 1 : 0][i & 1][i / 2] = from[i];
            return;
        }
        for (int i = 0; i < count; ++i)
            tile.parity[south ? 1 : 0][i & 1][i / 2] = modes.at(firstMode + i);
    };
    take(modesOf(pair, false, spectrum), false);
    if (pair.south >= 0) take(modesOf(pair, true, spectrum), true);
}

// The same for all pairs, from and to planes.
void RingTransform::store(const ThetaResampling::Planes& planes, int component, int firstMode,
                          const Spectrum& spectrum) const {
    const double* const base = planes.data + component * kPlanes * planes.stride;
    const ptrdiff_t modeStride = planes.planesOfMode * planes.stride;
    ThetaResampling::Modes tile;
    for (size_t p = 0; p < pairs_.size(); ++p) {
        const double* in = base + p;
        for (int i = 0; i < kTileModes; ++i, in += modeStride) {
            tile.north(i) = {in[0], in[planes.stride]};
            tile.south(i) = {in[2 * planes.stride], in[3 * planes.stride]};
        }
        storePair(static_cast<int>(p), firstMode, tile, spectrum);
    }
}
void RingTransform::fetch(const ThetaResampling::Planes& planes, int component, int firstMode,
                          const Spectrum& spectrum) const {
    double* const base = planes.data + component * kPlanes * planes.stride;
    const ptrdiff_t modeStride = planes.planesOfMode * planes.stride;
    ThetaResampling::Modes tile;
    for (size_t p = 0; p < pairs_.size(); ++p) {
        fetchPair(static_cast<int>(p), firstMode, tile, spectrum);
        double* out = base + p;
        for (int i = 0; i < kTileModes; ++i, out += modeStride) {
            out[0] = tile.north(i).real();
            out[planes.stride] = tile.north(i).imag();
            out[2 * planes.stride] = tile.south(i).real();
            out[3 * planes.stride] = tile.south(i).imag();
        }
    }
}

template <typename Series, typename Load>
void RingTransform::synthesize(int spin, const Load& load, std::span<double* const> maps,
                               const std::function<Series()>& make, JobContext& job) {
    const int components = static_cast<int>(maps.size());
    requireMemory("harmonic synthesis", synthesisBytes(components));
    Workers<Series> workers(*this, components, make, job.threads());
    LargeArray<Complex> tails(tailCount_ * maps.size());
    std::vector<Spectrum> spectra;
    for (size_t i = 0; i < maps.size(); ++i)
        spectra.push_back({maps[i], tails.data() + i * tailCount_});

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
                                                 [&](int pair, ThetaResampling::Modes& modes) {
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
    parallelFor(
        fftJob, static_cast<long long>(pairs_.size()), 1,
        [&](long long index, long long) {
            const RingPair& pair = pairs_[static_cast<size_t>(index)];
            const Ring& north = grid_.rings[static_cast<size_t>(pair.north)];
            workers.with([&](Worker<Series>& worker) {
                for (const Spectrum& spectrum : spectra) {
                    RingFft::Side sides[2];
                    sides[0] = {spectrum.rings + north.first, modesOf(pair, false, spectrum)};
                    if (pair.south >= 0)
                        sides[1] = {
                            spectrum.rings + grid_.rings[static_cast<size_t>(pair.south)].first,
                            modesOf(pair, true, spectrum)};
                    fft_.synthesize(north, sides[0], sides[1], worker.fft);
                }
            });
        },
        "ring FFTs");
    steps_.fft = secondsSince(start);
    job.report(1.0, "ring FFTs");
}

template <typename Series, typename Save>
void RingTransform::accumulate(int spin, const Save& save, std::span<const double* const> maps,
                               std::span<const double> weights, const std::function<Series()>& make,
                               JobContext& job) {
    const int components = static_cast<int>(maps.size());
    requireMemory("harmonic analysis", analysisBytes(components));
    Workers<Series> workers(*this, components, make, job.threads());
    LargeArray<Complex> tails(tailCount_ * maps.size());
    std::vector<Spectrum> spectra;
    for (size_t i = 0; i < maps.size(); ++i) {
        if (i == scratch_.size()) scratch_.emplace_back(static_cast<size_t>(grid_.sampleCount()));
        spectra.push_back({scratch_[i].data(), tails.data() + i * tailCount_});
    }

    JobContext fftJob = job.part(0.0, 0.3), legendreJob = job.part(0.3, 1.0);
    auto start = std::chrono::steady_clock::now();
    parallelFor(
        fftJob, static_cast<long long>(pairs_.size()), 1,
        [&](long long index, long long) {
            const RingPair& pair = pairs_[static_cast<size_t>(index)];
            const Ring& north = grid_.rings[static_cast<size_t>(pair.north)];
            workers.with([&](Worker<Series>& worker) {
                for (size_t i = 0; i < maps.size(); ++i) {
                    RingFft::WeightedSide sides[2];
                    sides[0] = {maps[i] + north.first, weights[static_cast<size_t>(pair.north)],
                                modesOf(pair, false, spectra[i])};
                    if (pair.south >= 0)
                        sides[1] = {maps[i] + grid_.rings[static_cast<size_t>(pair.south)].first,
                                    weights[static_cast<size_t>(pair.south)],
                                    modesOf(pair, true, spectra[i])};
                    fft_.analyze(north, sides[0], sides[1], worker.fft);
                }
            });
        },
        "ring FFTs");
    steps_.fft = secondsSince(start);

    const int slice = ringsBetweenPolls(lmax_);
    start = std::chrono::steady_clock::now();
    parallelFor(
        legendreJob, mmax_ / kTileModes + 1, 1,
        [&](long long tile, long long) {
            const int firstMode = static_cast<int>(tile) * kTileModes;
            workers.with([&](Worker<Series>& worker) {
                const ThetaResampling::Planes& planes = worker.planes;
                for (int c = 0; c < components; ++c) {
                    legendreJob.poll();
                    const Spectrum& spectrum = spectra[static_cast<size_t>(c)];
                    if (resampling_)
                        resampling_->spread(planes, c * kPlanes, spin, *worker.resampling,
                                            [&](int pair, ThetaResampling::Modes& modes) {
                                                fetchPair(pair, firstMode, modes, spectrum);
                                            });
                    else
                        fetch(planes, c, firstMode, spectrum);
                }
                for (int i = 0; i < kTileModes && firstMode + i <= mmax_; ++i) {
                    const int m = firstMode + i, first = useful_.first(m);
                    if (first == latitudes_.count) continue;
                    const double* const in = planes.data + i * planes.planesOfMode * planes.stride;
                    worker.series.prepare(m);
                    for (int at = first; at < latitudes_.count; at += slice) {
                        legendreJob.poll();
                        worker.series.accumulate(latitudes_, at,
                                                 std::min(slice, latitudes_.count - at), in + at,
                                                 planes.stride);
                    }
                    save(worker.series, m);
                }
            });
        },
        "Legendre sums");
    steps_.legendre = secondsSince(start);
    job.report(1.0, "Legendre sums");
}

int64_t RingTransform::synthesisBytes(int components) const {
    return components * static_cast<int64_t>(tailCount_ * sizeof(Complex));
}

int64_t RingTransform::analysisBytes(int components) const {
    const int64_t held = static_cast<int64_t>(scratch_.size());
    return synthesisBytes(components) + std::max<int64_t>(0, components - held) *
                                            grid_.sampleCount() *
                                            static_cast<int64_t>(sizeof(double));
}

void RingTransform::synthesizeScalar(const Alm& alm, std::span<double> map, JobContext& job) {
    double* const maps[] = {map.data()};
    synthesize<ScalarSeries>(
        0,
        [&](ScalarSeries& series, int m) {
            series.prepare(m);
            series.setCoefficients(column(alm, m));
        },
        maps, [&] { return ScalarSeries(alm.lmax()); }, job);
}

void RingTransform::synthesis(const Alm& alm, std::span<double> map, JobContext& job) {
    checkAlm(alm);
    checkMap(map.size());
    synthesizeScalar(alm, map, job);
}

void RingTransform::adjoint(std::span<const double> map, std::span<const double> weights, Alm& alm,
                            JobContext& job) {
    checkAlm(alm);
    checkMap(map.size());
    const double* const maps[] = {map.data()};
    accumulate<ScalarSeries>(
        0, [&](ScalarSeries& series, int m) { series.addCoefficients(column(alm, m)); }, maps,
        weights, [&] { return ScalarSeries(lmax_); }, job);
}

void RingTransform::synthesisSpin(int spin, const Alm& e, const Alm& b, std::span<double> q,
                                  std::span<double> u, JobContext& job) {
    checkSpin(spin);
    checkAlm(e);
    checkAlm(b);
    checkMap(q.size());
    checkMap(u.size());
    double* const maps[] = {q.data(), u.data()};
    synthesize<SpinSeries>(
        spin,
        [&](SpinSeries& series, int m) {
            series.prepare(m);
            series.setCoefficients(column(e, m), column(b, m));
        },
        maps, [&] { return SpinSeries(lmax_, spin, latitudes_); }, job);
}

void RingTransform::adjointSpin(int spin, std::span<const double> q, std::span<const double> u,
                                std::span<const double> weights, Alm& e, Alm& b, JobContext& job) {
    checkSpin(spin);
    checkAlm(e);
    checkAlm(b);
    checkMap(q.size());
    checkMap(u.size());
    const double* const maps[] = {q.data(), u.data()};
    accumulate<SpinSeries>(
        spin,
        [&](SpinSeries& series, int m) { series.addCoefficients(column(e, m), column(b, m)); },
        maps, weights, [&] { return SpinSeries(lmax_, spin, latitudes_); }, job);
}

void RingTransform::gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                             JobContext& job) {
    checkAlm(alm);
    checkMap(dTheta.size());
    checkMap(dPhi.size());
    if (grid_.rings.front().sinTheta == 0.0 || grid_.rings.back().sinTheta == 0.0)
        throw InvalidArgument("expected a grid without poles for the gradient, found one with");
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    Alm image = newAlm(lmax_ + 1, mmax_, job);
    const auto forOrders = [&](const auto& body) {
        parallelFor(job, mmax_ + 1, orderGrain(lmax_), [&](long long begin, long long end) {
            for (int m = static_cast<int>(begin); m < static_cast<int>(end); ++m)
                for (int l = m; l <= lmax_ + 1; ++l) image(l, m) = body(l, m);
        });
    };
    const auto at = [&](int l, int m) { return l < m || l > lmax_ ? Complex(0.0) : alm(l, m); };
    forOrders([&](int l, int m) {
        return (l - 1.0) * scalarEpsilon(l, m) * at(l - 1, m) -
               (l + 2.0) * scalarEpsilon(l + 1, m) * at(l + 1, m);
    });
    synthesizeScalar(image, dTheta, first);
    const TransformSteps before = steps_;
    forOrders([&](int l, int m) { return Complex(0.0, m) * at(l, m); });
    synthesizeScalar(image, dPhi, second);
    steps_.legendre += before.legendre;
    steps_.fft += before.fft;
    parallelFor(job, static_cast<long long>(grid_.rings.size()), 1, [&](long long r, long long) {
        const Ring& ring = grid_.rings[static_cast<size_t>(r)];
        for (int64_t j = ring.first; j < ring.first + ring.count; ++j) {
            dTheta[static_cast<size_t>(j)] /= ring.sinTheta;
            dPhi[static_cast<size_t>(j)] /= ring.sinTheta;
        }
    });
}

}  // namespace armilla
