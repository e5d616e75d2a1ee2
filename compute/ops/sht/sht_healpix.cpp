// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms by libsharp, the library under HEALPix C++, a block of rings at a time: between two
// blocks the job is polled and reports. libsharp itself works through the rings in blocks, so that
// little is lost; an analysis adds up the blocks' coefficients.
#include <healpix_map.h>
#include <omp.h>
#include <weight_utils.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/memory_limit.h"
#include "core/new_vector.h"
#include "core/sky_vector.h"
#include "ops/quadrature_weights.h"
#include "sht/libsharp_c.h"
#include "sht/sht_backend.h"

namespace armilla {

namespace {

// A block costs about this many products with a Legendre function, some 30 ms on two present-day
// cores; but no fewer ring pairs than fill libsharp's vectors several times over, since every block
// computes the recursion coefficients anew. The same for any number of threads, so that results
// are the same to the last bit.
constexpr double kBlockProducts = 2.4e8;
constexpr int kMinimalPairs = 128;

// Pixels per unit of work of the passes over maps: a millisecond or less.
constexpr long long kGrain = 1 << 16;

// Sets the number of OpenMP threads of the calling thread for a scope.
class OmpThreads {
public:
    explicit OmpThreads(int threads) : before_(omp_get_max_threads()) {
        omp_set_num_threads(threads);
    }
    ~OmpThreads() { omp_set_num_threads(before_); }
    OmpThreads(const OmpThreads&) = delete;
    OmpThreads& operator=(const OmpThreads&) = delete;

private:
    int before_;
};

struct Ring {
    double theta = 0.0, phi0 = 0.0;
    int pixels = 0;
    std::ptrdiff_t first = 0;
};

// Ring r = 1 .. 4 nside - 1 from the north. K. M. Gorski et al., ApJ 622 (2005) 759, eqs. 4-9; near
// the poles sin(theta/2) keeps the accuracy that cos(theta) loses.
Ring ringOf(int64_t nside, int64_t r) {
    const int64_t northern = std::min(r, 4 * nside - r);
    const double n = static_cast<double>(nside), i = static_cast<double>(northern);
    Ring ring;
    if (northern < nside) {
        ring.theta = 2.0 * std::asin(i / (std::sqrt(6.0) * n));
        ring.phi0 = kPi / (4.0 * i);
        ring.pixels = static_cast<int>(4 * northern);
        ring.first = 2 * northern * (northern - 1);
    } else {
        ring.theta = std::acos(4.0 / 3.0 - 2.0 * i / (3.0 * n));
        ring.phi0 = ((northern - nside) % 2 == 0) ? kPi / (4.0 * n) : 0.0;
        ring.pixels = static_cast<int>(4 * nside);
        ring.first = 2 * nside * (nside - 1) + (northern - nside) * 4 * nside;
    }
    if (r > 2 * nside) {
        ring.theta = kPi - ring.theta;
        ring.first = 12 * nside * nside - ring.first - ring.pixels;
    }
    return ring;
}

// Rings `begin` to `end` - 1 of the north (and the equator), with their mirrors in the south.
SharpGeometry blockGeometry(int64_t nside, int64_t begin, int64_t end,
                            const std::vector<double>& ringWeight) {
    std::vector<int> pixels, stride;
    std::vector<std::ptrdiff_t> first;
    std::vector<double> phi0, theta, weight;
    const double area = 4.0 * kPi / static_cast<double>(12 * nside * nside);
    const auto add = [&](int64_t r, double w) {
        const Ring ring = ringOf(nside, r);
        pixels.push_back(ring.pixels);
        first.push_back(ring.first);
        stride.push_back(1);
        phi0.push_back(ring.phi0);
        theta.push_back(ring.theta);
        weight.push_back(area * w);
    };
    for (int64_t r = begin; r < end; ++r) {
        const double w = ringWeight.empty() ? 1.0 : ringWeight[static_cast<size_t>(r - 1)];
        add(r, w);
        if (r != 2 * nside) add(4 * nside - r, w);
    }
    sharp_geom_info* info = nullptr;
    sharp_make_geom_info(static_cast<int>(pixels.size()), pixels.data(), first.data(),
                         stride.data(), phi0.data(), theta.data(), weight.data(), &info);
    return SharpGeometry(info);
}

// Products that ring r costs for all (l, m): beyond m ~ lmax sin(theta) the functions vanish
// (libsharp skips them, with a margin of 100 or one percent).
double ringCost(int64_t nside, int64_t r, int lmax, int mmax) {
    const double top = lmax * std::sin(ringOf(nside, r).theta) + std::max(100.0, 0.01 * lmax);
    const double m = std::min(top, static_cast<double>(mmax));
    return (m + 1.0) * (lmax + 1.0 - 0.5 * m);
}

struct Block {
    SharpGeometry geometry;
    double cost = 0.0;
    int64_t pairs = 0;
};

std::vector<Block> makeBlocks(const ShtParameters& p, const std::vector<double>& ringWeight) {
    std::vector<Block> blocks;
    int64_t begin = 1;
    double cost = 0.0;
    for (int64_t r = 1; r <= 2 * p.nside; ++r) {
        cost += ringCost(p.nside, r, p.lmax, p.mmax);
        const bool last = r == 2 * p.nside;
        if (!last && (cost < kBlockProducts || r + 1 - begin < kMinimalPairs ||
                      2 * p.nside - r < kMinimalPairs / 2))
            continue;
        blocks.push_back({blockGeometry(p.nside, begin, r + 1, ringWeight), cost, r + 1 - begin});
        begin = r + 1;
        cost = 0.0;
    }
    return blocks;
}

class HealpixBackend final : public ShtBackend {
public:
    explicit HealpixBackend(const ShtParameters& p) : ShtBackend(p) {
        std::vector<int> m(static_cast<size_t>(p.mmax) + 1);
        std::iota(m.begin(), m.end(), 0);
        const Alm shape(p.lmax, 0);
        std::vector<std::ptrdiff_t> start;
        for (const int value : m) start.push_back(shape.index(0, value));
        sharp_alm_info* info = nullptr;
        sharp_make_general_alm_info(p.lmax, p.mmax + 1, 1, m.data(), start.data(), 0, &info);
        almInfo_.reset(info);
    }

    std::string_view name() const override { return "libsharp"; }

    void synthesis(const Alm& alm, std::span<double> map, JobContext& job) override {
        run(SHARP_SYNTHESIS, 0, {alm.values().data()}, {map.data()}, job, "synthesis");
    }
    void synthesisSpin2(const Alm& e, const Alm& b, std::span<double> q, std::span<double> u,
                        JobContext& job) override {
        if (vanishes(2, {q, u})) return;
        run(SHARP_SYNTHESIS, 2, {e.values().data(), b.values().data()}, {q.data(), u.data()}, job,
            "polarized synthesis");
    }
    void gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                  JobContext& job) override {
        if (vanishes(1, {dTheta, dPhi})) return;
        run(SHARP_GRADIENT, 1, {alm.values().data()}, {dTheta.data(), dPhi.data()}, job,
            "derivatives");
    }
    void analysis(std::span<const double> map, Alm& alm, JobContext& job) override {
        analyze<1>({map}, {&alm}, job);
    }
    void analysisSpin2(std::span<const double> q, std::span<const double> u, Alm& e, Alm& b,
                       JobContext& job) override {
        if (parameters().lmax >= 2) analyze<2>({q, u}, {&e, &b}, job);
    }

private:
    using Coefficients = std::array<const std::complex<double>*, 2>;
    using Maps = std::array<const double*, 2>;

    // Harmonics of a spin begin at l = spin; libsharp ends the program if there are none.
    bool vanishes(int spin, std::array<std::span<double>, 2> maps) const {
        if (parameters().lmax >= spin) return false;
        for (const std::span<double> map : maps) std::fill(map.begin(), map.end(), 0.0);
        return true;
    }

    // libsharp takes what it only reads through the same pointers as what it writes.
    void run(SharpJobType type, int spin, Coefficients alm, Maps maps, JobContext& job,
             std::string_view stage) {
        const std::vector<Block>& blocks = blocksFor(type);
        requireWorkspace(blocks, spin == 0 ? 1 : 2, job.threads());
        const double total =
            std::accumulate(blocks.begin(), blocks.end(), 0.0,
                            [](double sum, const Block& block) { return sum + block.cost; });
        const int flags = SHARP_DOUBLE | (type == SHARP_ANALYSIS ? SHARP_ADD : 0);
        const OmpThreads threads(job.threads());
        double done = 0.0;
        for (const Block& block : blocks) {
            job.report(done / total, stage);
            sharp_execute(type, spin, alm.data(), maps.data(), block.geometry.get(), almInfo_.get(),
                          flags, nullptr, nullptr);
            done += block.cost;
        }
        job.report(1.0, stage);
    }

    // libsharp ends the program when memory runs out inside it, so what it takes is asked for
    // before: the Fourier coefficients of a block's rings, and tables and stacks of its threads.
    void requireWorkspace(const std::vector<Block>& blocks, int maps, int threads) const {
        constexpr int64_t kFixed = 24 << 20, kEachThread = 8 << 20;
        int64_t pairs = 0;
        for (const Block& block : blocks) pairs = std::max(pairs, block.pairs);
        const ShtParameters& p = parameters();
        requireMemory("harmonic transform of nside " + std::to_string(p.nside) + ", lmax " +
                          std::to_string(p.lmax),
                      kFixed + threads * kEachThread + maps * 32 * pairs * (p.mmax + 1));
    }

    const std::vector<Block>& blocksFor(SharpJobType type) {
        const ShtParameters& p = parameters();
        const bool ringWeighted = type == SHARP_ANALYSIS && p.weights == Weights::Ring;
        std::vector<Block>& blocks = ringWeighted ? weighted_ : plain_;
        if (blocks.empty()) blocks = makeBlocks(p, ringWeighted ? ring_ : kNone);
        return blocks;
    }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (p.weights == Weights::Ring && ring_.empty()) ring_ = ringWeights(p.nside, job);
        if (p.weights == Weights::Pixel && pixel_.empty()) pixel_ = pixelWeights(p.nside, job);
    }

    // One pass: alm += quadrature of `maps`. Pixel weights need the maps' product with them, made
    // in `weighted`, of the HEALPix C++ type that unpacks the weights.
    template <size_t N>
    void addQuadrature(const std::array<std::span<const double>, N>& maps,
                       const std::array<Alm*, N>& alm, JobContext& job) {
        Maps data{};
        Coefficients coefficients{};
        std::array<Healpix_Map<double>, N> weighted;
        for (size_t i = 0; i < N; ++i) {
            data[i] = maps[i].data();
            coefficients[i] = alm[i]->values().data();
            if (parameters().weights != Weights::Pixel) continue;
            weighted[i].SetNside(static_cast<int>(parameters().nside), RING);
            std::copy(maps[i].begin(), maps[i].end(), &weighted[i][0]);
            apply_fullweights(weighted[i], pixel_);
            data[i] = &weighted[i][0];
        }
        run(SHARP_ANALYSIS, N == 1 ? 0 : 2, coefficients, data, job,
            N == 1 ? "analysis" : "polarized analysis");
    }

    // Quadrature, then Jacobi iterations a += A (map - S a), as HEALPix's map2alm_iter.
    template <size_t N>
    void analyze(const std::array<std::span<const double>, N>& maps, const std::array<Alm*, N>& alm,
                 JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        JobContext weightShare = job.part(0.0, 0.02);
        prepareWeights(weightShare);
        JobContext passShare = job.part(0.02, 1.0);
        JobContext first = passShare.part(0.0, 1.0 / passes);
        addQuadrature<N>(maps, alm, first);
        std::array<std::vector<double>, N> residual;
        for (int k = 0; k < iterations; ++k) {
            JobContext share = passShare.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = share.part(0.0, 0.5), forth = share.part(0.5, 1.0);
            Maps out{};
            Coefficients coefficients{};
            std::array<std::span<const double>, N> view;
            for (size_t i = 0; i < N; ++i) {
                if (residual[i].empty())
                    residual[i] = newVector<double>(static_cast<int64_t>(maps[i].size()), back);
                out[i] = residual[i].data();
                coefficients[i] = alm[i]->values().data();
            }
            run(SHARP_SYNTHESIS, N == 1 ? 0 : 2, coefficients, out, back, "residual");
            for (size_t i = 0; i < N; ++i) {
                parallelFor(forth, static_cast<long long>(maps[i].size()), kGrain,
                            [&](long long begin, long long end) {
                                for (auto p = static_cast<size_t>(begin);
                                     p < static_cast<size_t>(end); ++p)
                                    residual[i][p] = maps[i][p] - residual[i][p];
                            });
                view[i] = residual[i];
            }
            addQuadrature<N>(view, alm, forth);
        }
    }

    inline static const std::vector<double> kNone;
    SharpAlmInfo almInfo_;
    std::vector<double> ring_, pixel_;
    std::vector<Block> plain_, weighted_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeHealpixBackend(const ShtParameters& parameters) {
    return std::make_unique<HealpixBackend>(parameters);
}

}  // namespace armilla
