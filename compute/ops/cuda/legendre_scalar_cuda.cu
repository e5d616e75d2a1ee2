// SPDX-License-Identifier: GPL-3.0-or-later
#include <type_traits>

#include "cuda/check.h"
#include "cuda/legendre_cuda.cuh"
#include "shared/legendre_recurrence.h"

namespace armilla::cuda {

namespace {

constexpr int kSynthesisTile = 64, kAdjointTile = 64;  // steps

inline __device__ int stepsOf(int lmax, int m) {
    return (lmax - m) / 2 + 1;
}

// Coefficient of degree l of the series, from those given.
inline __device__ double2 sourceAt(const DeviceAlm& alm, ScalarSource source, int l, int m) {
    const double2* const column = alm.values + columnOffset(alm.lmax, m) - m;
    const auto at = [&](int degree) {
        return degree < m || degree > alm.lmax ? make_double2(0.0, 0.0) : column[degree];
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

// Recurrences of R ring pairs in one thread.
template <int R>
struct ScalarRun {
    double y[R], before[R], now[R];
    double form;  // of the arguments: 0 or 1
    int scale[R];
    bool alive;  // has pairs at all

    __device__ void start(const LegendreSeries& series, const LegendreSlice& slice, int m, int pair,
                          int end) {
        alive = pair < end;
        form = alive ? slice.pairs[pair].form : 0;
        const double first = series.start[m];
#pragma unroll
        for (int r = 0; r < R; ++r) {
            before[r] = now[r] = y[r] = 0.0;
            scale[r] = 0;
            if (!alive) continue;
            const PairLatitude& at = slice.pairs[pair + r];
            const Scaled power = scaledExp2(logPower(at.logSin, m));
            y[r] = at.scalarArgument;
            now[r] = power.value * first;
            scale[r] = power.scale;
        }
    }
    __device__ bool anyInRange() const {
        bool any = false;
#pragma unroll
        for (int r = 0; r < R; ++r) any = any || scale[r] == 0;
        return __any_sync(0xffffffffU, any && alive) != 0;
    }
    __device__ bool allInRange() const {
        bool all = true;
#pragma unroll
        for (int r = 0; r < R; ++r) all = all && scale[r] == 0;
        return __all_sync(0xffffffffU, all || !alive) != 0;
    }
    // Calls entered(r) for each pair that comes into range.
    template <typename Entered>
    __device__ void shrinkGrown(const Entered& entered) {
#pragma unroll
        for (int r = 0; r < R; ++r)
            if (scale[r] > 0 && fabs(now[r]) > kGrown) {
                before[r] *= kShrink;
                now[r] *= kShrink;
                if (--scale[r] == 0) entered(r);
            }
    }
    // b of form 1 is that of form 0, and a.
    template <bool kAnyForm>
    __device__ void advance(double2 step) {
        if constexpr (kAnyForm) step.y = fma(form, step.x, step.y);
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const double next = fma(fma(step.x, y[r], step.y), now[r], -before[r]);
            before[r] = now[r];
            now[r] = next;
        }
    }
};

template <int R>
__global__ void __launch_bounds__(kScalarSynthesisThreads, 4)
    scalarSynthesisKernel(LegendreSeries series, LegendreSlice slice) {
    __shared__ StepTile<kSynthesisTile, true> tiles[2];
    const LegendreItem item = slice.items[blockIdx.x];
    const int m = item.m, pair = item.first + static_cast<int>(threadIdx.x) * R;
    const int steps = stepsOf(series.lmax, m);
    const double2* const recurrences = series.recurrence + series.stepsAt[m];
    const double2* const factors = series.mixed + 2 * series.mixedAt[m];
    tiles[0].fetch(recurrences, factors, 0, steps);
    ScalarRun<R> run;
    run.start(series, slice, m, pair, slice.endOf(item));
    double er[R] = {}, ei[R] = {}, odr[R] = {}, odi[R] = {};
    bool any = run.anyInRange(), all = run.allInRange();
    const bool used = __any_sync(0xffffffffU, run.alive) != 0;
    const bool polar = __any_sync(0xffffffffU, run.form > 0.0) != 0;
    // What was added of functions out of range is dropped when they come into it.
    const auto entered = [&](int r) { er[r] = ei[r] = odr[r] = odi[r] = 0.0; };
    const auto sum = [&](const StepTile<kSynthesisTile, true>& tile, int k, auto isPolar) {
#pragma unroll
        for (int i = 0; i < kStepsBetweenChecks; ++i) {
            const double2 even = tile.mixed[2 * (k + i)], odd = tile.mixed[2 * (k + i) + 1];
#pragma unroll
            for (int r = 0; r < R; ++r) {
                er[r] = fma(even.x, run.now[r], er[r]);
                ei[r] = fma(even.y, run.now[r], ei[r]);
                odr[r] = fma(odd.x, run.now[r], odr[r]);
                odi[r] = fma(odd.y, run.now[r], odi[r]);
            }
            run.template advance<isPolar.value>(tile.recurrence[k + i]);
        }
    };
    for (int first = 0, now = 0; first < steps; first += kSynthesisTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kSynthesisTile < steps)
            tiles[now ^ 1].fetch(recurrences, factors, first + kSynthesisTile, steps);
        if (!used) continue;
        const StepTile<kSynthesisTile, true>& tile = tiles[now];
        const int end = min(kSynthesisTile, steps - first);
        int k = 0;
        for (; !any && k < end; k += kStepsBetweenChecks) {
#pragma unroll
            for (int i = 0; i < kStepsBetweenChecks; ++i)
                run.template advance<true>(tile.recurrence[k + i]);
            run.shrinkGrown(entered);
            any = run.anyInRange();
            if (any) all = run.allInRange();
        }
        for (; !all && k < end; k += kStepsBetweenChecks) {
            sum(tile, k, std::true_type());
            run.shrinkGrown(entered);
            all = run.allInRange();
        }
        if (polar)
            for (; k < end; k += kStepsBetweenChecks) sum(tile, k, std::true_type());
        else
            for (; k < end; k += kStepsBetweenChecks) sum(tile, k, std::false_type());
    }
    if (!run.alive) return;
    PairModes* const out = slice.modes[0] + slice.modesAt(m) + pair;
#pragma unroll
    for (int r = 0; r < R; ++r) {
        const PairLatitude& at = slice.pairs[pair + r];
        if (run.scale[r] > 0) er[r] = ei[r] = odr[r] = odi[r] = 0.0;
        const double xr = odr[r] * at.z, xi = odi[r] * at.z;
        out[r].north = make_double2(er[r] + xr, ei[r] + xi);
        out[r].south = make_double2(er[r] - xr, ei[r] - xi);
    }
}

template <int R>
__global__ void __launch_bounds__(kScalarAdjointThreads, 6)
    scalarAdjointKernel(LegendreSeries series, LegendreSlice slice) {
    __shared__ StepTile<kAdjointTile, false> tiles[2];
    __shared__ SumTile<kScalarAdjointThreads / 32, kAdjointTile> sums[2];
    __shared__ PairModes modes[kBlockPairs];
    __shared__ double heights[kBlockPairs];
    const LegendreItem item = slice.items[blockIdx.x];
    const int m = item.m, pair = item.first + static_cast<int>(threadIdx.x) * R;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int warps = warpsWithPairs(slice, item, R);
    const int steps = stepsOf(series.lmax, m);
    const double2* const recurrences = series.recurrence + series.stepsAt[m];
    double2* const mixed =
        series.mixed + 2 * (series.mixedAt[m] + item.block() * series.blockStride);
    const int pairs = min(slice.endOf(item), slice.pairCount) - item.first;
    fetchModes(modes, slice.modes[0] + slice.modesAt(m) + item.first, pairs);
    for (int i = threadIdx.x; i < pairs; i += blockDim.x)
        heights[i] = slice.pairs[item.first + i].z;
    tiles[0].fetch(recurrences, nullptr, 0, steps);
    ScalarRun<R> run;
    run.start(series, slice, m, pair, slice.endOf(item));
    double f0[R] = {}, f1[R] = {}, f2[R] = {}, f3[R] = {};
    // Fourier coefficients are taken when their ring's functions come into range.
    const auto entered = [&](int r) {
        if (pair + r >= slice.pairCount) return;
        const int i = static_cast<int>(threadIdx.x) * R + r;
        const PairModes f = modes[i];
        const double z = heights[i];
        f0[r] = f.north.x + f.south.x;
        f1[r] = f.north.y + f.south.y;
        f2[r] = z * (f.north.x - f.south.x);
        f3[r] = z * (f.north.y - f.south.y);
        ownOrder(f0[r], f1[r], f2[r], f3[r]);
    };
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < R; ++r)
        if (run.alive && run.scale[r] == 0) entered(r);
    bool any = run.anyInRange(), all = run.allInRange();
    const bool polar = __any_sync(0xffffffffU, run.form > 0.0) != 0;
    const auto sum = [&](const StepTile<kAdjointTile, false>& tile, double* out, int k,
                         auto isPolar) {
        LaneSums lanes;
#pragma unroll
        for (int i = 0; i < kStepsBetweenChecks; ++i) {
            double v0 = 0.0, v1 = 0.0, v2 = 0.0, v3 = 0.0;
#pragma unroll
            for (int r = 0; r < R; ++r) {
                v0 = fma(run.now[r], f0[r], v0);
                v1 = fma(run.now[r], f1[r], v1);
                v2 = fma(run.now[r], f2[r], v2);
                v3 = fma(run.now[r], f3[r], v3);
            }
            lanes.add(i, v0, v1, v2, v3);
            run.template advance<isPolar.value>(tile.recurrence[k + i]);
        }
        out[4 * k] = lanes.sum();
    };
    int now = 0;
    for (int first = 0; first < steps; first += kAdjointTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kAdjointTile < steps)
            tiles[now ^ 1].fetch(recurrences, nullptr, first + kAdjointTile, steps);
        if (first > 0) sums[now ^ 1].store(mixed, first - kAdjointTile, steps, warps);
        if (warp >= warps) continue;
        const StepTile<kAdjointTile, false>& tile = tiles[now];
        double* const out = &sums[now].sums[warp][LaneSums::step()][LaneSums::component()];
        const int end = min(kAdjointTile, steps - first);
        int k = 0;
        for (; !any && k < end; k += kStepsBetweenChecks) {
#pragma unroll
            for (int i = 0; i < kStepsBetweenChecks; ++i)
                run.template advance<true>(tile.recurrence[k + i]);
            run.shrinkGrown(entered);
            any = run.anyInRange();
            if (any) all = run.allInRange();
            out[4 * k] = 0.0;
        }
        for (; !all && k < end; k += kStepsBetweenChecks) {
            sum(tile, out, k, std::true_type());
            run.shrinkGrown(entered);
            all = run.allInRange();
        }
        if (polar)
            for (; k < end; k += kStepsBetweenChecks) sum(tile, out, k, std::true_type());
        else
            for (; k < end; k += kStepsBetweenChecks) sum(tile, out, k, std::false_type());
    }
    __syncthreads();
    const int last = (steps - 1) / kAdjointTile * kAdjointTile;
    sums[now ^ 1].store(mixed, last, steps, warps);
}

// One step k of an m: its even degree l = m + 2 k, eps of l .. l + 3, s_{k-1}, s_k, s_{k+1}.
struct MixStep {
    int k, l;
    double e0, e1, e2, e3, before, scale, next;
};
// Calls use(step) for the steps of m from `first` on, one a lane. `before`, `now`: their scales
// s_{k-1} and s_k at the first step, then at the first of the next chunk.
template <typename Use>
inline __device__ void overChunk(int lmax, int m, int first, double& before, double& now,
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
    if (step.k < stepsOf(lmax, m)) use(step);
}
// The same for one chunk, with the scales noted for it.
template <typename Use>
inline __device__ void overNotedChunk(const LegendreSeries& series, int m, int chunk,
                                      const Use& use) {
    if (m > series.mmax || chunk * kChunkSteps >= stepsOf(series.lmax, m)) return;
    const double2 scales = series.scales[static_cast<int64_t>(m) * series.chunks + chunk];
    double before = scales.x, now = scales.y;
    overChunk(series.lmax, m, chunk * kChunkSteps, before, now, use);
}

__global__ void __launch_bounds__(kMixThreads) scalarRecurrencesKernel(LegendreSeries series) {
    const int m = warpOfRow();
    if (m > series.mmax) return;
    double2* const out = series.recurrence + series.stepsAt[m];
    double2* const scales = series.scales + static_cast<int64_t>(m) * series.chunks;
    double before = 1.0, now = 1.0;  // the first two are 1
    for (int first = 0; first < stepsOf(series.lmax, m); first += kChunkSteps) {
        if (threadIdx.x % 32 == 0) scales[first / kChunkSteps] = make_double2(before, now);
        overChunk(series.lmax, m, first, before, now, [&](const MixStep& at) {
            const ScalarRecurrence step = scalarRecurrence(at.e1, at.e2, at.e3, at.scale, at.next);
            out[at.k] = make_double2(step.a, step.b[0]);
        });
    }
}

__global__ void __launch_bounds__(kMixThreads)
    scalarMixKernel(LegendreSeries series, OrderSlice orders, DeviceAlm alm, ScalarSource source) {
    const int m = orders.orderOf(static_cast<int>(blockIdx.y));
    overNotedChunk(series, m, warpOfRow(), [&](const MixStep& at) {
        double2* const out = series.mixed + 2 * (series.mixedAt[m] + at.k);
        const double2 a0 = sourceAt(alm, source, at.l, m);
        const double2 a1 = sourceAt(alm, source, at.l + 1, m);
        const double2 a2 = sourceAt(alm, source, at.l + 2, m);
        out[0] = make_double2(at.scale * (at.e1 * a0.x + at.e2 * a2.x),
                              at.scale * (at.e1 * a0.y + at.e2 * a2.y));
        out[1] = make_double2(at.scale * a1.x, at.scale * a1.y);
    });
}

// The transpose of the mixing: even sums go to l and, from the step before, to l + 2.
__global__ void __launch_bounds__(kMixThreads)
    scalarUnmixKernel(LegendreSeries series, LegendreSlice slice, DeviceAlm alm) {
    const int m = slice.orders.orderOf(static_cast<int>(blockIdx.y));
    overNotedChunk(series, m, warpOfRow(), [&](const MixStep& at) {
        const BlockSums sums(series, slice, m);
        double2* const column = alm.values + columnOffset(alm.lmax, m) - m;
        const double2 even = sums.at(2 * at.k), odd = sums.at(2 * at.k + 1);
        const double2 below = at.k == 0 ? make_double2(0.0, 0.0) : sums.at(2 * at.k - 2);
        const double here = at.e1 * at.scale, fromBelow = at.e0 * at.before;
        column[at.l].x += here * even.x + fromBelow * below.x;
        column[at.l].y += here * even.y + fromBelow * below.y;
        if (at.l + 1 > alm.lmax) return;
        column[at.l + 1].x += at.scale * odd.x;
        column[at.l + 1].y += at.scale * odd.y;
    });
}

}  // namespace

void scalarRecurrences(const LegendreSeries& series, cudaStream_t stream) {
    scalarRecurrencesKernel<<<mixBlocks(series.mmax + 1), kMixThreads, 0, stream>>>(series);
    checkLaunch("recurrences of Legendre functions");
}

void scalarMix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& alm,
               ScalarSource source, cudaStream_t stream) {
    scalarMixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice.orders, alm, source);
    checkLaunch("mixing coefficients");
}

void scalarUnmix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& alm,
                 cudaStream_t stream) {
    scalarUnmixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice, alm);
    checkLaunch("collecting coefficients");
}

void scalarSynthesis(const LegendreSeries& series, const LegendreSlice& slice,
                     cudaStream_t stream) {
    if (slice.itemCount == 0) return;
    scalarSynthesisKernel<kScalarSynthesisPairs>
        <<<slice.itemCount, slice.threads, 0, stream>>>(series, slice);
    checkLaunch("Legendre sums");
}

void scalarAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream) {
    if (slice.itemCount == 0) return;
    scalarAdjointKernel<kScalarAdjointPairs>
        <<<slice.itemCount, slice.threads, 0, stream>>>(series, slice);
    checkLaunch("transposed Legendre sums");
}

}  // namespace armilla::cuda
