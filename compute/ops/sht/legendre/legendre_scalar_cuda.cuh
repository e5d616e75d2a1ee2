// SPDX-License-Identifier: GPL-3.0-or-later
// The recurrence of spin 0 in one thread.
#pragma once

#include "sht/legendre/legendre_cuda.cuh"

namespace armilla::cuda {

// fma(factor, x, sum) with fixed operand places: an operand common to successive instructions is
// read once if its place is the same in all.
inline __device__ double placedFma(double factor, double x, double sum) {
    double result;
    asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(result) : "d"(factor), "d"(x), "d"(sum));
    return result;
}

// Recurrences of R ring pairs in one thread.
template <int R>
struct ScalarRun {
    double y[R], before[R], now[R];
    double form;  // form of the arguments: 0 or 1
    int scale[R];
    bool alive;  // the thread has pairs

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
    // b of form 1 is b of form 0, plus a.
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
    // The same; the common factor goes backward through the pairs, and the values then go forward.
    template <bool kAnyForm>
    __device__ void advanceInTurn(double2 step) {
        if constexpr (kAnyForm) step.y = fma(form, step.x, step.y);
        double multiple[R];
#pragma unroll
        for (int r = R - 1; r >= 0; --r) multiple[r] = placedFma(step.x, y[r], step.y);
#pragma unroll
        for (int r = 0; r < R; ++r) {
            const double next = fma(multiple[r], now[r], -before[r]);
            before[r] = now[r];
            now[r] = next;
        }
    }
};

}  // namespace armilla::cuda
