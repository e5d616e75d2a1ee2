// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the Legendre kernels of spin 0 and spin s.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <type_traits>

#include "sht/legendre/legendre_cuda.h"

namespace armilla::cuda {

// A function below 2^kLeast adds nothing to any sum. It is carried times a power of 2^kUnit until
// it exceeds 2^(kLeast + kUnit). In eight steps a value grows by less than lmax^8 < 2^200, so
// nothing overflows between two checks.
inline constexpr int kLeast = -80, kUnit = 600;
inline constexpr double kGrown = 0x1p520, kShrink = 0x1p-600;
inline constexpr int kStepsBetweenChecks = 8;

// value * 2^(-kUnit scale).
struct Scaled {
    double value;
    int scale;
};
// n log; the logarithm and the result are double-double.
inline __device__ double2 logPower(double2 log, int n) {
    const double high = n * log.x;
    return make_double2(high, __fma_rn(n, log.x, -high) + n * log.y);
}
// 2^(x.x + x.y), relative error a few epsilon whatever the size.
inline __device__ Scaled scaledExp2(double2 x) {
    const double whole = rint(x.x);
    const int exponent = static_cast<int>(whole);
    const int scale = exponent < kLeast ? (kLeast - exponent + kUnit - 1) / kUnit : 0;
    const int shifted = exponent + kUnit * scale;  // within kLeast .. kLeast + kUnit
    return {exp2((x.x - whole) + x.y) * __hiloint2double((1023 + shifted) << 20, 0), scale};
}

// Lanes with `bit` set keep b, all other lanes keep a. Each lane adds the partner lane's part of
// the value that it keeps.
inline __device__ double exchanged(double a, double b, int bit) {
    const bool upper = (threadIdx.x & bit) != 0;
    const double kept = upper ? b : a, sent = upper ? a : b;
    return kept + __shfl_xor_sync(0xffffffffU, sent, bit);
}
// Adds 32 values over the lanes of a warp while transposing: four values for each of eight steps,
// step by step. At the end each lane holds one sum: component() at step step(). Each lane passes
// the components in its own order, so that no lane-dependent selection is needed: value j, j = 0 ..
// 3, is component j ^ component().
class LaneSums {
public:
    static __device__ int component() {
        return static_cast<int>((threadIdx.x >> 4 & 1) | (threadIdx.x >> 2 & 2));
    }
    static __device__ int step() {
        return static_cast<int>((threadIdx.x >> 2 & 1) | (threadIdx.x & 2) |
                                (threadIdx.x << 2 & 4));
    }
    // kStep: a constant after unrolling.
    __device__ void add(int kStep, double v0, double v1, double v2, double v3) {
        const double w0 = v0 + __shfl_xor_sync(0xffffffffU, v1, 16);
        const double w1 = v2 + __shfl_xor_sync(0xffffffffU, v3, 16);
        double x = w0 + __shfl_xor_sync(0xffffffffU, w1, 8);
        if ((kStep & 1) == 0) {
            one_ = x;
            return;
        }
        x = exchanged(one_, x, 4);
        if ((kStep & 2) == 0) {
            two_ = x;
            return;
        }
        x = exchanged(two_, x, 2);
        if ((kStep & 4) == 0) {
            four_ = x;
            return;
        }
        four_ = exchanged(four_, x, 1);
    }
    __device__ double sum() const { return four_; }

private:
    double one_, two_, four_;
};
// Permutes four values into the order that LaneSums requires.
inline __device__ void ownOrder(double& v0, double& v1, double& v2, double& v3) {
    const auto swap = [](double& a, double& b) {
        const double t = a;
        a = b;
        b = t;
    };
    if ((LaneSums::component() & 1) != 0) {
        swap(v0, v1);
        swap(v2, v3);
    }
    if ((LaneSums::component() & 2) != 0) {
        swap(v0, v2);
        swap(v1, v3);
    }
}

// A tile of steps in shared memory, filled before its use, with kFactors factors for each step.
// Steps beyond the last are zero and add nothing.
template <int kSteps, int kFactors>
struct StepTile {
    double2 recurrence[kSteps];
    double2 mixed[kFactors > 0 ? kFactors* kSteps : 1];

    // Starts to copy steps first, ... of `steps`; all threads of the block copy a part.
    __device__ void fetch(const double2* recurrences, const double2* factors, int first,
                          int steps) {
        constexpr int kItems = (1 + kFactors) * kSteps;
        for (int i = threadIdx.x; i < kItems; i += blockDim.x) {
            const bool isFactor = i >= kSteps;
            const int j = isFactor ? i - kSteps : i;
            const int k = isFactor ? j / max(kFactors, 1) : j;
            const bool there = first + k < steps;
            const double2* const from =
                (isFactor ? factors + kFactors * first : recurrences + first) + j;
            __pipeline_memcpy_async(isFactor ? &mixed[j] : &recurrence[j],
                                    there ? from : recurrences, sizeof(double2),
                                    there ? 0 : sizeof(double2));
        }
        __pipeline_commit();
    }
};

// Starts to copy the modes of a block's pairs to shared memory. Each mode is needed when its
// functions come into range, at different times, and other warps could not hide that many memory
// latencies.
inline __device__ void fetchModes(PairModes* place, const PairModes* modes, int pairs) {
    const double2* const from = reinterpret_cast<const double2*>(modes);
    double2* const to = reinterpret_cast<double2*>(place);
    for (int i = threadIdx.x; i < 2 * pairs; i += blockDim.x)
        __pipeline_memcpy_async(to + i, from + i, sizeof(double2));
}

// Whether any or all of a warp's functions are in range, and whether some use the recurrence of
// form 1.
struct WarpRange {
    bool any, all, polar;
    template <typename Run>
    __device__ explicit WarpRange(const Run& run)
        : any(run.anyInRange()),
          all(run.allInRange()),
          polar(__any_sync(0xffffffffU, run.form > 0.0) != 0) {}
};
// Processes the steps of a tile in groups of eight. Until any function is in range: the recurrence
// alone, and skip(k). Then sum(k, isPolar, isWhole); isWhole once all functions are in range. Both
// are types: whether any function is of form 1, and whether all are in range. entered: see
// shrinkGrown of the run.
template <typename Run, typename Entered, typename Skip, typename Sum>
inline __device__ void overTile(Run& run, WarpRange& range, const double2* recurrences, int end,
                                const Entered& entered, const Skip& skip, const Sum& sum) {
    int k = 0;
    for (; !range.any && k < end; k += kStepsBetweenChecks) {
#pragma unroll
        for (int i = 0; i < kStepsBetweenChecks; ++i)
            run.template advance<true>(recurrences[k + i]);
        run.shrinkGrown(entered);
        range.any = run.anyInRange();
        if (range.any) range.all = run.allInRange();
        skip(k);
    }
    for (; !range.all && k < end; k += kStepsBetweenChecks) {
        sum(k, std::true_type(), std::false_type());
        run.shrinkGrown(entered);
        range.all = run.allInRange();
    }
    if (range.polar)
        for (; k < end; k += kStepsBetweenChecks) sum(k, std::true_type(), std::true_type());
    else
        for (; k < end; k += kStepsBetweenChecks) sum(k, std::false_type(), std::true_type());
}

// The number of warps of a block with ring pairs; these are the first ones.
inline __device__ int warpsWithPairs(const LegendreSlice& slice, const LegendreItem& item,
                                     int pairsOfThread) {
    const int pairs = slice.endOf(item) - item.first;
    return min(static_cast<int>(blockDim.x) / 32,
               (pairs + 32 * pairsOfThread - 1) / (32 * pairsOfThread));
}

// The sums of a tile's steps for each warp; warps are added in order for global memory.
template <int kWarps, int kSteps, int kSeries = 1>
struct SumTile {
    double sums[kWarps][kSteps][4 * kSeries];

    // Not unrolled: the enclosing loop has no register to spare.
    __device__ void store(double2* mixed, int first, int steps, int warps) const {
#pragma unroll 1
        for (int i = threadIdx.x; i < kEach * kSteps; i += blockDim.x) {
            const int step = i / kEach, j = i % kEach;
            if (first + step >= steps) continue;
            double2 total = make_double2(0.0, 0.0);
#pragma unroll 1
            for (int w = 0; w < warps; ++w) {
                total.x += sums[w][step][2 * j];
                total.y += sums[w][step][2 * j + 1];
            }
            mixed[kEach * first + i] = total;
        }
    }

private:
    static constexpr int kEach = 2 * kSeries;
};
// Sums over the blocks of an m, in block order.
struct BlockSums {
    double2* mixed;  // sums of this m
    int64_t stride;  // in double2
    int firstBlock, blocks;

    __device__ BlockSums(const LegendreSeries& series, const LegendreSlice& slice, int m)
        : mixed(series.mixed + series.mixedOf(m)),
          stride(2 * series.count * series.blockStride),
          firstBlock(slice.firstRow[m] / slice.run),
          blocks((slice.end + slice.run - 1) / slice.run) {}
    __device__ double2* first() const { return mixed + firstBlock * stride; }
    __device__ double2 at(int64_t i) const {
        double2 total = make_double2(0.0, 0.0);
#pragma unroll 4
        for (int block = firstBlock; block < blocks; ++block) {
            const double2 part = mixed[block * stride + i];
            total.x += part.x;
            total.y += part.y;
        }
        return total;
    }
};

// s_k of 32 successive steps, one for each lane, from the lanes' ratios s_{k+1} / s_{k-1}, in the
// order of the steps, as on the CPU. `before` and `now`: the scales of the last two steps.
inline __device__ double nextScales(double ratio, double& before, double& now) {
    double mine = 0.0;
    for (int i = 0; i < 32; ++i) {
        if (static_cast<int>(threadIdx.x % 32) == i) mine = now;
        const double next = before * __shfl_sync(0xffffffffU, ratio, i);
        before = now;
        now = next;
    }
    return mine;
}

// Number of steps of order m of a series of spin 0.
inline __device__ int scalarSteps(int lmax, int m) {
    return (lmax - m) / 2 + 1;
}
// One step k of an m: its even degree l = m + 2 k, eps of l .. l + 3, s_{k-1}, s_k, s_{k+1}.
struct MixStep {
    int k, l;
    double e0, e1, e2, e3, before, scale, next;
};
// Calls use(step) for the steps of m from `first` on, one for each lane. `before`, `now`: the
// scales s_{k-1} and s_k at the first step, then at the first step of the next chunk.
template <typename Use>
inline __device__ void overScalarChunk(int lmax, int m, int first, double& before, double& now,
                                       const Use& use) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    MixStep step;
    step.k = first + lane;
    step.l = m + 2 * step.k;
    step.e0 = scalarEpsilon(step.l, m);
    step.e1 = scalarEpsilon(step.l + 1, m);
    step.e2 = scalarEpsilon(step.l + 2, m);
    step.e3 = scalarEpsilon(step.l + 3, m);
    const double last = before;
    const double ratio = step.k == 0 ? 1.0 : (step.e0 * step.e1) / (step.e2 * step.e3);
    step.scale = nextScales(ratio, before, now);
    step.before = __shfl_up_sync(0xffffffffU, step.scale, 1);
    step.next = __shfl_down_sync(0xffffffffU, step.scale, 1);
    if (lane == 0) step.before = last;
    if (lane == 31) step.next = now;
    if (step.k < scalarSteps(lmax, m)) use(step);
}
// The same for one chunk, with the scales stored for it.
template <typename Use>
inline __device__ void overNotedScalarChunk(const LegendreSeries& series, int m, int chunk,
                                            const Use& use) {
    if (m > series.mmax || chunk * kChunkSteps >= scalarSteps(series.lmax, m)) return;
    const double2 scales = series.scales[static_cast<int64_t>(m) * series.chunks + chunk];
    double before = scales.x, now = scales.y;
    overScalarChunk(series.lmax, m, chunk * kChunkSteps, before, now, use);
}

inline constexpr int kMixThreads = 128, kMixWarps = kMixThreads / 32;
// The warp's number in its row of the grid: the m of the recurrence it computes, or the chunk of
// steps that it mixes. The row is the slot.
inline __device__ int warpOfRow() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
}
inline dim3 mixBlocks(int warps, int rows = 1) {
    return dim3(static_cast<unsigned>((warps + kMixWarps - 1) / kMixWarps),
                static_cast<unsigned>(rows));
}

}  // namespace armilla::cuda
