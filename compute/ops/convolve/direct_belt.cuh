// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of direct convolution in the belt. CUDA files only.
#pragma once

#include "convolve/direct_grid.cuh"

namespace armilla::direct {

constexpr int kBeltThreads = 128;
// Each thread makes kColumns columns of kRings rings, and reads a source value once for all of them
// that it serves; kStage source rings come to shared memory at once.
constexpr int kColumns = 4, kRings = 8, kStage = 4;
constexpr int kBlockColumns = kBeltThreads * kColumns;
constexpr int kWeightRoom = 1536;  // doubles of weights that a block holds at once
constexpr int kBeltRows = 64;      // of source rings likewise

// Groups of kRings target rings from `firstRing` on (up to `lastRing`) and their source rings.
// `pairs`: the most pairs of taps at equal distance of a source ring; `rows`: the most source
// rings of a group. Weights: (group, row, pair, target). Counts: pairs that some of the first, and
// of the second four targets of a group reach, (group, row, half).
struct BeltTable {
    int64_t firstRing = 0, lastRing = 0;
    int pairs = 0, rows = 0;
    double* weights = nullptr;
    int* counts = nullptr;

    __device__ int64_t ring(int group) const {
        return firstRing + kRings * static_cast<int64_t>(group);
    }
    __device__ int targets(int group) const {
        return static_cast<int>(min(static_cast<long long>(kRings),
                                    static_cast<long long>(lastRing - ring(group) + 1)));
    }
};

// One source ring of one group a block.
__global__ void beltTableKernel(Grid grid, ProfileView profile, BeltTable table) {
    __shared__ int counts[2];
    const int group = static_cast<int>(blockIdx.y), row = static_cast<int>(blockIdx.x);
    const int64_t r0 = table.ring(group), k = grid.around[r0].first + row;
    const int targets = table.targets(group);
    if (k > grid.around[r0 + targets - 1].last) return;
    const double perPixel = kHalfPi / static_cast<double>(grid.nside);
    const HealpixRing from = grid.ring[k];
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < 2) counts[thread] = 0;
    __syncthreads();
    if (thread < targets) {
        const HealpixRing target = grid.ring[r0 + thread];
        const RingPair pair = ringPair(target, from, profile.end);
        if (pair.reach >= 0.0) {
            const double apart = from.shift == target.shift ? 0.0 : 0.5;
            // A hair wider: weights end with the profile.
            const int count = static_cast<int>(floor(pair.reach / perPixel - apart + 1e-6)) + 1;
            atomicMax(&counts[thread / 4], min(count, table.pairs));
        }
    }
    const int64_t at = group * static_cast<int64_t>(table.rows) + row;
    double* const weights = table.weights + at * table.pairs * kRings;
    for (int e = thread; e < table.pairs * kRings; e += static_cast<int>(blockDim.x)) {
        const int t = e % kRings, i = e / kRings;
        double w = 0.0;
        if (t < targets) {
            const HealpixRing target = grid.ring[r0 + t];
            const double dz = target.z - from.z, ds = target.s - from.s;
            RingPair pair;
            pair.y0 = 0.5 * (dz * dz + ds * ds);
            pair.across = 2.0 * target.s * from.s;
            const double apart = from.shift == target.shift ? 0.0 : 0.5;
            const double delta = perPixel * (i + apart);
            w = grid.factor[k] * profile(distanceOf(pair, delta, delta <= 0.999));
        }
        weights[e] = w;
    }
    __syncthreads();
    if (thread < 2) table.counts[2 * at + thread] = counts[thread];
}

// What a source ring adds to its targets, from shared memory. kAlike: it has the shift of the even
// targets; kUpward: its shift is 0. `source`: of the thread's first column, value x of the ring at
// (x % 4) stride + x / 4.
template <bool kAlike, bool kUpward>
__device__ __forceinline__ void addRow(const double* source, int stride, const double* weights,
                                       int lowCount, int highCount,
                                       double (&sum)[kRings][kColumns]) {
    static_assert(kColumns == 4 && kRings == 8);
    // Values of columns c - i .. c + 3 - i and c + i .. c + 3 + i, value n of the first at
    // left[n % 4] and so of the second: a step on changes one of each.
    double left[kColumns], right[kColumns];
#pragma unroll
    for (int v = 0; v < kColumns; ++v) left[v] = right[v] = source[v * stride];
    const int count = max(lowCount, highCount);
    for (int i = 0; i < count; i += 4) {
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            if (i + u >= count) break;
            // One further at c - 1 - (i + u), and at c + 4 + i + u; i is a multiple of four.
            const double low = source[(3 - u) * stride - 1 - i / 4];
            const double high = source[u * stride + 1 + i / 4];
            double even[kColumns], odd[kColumns];
#pragma unroll
            for (int v = 0; v < kColumns; ++v) {
                const double a = left[(v - u) & 3], b = right[(v + u) & 3];
                const double alike = u == 0 && i == 0 ? a : a + b;
                const double nextLeft = v == 0 ? low : left[(v - 1 - u) & 3];
                const double nextRight = v == 3 ? high : right[(v + 1 + u) & 3];
                const double unlike = kUpward ? a + nextRight : nextLeft + b;
                even[v] = kAlike ? alike : unlike;
                odd[v] = kAlike ? unlike : alike;
            }
            left[(3 - u) & 3] = low;
            right[u] = high;
            const double2* const w = reinterpret_cast<const double2*>(weights + (i + u) * kRings);
            const auto add = [&](int t) {
                const double2 two = w[t / 2];
#pragma unroll
                for (int v = 0; v < kColumns; ++v) {
                    sum[t][v] = fma(two.x, even[v], sum[t][v]);
                    sum[t + 1][v] = fma(two.y, odd[v], sum[t + 1][v]);
                }
            };
            if (i + u < lowCount) {
                add(0);
                add(2);
            }
            if (i + u < highCount) {
                add(4);
                add(6);
            }
        }
    }
}

// The groups of a table, one a row of blocks. All rings have as many pixels and K is even, so the
// two source values at equal distances are added first, once for the targets of equal shift and
// once for the others, and half the products remain: values at c - i and c + i of a ring of the
// same shift, else at c - i and c + 1 + i, or c - 1 - i and c + i. `margin`: a multiple of four
// that is larger than the pairs.
template <class Sample>
__global__ void __launch_bounds__(kBeltThreads, 4)
    beltKernel(Grid grid, BeltTable table, int margin, const Sample* values, double* result) {
    double* const room = dynamicRoom();
    __shared__ int counts[2 * kBeltRows];
    // Source value x at (x % 4) stride + x / 4: threads side by side read numbers side by side.
    const int stride = kBeltThreads + margin / 2 + 1;
    double* const weights = room + kStage * 4 * stride;
    const int group = static_cast<int>(blockIdx.y);
    const int64_t r0 = table.ring(group);
    const int targets = table.targets(group), pairs = table.pairs;
    const int64_t first = grid.around[r0].first, last = grid.around[r0 + targets - 1].last;
    const int column = static_cast<int>(blockIdx.x) * kBlockColumns;
    const int all = static_cast<int>(4 * grid.nside);
    const int rowsAtOnce = max(1, min(kBeltRows, kWeightRoom / (kRings * pairs)));
    const int thread = static_cast<int>(threadIdx.x);
    const double evenShift = grid.ring[r0].shift;
    double sum[kRings][kColumns];
#pragma unroll
    for (auto& row : sum)
#pragma unroll
        for (double& s : row) s = 0.0;
    for (int64_t chunk = first; chunk <= last; chunk += rowsAtOnce) {
        const int rows = static_cast<int>(
            min(static_cast<long long>(rowsAtOnce), static_cast<long long>(last - chunk + 1)));
        const int64_t at = group * static_cast<int64_t>(table.rows) + (chunk - first);
        __syncthreads();
        for (int e = thread; e < 2 * rows; e += kBeltThreads) counts[e] = table.counts[2 * at + e];
        const double2* const from =
            reinterpret_cast<const double2*>(table.weights + at * pairs * kRings);
        for (int e = thread; e < rows * pairs * kRings / 2; e += kBeltThreads)
            reinterpret_cast<double2*>(weights)[e] = from[e];
        for (int stage = 0; stage < rows; stage += kStage) {
            __syncthreads();
            const int stages = min(kStage, rows - stage);
            int64_t firsts[kStage];
#pragma unroll
            for (int s = 0; s < kStage; ++s)
                firsts[s] = grid.ring[chunk + stage + min(s, stages - 1)].first;
            int begin = (column - margin) % all;
            if (begin < 0) begin += all;
            for (int x = thread; x < kBlockColumns + 2 * margin; x += kBeltThreads) {
                int place = begin + x;
                while (place >= all) place -= all;
                // All on their way before the first is waited for.
                Sample value[kStage];
#pragma unroll
                for (int s = 0; s < kStage; ++s) value[s] = values[firsts[s] + place];
#pragma unroll
                for (int s = 0; s < kStage; ++s)
                    room[s * 4 * stride + (x & 3) * stride + (x >> 2)] =
                        static_cast<double>(value[s]);
            }
            __syncthreads();
            for (int s = 0; s < stages; ++s) {
                const int low = counts[2 * (stage + s)], high = counts[2 * (stage + s) + 1];
                const double* const source = room + s * 4 * stride + margin / 4 + thread;
                const double* const w = weights + (stage + s) * pairs * kRings;
                const double shift = grid.ring[chunk + stage + s].shift;
                if (shift == 0.0) {
                    if (shift == evenShift)
                        addRow<true, true>(source, stride, w, low, high, sum);
                    else
                        addRow<false, true>(source, stride, w, low, high, sum);
                } else {
                    if (shift == evenShift)
                        addRow<true, false>(source, stride, w, low, high, sum);
                    else
                        addRow<false, false>(source, stride, w, low, high, sum);
                }
            }
        }
    }
#pragma unroll
    for (int t = 0; t < kRings; ++t) {
        if (t >= targets) break;
        double* const to = result + grid.ring[r0 + t].first;
#pragma unroll
        for (int v = 0; v < kColumns; ++v) {
            const int c = column + kColumns * thread + v;
            if (c < all) to[c] = sum[t][v];
        }
    }
}

}  // namespace armilla::direct
