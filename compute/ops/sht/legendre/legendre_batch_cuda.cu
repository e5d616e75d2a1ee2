// SPDX-License-Identifier: GPL-3.0-or-later
// Legendre sums of several series over one recurrence, as products of matrices. Synthesis: the
// functions of some ring pairs at some steps, times the factors of all series at these steps.
// Adjoint: the functions times the terms of all series at these pairs. Each lane computes the
// functions of its pairs; shared memory moves them to the lanes where the matrix units need them. A
// warp uses only its own functions. So blocks synchronize only for factors and, in the adjoint, to
// add the sums of their warps in order.
#include "armilla/device/cuda/check.h"
#include "sht/legendre/legendre_scalar_cuda.cuh"
#include "sht/legendre/matrix_unit_cuda.cuh"

namespace armilla::cuda {

namespace {

constexpr int kPairs = 2;  // pairs of a thread
constexpr int kColumnsOfWarp = 32 * kPairs;
constexpr int kThreads = kBlockPairs / kPairs, kWarps = kThreads / 32;
// Synthesis adds nothing between warps, so blocks of few warps wait less.
constexpr int kSynthesisWarps = 2, kSynthesisParts = kWarps / kSynthesisWarps;
// per step: real and imaginary, even and odd sums of each series
constexpr int kSums = 4 * kMostSeries;
static_assert(kMostSeries == 4 && kPairs == 2);

// The modes of a series with a number unknown at compile time: indexing would move the array to
// local memory.
inline __device__ PairModes* modesOf(const LegendreSlice& slice, int which) {
    PairModes* modes = slice.modes[0];
#pragma unroll
    for (int c = 1; c < kMostSeries; ++c)
        if (which == c) modes = slice.modes[c];
    return modes;
}

// Functions of a warp's pairs at the steps between two checks. Rows are 4 (mod 16) numbers apart,
// so that four successive numbers of four rows are in different banks.
struct FunctionTile {
    double values[kStepsBetweenChecks][kColumnsOfWarp + 4];
};

// Fills a tile from step k on with the functions in range.
template <int kAtOnce, bool kAnyForm, bool kAllInRange, typename Recurrences>
inline __device__ void makeFunctions(ScalarRun<kPairs>& run, FunctionTile& tile,
                                     const Recurrences& recurrences, int k) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    // Recurrences are read before functions are written, because the compiler must assume that
    // their memory overlaps.
#pragma unroll
    for (int first = 0; first < kStepsBetweenChecks; first += kAtOnce) {
        double2 values[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            values[i] = make_double2(run.now[0], run.now[1]);
            if (!kAllInRange) {
                if (run.scale[0] > 0) values[i].x = 0.0;
                if (run.scale[1] > 0) values[i].y = 0.0;
            }
            run.template advance<kAnyForm>(recurrences[k + first + i]);
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i)
            *reinterpret_cast<double2*>(&tile.values[first + i][kPairs * lane]) = values[i];
    }
    __syncwarp();
}

constexpr int kSynthesisTile = 32;  // steps
struct FactorTile {
    double2 recurrence[kSynthesisTile];
    double factors[kSynthesisTile][kSums + 4];

    // Works like StepTile::fetch.
    __device__ void fetch(const double2* recurrences, const double2* from, int first, int steps) {
        constexpr int kParts = kSums / 2;
        const int count = min(kSynthesisTile, steps - first);
        for (int k = threadIdx.x; k < kSynthesisTile; k += blockDim.x)
            copy(&recurrence[k], recurrences + first + k, k < count);
        from += kParts * static_cast<int64_t>(first);
        for (int i = threadIdx.x; i < kParts * kSynthesisTile; i += blockDim.x)
            copy(reinterpret_cast<double2*>(factors[i / kParts]) + i % kParts, from + i,
                 i < kParts * count);
        __pipeline_commit();
    }

private:
    static __device__ void copy(double2* to, const double2* from, bool there) {
        if (there)
            __pipeline_memcpy_async(to, from, sizeof(double2));
        else
            *to = make_double2(0.0, 0.0);
    }
};

// F_m: the matrix (pairs, steps) times the matrix (steps, sums).
__global__ void __launch_bounds__(32 * kSynthesisWarps, 16 / kSynthesisWarps)
    batchSynthesisKernel(LegendreSeries series, LegendreSlice slice) {
    constexpr int kRowTiles = kColumnsOfWarp / 16, kColumnTiles = kSums / 8;
    __shared__ FactorTile tiles[2];
    __shared__ FunctionTile functions[kSynthesisWarps];
    const LegendreItem item = slice.items[blockIdx.x / kSynthesisParts];
    const int m = item.m, lane = static_cast<int>(threadIdx.x) % 32;
    const int steps = scalarSteps(series.lmax, m), end = slice.endOf(item);
    const int blockPair = item.first + static_cast<int>(blockIdx.x) % kSynthesisParts *
                                           kSynthesisWarps * kColumnsOfWarp;
    const int warpPair = blockPair + static_cast<int>(threadIdx.x) / 32 * kColumnsOfWarp;
    if (blockPair >= end) return;
    const double2* const recurrences = series.recurrence + series.stepsAt[m];
    const double2* const factors = series.mixed + series.mixedOf(m);
    tiles[0].fetch(recurrences, factors, 0, steps);
    ScalarRun<kPairs> run;
    run.start(series, slice, m, warpPair + kPairs * lane, end);
    double sums[kRowTiles][kColumnTiles][4] = {};
    WarpRange range(run);
    FunctionTile& own = functions[threadIdx.x / 32];
    const auto sum = [&](const FactorTile& tile, int k, auto isPolar, auto isWhole) {
        makeFunctions<4, isPolar.value, isWhole.value>(run, own, tile.recurrence, k);
        const double* const from = tile.factors[k + lane % 4] + lane / 4;
        double b[kColumnTiles][2];
#pragma unroll
        for (int t = 0; t < kColumnTiles; ++t) {
            b[t][0] = from[8 * t];
            b[t][1] = from[8 * t + 4 * (kSums + 4)];
        }
        const double *const low = own.values[lane % 4] + lane / 4, *const high =
                                                                       own.values[lane % 4 + 4] +
                                                                       lane / 4;
#pragma unroll
        for (int row = 0; row < kRowTiles; ++row) {
            const double2 a[2] = {make_double2(low[16 * row], low[16 * row + 8]),
                                  make_double2(high[16 * row], high[16 * row + 8])};
#pragma unroll
            for (int t = 0; t < kColumnTiles; ++t) multiplyAdd(sums[row][t], a, b[t]);
        }
        __syncwarp();
    };
    const auto noEntry = [](int) {};
    for (int first = 0, now = 0; first < steps; first += kSynthesisTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kSynthesisTile < steps)
            tiles[now ^ 1].fetch(recurrences, factors, first + kSynthesisTile, steps);
        if (warpPair >= end) continue;
        const FactorTile& tile = tiles[now];
        const int last = min(kSynthesisTile, steps - first);
        overTile(
            run, range, tile.recurrence, last, noEntry, [](int) {},
            [&](int k, auto isPolar, auto isWhole) { sum(tile, k, isPolar, isWhole); });
    }
    // Two neighboring lanes hold a series' sums over even and over odd functions. The first lane
    // computes the northern ring, the second the southern ring.
    const bool south = (lane & 1) != 0;
#pragma unroll
    for (int row = 0; row < kRowTiles; ++row)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int pair = warpPair + 16 * row + 8 * half + lane / 4;
            const bool there = pair < end;
            const double z = there ? slice.pairs[pair].z : 0.0;
#pragma unroll
            for (int t = 0; t < kColumnTiles; ++t) {
                const double x = sums[row][t][2 * half], y = sums[row][t][2 * half + 1];
                const double ox = __shfl_xor_sync(0xffffffffU, x, 1);
                const double oy = __shfl_xor_sync(0xffffffffU, y, 1);
                if (!there) continue;
                PairModes& out = modesOf(slice, 2 * t + lane % 4 / 2)[slice.modesAt(m) + pair];
                if (south)
                    out.south = make_double2(ox - z * x, oy - z * y);
                else
                    out.north = make_double2(x + z * ox, y + z * oy);
            }
        }
}

constexpr int kAdjointTile = 32;  // steps
// The sums of warps; rows are padded like those of FunctionTile.
using WarpSums = double[kWarps][kAdjointTile][kSums + 2];

// Not unrolled, for the same reason as SumTile::store.
inline __device__ void storeSums(const WarpSums& sums, double2* mixed, int first, int steps,
                                 int warps) {
    constexpr int kEach = kSums / 2;
#pragma unroll 1
    for (int i = threadIdx.x; i < kEach * kAdjointTile; i += blockDim.x) {
        const int step = i / kEach, j = i % kEach;
        if (first + step >= steps) continue;
        double2 total = make_double2(0.0, 0.0);
#pragma unroll 2
        for (int w = 0; w < warps; ++w) {
            const double2 part = *reinterpret_cast<const double2*>(&sums[w][step][2 * j]);
            total.x += part.x;
            total.y += part.y;
        }
        mixed[kEach * static_cast<int64_t>(first) + i] = total;
    }
}

// The factors of the functions of pairs in one of the sums of a step.
struct TermColumn {
    const double* north;  // term of pair 0; the southern ring's term is two numbers further
    bool odd;
    __device__ TermColumn(const LegendreSlice& slice, int64_t modesAt, int sum)
        : north(&modesOf(slice, sum / 4)[modesAt].north.x + (sum & 1)), odd((sum & 2) != 0) {}
    __device__ double at(int pair, double z) const {
        const double* const place = north + pair * (sizeof(PairModes) / sizeof(double));
        const double n = place[0], s = place[2];
        return odd ? z * (n - s) : n + s;
    }
};

// Sums: the matrix (sums, pairs) times the matrix (pairs, steps).
__global__ void __launch_bounds__(kThreads, 2)
    batchAdjointKernel(LegendreSeries series, LegendreSlice slice) {
    static_assert(kSums == 16 && kStepsBetweenChecks == 8);
    constexpr int kFours = kColumnsOfWarp / 4;
    __shared__ StepTile<kAdjointTile, 0> tiles[2];
    __shared__ FunctionTile functions[kWarps];
    extern __shared__ double2 sumsOfWarps[];
    WarpSums* const sums = reinterpret_cast<WarpSums*>(sumsOfWarps);
    const LegendreItem item = slice.items[blockIdx.x];
    const int m = item.m, lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int warps = warpsWithPairs(slice, item, kPairs);
    const int warpPair = item.first + warp * kColumnsOfWarp;
    const int steps = scalarSteps(series.lmax, m);
    const double2* const recurrences = series.recurrence + series.stepsAt[m];
    double2* const mixed = series.mixed + series.mixedOf(m) +
                           2 * series.count * slice.blockOf(item) * series.blockStride;
    tiles[0].fetch(recurrences, nullptr, 0, steps);
    const int end = min(slice.endOf(item), slice.pairCount);
    double2 terms[kFours / 4][4];
    const TermColumn one(slice, slice.modesAt(m), lane / 4);
    const TermColumn other(slice, slice.modesAt(m), lane / 4 + 8);
#pragma unroll
    for (int i = 0; i < kFours; ++i) {
        // There is no branch before the loads, so that many loads overlap.
        const int pair = warpPair + 4 * i + lane % 4, near = min(pair, end - 1);
        const double z = slice.pairs[near].z;
        terms[i / 4][i % 4] =
            pair < end ? make_double2(one.at(near, z), other.at(near, z)) : make_double2(0.0, 0.0);
    }
    ScalarRun<kPairs> run;
    run.start(series, slice, m, warpPair + kPairs * lane, slice.endOf(item));
    WarpRange range(run);
    FunctionTile& own = functions[warp];
    const auto put = [&](double(*out)[kSums + 2], int k, const double(&c)[4]) {
        out[k + 2 * (lane % 4)][lane / 4] = c[0];
        out[k + 2 * (lane % 4) + 1][lane / 4] = c[1];
        out[k + 2 * (lane % 4)][lane / 4 + 8] = c[2];
        out[k + 2 * (lane % 4) + 1][lane / 4 + 8] = c[3];
    };
    const auto sum = [&](const StepTile<kAdjointTile, 0>& tile, double(*out)[kSums + 2], int k,
                         auto isPolar, auto isWhole) {
        makeFunctions<2, isPolar.value, isWhole.value>(run, own, tile.recurrence, k);
        double c[4] = {};
        const double* const value = own.values[lane / 4] + lane % 4;
#pragma unroll
        for (int i = 0; i < kFours / 4; ++i) {
            const double b[4] = {value[16 * i], value[16 * i + 4], value[16 * i + 8],
                                 value[16 * i + 12]};
            multiplyAdd(c, terms[i], b);
        }
        put(out, k, c);
        __syncwarp();
    };
    const auto noEntry = [](int) {};
    int now = 0;
    for (int first = 0; first < steps; first += kAdjointTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kAdjointTile < steps)
            tiles[now ^ 1].fetch(recurrences, nullptr, first + kAdjointTile, steps);
        if (first > 0) storeSums(sums[now ^ 1], mixed, first - kAdjointTile, steps, warps);
        if (warp >= warps) continue;
        const StepTile<kAdjointTile, 0>& tile = tiles[now];
        double(*const out)[kSums + 2] = sums[now][warp];
        const int last = min(kAdjointTile, steps - first);
        overTile(
            run, range, tile.recurrence, last, noEntry,
            [&](int k) {
                put(out, k, {0.0, 0.0, 0.0, 0.0});
            },
            [&](int k, auto isPolar, auto isWhole) { sum(tile, out, k, isPolar, isWhole); });
    }
    __syncthreads();
    const int lastTile = (steps - 1) / kAdjointTile * kAdjointTile;
    storeSums(sums[now ^ 1], mixed, lastTile, steps, warps);
}

}  // namespace

void batchSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream) {
    batchSynthesisKernel<<<kSynthesisParts * slice.itemCount, 32 * kSynthesisWarps, 0, stream>>>(
        series, slice);
    checkLaunch("Legendre sums of several maps");
}

void batchAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream) {
    constexpr int kBytes = 2 * sizeof(WarpSums);
    check(cudaFuncSetAttribute(batchAdjointKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               kBytes),
          "giving shared memory to Legendre sums");
    batchAdjointKernel<<<slice.itemCount, slice.threads(kPairs), kBytes, stream>>>(series, slice);
    checkLaunch("transposed Legendre sums of several maps");
}

}  // namespace armilla::cuda
