// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "armilla/device/cuda/check.h"
#include "shared/legendre_recurrence.h"
#include "sht/legendre/legendre_scalar_cuda.cuh"

namespace armilla::cuda {

namespace {

constexpr int kSynthesisThreads = 64;
constexpr int kSynthesisTile = 64, kAdjointTile = 64, kAdjointTileOfTwo = 24;  // steps
// Blocks of a multiprocessor: limited by the registers that a synthesis of `sums` sums a thread
// takes without spilling (32 sums: 160 registers).
constexpr int synthesisBlocks(int sums) {
    return sums > 16 ? 5 : 8;
}

// Coefficients of several series.
struct DeviceAlms {
    DeviceAlm each[kMostSeries];
};
// The coefficient of degree l of the series, from the given coefficients.
inline __device__ double2 sourceAt(const DeviceAlm& alm, ScalarSource source, int l, int m) {
    const auto at = [&](int degree) {
        return degree < m || degree > alm.lmax ? make_double2(0.0, 0.0) : alm.at(degree, m);
    };
    if (source == ScalarSource::Plain) return at(l);
    if (source == ScalarSource::PhiDerivative) {
        const double2 c = at(l);
        return make_double2(-m * c.y, m * c.x);
    }
    const double2 below = at(l - 1), above = at(l + 1);
    const double fromBelow = (l - 1) * scalarEpsilon(l, m);
    const double fromAbove = -(l + 2.0) * scalarEpsilon(l + 1, m);
    return make_double2(fromBelow * below.x + fromAbove * above.x,
                        fromBelow * below.y + fromAbove * above.y);
}

// Fourier coefficients of kSeries series over one recurrence. The register file feeds two of the
// three operands of a multiply-add at full rate; the third must repeat an operand of the previous
// instruction. So a factor is applied to all pairs, forward and backward in turn. With many pairs
// few steps are unrolled, because otherwise the compiler mixes instructions of different factors.
template <int R, int kSeries>
__global__ void __launch_bounds__(kSynthesisThreads, synthesisBlocks(4 * R * kSeries))
    scalarSynthesisKernel(LegendreSeries series, LegendreSlice slice) {
    using Tile = StepTile<kSynthesisTile, 2 * kSeries>;
    __shared__ Tile tiles[2];
    // Nothing is added between warps, so blocks of few warps wait less.
    constexpr int kParts = kBlockPairs / R / kSynthesisThreads;
    const LegendreItem item = slice.items[blockIdx.x / kParts];
    const int part = static_cast<int>(blockIdx.x) % kParts;
    const int blockPair = item.first + part * kSynthesisThreads * R;
    if (blockPair >= slice.endOf(item)) return;
    const int m = item.m, pair = blockPair + static_cast<int>(threadIdx.x) * R;
    const int steps = scalarSteps(series.lmax, m);
    const double2* const recurrences = series.recurrence + series.stepsAt[m];
    const double2* const factors = series.mixed + series.mixedOf(m);
    tiles[0].fetch(recurrences, factors, 0, steps);
    ScalarRun<R> run;
    run.start(series, slice, m, pair, slice.endOf(item));
    double er[kSeries][R] = {}, ei[kSeries][R] = {}, odr[kSeries][R] = {}, odi[kSeries][R] = {};
    WarpRange range(run);
    const bool used = __any_sync(0xffffffffU, run.alive) != 0;
    // A function that comes into range clears the sums it added before.
    const auto entered = [&](int r) {
#pragma unroll
        for (int c = 0; c < kSeries; ++c) er[c][r] = ei[c][r] = odr[c][r] = odi[c][r] = 0.0;
    };
    constexpr bool kPlaced = R == 8;  // depends on how the compiler then arranges the operands
    const auto add = [&](double factor, double(&sums)[R], bool isBack) {
#pragma unroll
        for (int i = 0; i < R; ++i) {
            const int r = isBack ? R - 1 - i : i;
            sums[r] =
                kPlaced ? placedFma(factor, run.now[r], sums[r]) : fma(factor, run.now[r], sums[r]);
        }
    };
    const auto sum = [&](const Tile& tile, int k, auto isPolar) {
        constexpr int kUnrolled = 4 * R * kSeries > 16 ? 2 : kStepsBetweenChecks;
#pragma unroll kUnrolled
        for (int i = 0; i < kStepsBetweenChecks; ++i) {
#pragma unroll
            for (int c = 0; c < kSeries; ++c) {
                const int at = 2 * kSeries * (k + i) + 2 * c;
                const double2 even = tile.mixed[at], odd = tile.mixed[at + 1];
                add(even.x, er[c], false);
                if (!kPlaced) add(even.y, ei[c], true);
                add(odd.x, odr[c], kPlaced);
                add(odd.y, odi[c], !kPlaced);
                if (kPlaced) add(even.y, ei[c], true);
            }
            if constexpr (kPlaced)
                run.template advanceInTurn<isPolar.value>(tile.recurrence[k + i]);
            else
                run.template advance<isPolar.value>(tile.recurrence[k + i]);
        }
    };
    for (int first = 0, now = 0; first < steps; first += kSynthesisTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kSynthesisTile < steps)
            tiles[now ^ 1].fetch(recurrences, factors, first + kSynthesisTile, steps);
        if (!used) continue;
        const Tile& tile = tiles[now];
        const int end = min(kSynthesisTile, steps - first);
        overTile(
            run, range, tile.recurrence, end, entered, [](int) {},
            [&](int k, auto isPolar, auto) { sum(tile, k, isPolar); });
    }
    if (!run.alive) return;
    const int64_t at = slice.modesAt(m) + pair;
#pragma unroll
    for (int r = 0; r < R; ++r) {
        if (run.scale[r] > 0) entered(r);
        const double z = slice.pairs[pair + r].z;
        const double factor = slice.rowFactors != nullptr ? slice.rowFactors[pair + r] : 1.0;
#pragma unroll
        for (int c = 0; c < kSeries; ++c) {
            const double xr = odr[c][r] * z, xi = odi[c][r] * z;
            slice.modes[c][at + r] = {
                make_double2(factor * (er[c][r] + xr), factor * (ei[c][r] + xi)),
                make_double2(factor * (er[c][r] - xr), factor * (ei[c][r] - xi))};
        }
    }
}

// The factors of a ring pair's functions in the sums: for even ones, for odd ones.
struct PairTerms {
    double2 even, odd;
};
inline __device__ PairTerms pairTerms(const PairModes& f, double z, double factor) {
    const double even = factor, odd = factor * z;
    return {make_double2(even * (f.north.x + f.south.x), even * (f.north.y + f.south.y)),
            make_double2(odd * (f.north.x - f.south.x), odd * (f.north.y - f.south.y))};
}

template <int R, int kSeries>
__global__ void __launch_bounds__(kBlockPairs / R, kSeries > 1 ? 3
                                                   : R > 4     ? 6
                                                               : 4)
    scalarAdjointKernel(LegendreSeries series, LegendreSlice slice) {
    constexpr int kTile = kSeries > 1 ? kAdjointTileOfTwo : kAdjointTile;
    using Tile = StepTile<kTile, 0>;
    __shared__ Tile tiles[2];
    __shared__ SumTile<kBlockPairs / R / 32, kTile, kSeries> sums[2];
    __shared__ PairTerms terms[kSeries][kBlockPairs];
    const LegendreItem item = slice.items[blockIdx.x];
    const int m = item.m, pair = item.first + static_cast<int>(threadIdx.x) * R;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int warps = warpsWithPairs(slice, item, R);
    const int steps = scalarSteps(series.lmax, m);
    const double2* const recurrences = series.recurrence + series.stepsAt[m];
    double2* const mixed =
        series.mixed + series.mixedOf(m) + 2 * kSeries * slice.blockOf(item) * series.blockStride;
    tiles[0].fetch(recurrences, nullptr, 0, steps);
    const int pairs = min(slice.endOf(item), slice.pairCount) - item.first;
    for (int i = threadIdx.x; i < static_cast<int>(blockDim.x) * R; i += blockDim.x)
#pragma unroll
        for (int c = 0; c < kSeries; ++c)
            terms[c][i] =
                i < pairs ? pairTerms(slice.modes[c][slice.modesAt(m) + item.first + i],
                                      slice.pairs[item.first + i].z,
                                      slice.rowFactors != nullptr ? slice.rowFactors[item.first + i]
                                                                  : 1.0)
                          : PairTerms{};
    ScalarRun<R> run;
    run.start(series, slice, m, pair, slice.endOf(item));
    double f[4 * kSeries][R] = {};
    // Terms are loaded when their ring's functions come into range.
    const auto entered = [&](int r) {
#pragma unroll
        for (int c = 0; c < kSeries; ++c) {
            const PairTerms t = terms[c][static_cast<int>(threadIdx.x) * R + r];
            f[4 * c][r] = t.even.x;
            f[4 * c + 1][r] = t.even.y;
            f[4 * c + 2][r] = t.odd.x;
            f[4 * c + 3][r] = t.odd.y;
            ownOrder(f[4 * c][r], f[4 * c + 1][r], f[4 * c + 2][r], f[4 * c + 3][r]);
        }
    };
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < R; ++r)
        if (run.alive && run.scale[r] == 0) entered(r);
    WarpRange range(run);
    const auto sum = [&](const Tile& tile, double* out, int k, auto isPolar) {
        LaneSums lanes[kSeries];
#pragma unroll
        for (int i = 0; i < kStepsBetweenChecks; ++i) {
#pragma unroll
            for (int c = 0; c < kSeries; ++c) {
                double v[4] = {};
#pragma unroll
                for (int r = 0; r < R; ++r)
#pragma unroll
                    for (int j = 0; j < 4; ++j) v[j] = fma(run.now[r], f[4 * c + j][r], v[j]);
                lanes[c].add(i, v[0], v[1], v[2], v[3]);
            }
            run.template advance<isPolar.value>(tile.recurrence[k + i]);
        }
#pragma unroll
        for (int c = 0; c < kSeries; ++c) out[4 * kSeries * k + 4 * c] = lanes[c].sum();
    };
    int now = 0;
    for (int first = 0; first < steps; first += kTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kTile < steps) tiles[now ^ 1].fetch(recurrences, nullptr, first + kTile, steps);
        if (first > 0) sums[now ^ 1].store(mixed, first - kTile, steps, warps);
        if (warp >= warps) continue;
        const Tile& tile = tiles[now];
        double* const out = &sums[now].sums[warp][LaneSums::step()][LaneSums::component()];
        const int end = min(kTile, steps - first);
        overTile(
            run, range, tile.recurrence, end, entered,
            [&](int k) {
#pragma unroll
                for (int c = 0; c < kSeries; ++c) out[4 * kSeries * k + 4 * c] = 0.0;
            },
            [&](int k, auto isPolar, auto) { sum(tile, out, k, isPolar); });
    }
    __syncthreads();
    const int last = (steps - 1) / kTile * kTile;
    sums[now ^ 1].store(mixed, last, steps, warps);
}

__global__ void __launch_bounds__(kMixThreads) scalarRecurrencesKernel(LegendreSeries series) {
    const int m = warpOfRow();
    if (m > series.mmax || series.stepsAt[m] < 0) return;
    double2* const out = series.recurrence + series.stepsAt[m];
    double2* const scales = series.scales + static_cast<int64_t>(m) * series.chunks;
    double before = 1.0, now = 1.0;  // the first two are 1
    for (int first = 0; first < scalarSteps(series.lmax, m); first += kChunkSteps) {
        if (threadIdx.x % 32 == 0) scales[first / kChunkSteps] = make_double2(before, now);
        overScalarChunk(series.lmax, m, first, before, now, [&](const MixStep& at) {
            const ScalarRecurrence step = scalarRecurrence(at.e1, at.e2, at.e3, at.scale, at.next);
            out[at.k] = make_double2(step.a, step.b[0]);
        });
    }
}

// A warp's steps of a chunk, two numbers for each series, which are contiguous in memory. They pass
// through shared memory, so that lanes read and write contiguous memory.
struct ChunkNumbers {
    double2* held;  // for each step its numbers, and one that avoids bank conflicts
    int logEach;    // log2 of two for each series
    int size;       // numbers of the chunk

    static constexpr int kCapacity = kChunkSteps * (2 * kMostSeries + 1);
    __device__ ChunkNumbers(double2 (&workspace)[kMixWarps][kCapacity], int count, int steps,
                            int first)
        : held(workspace[threadIdx.x / 32]),
          logEach(count == 1   ? 1
                  : count == 2 ? 2
                               : 3),
          size(min(steps - first, kChunkSteps) << logEach) {}
    __device__ double2& at(int step, int i) const { return held[step * ((1 << logEach) + 1) + i]; }
    // Calls use(i, number i of the chunk) for the lane's part.
    template <typename Use>
    __device__ void overAll(const Use& use) const {
        for (int i = static_cast<int>(threadIdx.x) % 32; i < size; i += 32)
            use(i, at(i >> logEach, i & ((1 << logEach) - 1)));
    }
};
static_assert(kMostSeries == 4);

__global__ void __launch_bounds__(kMixThreads)
    scalarMixKernel(LegendreSeries series, OrderSlice orders, DeviceAlms alm, ScalarSource source) {
    __shared__ double2 workspace[kMixWarps][ChunkNumbers::kCapacity];
    const int m = orders.orderOf(static_cast<int>(blockIdx.y)), chunk = warpOfRow();
    const int first = chunk * kChunkSteps;
    if (m > series.mmax || first >= scalarSteps(series.lmax, m)) return;
    const ChunkNumbers numbers(workspace, series.count, scalarSteps(series.lmax, m), first);
    overNotedScalarChunk(series, m, chunk, [&](const MixStep& at) {
        for (int c = 0; c < series.count; ++c) {
            const DeviceAlm& one = alm.each[c];
            const double2 a0 = sourceAt(one, source, at.l, m);
            const double2 a1 = sourceAt(one, source, at.l + 1, m);
            const double2 a2 = sourceAt(one, source, at.l + 2, m);
            numbers.at(at.k - first, 2 * c) = make_double2(
                at.scale * (at.e1 * a0.x + at.e2 * a2.x), at.scale * (at.e1 * a0.y + at.e2 * a2.y));
            numbers.at(at.k - first, 2 * c + 1) = make_double2(at.scale * a1.x, at.scale * a1.y);
        }
    });
    __syncwarp();
    double2* const out = series.mixed + series.mixedOf(m) + 2 * series.count * first;
    numbers.overAll([&](int i, double2 value) { out[i] = value; });
}

// The transpose of the mixing: even sums go to l and, from the previous step, to l + 2.
__global__ void __launch_bounds__(kMixThreads)
    scalarUnmixKernel(LegendreSeries series, LegendreSlice slice, DeviceAlms alm) {
    __shared__ double2 workspace[kMixWarps][ChunkNumbers::kCapacity];
    const int m = slice.orders.orderOf(static_cast<int>(blockIdx.y)), chunk = warpOfRow();
    const int first = chunk * kChunkSteps;
    if (m > series.mmax || first >= scalarSteps(series.lmax, m)) return;
    const ChunkNumbers numbers(workspace, series.count, scalarSteps(series.lmax, m), first);
    const BlockSums sums(series, slice, m);
    const int place = 2 * series.count * first;
    numbers.overAll([&](int i, double2& value) { value = sums.at(place + i); });
    __syncwarp();
    overNotedScalarChunk(series, m, chunk, [&](const MixStep& at) {
        const int step = at.k - first;
        for (int c = 0; c < series.count; ++c) {
            double2* const column = alm.each[c].column(m);
            const double2 even = numbers.at(step, 2 * c), odd = numbers.at(step, 2 * c + 1);
            double2 below = make_double2(0.0, 0.0);
            if (step > 0)
                below = numbers.at(step - 1, 2 * c);
            else if (first > 0)
                below = sums.at(place - 2 * series.count + 2 * c);
            const double here = at.e1 * at.scale, fromBelow = at.e0 * at.before;
            column[at.l].x += here * even.x + fromBelow * below.x;
            column[at.l].y += here * even.y + fromBelow * below.y;
            if (at.l + 1 > alm.each[c].lmax) continue;
            column[at.l + 1].x += at.scale * odd.x;
            column[at.l + 1].y += at.scale * odd.y;
        }
    });
}

DeviceAlms together(std::span<const DeviceAlm> alm) {
    DeviceAlms all;
    std::copy(alm.begin(), alm.end(), all.each);
    return all;
}

}  // namespace

void scalarRecurrences(const LegendreSeries& series, cudaStream_t stream) {
    scalarRecurrencesKernel<<<mixBlocks(series.mmax + 1), kMixThreads, 0, stream>>>(series);
    checkLaunch("recurrences of Legendre functions");
}

void scalarMix(const LegendreSeries& series, const LegendreSlice& slice,
               std::span<const DeviceAlm> alm, ScalarSource source, cudaStream_t stream) {
    scalarMixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice.orders, together(alm), source);
    checkLaunch("mixing coefficients");
}

void scalarUnmix(const LegendreSeries& series, const LegendreSlice& slice,
                 std::span<const DeviceAlm> alm, cudaStream_t stream) {
    scalarUnmixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice, together(alm));
    checkLaunch("collecting coefficients");
}

void scalarSynthesis(const LegendreSeries& series, const LegendreSlice& slice, int pairs,
                     cudaStream_t stream) {
    if (slice.itemCount == 0) return;
    if (series.count > 2) {
        batchSynthesis(series, slice, stream);
        return;
    }
    const auto launch = [&](auto kernel, int pairsOfThread) {
        const int blocks = slice.itemCount * (kBlockPairs / pairsOfThread / kSynthesisThreads);
        kernel<<<blocks, kSynthesisThreads, 0, stream>>>(series, slice);
    };
    if (series.count == 2)
        launch(scalarSynthesisKernel<kPairsOfTwo, 2>, kPairsOfTwo);
    else if (pairs == 8)
        launch(scalarSynthesisKernel<8, 1>, 8);
    else if (pairs == 4)
        launch(scalarSynthesisKernel<4, 1>, 4);
    else
        launch(scalarSynthesisKernel<2, 1>, 2);
    checkLaunch("Legendre sums");
}

void scalarAdjoint(const LegendreSeries& series, const LegendreSlice& slice, int pairs,
                   cudaStream_t stream) {
    if (slice.itemCount == 0) return;
    if (series.count > 2) {
        batchAdjoint(series, slice, stream);
        return;
    }
    const auto launch = [&](auto kernel, int pairsOfThread) {
        kernel<<<slice.itemCount, slice.threads(pairsOfThread), 0, stream>>>(series, slice);
    };
    if (series.count == 2)
        launch(scalarAdjointKernel<kPairsOfTwo, 2>, kPairsOfTwo);
    else if (pairs == 8)
        launch(scalarAdjointKernel<8, 1>, 8);
    else
        launch(scalarAdjointKernel<4, 1>, 4);
    checkLaunch("transposed Legendre sums");
}

}  // namespace armilla::cuda
