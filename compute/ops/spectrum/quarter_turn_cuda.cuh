// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of a quarter turn; spectrum/quarter_turn.h has the recursion.
#pragma once

#include <cstdint>

namespace armilla::cuda {

constexpr int kTurnThreads = 128;
constexpr int kTurnRows = 4;     // rows of a thread, all of one parity
constexpr int kTurnChunk = 256;  // steps in shared memory, an even number
// Steps between two checks of rows that are scaled down, as on the CPU.
constexpr int kTurnCheck = 16;

// The number of order k of degree l is at l (l+1) / 2 + k: degrees follow each other.
__host__ __device__ inline int64_t firstOfDegree(int l) {
    return static_cast<int64_t>(l) * (l + 1) / 2;
}

// A degree's tables: alpha_m, and c_m doubled for m > 0, by i = l - m; starts and powers by k. One
// thread computes one degree.
struct TurnTables {
    double *alpha, *scale, *start;
    int* power;
};
__global__ void turnTablesKernel(TurnTables tables, const double* centralStarts, int lmax) {
    const int l = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (l > lmax) return;
    const int64_t at = firstOfDegree(l);
    double above = 1.0, here = 1.0, ofHere = 0.0;
    for (int i = 0; i <= l; ++i) {
        const double m = l - i;
        if (i > 0) {
            const double next = sqrt((l - m) * (l + m + 1.0));
            const double scale = i == 1 ? 1.0 : ofHere * above / next;
            tables.alpha[at + i] = 2.0 * here / (next * scale);
            above = here;
            here = scale;
            ofHere = next;
        }
        tables.scale[at + i] = m > 0.0 ? 2.0 * here : here;
    }
    double start = centralStarts[l];
    int power = 0;
    for (int k = 0; k <= l; ++k) {
        tables.start[at + k] = start;
        tables.power[at + k] = power;
        start *= sqrt((l - k) / (l + k + 1.0));
        if (start < 0x1p-256) {
            start *= 0x1p512;
            ++power;
        }
    }
}

struct QuarterTurnWork {
    TurnTables tables;
    const double2* from;
    double2* to;
    int top;  // degree of the first blocks
};

// A step of the recursion for the rows of a thread: adds `now` to the sum and sets `other` to the
// next value.
__device__ inline void turnStep(const double (&now)[kTurnRows], double (&other)[kTurnRows],
                                double (&sum)[kTurnRows], const double (&k)[kTurnRows],
                                const bool (&whole)[kTurnRows], double value, double alpha) {
#pragma unroll
    for (int r = 0; r < kTurnRows; ++r) {
        if (whole[r]) sum[r] = fma(now[r], value, sum[r]);
        other[r] = fma(k[r] * alpha, now[r], -other[r]);
    }
}

// to_k = sum over m of Delta^l_km from_m. One block computes up to kTurnThreads kTurnRows rows of
// one parity of a degree. blockIdx.x counts degrees down from `top`, blockIdx.y runs of rows;
// blockIdx.z is the parity.
__global__ void __launch_bounds__(kTurnThreads) quarterTurnKernel(QuarterTurnWork work) {
    __shared__ double values[kTurnChunk], alphas[kTurnChunk];
    const int l = work.top - static_cast<int>(blockIdx.x), parity = static_cast<int>(blockIdx.z);
    const int firstRow = static_cast<int>(blockIdx.y) * kTurnThreads * kTurnRows;
    if (2 * firstRow + parity > l) return;
    const int64_t at = firstOfDegree(l);
    double now[kTurnRows], above[kTurnRows], even[kTurnRows], odd[kTurnRows], k[kTurnRows];
    int power[kTurnRows];
    bool whole[kTurnRows];
    const auto orderOf = [&](int r) {
        return 2 * (firstRow + r * kTurnThreads + static_cast<int>(threadIdx.x)) + parity;
    };
#pragma unroll
    for (int r = 0; r < kTurnRows; ++r) {
        const int order = orderOf(r);
        now[r] = order <= l ? work.tables.start[at + order] : 0.0;
        power[r] = order <= l ? work.tables.power[at + order] : 0;
        k[r] = order;
        whole[r] = power[r] == 0;
        above[r] = even[r] = odd[r] = 0.0;
    }
    for (int chunk = 0; chunk <= l; chunk += kTurnChunk) {
        const int steps = min(kTurnChunk, l + 1 - chunk);
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < steps; i += kTurnThreads) {
            const double2 value = work.from[at + (l - chunk - i)];
            values[i] = work.tables.scale[at + chunk + i] *
                        (((chunk + i + parity) & 1) == 0 ? value.x : value.y);
            alphas[i] = chunk + i < l ? work.tables.alpha[at + chunk + i + 1] : 0.0;
        }
        __syncthreads();
        for (int i = 0; i < steps;) {
            const int end = min(steps, i + kTurnCheck);
            for (; i + 1 < end; i += 2) {
                turnStep(now, above, even, k, whole, values[i], alphas[i]);
                turnStep(above, now, odd, k, whole, values[i + 1], alphas[i + 1]);
            }
            // Only the last chunk can have an odd number of steps.
            if (i < end) {
                turnStep(now, above, even, k, whole, values[i], alphas[i]);
                ++i;
            }
#pragma unroll
            for (int r = 0; r < kTurnRows; ++r) {
                if (power[r] == 0) continue;
                if (fabs(now[r]) > 0x1p256) {
                    now[r] *= 0x1p-512;
                    above[r] *= 0x1p-512;
                    --power[r];
                }
                whole[r] = power[r] == 0;
            }
        }
    }
#pragma unroll
    for (int r = 0; r < kTurnRows; ++r)
        if (orderOf(r) <= l)
            work.to[at + orderOf(r)] =
                parity == 0 ? make_double2(even[r], -odd[r]) : make_double2(-odd[r], even[r]);
}

// i^-m exp(-i m angle).
__device__ inline double2 orderPhase(int m, double angle) {
    double s = 0.0, c = 0.0;
    sincos(m * angle, &s, &c);
    switch (m & 3) {
        case 0: return make_double2(c, -s);
        case 1: return make_double2(-s, -c);
        case 2: return make_double2(-c, s);
        default: return make_double2(s, c);
    }
}
__device__ inline double2 product(double2 a, double2 b) {
    return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// Copies coefficients between the order of Alm (all l of an m) and the order of the rotation (all m
// of an l), times i^-m exp(-i m angle). One thread copies one coefficient of order blockIdx.y.
enum class AlmCopy { ToDegrees, ToOrders };
template <AlmCopy kCopy>
__global__ void turnedCopyKernel(const double2* from, double2* to, int lmax, double angle) {
    const int m = static_cast<int>(blockIdx.y);
    const int l = m + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (l > lmax) return;
    const int64_t byOrder = static_cast<int64_t>(m) * (2 * lmax + 1 - m) / 2 + l,
                  byDegree = firstOfDegree(l) + m;
    const double2 phase = orderPhase(m, angle);
    if (kCopy == AlmCopy::ToDegrees)
        to[byDegree] = product(from[byOrder], phase);
    else
        to[byOrder] = product(from[byDegree], phase);
}

// Multiplies by (-1)^k exp(-i k theta) between the two quarter turns. One block for each degree.
__global__ void betweenTurnsKernel(double2* values, double theta) {
    const int l = static_cast<int>(blockIdx.x);
    double2* const own = values + firstOfDegree(l);
    for (int k = static_cast<int>(threadIdx.x); k <= l; k += static_cast<int>(blockDim.x)) {
        double s = 0.0, c = 0.0;
        sincos(k * theta, &s, &c);
        const double sign = (k & 1) == 0 ? 1.0 : -1.0;
        own[k] = product(own[k], make_double2(sign * c, -sign * s));
    }
}

}  // namespace armilla::cuda
