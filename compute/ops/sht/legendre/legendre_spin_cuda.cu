// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/device/cuda/check.h"
#include "shared/legendre_recurrence.h"
#include "sht/legendre/legendre_cuda.cuh"

namespace armilla::cuda {

namespace {

constexpr int kSynthesisTile = 64, kAdjointTile = 48;  // steps

// Constants of one m.
struct SpinOrder {
    int m, spin, firstDegree, steps;
    __device__ SpinOrder(int lmax, int order, int s)
        : m(order), spin(s), firstDegree(max(order, s)), steps(max(0, lmax - firstDegree + 1)) {}
    __device__ double parity() const { return (spin & 1) != 0 ? -1.0 : 1.0; }
    // (-1)^{l+m} at step 0, the sign of southern rings.
    __device__ double southSign() const { return ((firstDegree + m) & 1) != 0 ? -1.0 : 1.0; }
};

inline __device__ double2 sum(double2 a, double2 b) {
    const double high = a.x + b.x, part = high - a.x;
    const double low = (a.x - (high - part)) + (b.x - part);
    return make_double2(high, low + (a.y + b.y));
}

// Recurrences of both helicities for R ring pairs in one thread; index 0: S^+, 1: S^-.
template <int R>
struct SpinRun {
    double y[R], before[2][R], now[2][R];
    double form;  // form of the arguments: 0 or 1
    int scale[2][R];
    bool alive;

    __device__ void start(const LegendreSeries& series, const LegendreSlice& slice,
                          const SpinOrder& order, int pair, int end) {
        alive = pair < end;
        form = alive ? slice.pairs[pair].form : 0;
        const int more = order.m + order.spin, less = abs(order.m - order.spin);
        const double first[2] = {series.start[order.m], series.start[series.mmax + 1 + order.m]};
#pragma unroll
        for (int r = 0; r < R; ++r) {
            y[r] = 0.0;
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                before[h][r] = now[h][r] = 0.0;
                scale[h][r] = 0;
            }
            if (!alive) continue;
            const PairLatitude& at = slice.pairs[pair + r];
            y[r] = at.spinArgument;
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const Scaled power = scaledExp2(sum(logPower(at.logSinHalf, h == 0 ? more : less),
                                                    logPower(at.logCosHalf, h == 0 ? less : more)));
                now[h][r] = power.value * first[h];
                scale[h][r] = power.scale;
            }
        }
    }
    __device__ bool anyInRange() const {
        bool any = false;
#pragma unroll
        for (int r = 0; r < R; ++r) any = any || scale[0][r] == 0 || scale[1][r] == 0;
        return __any_sync(0xffffffffU, any && alive) != 0;
    }
    __device__ bool allInRange() const {
        bool all = true;
#pragma unroll
        for (int r = 0; r < R; ++r) all = all && scale[0][r] == 0 && scale[1][r] == 0;
        return __all_sync(0xffffffffU, all || !alive) != 0;
    }
    // Calls entered(helicity, r) for each function that comes into range.
    template <typename Entered>
    __device__ void shrinkGrown(const Entered& entered) {
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int r = 0; r < R; ++r)
                if (scale[h][r] > 0 && fabs(now[h][r]) > kGrown) {
                    before[h][r] *= kShrink;
                    now[h][r] *= kShrink;
                    if (--scale[h][r] == 0) entered(h, r);
                }
    }
    // g+ and g- of form 0 are opposite; g of form 1 is g of form 0, plus a.
    template <bool kAnyForm>
    __device__ void advance(double2 step) {
        double plus = step.y, minus = -step.y;
        if constexpr (kAnyForm) {
            plus = fma(form, step.x, plus);
            minus = fma(form, step.x, minus);
        }
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const double nextPlus = fma(fma(step.x, y[r], plus), now[0][r], -before[0][r]);
            const double nextMinus = fma(fma(step.x, y[r], minus), now[1][r], -before[1][r]);
            before[0][r] = now[0][r];
            before[1][r] = now[1][r];
            now[0][r] = nextPlus;
            now[1][r] = nextMinus;
        }
    }
};

// Sums in the order of sht/legendre/legendre_simd-inl.h: A^+ S^+, A^- S^- (north), A^+ S^-, A^- S^+
// (south, odd steps negative). Sums 0 and 3 use S^+, sums 1 and 2 use S^-.
template <int R>
__global__ void __launch_bounds__(kSpinThreads, 3)
    spinSynthesisKernel(LegendreSeries series, LegendreSlice slice) {
    __shared__ StepTile<kSynthesisTile, 2> tiles[2];
    const LegendreItem item = slice.items[blockIdx.x];
    const SpinOrder order(series.lmax, item.m, series.spin);
    const int pair = item.first + static_cast<int>(threadIdx.x) * R;
    const double2* const recurrences = series.recurrence + series.stepsAt[order.m];
    const double2* const factors = series.mixed + series.mixedOf(order.m);
    tiles[0].fetch(recurrences, factors, 0, order.steps);
    SpinRun<R> run;
    run.start(series, slice, order, pair, slice.endOf(item));
    double sr[4][R] = {}, si[4][R] = {};
    WarpRange range(run);
    const bool used = __any_sync(0xffffffffU, run.alive) != 0;
    // A function that comes into range clears the sums it added before.
    const auto entered = [&](int h, int r) {
        if (h == 0)
            sr[0][r] = si[0][r] = sr[3][r] = si[3][r] = 0.0;
        else
            sr[1][r] = si[1][r] = sr[2][r] = si[2][r] = 0.0;
    };
    const auto sum = [&](const StepTile<kSynthesisTile, 2>& tile, int k, auto isPolar) {
#pragma unroll
        for (int i = 0; i < kStepsBetweenChecks; ++i) {
            const double2 p = tile.mixed[2 * (k + i)], q = tile.mixed[2 * (k + i) + 1];
            const bool odd = (i & 1) != 0;
#pragma unroll
            for (int r = 0; r < R; ++r) {
                const double up = run.now[0][r], down = run.now[1][r];
                sr[0][r] = fma(p.x, up, sr[0][r]);
                si[0][r] = fma(p.y, up, si[0][r]);
                sr[1][r] = fma(q.x, down, sr[1][r]);
                si[1][r] = fma(q.y, down, si[1][r]);
                sr[2][r] = fma(odd ? -p.x : p.x, down, sr[2][r]);
                si[2][r] = fma(odd ? -p.y : p.y, down, si[2][r]);
                sr[3][r] = fma(odd ? -q.x : q.x, up, sr[3][r]);
                si[3][r] = fma(odd ? -q.y : q.y, up, si[3][r]);
            }
            run.template advance<isPolar.value>(tile.recurrence[k + i]);
        }
    };
    for (int first = 0, now = 0; first < order.steps; first += kSynthesisTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kSynthesisTile < order.steps)
            tiles[now ^ 1].fetch(recurrences, factors, first + kSynthesisTile, order.steps);
        if (!used) continue;
        const StepTile<kSynthesisTile, 2>& tile = tiles[now];
        const int end = min(kSynthesisTile, order.steps - first);
        overTile(
            run, range, tile.recurrence, end, entered, [](int) {},
            [&](int k, auto isPolar, auto) { sum(tile, k, isPolar); });
    }
    if (!run.alive) return;
    const int64_t at = slice.modesAt(order.m) + pair;
    const double half[2] = {0.5, 0.5 * order.southSign()};
#pragma unroll
    for (int r = 0; r < R; ++r) {
#pragma unroll
        for (int h = 0; h < 2; ++h)
            if (run.scale[h][r] > 0) entered(h, r);
        // Q_m = (G^+ + G^-) / 2, U_m = (G^+ - G^-) / (2 i).
        double2 q[2], u[2];
#pragma unroll
        for (int side = 0; side < 2; ++side) {
            const int p = 2 * side, n = 2 * side + 1;
            q[side] = make_double2(half[side] * (sr[p][r] + sr[n][r]),
                                   half[side] * (si[p][r] + si[n][r]));
            u[side] = make_double2(half[side] * (si[p][r] - si[n][r]),
                                   half[side] * (sr[n][r] - sr[p][r]));
        }
        slice.modes[0][at + r] = {q[0], q[1]};
        slice.modes[1][at + r] = {u[0], u[1]};
    }
}

template <int R>
__global__ void __launch_bounds__(kSpinThreads, 3)
    spinAdjointKernel(LegendreSeries series, LegendreSlice slice) {
    __shared__ StepTile<kAdjointTile, 0> tiles[2];
    __shared__ SumTile<kSpinThreads / 32, kAdjointTile> sums[2];
    __shared__ PairModes modes[2][kSpinThreads * R];
    const LegendreItem item = slice.items[blockIdx.x];
    const SpinOrder order(series.lmax, item.m, series.spin);
    if (order.steps == 0) return;
    const int pair = item.first + static_cast<int>(threadIdx.x) * R;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int warps = warpsWithPairs(slice, item, R);
    const double2* const recurrences = series.recurrence + series.stepsAt[order.m];
    double2* const mixed =
        series.mixed + series.mixedOf(order.m) + 2 * slice.blockOf(item) * series.blockStride;
    const int pairs = min(slice.endOf(item), slice.pairCount) - item.first;
    for (int c = 0; c < 2; ++c)
        fetchModes(modes[c], slice.modes[c] + slice.modesAt(order.m) + item.first, pairs);
    tiles[0].fetch(recurrences, nullptr, 0, order.steps);
    SpinRun<R> run;
    run.start(series, slice, order, pair, slice.endOf(item));
    // The factors of S^+ and S^- in the sums for A^+ (real, imaginary) and A^-: G^+ and G^- of
    // north and south. In the sums for A^+, odd steps have the opposite sign in the south; in those
    // for A^-, up to the sign of the complete sum, in the north. So only S^- changes its sign for
    // both.
    double up[4][R] = {}, down[4][R] = {};
    // Fourier coefficients are loaded when their ring's functions come into range.
    const auto entered = [&](int h, int r) {
        if (pair + r >= slice.pairCount) return;
        const int i = static_cast<int>(threadIdx.x) * R + r;
        const PairModes q = modes[0][i], u = modes[1][i];
        const double sign = order.southSign();
        if (h == 0) {
            up[0][r] = q.north.x - u.north.y;
            up[1][r] = q.north.y + u.north.x;
            up[2][r] = sign * (q.south.x + u.south.y);
            up[3][r] = sign * (q.south.y - u.south.x);
            ownOrder(up[0][r], up[1][r], up[2][r], up[3][r]);
        } else {
            down[0][r] = sign * (q.south.x - u.south.y);
            down[1][r] = sign * (q.south.y + u.south.x);
            down[2][r] = q.north.x + u.north.y;
            down[3][r] = q.north.y - u.north.x;
            ownOrder(down[0][r], down[1][r], down[2][r], down[3][r]);
        }
    };
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int r = 0; r < R; ++r)
            if (run.alive && run.scale[h][r] == 0) entered(h, r);
    WarpRange range(run);
    const auto sum = [&](const StepTile<kAdjointTile, 0>& tile, double* out, int k, auto isPolar) {
        LaneSums lanes;
#pragma unroll
        for (int i = 0; i < kStepsBetweenChecks; ++i) {
            double v[4] = {};
#pragma unroll
            for (int r = 0; r < R; ++r) {
                const double other = (i & 1) != 0 ? -run.now[1][r] : run.now[1][r];
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    v[j] = fma(run.now[0][r], up[j][r], v[j]);
                    v[j] = fma(other, down[j][r], v[j]);
                }
            }
            lanes.add(i, v[0], v[1], v[2], v[3]);
            run.template advance<isPolar.value>(tile.recurrence[k + i]);
        }
        out[4 * k] = lanes.sum();
    };
    int now = 0;
    for (int first = 0; first < order.steps; first += kAdjointTile, now ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (first + kAdjointTile < order.steps)
            tiles[now ^ 1].fetch(recurrences, nullptr, first + kAdjointTile, order.steps);
        if (first > 0) sums[now ^ 1].store(mixed, first - kAdjointTile, order.steps, warps);
        if (warp >= warps) continue;
        const StepTile<kAdjointTile, 0>& tile = tiles[now];
        double* const out = &sums[now].sums[warp][LaneSums::step()][LaneSums::component()];
        const int end = min(kAdjointTile, order.steps - first);
        overTile(
            run, range, tile.recurrence, end, entered, [&](int k) { out[4 * k] = 0.0; },
            [&](int k, auto isPolar, auto) { sum(tile, out, k, isPolar); });
    }
    __syncthreads();
    const int last = (order.steps - 1) / kAdjointTile * kAdjointTile;
    sums[now ^ 1].store(mixed, last, order.steps, warps);
}

// Calls use(k, l, alpha_{l+1}, s_k, s_{k+1}) for the steps of m from `first` on, one for each lane.
// `before`, `now`: the scales s_{k-1} and s_k at the first step, then at the first step of the next
// chunk.
template <typename Use>
inline __device__ void overChunk(const SpinOrder& order, int first, double& before, double& now,
                                 const Use& use) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int k = first + lane, l = order.firstDegree + k;
    const double alpha = spinAlpha(l + 1.0, order.m, order.spin);
    // s_{k+1} / s_{k-1}; s_1 = s_0 = 1.
    const double ratio = k == 0 ? 1.0 : spinAlpha(l, order.m, order.spin) / alpha;
    const double scale = nextScales(ratio, before, now);
    double next = __shfl_down_sync(0xffffffffU, scale, 1);
    if (lane == 31) next = now;
    if (k < order.steps) use(k, l, alpha, scale, next);
}
// The same for one chunk, with the scales stored for it.
template <typename Use>
inline __device__ void overNotedChunk(const LegendreSeries& series, int m, int chunk,
                                      const Use& use) {
    const SpinOrder order(series.lmax, m, series.spin);
    if (m > series.mmax || chunk * kChunkSteps >= order.steps) return;
    const double2 scales = series.scales[static_cast<int64_t>(m) * series.chunks + chunk];
    double before = scales.x, now = scales.y;
    overChunk(order, chunk * kChunkSteps, before, now,
              [&](int k, int l, double, double scale, double) { use(order, k, l, scale); });
}

__global__ void __launch_bounds__(kMixThreads) spinRecurrencesKernel(LegendreSeries series) {
    const int m = warpOfRow();
    if (m > series.mmax || series.stepsAt[m] < 0) return;
    double2* const out = series.recurrence + series.stepsAt[m];
    double2* const scales = series.scales + static_cast<int64_t>(m) * series.chunks;
    const SpinOrder order(series.lmax, m, series.spin);
    double before = 1.0, now = 1.0;  // the first two are 1
    for (int first = 0; first < order.steps; first += kChunkSteps) {
        if (threadIdx.x % 32 == 0) scales[first / kChunkSteps] = make_double2(before, now);
        overChunk(
            order, first, before, now, [&](int k, int l, double alpha, double scale, double next) {
                const SpinRecurrence step = spinRecurrence(l, m, series.spin, alpha, scale, next);
                out[k] = make_double2(step.a, step.gPlus[0]);
            });
    }
}

__global__ void __launch_bounds__(kMixThreads)
    spinMixKernel(LegendreSeries series, OrderSlice orders, DeviceAlm e, DeviceAlm b) {
    const int m = orders.orderOf(static_cast<int>(blockIdx.y));
    overNotedChunk(series, m, warpOfRow(), [&](const SpinOrder& order, int k, int l, double scale) {
        double2* const out = series.mixed + series.mixedOf(m) + 2 * k;
        const double2 el = e.at(l, m);
        const double2 bl = b.at(l, m);
        const double s = -scale, t = order.parity() * s;
        out[0] = make_double2(s * (el.x - bl.y), s * (el.y + bl.x));
        out[1] = make_double2(t * (el.x + bl.y), t * (el.y - bl.x));
    });
}

// The transpose of the mixing; sums for A^- of odd steps have the opposite sign.
__global__ void __launch_bounds__(kMixThreads)
    spinUnmixKernel(LegendreSeries series, LegendreSlice slice, DeviceAlm e, DeviceAlm b) {
    const int m = slice.orders.orderOf(static_cast<int>(blockIdx.y));
    overNotedChunk(series, m, warpOfRow(), [&](const SpinOrder& order, int k, int l, double scale) {
        const BlockSums sums(series, slice, m);
        double2& el = e.column(m)[l];
        double2& bl = b.column(m)[l];
        const double s = -0.5 * scale, t = ((k & 1) != 0 ? -s : s) * order.parity();
        const double2 plus = sums.at(2 * k), minus = sums.at(2 * k + 1);
        const double pr = s * plus.x, pi = s * plus.y;
        const double mr = t * minus.x, mi = t * minus.y;
        el.x += pr + mr;
        el.y += pi + mi;
        bl.x += pi - mi;
        bl.y -= pr - mr;
    });
}

}  // namespace

void spinRecurrences(const LegendreSeries& series, cudaStream_t stream) {
    spinRecurrencesKernel<<<mixBlocks(series.mmax + 1), kMixThreads, 0, stream>>>(series);
    checkLaunch("recurrences of spin functions");
}

void spinMix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& e,
             const DeviceAlm& b, cudaStream_t stream) {
    spinMixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice.orders, e, b);
    checkLaunch("mixing coefficients of a spin");
}

void spinUnmix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& e,
               const DeviceAlm& b, cudaStream_t stream) {
    spinUnmixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice, e, b);
    checkLaunch("collecting coefficients of a spin");
}

void spinSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream) {
    if (slice.itemCount == 0) return;
    if (slice.run == kSpinCapRun)
        spinSynthesisKernel<kSpinCapPairs>
            <<<slice.itemCount, slice.threads(kSpinCapPairs), 0, stream>>>(series, slice);
    else
        spinSynthesisKernel<kSpinPairs>
            <<<slice.itemCount, slice.threads(kSpinPairs), 0, stream>>>(series, slice);
    checkLaunch("Legendre sums of a spin");
}

void spinAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream) {
    if (slice.itemCount == 0) return;
    if (slice.run == kSpinCapRun)
        spinAdjointKernel<kSpinCapPairs>
            <<<slice.itemCount, slice.threads(kSpinCapPairs), 0, stream>>>(series, slice);
    else
        spinAdjointKernel<kSpinPairs>
            <<<slice.itemCount, slice.threads(kSpinPairs), 0, stream>>>(series, slice);
    checkLaunch("transposed Legendre sums of a spin");
}

}  // namespace armilla::cuda
