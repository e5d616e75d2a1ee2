// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/ring_transform.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>

#include "core/error.h"
#include "shared/legendre_recurrence.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

// Pairs of rings in a block: long enough that the recurrence coefficients of an m, computed anew
// for each block, cost a few percent; short enough that a block's coefficients stay in the outer
// cache.
constexpr int kBlockPairs = 512;
// Pairs transposed together between the two steps: one cache line of each plane.
constexpr int kTilePairs = 8;

double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A set of objects of which each thread borrows one.
template <typename T>
class Pool {
public:
    explicit Pool(std::vector<T>& all) {
        for (T& item : all) free_.push_back(&item);
    }
    T& take() {
        const std::lock_guard lock(lock_);
        ARMILLA_ASSERT(!free_.empty());
        T* const item = free_.back();
        free_.pop_back();
        return *item;
    }
    void give(T& item) {
        const std::lock_guard lock(lock_);
        free_.push_back(&item);
    }

private:
    std::mutex lock_;
    std::vector<T*> free_;
};
template <typename T>
class Borrowed {
public:
    explicit Borrowed(Pool<T>& pool) : pool_(pool), item_(pool.take()) {}
    ~Borrowed() { pool_.give(item_); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    T* operator->() { return &item_; }
    T& operator*() { return item_; }

private:
    Pool<T>& pool_;
    T& item_;
};

}  // namespace

RingTransform::RingTransform(RingGrid grid, int lmax, int mmax)
    : grid_(std::move(grid)), lmax_(lmax), mmax_(mmax), fft_(grid_) {
    if (lmax < 0 || mmax < 0 || mmax > lmax)
        throw InvalidArgument("expected 0 <= mmax <= lmax, found lmax " + std::to_string(lmax) +
                              ", mmax " + std::to_string(mmax));
    // Rings pair up where the grid is symmetric about the equator; others stand alone.
    int north = 0, south = static_cast<int>(grid_.rings.size()) - 1;
    while (north <= south) {
        const Ring& n = grid_.rings[static_cast<size_t>(north)];
        const Ring& s = grid_.rings[static_cast<size_t>(south)];
        const bool alike = north < south && n.z == -s.z && n.count == s.count && n.phi0 == s.phi0;
        pairs_.push_back({north, alike ? south : -1});
        ++north;
        if (alike) --south;
    }
    for (int first = 0; first < static_cast<int>(pairs_.size()); first += kBlockPairs) {
        Block block;
        block.firstPair = first;
        block.pairCount = std::min(kBlockPairs, static_cast<int>(pairs_.size()) - first);
        std::vector<Ring> northern;
        for (int i = 0; i < block.pairCount; ++i)
            northern.push_back(
                grid_.rings[static_cast<size_t>(pairs_[static_cast<size_t>(first + i)].north)]);
        block.latitudes = RingLatitudes(northern);
        blocks_.push_back(std::move(block));
    }
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

// `load(series, m)` prepares a series for m and sets its coefficients.
template <typename Series, typename Load>
void RingTransform::synthesizeBlocks(std::vector<Series>& series, int components, const Load& load,
                                     std::span<double* const> maps, JobContext& job) {
    steps_ = {};
    const int planes = components * kPlanes;
    const int rows = std::min(kBlockPairs, blocks_.front().latitudes.count);
    const ptrdiff_t modeStride = static_cast<ptrdiff_t>(planes) * rows;
    AlignedArray<double> modes(static_cast<size_t>(modeStride) * static_cast<size_t>(mmax_ + 1));
    Pool<Series> seriesPool(series);
    const int threads = job.threads();
    std::vector<RingFft::Workspace> works;
    for (int i = 0; i < threads; ++i) works.emplace_back(grid_.maxRingLength(), mmax_);
    Pool<RingFft::Workspace> workPool(works);
    std::vector<AlignedArray<double>> tiles;
    for (int i = 0; i < threads; ++i)
        tiles.emplace_back(static_cast<size_t>(kPlanes) * kTilePairs *
                           static_cast<size_t>(mmax_ + 1));
    Pool<AlignedArray<double>> tilePool(tiles);

    const double share = 1.0 / static_cast<double>(blocks_.size());
    for (size_t index = 0; index < blocks_.size(); ++index) {
        const Block& block = blocks_[index];
        const int rings = block.latitudes.count;
        JobContext blockJob =
            job.part(share * static_cast<double>(index), share * static_cast<double>(index + 1));
        JobContext legendreJob = blockJob.part(0.0, 0.8), fftJob = blockJob.part(0.8, 1.0);
        auto start = std::chrono::steady_clock::now();
        parallelFor(
            legendreJob, mmax_ + 1, 1,
            [&](long long begin, long long) {
                const int m = static_cast<int>(begin);
                double* const out = modes.data() + m * modeStride;
                const int first = firstUsefulRing(block.latitudes, lmax_, m, components - 1);
                for (int p = 0; p < planes; ++p)
                    std::fill(out + p * rows, out + p * rows + std::min(first, rings), 0.0);
                if (first >= rings) return;
                Borrowed<Series> mine(seriesPool);
                load(*mine, m);
                mine->synthesize(block.latitudes, first, rings - first, out + first, rows);
            },
            "Legendre sums");
        steps_.legendre += secondsSince(start);
        start = std::chrono::steady_clock::now();
        const int tilesInBlock = (block.pairCount + kTilePairs - 1) / kTilePairs;
        parallelFor(
            fftJob, static_cast<long long>(tilesInBlock) * components, 1,
            [&](long long begin, long long) {
                const int component = static_cast<int>(begin % components);
                const int firstPair = static_cast<int>(begin / components) * kTilePairs;
                const int count = std::min(kTilePairs, block.pairCount - firstPair);
                Borrowed<RingFft::Workspace> work(workPool);
                Borrowed<AlignedArray<double>> tile(tilePool);
                const ptrdiff_t tileStride = static_cast<ptrdiff_t>(kPlanes) * (mmax_ + 1);
                for (int m = 0; m <= mmax_; ++m)
                    for (int p = 0; p < kPlanes; ++p) {
                        const double* const in = modes.data() + m * modeStride +
                                                 (component * kPlanes + p) * rows + firstPair;
                        for (int i = 0; i < count; ++i)
                            tile->data()[i * tileStride + m * kPlanes + p] = in[i];
                    }
                for (int i = 0; i < count; ++i) {
                    const RingPair& pair =
                        pairs_[static_cast<size_t>(block.firstPair + firstPair + i)];
                    fft_.synthesize(
                        {tile->data() + i * tileStride, 1, kPlanes, mmax_},
                        grid_.rings[static_cast<size_t>(pair.north)],
                        pair.south < 0 ? nullptr : &grid_.rings[static_cast<size_t>(pair.south)],
                        maps[static_cast<size_t>(component)], *work);
                }
            },
            "ring FFTs");
        steps_.fft += secondsSince(start);
    }
    job.report(1.0, "ring FFTs");
}

// `store(series, m)` adds the sums of a series to the coefficients of m.
template <typename Series, typename Store>
void RingTransform::accumulateBlocks(std::vector<Series>& series, int components,
                                     const Store& store, std::span<const double* const> maps,
                                     std::span<const double> weights, JobContext& job) {
    steps_ = {};
    const int planes = components * kPlanes;
    const int rows = std::min(kBlockPairs, blocks_.front().latitudes.count);
    const ptrdiff_t modeStride = static_cast<ptrdiff_t>(planes) * rows;
    AlignedArray<double> modes(static_cast<size_t>(modeStride) * static_cast<size_t>(mmax_ + 1));
    Pool<Series> seriesPool(series);
    const int threads = job.threads();
    std::vector<RingFft::Workspace> works;
    for (int i = 0; i < threads; ++i) works.emplace_back(grid_.maxRingLength(), mmax_);
    Pool<RingFft::Workspace> workPool(works);
    std::vector<AlignedArray<double>> tiles;
    for (int i = 0; i < threads; ++i)
        tiles.emplace_back(static_cast<size_t>(kPlanes) * kTilePairs *
                           static_cast<size_t>(mmax_ + 1));
    Pool<AlignedArray<double>> tilePool(tiles);

    const double share = 1.0 / static_cast<double>(blocks_.size());
    for (size_t index = 0; index < blocks_.size(); ++index) {
        const Block& block = blocks_[index];
        const int rings = block.latitudes.count;
        JobContext blockJob =
            job.part(share * static_cast<double>(index), share * static_cast<double>(index + 1));
        JobContext fftJob = blockJob.part(0.0, 0.2), legendreJob = blockJob.part(0.2, 1.0);
        auto start = std::chrono::steady_clock::now();
        const int tilesInBlock = (rings + kTilePairs - 1) / kTilePairs;
        parallelFor(
            fftJob, static_cast<long long>(tilesInBlock) * components, 1,
            [&](long long begin, long long) {
                const int component = static_cast<int>(begin % components);
                const int firstPair = static_cast<int>(begin / components) * kTilePairs;
                Borrowed<RingFft::Workspace> work(workPool);
                Borrowed<AlignedArray<double>> tile(tilePool);
                const ptrdiff_t tileStride = static_cast<ptrdiff_t>(kPlanes) * (mmax_ + 1);
                for (int i = 0; i < kTilePairs; ++i) {
                    double* const out = tile->data() + i * tileStride;
                    if (firstPair + i >= block.pairCount) {  // padding
                        std::fill(out, out + tileStride, 0.0);
                        continue;
                    }
                    const RingPair& pair =
                        pairs_[static_cast<size_t>(block.firstPair + firstPair + i)];
                    const double weight[2] = {
                        weights[static_cast<size_t>(pair.north)],
                        pair.south < 0 ? 0.0 : weights[static_cast<size_t>(pair.south)]};
                    fft_.analyze(
                        {out, 1, kPlanes, mmax_}, grid_.rings[static_cast<size_t>(pair.north)],
                        pair.south < 0 ? nullptr : &grid_.rings[static_cast<size_t>(pair.south)],
                        maps[static_cast<size_t>(component)], weight, *work);
                }
                for (int m = 0; m <= mmax_; ++m)
                    for (int p = 0; p < kPlanes; ++p) {
                        double* const out = modes.data() + m * modeStride +
                                            (component * kPlanes + p) * rows + firstPair;
                        for (int i = 0; i < kTilePairs; ++i)
                            out[i] = tile->data()[i * tileStride + m * kPlanes + p];
                    }
            },
            "ring FFTs");
        steps_.fft += secondsSince(start);
        start = std::chrono::steady_clock::now();
        parallelFor(
            legendreJob, mmax_ + 1, 1,
            [&](long long begin, long long) {
                const int m = static_cast<int>(begin);
                const int first = firstUsefulRing(block.latitudes, lmax_, m, components - 1);
                if (first >= rings) return;
                Borrowed<Series> mine(seriesPool);
                mine->prepare(m);
                mine->accumulate(block.latitudes, first, rings - first,
                                 modes.data() + m * modeStride + first, rows);
                store(*mine, m);
            },
            "Legendre sums");
        steps_.legendre += secondsSince(start);
    }
    job.report(1.0, "Legendre sums");
}

namespace {

std::span<const Complex> column(const Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}
std::span<Complex> column(Alm& alm, int m) {
    return {alm.values().data() + alm.index(m, m), static_cast<size_t>(alm.lmax() - m + 1)};
}
template <typename Series, typename... Arguments>
std::vector<Series> seriesFor(const JobContext& job, Arguments... arguments) {
    std::vector<Series> all;
    for (int i = 0; i < job.threads(); ++i) all.emplace_back(arguments...);
    return all;
}

}  // namespace

void RingTransform::synthesis(const Alm& alm, std::span<double> map, JobContext& job) {
    checkAlm(alm);
    checkMap(map.size());
    auto series = seriesFor<ScalarSeries>(job, lmax_);
    double* const maps[] = {map.data()};
    synthesizeBlocks(
        series, 1,
        [&](ScalarSeries& mine, int m) {
            mine.prepare(m);
            mine.setCoefficients(column(alm, m));
        },
        maps, job);
}

void RingTransform::adjoint(std::span<const double> map, std::span<const double> weights, Alm& alm,
                            JobContext& job) {
    checkAlm(alm);
    checkMap(map.size());
    auto series = seriesFor<ScalarSeries>(job, lmax_);
    const double* const maps[] = {map.data()};
    accumulateBlocks(
        series, 1, [&](ScalarSeries& mine, int m) { mine.addCoefficients(column(alm, m)); }, maps,
        weights, job);
}

void RingTransform::synthesisSpin(int spin, const Alm& e, const Alm& b, std::span<double> q,
                                  std::span<double> u, JobContext& job) {
    checkAlm(e);
    checkAlm(b);
    checkMap(q.size());
    checkMap(u.size());
    auto series = seriesFor<SpinSeries>(job, lmax_, spin);
    double* const maps[] = {q.data(), u.data()};
    synthesizeBlocks(
        series, 2,
        [&](SpinSeries& mine, int m) {
            mine.prepare(m);
            mine.setCoefficients(column(e, m), column(b, m));
        },
        maps, job);
}

void RingTransform::adjointSpin(int spin, std::span<const double> q, std::span<const double> u,
                                std::span<const double> weights, Alm& e, Alm& b, JobContext& job) {
    checkAlm(e);
    checkAlm(b);
    checkMap(q.size());
    checkMap(u.size());
    auto series = seriesFor<SpinSeries>(job, lmax_, spin);
    const double* const maps[] = {q.data(), u.data()};
    accumulateBlocks(
        series, 2,
        [&](SpinSeries& mine, int m) { mine.addCoefficients(column(e, m), column(b, m)); }, maps,
        weights, job);
}

void RingTransform::gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                             JobContext& job) {
    checkAlm(alm);
    Alm theta(lmax_ + 1, mmax_), phi(lmax_ + 1, mmax_);
    const auto epsilon = [](double l, double m) {
        return l <= m ? 0.0 : std::sqrt((l - m) * (l + m) / ((2.0 * l - 1.0) * (2.0 * l + 1.0)));
    };
    for (int m = 0; m <= mmax_; ++m)
        for (int l = m; l <= lmax_; ++l) {
            phi(l, m) = Complex(0.0, m) * alm(l, m);
            theta(l + 1, m) += l * epsilon(l + 1, m) * alm(l, m);
            if (l > m) theta(l - 1, m) -= (l + 1.0) * epsilon(l, m) * alm(l, m);
        }
    RingTransform wider(grid_, lmax_ + 1, mmax_);
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    wider.synthesis(theta, dTheta, first);
    wider.synthesis(phi, dPhi, second);
    for (const Ring& ring : grid_.rings)
        for (int64_t j = ring.first; j < ring.first + ring.count; ++j) {
            dTheta[static_cast<size_t>(j)] /= ring.sinTheta;
            dPhi[static_cast<size_t>(j)] /= ring.sinTheta;
        }
    steps_ = wider.steps();
}

}  // namespace armilla
