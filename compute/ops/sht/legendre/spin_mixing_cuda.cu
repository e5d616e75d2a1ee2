// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients of spin s as coefficients of two series of spin 0, and the transpose
// (sht/legendre/spin_mixing.h). A warp computes the degrees of one chunk of steps, from a window
// with `spin` more degrees on either side. Degrees outside m .. lmax + spin are 0.
#include <cstddef>

#include "armilla/device/cuda/check.h"
#include "shared/legendre_recurrence.h"
#include "sht/legendre/legendre_cuda.cuh"

namespace armilla::cuda {

namespace {

// A step of mixing has two degrees, and also uses the next two.
constexpr int kChunkDegrees = 2 * kChunkSteps + 2;

// Half the sum and half the difference of the coefficients of S^+ and of S^-, degree base + i.
struct Window {
    double2 sum[2][kChunkDegrees + 2 * kMostMixedSpin];
    double2 difference[2][kChunkDegrees + 2 * kMostMixedSpin];
};

// Coefficients of sin(theta) S^{+-t}_l, with eps_l and m.
struct LoweringAt {
    int m, top;
    const SpinLowering* row;  // l = 0 .. top

    __device__ LoweringAt(const LegendreSeries& series, const SpinMixTable& table, int order, int t)
        : m(order),
          top(series.lmax),
          row(table.lowering + static_cast<ptrdiff_t>(t - 1) * (series.lmax + 1)) {}
    __device__ bool covers(int l) const { return l >= m && l <= top; }
    __device__ double down(int l) const {
        return covers(l) ? row[l].down * scalarEpsilon(l, m) : 0.0;
    }
    __device__ double mid(int l) const { return covers(l) ? row[l].mid * m : 0.0; }
    __device__ double up(int l) const {
        return covers(l) ? row[l].up * scalarEpsilon(l + 1, m) : 0.0;
    }
};

inline __device__ double2 combined(double a, double2 x, double b, double2 y, double c, double2 w) {
    return make_double2(a * x.x + (b * y.x - c * w.x), a * x.y + (b * y.y - c * w.y));
}
// For one l: out = mid_l x_l + down_{l+1} y_{l+1} - up_{l-1} y_{l-1}.
inline __device__ void spread(const LoweringAt& at, int l, int i, const Window& window, int now,
                              double2& sum, double2& difference) {
    const double mid = at.mid(l), down = at.down(l + 1), up = at.up(l - 1);
    const double2 *const s = window.sum[now] + i, *const d = window.difference[now] + i;
    sum = combined(mid, s[0], down, d[1], up, d[-1]);
    difference = combined(mid, d[0], down, s[1], up, s[-1]);
}
// The transpose: out = mid_l x_l + down_l y_{l-1} - up_l y_{l+1}.
inline __device__ void gather(const LoweringAt& at, int l, int i, const Window& window, int now,
                              double2& sum, double2& difference) {
    const double mid = at.mid(l), down = at.down(l), up = at.up(l);
    const double2 *const s = window.sum[now] + i, *const d = window.difference[now] + i;
    sum = combined(mid, s[0], down, d[-1], up, d[1]);
    difference = combined(mid, d[0], down, s[-1], up, s[1]);
}
// All degrees of a window of `size` except its ends.
template <typename Lower>
inline __device__ void lower(const LoweringAt& at, int base, int size, Window& window, int now,
                             const Lower& one) {
    for (int i = 1 + static_cast<int>(threadIdx.x) % 32; i < size - 1; i += 32)
        one(at, base + i, i, window, now, window.sum[now ^ 1][i], window.difference[now ^ 1][i]);
    __syncwarp();
}
inline __device__ void clear(Window& window) {
    for (int i = static_cast<int>(threadIdx.x) % 32; i < kChunkDegrees + 2 * kMostMixedSpin;
         i += 32)
        for (int half = 0; half < 2; ++half)
            window.sum[half][i] = window.difference[half][i] = make_double2(0.0, 0.0);
    __syncwarp();
}
inline __device__ bool hasChunk(const LegendreSeries& series, int m, int chunk) {
    return m <= series.mmax && chunk * kChunkSteps < scalarSteps(series.lmax, m);
}

// A^+ = -(E + i B), A^- = -(-1)^s (E - i B). For even s half their sum is -E and half their
// difference -i B; for odd s half their sum is -i B and half their difference -E. Q and U are (G^+
// + G^-) / 2 and (G^+ - G^-) / (2 i).
__global__ void __launch_bounds__(kMixThreads)
    beltMixKernel(LegendreSeries series, OrderSlice orders, SpinMixTable table, DeviceAlm e,
                  DeviceAlm b) {
    __shared__ Window windows[kMixWarps];
    const int m = orders.orderOf(static_cast<int>(blockIdx.y)), chunk = warpOfRow();
    if (!hasChunk(series, m, chunk)) return;
    Window& window = windows[threadIdx.x / 32];
    const int spin = table.spin, base = m + 2 * kChunkSteps * chunk - spin;
    const int size = kChunkDegrees + 2 * spin;
    clear(window);
    double2* const ofE = (spin & 1) != 0 ? window.difference[0] : window.sum[0];
    double2* const ofB = (spin & 1) != 0 ? window.sum[0] : window.difference[0];
    for (int i = static_cast<int>(threadIdx.x) % 32; i < size; i += 32) {
        const int l = base + i;
        if (l < max(m, spin) || l > e.lmax) continue;
        const double2 el = e.at(l, m);
        const double2 bl = b.at(l, m);
        ofE[i] = make_double2(-el.x, -el.y);
        ofB[i] = make_double2(bl.y, -bl.x);
    }
    __syncwarp();
    int now = 0;
    for (int t = spin; t > 0; --t, now ^= 1)
        lower(LoweringAt(series, table, m, t), base, size, window, now, spread);
    const double2 *const sum = window.sum[now], *const difference = window.difference[now];
    overNotedScalarChunk(series, m, chunk, [&](const MixStep& at) {
        double2* const out = series.mixed + series.mixedOf(m) + 4 * at.k;
        const int i = at.l - base;
        const double here = at.scale * at.e1, above = at.scale * at.e2;
        out[0] = make_double2(here * sum[i].x + above * sum[i + 2].x,
                              here * sum[i].y + above * sum[i + 2].y);
        out[1] = make_double2(at.scale * sum[i + 1].x, at.scale * sum[i + 1].y);
        out[2] = make_double2(here * difference[i].y + above * difference[i + 2].y,
                              -(here * difference[i].x + above * difference[i + 2].x));
        out[3] = make_double2(at.scale * difference[i + 1].y, -at.scale * difference[i + 1].x);
    });
}

// Adds the blocks of each order and scales the sums, in the memory of the first block.
__global__ void __launch_bounds__(kMixThreads)
    beltCollectKernel(LegendreSeries series, LegendreSlice slice) {
    const int m = slice.orders.orderOf(static_cast<int>(blockIdx.y));
    overNotedScalarChunk(series, m, warpOfRow(), [&](const MixStep& at) {
        const BlockSums sums(series, slice, m);
        double2* const out = sums.first() + 4 * at.k;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const double2 total = sums.at(4 * at.k + i);
            out[i] = make_double2(at.scale * total.x, at.scale * total.y);
        }
    });
}

// The transpose of beltMix, from collected sums: even sums of a step go to l and l + 2.
__global__ void __launch_bounds__(kMixThreads)
    beltUnmixKernel(LegendreSeries series, LegendreSlice slice, SpinMixTable table, DeviceAlm e,
                    DeviceAlm b) {
    __shared__ Window windows[kMixWarps];
    const int m = slice.orders.orderOf(static_cast<int>(blockIdx.y)), chunk = warpOfRow();
    if (!hasChunk(series, m, chunk)) return;
    Window& window = windows[threadIdx.x / 32];
    const int lane = static_cast<int>(threadIdx.x) % 32, spin = table.spin;
    const int first = m + 2 * kChunkSteps * chunk, base = first - spin;
    const int size = 2 * kChunkSteps + 2 * spin;
    const int steps = scalarSteps(series.lmax, m);
    clear(window);
    const double2* const sums = BlockSums(series, slice, m).first();
    for (int i = lane; i < size; i += 32) {
        const int l = base + i;
        if (l < m || l > series.lmax) continue;
        const int k = (l - m) / 2;
        const auto at = [&](int c) {
            const double2* const even = sums + 4 * k + 2 * c;
            if (((l - m) & 1) != 0) return even[1];
            const double here = scalarEpsilon(l + 1, m), below = scalarEpsilon(l, m);
            const double2 before = k > 0 ? even[-4] : make_double2(0.0, 0.0);
            return make_double2(here * even[0].x + below * before.x,
                                here * even[0].y + below * before.y);
        };
        const double2 q = at(0), u = at(1);
        window.sum[0][i] = q;
        window.difference[0][i] = make_double2(-u.y, u.x);
    }
    __syncwarp();
    int now = 0;
    for (int t = 1; t <= spin; ++t, now ^= 1)
        lower(LoweringAt(series, table, m, t), base, size, window, now, gather);
    const double2* const ofE = (spin & 1) != 0 ? window.difference[now] : window.sum[now];
    const double2* const ofB = (spin & 1) != 0 ? window.sum[now] : window.difference[now];
    for (int i = spin + lane; i < spin + 2 * kChunkSteps; i += 32) {
        const int l = base + i;
        if (l < max(m, spin) || l > e.lmax) continue;
        double2& el = e.column(m)[l];
        double2& bl = b.column(m)[l];
        el.x -= ofE[i].x;
        el.y -= ofE[i].y;
        bl.x -= ofB[i].y;
        bl.y += ofB[i].x;
    }
}

}  // namespace

void beltMix(const LegendreSeries& series, const LegendreSlice& slice, const SpinMixTable& table,
             const DeviceAlm& e, const DeviceAlm& b, cudaStream_t stream) {
    beltMixKernel<<<mixBlocks(series.chunks, slice.orders.slots), kMixThreads, 0, stream>>>(
        series, slice.orders, table, e, b);
    checkLaunch("mixing coefficients of a spin");
}

void beltUnmix(const LegendreSeries& series, const LegendreSlice& slice, const SpinMixTable& table,
               const DeviceAlm& e, const DeviceAlm& b, cudaStream_t stream) {
    const dim3 blocks = mixBlocks(series.chunks, slice.orders.slots);
    beltCollectKernel<<<blocks, kMixThreads, 0, stream>>>(series, slice);
    checkLaunch("collecting sums of a spin");
    beltUnmixKernel<<<blocks, kMixThreads, 0, stream>>>(series, slice, table, e, b);
    checkLaunch("collecting coefficients of a spin");
}

}  // namespace armilla::cuda
