// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/spin_rings.h"

#include <algorithm>
#include <array>
#include <complex>

#include "convolve/kernel/spin_kernel.h"
#include "convolve/pixels/direct_kernels.h"
#include "convolve/pixels/growing_buffer.h"
#include "convolve/pixels/phase_recurrence.h"
#include "convolve/pixels/ring_kernels.h"
#include "shared/workspace_pool.h"
#include "sht/storage/large_array.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;
// The sums multiplied by c_m, and by c_-m. Each has real and imaginary parts of a mode of the
// northern ring and of the opposite mode of the southern ring.
enum Side { kUp, kDown, kSides };
constexpr size_t kPlanes = 4;

size_t strideOfModes(size_t count) {
    return roundedUp(count, kModeSlack);
}

}  // namespace

SpinRings::SpinRings(int64_t nside, const ProfileTable& profile, int lastL,
                     std::span<const double> ringWeights, JobContext& job)
    : nside_(nside),
      rings_(nside),
      view_(profile.view()),
      blocks_(ringBlocks(rings_, profile.radius(), view_.end, lastL)),
      factor_(ringFactors(rings_, ringWeights)),
      rows_(ringLengths(rings_), job) {}

struct SpinRings::Workspace {
    explicit Workspace(const SpinRings& plan) : row(plan.rows_) {}
    RowFft::Workspace row;
    GrowingBuffer waves, kernel, real, imaginary, modes, sources, sums;
    std::vector<WeightRow> rows;
};

// Cosines and sines of the samples, at t step and, where a block folds, at (t + 1/2) step.
struct SpinRings::Block : RingBlock {
    size_t stride = 0;
    const double *cosine[2] = {nullptr, nullptr}, *sine[2] = {nullptr, nullptr};
};

class SpinRings::Run {
public:
    Run(const SpinRings& plan, const SpinSums::Maps& maps) : plan_(plan), maps_(maps) {
        offset_.assign(plan.rings_.ring.size() + 1, 0);
        for (int64_t r = 1; r <= plan.rings_.count; ++r)
            offset_[static_cast<size_t>(r) + 1] = offset_[static_cast<size_t>(r)] + 4 * strideOf(r);
        modes_ = std::make_unique<LargeArray<double>>(offset_.back());
    }
    void analyze(int64_t r, Workspace& work) const;
    void convolve(const RingBlock& shape, Workspace& work) const;

private:
    const HealpixRing& ring(int64_t r) const { return plan_.rings_.ring[static_cast<size_t>(r)]; }
    int64_t mirrorOf(int64_t r) const { return 4 * plan_.nside_ - r; }
    size_t strideOf(int64_t r) const {
        return strideOfModes(static_cast<size_t>(2 * ring(r).quarter) + 1);
    }
    // F_m (kUp) or F_-m of a ring, m = 0 .. half its length: real parts, and after `strideOf`
    // numbers imaginary parts.
    double* modesOf(int64_t r, Side side) const {
        return modes_->data() + offset_[static_cast<size_t>(r)] +
               (side == kUp ? 0 : 2 * strideOf(r));
    }
    // The planes of ring r and its mirror.
    std::array<double*, kPlanes> planesOf(Side side, int64_t r) const {
        double* const north = modesOf(r, side);
        double* const south = modesOf(mirrorOf(r), side == kUp ? kDown : kUp);
        return {north, north + strideOf(r), south, south + strideOf(r)};
    }
    Block withWaves(const RingBlock& shape, Workspace& work) const;
    void extend(const Block& block, int64_t r, Side side, double* to) const;
    bool kernelModes(const Block& block, int64_t target, std::span<const int64_t> sources,
                     double* const* up, double* const* down, Workspace& work) const;
    void addSources(const Block& block, std::span<const int64_t> sources, double* sums,
                    Workspace& work) const;
    void synthesize(const Block& block, int64_t r, const double* sums, Workspace& work) const;
    void write(const Block& block, int64_t r, std::array<const double*, 4> modes,
               Workspace& work) const;

    const SpinRings& plan_;
    const SpinSums::Maps& maps_;
    std::vector<size_t> offset_;
    std::unique_ptr<LargeArray<double>> modes_;
};

void SpinRings::Run::analyze(int64_t r, Workspace& work) const {
    const HealpixRing& at = ring(r);
    const auto n = static_cast<size_t>(4 * at.quarter), first = static_cast<size_t>(at.first);
    const double factor = plan_.factor_[static_cast<size_t>(r)];
    Complex* const row = work.row.input();
    for (size_t j = 0; j < n; ++j)
        row[j] = {factor * maps_.q[first + j], factor * maps_.u[first + j]};
    const Complex* const y = plan_.rows_.forward(n, work.row);
    PhaseRecurrence phase(-at.shift * kTwoPi / static_cast<double>(n));
    const size_t stride = strideOf(r);
    double *const up = modesOf(r, kUp), *const down = modesOf(r, kDown);
    for (size_t m = 0; m < stride; ++m) {
        Complex above, below;
        if (m <= n / 2) {
            const Complex turn = phase.next();
            above = turn * y[m];
            below = std::conj(turn) * y[m == 0 ? 0 : n - m];
        }
        up[m] = above.real();
        up[stride + m] = above.imag();
        down[m] = below.real();
        down[stride + m] = below.imag();
    }
}

SpinRings::Block SpinRings::Run::withWaves(const RingBlock& shape, Workspace& work) const {
    Block block{shape};
    const auto modes = static_cast<size_t>(block.modes), terms = static_cast<size_t>(block.terms);
    block.stride = strideOfModes(modes);
    const size_t tables = block.folded ? 2 : 1, each = terms * block.stride;
    double* const workspace = work.waves.of(2 * tables * each);
    std::fill(workspace, workspace + 2 * tables * each, 0.0);
    for (size_t table = 0; table < tables; ++table) {
        double* const cosine = workspace + 2 * table * each;
        double* const sine = cosine + each;
        block.cosine[table] = cosine;
        block.sine[table] = sine;
        for (size_t t = 0; t < terms; ++t) {
            PhaseRecurrence recurrence((static_cast<double>(t) + 0.5 * static_cast<double>(table)) *
                                       block.step);
            for (size_t m = 0; m < modes; ++m) {
                const Complex wave = recurrence.next();
                cosine[t * block.stride + m] = wave.real();
                sine[t * block.stride + m] = wave.imag();
            }
        }
    }
    return block;
}

// F_m for all modes of the block; beyond half the length the modes of the other side.
void SpinRings::Run::extend(const Block& block, int64_t r, Side side, double* to) const {
    const auto n = static_cast<size_t>(4 * ring(r).quarter);
    const bool turned = ring(r).shift != 0.0;
    const std::array<double*, kPlanes> own = planesOf(side, r);
    const std::array<double*, kPlanes> other = planesOf(side == kUp ? kDown : kUp, r);
    for (size_t m = 0; m < block.stride; ++m) {
        const auto [k, back, sign] = placeOfMode(m, n, turned);
        for (size_t p = 0; p < kPlanes; ++p)
            to[p * block.stride + m] = sign * (back ? other : own)[p][k];
    }
}

// c_m and c_-m of a target and up to kRingsAtOnce sources; false if none of them is within reach.
bool SpinRings::Run::kernelModes(const Block& block, int64_t target,
                                 std::span<const int64_t> sources, double* const* up,
                                 double* const* down, Workspace& work) const {
    const bool half = block.folded && ring(target).shift != ring(sources[0]).shift;
    const double begin = half ? 0.5 * block.step : 0.0;
    const size_t workspace = roundedUp(static_cast<size_t>(block.terms) + kWeightSlack, kModeSlack);
    const size_t all = (kRingsAtOnce + 1) * workspace;
    double *const kernel = work.kernel.of(all), *const real = work.real.of(all),
                  *const imaginary = work.imaginary.of(all);
    std::fill(real, real + all, 0.0);
    std::fill(imaginary, imaginary + all, 0.0);
    work.rows.clear();
    size_t terms = 0;
    std::vector<int64_t> of;
    for (size_t p = 0; p < sources.size(); ++p) {
        const RingPair pair = ringPair(ring(target), ring(sources[p]), plan_.view_.end);
        if (pair.reach < begin) continue;
        const int own =
            std::min(static_cast<int>((pair.reach - begin) / block.step + 1e-9) + 1, block.terms);
        // Target minus source, as for taps.
        work.rows.push_back({-begin, -block.step, pair.y0, pair.across, own, p * workspace});
        of.push_back(sources[p]);
        terms = std::max(terms, static_cast<size_t>(own));
    }
    if (terms == 0) return false;
    tapWeights(plan_.view_, work.rows.data(), work.rows.size(), kernel);
    const double share = block.step / kTwoPi;
    for (size_t i = 0; i < work.rows.size(); ++i) {
        const WeightRow& row = work.rows[i];
        double *const a = real + row.at, *const b = imaginary + row.at;
        turnWeights(row, plan_.rings_.theta[static_cast<size_t>(target)],
                    plan_.rings_.theta[static_cast<size_t>(of[i])], kernel + row.at, a, b);
        // Samples at delta and -delta are one term; those at 0 and pi have no partner.
        for (int t = 0; t < row.count; ++t) {
            const bool alone = !half && (t == 0 || (!block.folded && t == block.modes));
            a[t] *= alone ? share : 2.0 * share;
            b[t] *= alone ? 0.0 : 2.0 * share;
        }
    }
    const double *evens[kRingsAtOnce], *odds[kRingsAtOnce];
    for (size_t p = 0; p < kRingsAtOnce; ++p) {
        evens[p] = real + p * workspace;
        odds[p] = imaginary + p * workspace;
    }
    cosineSums(evens, terms, block.cosine[half ? 1 : 0], block.stride, block.stride, up);
    cosineSums(odds, terms, block.sine[half ? 1 : 0], block.stride, block.stride, down);
    for (size_t p = 0; p < kRingsAtOnce; ++p) {
        for (size_t m = 0; m < block.stride; ++m) {
            const double a = up[p][m], b = down[p][m];
            up[p][m] = a - b;
            down[p][m] = a + b;
        }
        // The last folded mode equals its own negative, and both are used.
        if (block.folded)
            for (double* const modes : {up[p], down[p]}) modes[2 * plan_.nside_] *= 0.5;
    }
    return true;
}

// Adds up to kRingsAtOnce sources to all targets of a block.
void SpinRings::Run::addSources(const Block& block, std::span<const int64_t> sources, double* sums,
                                Workspace& work) const {
    const size_t each = kPlanes * block.stride;
    double* const modes = work.modes.of(kSides * kRingsAtOnce * block.stride);
    double *up[kRingsAtOnce], *down[kRingsAtOnce];
    for (size_t p = 0; p < kRingsAtOnce; ++p) {
        up[p] = modes + p * block.stride;
        down[p] = modes + (kRingsAtOnce + p) * block.stride;
    }
    double* const from = work.sources.of(kSides * kRingsAtOnce * each);
    for (size_t p = 0; p < sources.size(); ++p)
        for (const Side side : {kUp, kDown})
            extend(block, sources[p], side, from + (side * kRingsAtOnce + p) * each);
    for (int64_t r = block.targets.first; r <= block.targets.last; ++r) {
        if (!kernelModes(block, r, sources, up, down, work)) continue;
        for (const Side side : {kUp, kDown}) {
            double* const to =
                sums + (static_cast<size_t>(r - block.targets.first) * kSides + side) * each;
            for (size_t plane = 0; plane < kPlanes; ++plane) {
                // Beyond the last source: weights of zero, and values of an existing source.
                const double* of[kRingsAtOnce];
                for (size_t p = 0; p < kRingsAtOnce; ++p)
                    of[p] = from + (side * kRingsAtOnce + std::min(p, sources.size() - 1)) * each +
                            plane * block.stride;
                addProducts(side == kUp ? up : down, of, block.stride, to + plane * block.stride);
            }
        }
    }
}

void SpinRings::Run::convolve(const RingBlock& shape, Workspace& work) const {
    const Block block = withWaves(shape, work);
    const auto count = static_cast<size_t>(block.targets.last - block.targets.first + 1);
    const size_t each = kSides * kPlanes * block.stride;
    double* const sums = work.sums.of(count * each);
    std::fill(sums, sums + count * each, 0.0);
    // Folded kernels are for equal or for unequal shifts: four sources of one shift at once.
    const int64_t apart = block.folded ? 2 : 1;
    const int64_t stretch = apart * static_cast<int64_t>(kRingsAtOnce);
    for (int64_t base = block.sources.first; base <= block.sources.last; base += stretch)
        for (int64_t lane = 0; lane < apart; ++lane) {
            std::vector<int64_t> sources;
            for (int64_t k = base + lane; k <= block.sources.last && sources.size() < kRingsAtOnce;
                 k += apart)
                sources.push_back(k);
            if (!sources.empty()) addSources(block, sources, sums, work);
        }
    for (int64_t r = block.targets.first; r <= block.targets.last; ++r)
        synthesize(block, r, sums + static_cast<size_t>(r - block.targets.first) * each, work);
}

void SpinRings::Run::synthesize(const Block& block, int64_t r, const double* sums,
                                Workspace& work) const {
    const auto plane = [&](Side side, size_t p) {
        return sums + (side * kPlanes + p) * block.stride;
    };
    write(block, r, {plane(kUp, 0), plane(kUp, 1), plane(kDown, 0), plane(kDown, 1)}, work);
    if (mirrorOf(r) != r)
        write(block, mirrorOf(r), {plane(kDown, 2), plane(kDown, 3), plane(kUp, 2), plane(kUp, 3)},
              work);
}

// `modes`: S_m, then S_-m, real and imaginary parts.
void SpinRings::Run::write(const Block& block, int64_t r, std::array<const double*, 4> modes,
                           Workspace& work) const {
    const HealpixRing& at = ring(r);
    const auto n = static_cast<size_t>(4 * at.quarter), first = static_cast<size_t>(at.first);
    Complex* const row = work.row.input();
    std::fill(row, row + n, Complex(0.0));
    PhaseRecurrence phase(at.shift * kTwoPi / static_cast<double>(n));
    size_t folded = 0;
    for (size_t m = 0; m < static_cast<size_t>(block.modes); ++m) {
        // Conjugates, because the FFT sums e^{-i m phi}.
        const Complex turn = phase.next();
        row[folded] += std::conj(turn * Complex(modes[0][m], modes[1][m]));
        if (m > 0)
            row[folded == 0 ? 0 : n - folded] +=
                std::conj(std::conj(turn) * Complex(modes[2][m], modes[3][m]));
        if (++folded == n) folded = 0;
    }
    const Complex* const x = plan_.rows_.forward(n, work.row);
    for (size_t j = 0; j < n; ++j) {
        maps_.toQ[first + j] = x[j].real();
        maps_.toU[first + j] = -x[j].imag();
    }
}

void SpinRings::execute(const SpinSums::Maps& maps, JobContext& job) const {
    const Run run(*this, maps);
    JobContext analyzing = job.part(0.0, 0.2), summing = job.part(0.2, 1.0);
    const auto forAll = [&](JobContext& part, int64_t count, int64_t grain, const char* name,
                            const auto& body) {
        WorkspacePool<Workspace> pool;
        parallelFor(
            part, count, grain,
            [&](long long begin, long long end) {
                const auto work = pool.take(*this);
                for (long long i = begin; i < end; ++i) body(i, *work);
                pool.giveBack(work);
            },
            name);
    };
    forAll(analyzing, rings_.count, std::max<int64_t>(1, 64 * 1024 / (4 * nside_)), "ring FFTs",
           [&](int64_t i, Workspace& work) { run.analyze(i + 1, work); });
    forAll(
        summing, static_cast<int64_t>(blocks_.size()), 1, "sums over rings",
        [&](int64_t i, Workspace& work) { run.convolve(blocks_[static_cast<size_t>(i)], work); });
}

}  // namespace armilla
