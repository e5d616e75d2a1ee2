// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/ring_cpu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "convolve/pixels/direct_kernels.h"
#include "convolve/pixels/growing_buffer.h"
#include "convolve/pixels/phase_recurrence.h"
#include "convolve/pixels/ring_kernels.h"
#include "shared/workspace_pool.h"
#include "sht/storage/large_array.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;
// Planes of a pair of rings: north and south, real and imaginary parts.
constexpr size_t kPlanes = 4;
// Blocks of a group for each thread; a group's rings and those within reach are in memory.
constexpr size_t kBlocksOfThread = 4;

// The padded number of modes.
size_t strideOfModes(size_t count) {
    return roundedUp(count, kModeSlack);
}

}  // namespace

RingSums::RingSums(int64_t nside, const ProfileTable& profile, int lastL,
                   std::span<const double> ringWeights, double integral, JobContext& job)
    : nside_(nside),
      rings_(nside),
      view_(profile.view()),
      integral_(integral),
      blocks_(ringBlocks(rings_, profile.radius(), view_.end, lastL)),
      factor_(ringFactors(rings_, ringWeights)),
      rows_(ringLengths(rings_), job) {}

struct RingSums::Workspace {
    explicit Workspace(const RingSums& plan) : row(plan.rows_) {}
    RowFft::Workspace row;
    GrowingBuffer cosine, weights, modes, sources, sums, samples;
    std::vector<WeightRow> rows;
};

// A block, and the cosines of its kernels' sums.
struct RingSums::Block : RingBlock {
    size_t stride = 0;                             // modes, rounded up
    const double* cosine[2] = {nullptr, nullptr};  // at t step, and at (t + 1/2) step
};

template <typename Sample>
class RingSums::Run {
public:
    Run(const RingSums& plan, std::span<const DirectPlane<Sample>> planes, RingSpan held,
        RingSpan wanted)
        : plan_(plan),
          planes_(planes),
          held_(held),
          wanted_(wanted),
          begin_(ring(held.first).first),
          layers_(planes.size()) {
        for (const auto& plane : planes)
            layerOfMask_.push_back(plane.normalize ? static_cast<int>(layers_++) : -1);
        for (const RingBlock& block : plan.blocks_)
            if (isWanted(block)) blocks_.push_back(&block);
    }
    // Sums of all blocks, group by group. While the blocks of one group are summed, idle threads
    // compute the modes that the next group needs besides.
    void execute(JobContext& job);

private:
    // Consecutive blocks, and the pairs of rings (of the number of the northern one) that they
    // read.
    struct Group {
        size_t begin = 0, end = 0;
        RingSpan pairs;
    };
    std::vector<Group> groupsOf(size_t blocks) const {
        std::vector<Group> groups;
        for (size_t begin = 0; begin < blocks_.size(); begin += blocks) {
            const size_t end = std::min(begin + blocks, blocks_.size());
            Group group{begin, end, {2 * plan_.nside_, 1}};
            for (size_t i = begin; i < end; ++i) {
                const RingSpan& from = blocks_[i]->sources;
                group.pairs.first = std::min({group.pairs.first, from.first, mirrorOf(from.last)});
                group.pairs.last =
                    std::max(group.pairs.last, std::min(from.last, 2 * plan_.nside_));
            }
            groups.push_back(group);
        }
        // Pairs that a later group reads stay until then.
        for (size_t g = groups.size(); g-- > 1;)
            groups[g - 1].pairs.first = std::min(groups[g - 1].pairs.first, groups[g].pairs.first);
        return groups;
    }
    // Allocates the modes of as many pairs as are in memory at once.
    void allocateModes(std::span<const Group> groups) {
        for (size_t g = 0; g < groups.size(); ++g)
            slots_ = std::max(slots_, groups[std::min(g + 1, groups.size() - 1)].pairs.last -
                                          groups[g].pairs.first + 1);
        std::vector<size_t> sizes(static_cast<size_t>(slots_), 0);
        for (int64_t r = groups.front().pairs.first; r <= groups.back().pairs.last; ++r) {
            size_t& size = sizes[static_cast<size_t>(r % slots_)];
            size = std::max(size, kPlanes * strideOf(r));
        }
        offset_.assign(1, 0);
        for (const size_t size : sizes) offset_.push_back(offset_.back() + size);
        for (size_t layer = 0; layer < layers_; ++layer)
            modes_.push_back(std::make_unique<LargeArray<double>>(offset_.back()));
    }
    // Computes the modes of ring r and its mirror.
    void analyze(int64_t r, Workspace& work) const {
        const HealpixRing& north = ring(r);
        const HealpixRing& south = ring(mirrorOf(r));
        const auto n = static_cast<size_t>(4 * north.quarter);
        const double factor = plan_.factor_[static_cast<size_t>(r)];
        for (size_t layer = 0; layer < layers_; ++layer) {
            const auto [plane, mask] = planeOf(layer);
            const bool toNorth = holds(held_, r), toSouth = holds(held_, mirrorOf(r));
            const Sample* const values = planes_[plane].values;
            const Sample* const a = toNorth ? values + (north.first - begin_) : nullptr;
            const Sample* const b = toSouth ? values + (south.first - begin_) : nullptr;
            const auto read = [&, asMask = mask, mean = planes_[plane].mean](Sample value) {
                if (!isGood(value)) return 0.0;
                return asMask ? factor : factor * (static_cast<double>(value) - mean);
            };
            Complex* const row = work.row.input();
            for (size_t j = 0; j < n; ++j)
                row[j] = {toNorth ? read(a[j]) : 0.0, toSouth ? read(b[j]) : 0.0};
            const Complex* const y = plan_.rows_.forward(n, work.row);
            PhaseRecurrence phase(-north.shift * kTwoPi / static_cast<double>(n));
            const std::array<double*, kPlanes> to = planesOf(layer, r);
            for (size_t k = 0; k < strideOf(r); ++k) {
                if (k > n / 2) {
                    for (double* const p : to) p[k] = 0.0;
                    continue;
                }
                // Y_k = N_k + i S_k of two real rows.
                const Complex c = y[k], o = y[k == 0 ? 0 : n - k];
                const Complex turn = phase.next();
                const Complex fn =
                    turn * Complex(0.5 * (c.real() + o.real()), 0.5 * (c.imag() - o.imag()));
                const Complex fs =
                    turn * Complex(0.5 * (c.imag() + o.imag()), 0.5 * (o.real() - c.real()));
                to[0][k] = fn.real();
                to[1][k] = fn.imag();
                to[2][k] = fs.real();
                to[3][k] = fs.imag();
            }
        }
    }
    void convolve(const RingBlock& shape, Workspace& work) const;
    static bool holds(RingSpan range, int64_t r) { return range.first <= r && r <= range.last; }
    bool isWanted(const RingBlock& block) const {
        for (int64_t r = block.targets.first; r <= block.targets.last; ++r)
            if (holds(wanted_, r) || holds(wanted_, mirrorOf(r))) return true;
        return false;
    }
    const HealpixRing& ring(int64_t r) const { return plan_.rings_.ring[static_cast<size_t>(r)]; }
    int64_t mirrorOf(int64_t r) const { return 4 * plan_.nside_ - r; }
    size_t strideOf(int64_t r) const {
        return strideOfModes(static_cast<size_t>(2 * ring(r).quarter) + 1);
    }
    std::pair<size_t, bool> planeOf(size_t layer) const {
        if (layer < planes_.size()) return {layer, false};
        for (size_t p = 0; p < planes_.size(); ++p)
            if (layerOfMask_[p] == static_cast<int>(layer)) return {p, true};
        return {0, false};
    }
    // Real and imaginary parts of ring r and of its mirror. The equator is its own mirror.
    std::array<double*, kPlanes> planesOf(size_t layer, int64_t r) const {
        const int64_t pair = std::min(r, mirrorOf(r));
        double* const own = modes_[layer]->data() + offset_[static_cast<size_t>(pair % slots_)];
        double* const mirror = r == mirrorOf(r) ? own : own + 2 * strideOf(r);
        double* const north = r == pair ? own : mirror;
        double* const south = r == pair ? mirror : own;
        return {north, north + strideOf(r), south, south + strideOf(r)};
    }
    Block withCosines(const RingBlock& shape, Workspace& work) const;
    void extend(const Block& block, int64_t r, size_t layer, double* to) const;
    size_t kernelModes(const Block& block, int64_t target, const int64_t* sources, size_t count,
                       double* const* modes, Workspace& work) const;
    void synthesize(const Block& block, int64_t r, const double* sums, Workspace& work) const;

    const RingSums& plan_;
    std::span<const DirectPlane<Sample>> planes_;
    RingSpan held_, wanted_;
    int64_t begin_;  // the first pixel of the planes
    size_t layers_;
    std::vector<int> layerOfMask_;
    std::vector<const RingBlock*> blocks_;
    // Modes of pairs of rings: pair r in slot r mod `slots_`, for each layer.
    int64_t slots_ = 1;
    std::vector<size_t> offset_;
    std::vector<std::unique_ptr<LargeArray<double>>> modes_;
};

template <typename Sample>
RingSums::Block RingSums::Run<Sample>::withCosines(const RingBlock& shape, Workspace& work) const {
    Block block{shape};
    const auto modes = static_cast<size_t>(block.modes), terms = static_cast<size_t>(block.terms);
    block.stride = strideOfModes(modes);
    const size_t tables = block.folded ? 2 : 1;
    double* const workspace = work.cosine.of(tables * terms * block.stride);
    for (size_t table = 0; table < tables; ++table) {
        block.cosine[table] = workspace + table * terms * block.stride;
        for (size_t t = 0; t < terms; ++t) {
            double* const to = workspace + (table * terms + t) * block.stride;
            PhaseRecurrence recurrence((static_cast<double>(t) + 0.5 * static_cast<double>(table)) *
                                       block.step);
            for (size_t m = 0; m < modes; ++m) to[m] = recurrence.next().real();
            std::fill(to + modes, to + block.stride, 0.0);
        }
    }
    return block;
}

// F_m of ring r and its mirror for all modes of the block.
template <typename Sample>
void RingSums::Run<Sample>::extend(const Block& block, int64_t r, size_t layer, double* to) const {
    const auto n = static_cast<size_t>(4 * ring(r).quarter);
    const bool turned = ring(r).shift != 0.0;
    const std::array<double*, kPlanes> from = planesOf(layer, r);
    for (size_t m = 0; m < block.stride; ++m) {
        const auto [k, back, sign] = placeOfMode(m, n, turned);
        for (size_t p = 0; p < kPlanes; ++p)
            to[p * block.stride + m] = (back && p % 2 == 1 ? -sign : sign) * from[p][k];
    }
}

// k_m of a target and up to kRingsAtOnce sources; returns 0 if none of them is within reach.
template <typename Sample>
size_t RingSums::Run<Sample>::kernelModes(const Block& block, int64_t target,
                                          const int64_t* sources, size_t count,
                                          double* const* modes, Workspace& work) const {
    const bool half = block.folded && ring(target).shift != ring(sources[0]).shift;
    const double begin = half ? 0.5 * block.step : 0.0;
    const size_t workspace = roundedUp(static_cast<size_t>(block.terms) + kWeightSlack, kModeSlack);
    double* const weights = work.weights.of((kRingsAtOnce + 1) * workspace);
    std::fill(weights, weights + kRingsAtOnce * workspace, 0.0);
    work.rows.clear();
    size_t terms = 0;
    for (size_t p = 0; p < count; ++p) {
        const RingPair pair = ringPair(ring(target), ring(sources[p]), plan_.view_.end);
        if (pair.reach < begin) continue;
        const int own =
            std::min(static_cast<int>((pair.reach - begin) / block.step + 1e-9) + 1, block.terms);
        work.rows.push_back({begin, block.step, pair.y0, pair.across, own, p * workspace});
        terms = std::max(terms, static_cast<size_t>(own));
    }
    if (terms == 0) return 0;
    tapWeights(plan_.view_, work.rows.data(), work.rows.size(), weights);
    // With samples all around the ring, delta and -delta are one term; the first and the last
    // sample, at 0 and at pi, have no partner.
    const double all = kTwoPi / block.step;
    const double* of[kRingsAtOnce];
    for (size_t p = 0; p < kRingsAtOnce; ++p) of[p] = weights + p * workspace;
    for (const WeightRow& row : work.rows) {
        double* const w = weights + row.at;
        for (int t = 0; t < row.count; ++t) {
            const bool alone = !half && (t == 0 || (!block.folded && t == block.modes));
            w[t] *= (alone ? 1.0 : 2.0) / all;
        }
        std::fill(w + row.count, w + workspace, 0.0);
    }
    cosineSums(of, terms, block.cosine[half ? 1 : 0], block.stride, block.stride, modes);
    // The last folded mode equals its own negative, so it counts half.
    if (block.folded)
        for (size_t p = 0; p < kRingsAtOnce; ++p) modes[p][2 * plan_.nside_] *= 0.5;
    return terms;
}

template <typename Sample>
void RingSums::Run<Sample>::synthesize(const Block& block, int64_t r, const double* sums,
                                       Workspace& work) const {
    const HealpixRing& north = ring(r);
    const auto n = static_cast<size_t>(4 * north.quarter);
    const bool paired = mirrorOf(r) != r;
    double* const samples = work.samples.of(2 * layers_ * n);
    for (size_t layer = 0; layer < layers_; ++layer) {
        const double* const s = sums + layer * kPlanes * block.stride;
        Complex* const row = work.row.input();
        std::fill(row, row + n, Complex(0.0));
        PhaseRecurrence phase(north.shift * kTwoPi / static_cast<double>(n));
        size_t folded = 0;
        for (size_t m = 0; m < static_cast<size_t>(block.modes); ++m) {
            const Complex turn = phase.next();
            const Complex fn = turn * Complex(s[m], s[block.stride + m]);
            const Complex fs = turn * Complex(s[2 * block.stride + m], s[3 * block.stride + m]);
            // S of +m at m mod n, and its conjugate at -m mod n, of north + i south, with real and
            // imaginary parts exchanged (sht/fft/ring_fft.cpp).
            row[folded] += Complex(fn.imag() + fs.real(), fn.real() - fs.imag());
            if (m > 0)
                row[folded == 0 ? 0 : n - folded] +=
                    Complex(fs.real() - fn.imag(), fn.real() + fs.imag());
            if (++folded == n) folded = 0;
        }
        const Complex* const x = plan_.rows_.forward(n, work.row);
        for (size_t j = 0; j < n; ++j) {
            samples[2 * layer * n + j] = x[j].imag();
            samples[(2 * layer + 1) * n + j] = x[j].real();
        }
    }
    for (size_t side = 0; side < (paired ? 2U : 1U); ++side) {
        if (!holds(wanted_, side == 0 ? r : mirrorOf(r))) continue;
        const int64_t first = ring(side == 0 ? r : mirrorOf(r)).first - begin_;
        for (size_t p = 0; p < planes_.size(); ++p)
            for (size_t j = 0; j < n; ++j) {
                const Sample input = planes_[p].values[first + static_cast<int64_t>(j)];
                double value = samples[(2 * p + side) * n + j];
                if (!isGood(input)) {
                    value = kNan;
                } else if (layerOfMask_[p] >= 0) {
                    const auto mask = static_cast<size_t>(layerOfMask_[p]);
                    const double share = samples[(2 * mask + side) * n + j] / plan_.integral_;
                    value = share >= kLeastKernelShare ? value / share : kNan;
                }
                value += planes_[p].mean * plan_.integral_;
                planes_[p].result[first + static_cast<int64_t>(j)] = static_cast<Sample>(value);
            }
    }
}

template <typename Sample>
void RingSums::Run<Sample>::convolve(const RingBlock& shape, Workspace& work) const {
    const Block block = withCosines(shape, work);
    const RingSpan targets = block.targets;
    const size_t each = layers_ * kPlanes * block.stride;
    const auto count = static_cast<size_t>(targets.last - targets.first + 1);
    double* const sums = work.sums.of(count * each);
    std::fill(sums, sums + count * each, 0.0);
    double* const workspace = work.modes.of(kRingsAtOnce * block.stride);
    double* modes[kRingsAtOnce];
    for (size_t p = 0; p < kRingsAtOnce; ++p) modes[p] = workspace + p * block.stride;
    double* const extended = work.sources.of(kRingsAtOnce * each);
    // Folded kernels are for equal or for unequal shifts: four sources of one shift at once.
    const int64_t apart = block.folded ? 2 : 1;
    const int64_t stretch = apart * static_cast<int64_t>(kRingsAtOnce);
    for (int64_t base = block.sources.first; base <= block.sources.last; base += stretch)
        for (int64_t lane = 0; lane < apart; ++lane) {
            int64_t sources[kRingsAtOnce];
            size_t found = 0;
            for (int64_t k = base + lane; k <= block.sources.last && found < kRingsAtOnce;
                 k += apart)
                sources[found++] = k;
            if (found == 0) continue;
            const double* from[kRingsAtOnce][kPlanes];
            for (size_t layer = 0; layer < layers_; ++layer) {
                for (size_t p = 0; p < kRingsAtOnce; ++p) {
                    // Beyond the last source: weights of zero, and values of an existing source.
                    const int64_t k = sources[std::min(p, found - 1)];
                    const bool known =
                        block.stride <= static_cast<size_t>(2 * ring(k).quarter) + 1 ||
                        (block.folded && block.stride <= strideOf(k));
                    double* const own = extended + (p * layers_ + layer) * kPlanes * block.stride;
                    if (!known && p < found) extend(block, k, layer, own);
                    const std::array<double*, kPlanes> held = planesOf(layer, k);
                    for (size_t plane = 0; plane < kPlanes; ++plane)
                        from[p][plane] = known ? held[plane]
                                               : extended +
                                                     (std::min(p, found - 1) * layers_ + layer) *
                                                         kPlanes * block.stride +
                                                     plane * block.stride;
                }
                for (int64_t r = targets.first; r <= targets.last; ++r) {
                    if (kernelModes(block, r, sources, found, modes, work) == 0) continue;
                    double* const sum = sums + static_cast<size_t>(r - targets.first) * each +
                                        layer * kPlanes * block.stride;
                    for (size_t plane = 0; plane < kPlanes; ++plane) {
                        const double* of[kRingsAtOnce];
                        for (size_t p = 0; p < kRingsAtOnce; ++p) of[p] = from[p][plane];
                        addProducts(modes, of, block.stride, sum + plane * block.stride);
                    }
                }
            }
        }
    for (int64_t r = targets.first; r <= targets.last; ++r)
        synthesize(block, r, sums + static_cast<size_t>(r - targets.first) * each, work);
}

template <typename Sample>
void RingSums::execute(std::span<const DirectPlane<Sample>> planes, JobContext& job) const {
    execute(planes, {1, rings_.count}, {1, rings_.count}, job);
}

template <typename Sample>
void RingSums::Run<Sample>::execute(JobContext& job) {
    // Enough blocks of each thread that an idle one has modes to compute instead of a wait.
    const size_t blocksAtOnce = kBlocksOfThread * static_cast<size_t>(std::max(1, job.threads()));
    const std::vector<Group> groups = groupsOf(blocksAtOnce);
    if (groups.empty()) return;
    allocateModes(groups);
    WorkspacePool<Workspace> pool;
    const int64_t ringsOfTask = std::max<int64_t>(1, 64 * 1024 / (4 * plan_.nside_));
    const auto steps = static_cast<double>(groups.size() + 1);
    int64_t next = groups.front().pairs.first;  // the first pair without modes
    for (size_t step = 0; step <= groups.size(); ++step) {
        JobContext part =
            job.part(static_cast<double>(step) / steps, static_cast<double>(step + 1) / steps);
        const size_t begin = step == 0 ? 0 : groups[step - 1].begin;
        const size_t count = step == 0 ? 0 : groups[step - 1].end - begin;
        const int64_t first = next;
        if (step < groups.size()) next = std::max(next, groups[step].pairs.last + 1);
        const int64_t tasks = (next - first + ringsOfTask - 1) / ringsOfTask;
        parallelFor(
            part, static_cast<long long>(count) + tasks, 1,
            [&](long long from, long long to) {
                const auto work = pool.take(plan_);
                for (long long i = from; i < to; ++i) {
                    const auto block = static_cast<size_t>(i);
                    if (block < count) {
                        convolve(*blocks_[begin + block], *work);
                        continue;
                    }
                    const int64_t ring = first + (i - static_cast<long long>(count)) * ringsOfTask;
                    for (int64_t r = ring; r < std::min(ring + ringsOfTask, next); ++r)
                        analyze(r, *work);
                }
                pool.giveBack(work);
            },
            "sums over rings");
    }
}

template <typename Sample>
void RingSums::execute(std::span<const DirectPlane<Sample>> planes, RingSpan held, RingSpan wanted,
                       JobContext& job) const {
    Run<Sample>(*this, planes, held, wanted).execute(job);
}

template void RingSums::execute(std::span<const DirectPlane<float>>, JobContext&) const;
template void RingSums::execute(std::span<const DirectPlane<double>>, JobContext&) const;
template void RingSums::execute(std::span<const DirectPlane<float>>, RingSpan, RingSpan,
                                JobContext&) const;
template void RingSums::execute(std::span<const DirectPlane<double>>, RingSpan, RingSpan,
                                JobContext&) const;

}  // namespace armilla
