// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of direct convolution in the belt. CUDA files only.
#pragma once

#include "convolve/pixels/async_copy.cuh"
#include "convolve/pixels/direct_grid.cuh"

namespace armilla::direct {

constexpr int kBeltThreads = 128, kBeltBlocks = 4;  // blocks on a multiprocessor
// Each thread computes kColumns columns of kRings rings, and reads a source value once for all its
// targets. kStage source rings are summed while the next ones are copied.
constexpr int kColumns = 4, kRings = 8, kStage = 4;
constexpr int kBlockColumns = kBeltThreads * kColumns;

// Groups of kRings target rings from `firstRing` on (up to `lastRing`) and their source rings.
// `pairs`: the largest number of pairs of taps at equal distance in a source ring; `rows`: the
// largest number of source rings of a group. Weights: (group, row, pair, target). Counts: pairs
// within reach of some target of a group, (group, row).
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

// Each block computes one source ring of one group.
__global__ void beltTableKernel(Grid grid, ProfileView profile, BeltTable table) {
    __shared__ int count;
    const int group = static_cast<int>(blockIdx.y), row = static_cast<int>(blockIdx.x);
    const int64_t r0 = table.ring(group), k = grid.around[r0].first + row;
    const int targets = table.targets(group);
    if (k > grid.around[r0 + targets - 1].last) return;
    const double perPixel = kHalfPi / static_cast<double>(grid.nside);
    const HealpixRing from = grid.ring[k];
    const int thread = static_cast<int>(threadIdx.x);
    if (thread == 0) count = 0;
    __syncthreads();
    if (thread < targets) {
        const HealpixRing target = grid.ring[r0 + thread];
        const RingPair pair = ringPair(target, from, profile.end);
        if (pair.reach >= 0.0) {
            const double apart = from.shift == target.shift ? 0.0 : 0.5;
            // Slightly wider than the reach, because the profile itself ends the weights.
            const int own = static_cast<int>(floor(pair.reach / perPixel - apart + 1e-6)) + 1;
            atomicMax(&count, min(own, table.pairs));
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
    if (thread == 0) table.counts[at] = count;
}

template <class Sample>
struct alignas(kColumns * sizeof(Sample)) Four {
    Sample value[kColumns];
};

// Layout of a block's two buffers for kStage source rings: `width` values each, weights of `pairs`
// pairs, and counts. Offsets are in bytes, multiples of 16. The margin on both sides of a block's
// columns is a multiple of kColumns, and so are positions in rings, which begin at multiples of
// four pixels.
template <class Sample>
struct BeltStages {
    int margin, width, pairs;

    ARMILLA_HD explicit BeltStages(int pairsOfRing)
        : margin((pairsOfRing + kColumns - 1) / kColumns * kColumns),
          width(kBlockColumns + 2 * margin),
          pairs(pairsOfRing) {}
    ARMILLA_HD int weightsAt() const { return kStage * width * static_cast<int>(sizeof(Sample)); }
    ARMILLA_HD int countsAt() const { return weightsAt() + kStage * pairs * kRings * 8; }
    ARMILLA_HD int stage() const { return countsAt() + kStage * 4; }
    ARMILLA_HD int bytes() const { return 2 * stage(); }

    // Starts to copy `rows` contiguous source rings of `all` values, from value `begin` of each on;
    // `at`: the first ring's index in the table.
    __device__ __forceinline__ void bring(const Sample* values, int all, int begin, int rows,
                                          const BeltTable& table, int64_t at, char* to) const {
        const int thread = static_cast<int>(threadIdx.x);
        for (int s = 0; s < rows; ++s, values += all)
            for (int x = kColumns * thread; x < width; x += kColumns * kBeltThreads) {
                int place = begin + x;
                while (place >= all) place -= all;
                const char* const from = reinterpret_cast<const char*>(values + place);
                char* const target = to + (s * width + x) * static_cast<int>(sizeof(Sample));
#pragma unroll
                for (int n = 0; n < static_cast<int>(sizeof(Four<Sample>)); n += 16)
                    copyAsync<16>(target + n, from + n);
            }
        const double* const weights = table.weights + at * pairs * kRings;
        for (int e = 2 * thread; e < rows * pairs * kRings; e += 2 * kBeltThreads)
            copyAsync<16>(to + weightsAt() + 8 * e, weights + e);
        if (thread < rows) copyAsync<4>(to + countsAt() + 4 * thread, table.counts + at + thread);
        endGroup();
    }
};

// Adds a source ring to its targets, from shared memory. kAlike: it has the shift of the even
// targets; kUpward: its shift is 0. `source`: at the thread's first column.
template <bool kAlike, bool kUpward, class Sample>
__device__ __forceinline__ void addRow(const Sample* source, const double* weights, int count,
                                       double (&sum)[kRings][kColumns]) {
    static_assert(kRings % 2 == 0 && kColumns == 4);
    const auto four = [&](int at) { return *reinterpret_cast<const Four<Sample>*>(source + at); };
    // Values of columns c - i .. and c + i ..; value n of the former is at left[n % kColumns], and
    // so for the latter. The next step replaces one value of each.
    const Four<Sample> own = four(0);
    double left[kColumns], right[kColumns];
#pragma unroll
    for (int v = 0; v < kColumns; ++v) left[v] = right[v] = static_cast<double>(own.value[v]);
    for (int i = 0; i < count; i += kColumns) {
        const Four<Sample> lows = four(-i - kColumns), highs = four(kColumns + i);
#pragma unroll
        for (int u = 0; u < kColumns; ++u) {
            if (i + u >= count) break;
            const double low = static_cast<double>(lows.value[kColumns - 1 - u]);
            const double high = static_cast<double>(highs.value[u]);
            double even[kColumns], odd[kColumns];
#pragma unroll
            for (int v = 0; v < kColumns; ++v) {
                const double a = left[(v - u) & (kColumns - 1)],
                             b = right[(v + u) & (kColumns - 1)];
                const double alike = u == 0 && i == 0 ? a : a + b;
                const double nextLeft = v == 0 ? low : left[(v - 1 - u) & (kColumns - 1)];
                const double nextRight =
                    v == kColumns - 1 ? high : right[(v + 1 + u) & (kColumns - 1)];
                const double unlike = kUpward ? a + nextRight : nextLeft + b;
                even[v] = kAlike ? alike : unlike;
                odd[v] = kAlike ? unlike : alike;
            }
            const double2* const at = reinterpret_cast<const double2*>(weights + (i + u) * kRings);
#pragma unroll
            for (int t = 0; t < kRings; t += 2) {
                const double2 w = at[t / 2];
#pragma unroll
                for (int v = 0; v < kColumns; ++v) {
                    sum[t][v] = fma(w.x, even[v], sum[t][v]);
                    sum[t + 1][v] = fma(w.y, odd[v], sum[t + 1][v]);
                }
            }
            left[(kColumns - 1 - u) & (kColumns - 1)] = low;
            right[u] = high;
        }
    }
}

// Adds the source rings of a stage. kShifted: the even targets have shift 1/2. kUpward: the first
// source ring has shift 0; shifts alternate.
template <bool kShifted, bool kUpward, class Sample>
__device__ __forceinline__ void addStage(const BeltStages<Sample>& stages, const char* stage,
                                         int rows, double (&sum)[kRings][kColumns]) {
    const Sample* source = reinterpret_cast<const Sample*>(stage) + stages.margin +
                           kColumns * static_cast<int>(threadIdx.x);
    const double* weights = reinterpret_cast<const double*>(stage + stages.weightsAt());
    const int* const counts = reinterpret_cast<const int*>(stage + stages.countsAt());
    static_assert(kStage % 2 == 0);
    for (int s = 0; s < rows; s += 2) {
        addRow<kShifted != kUpward, kUpward>(source, weights, counts[s], sum);
        if (s + 1 == rows) break;
        source += stages.width, weights += stages.pairs * kRings;
        addRow<kShifted == kUpward, !kUpward>(source, weights, counts[s + 1], sum);
        source += stages.width, weights += stages.pairs * kRings;
    }
}

// Computes the groups of a table, one for each row of blocks. All rings have equally many pixels
// and K is even. So the two source values at equal distances are added first, which halves the
// products. They are added once for the targets of equal shift and once for the other targets. For
// a ring of the same shift the values are at c - i and c + i, else at c - i and c + 1 + i, or at
// c - 1 - i and c + i.
template <class Sample>
__global__ void __launch_bounds__(kBeltThreads, kBeltBlocks)
    beltKernel(Grid grid, BeltTable table, const Sample* values, double* result) {
    const int group = static_cast<int>(blockIdx.y);
    const int64_t r0 = table.ring(group);
    const int targets = table.targets(group);
    const int64_t first = grid.around[r0].first;
    const int rows = static_cast<int>(grid.around[r0 + targets - 1].last - first) + 1;
    const int column = static_cast<int>(blockIdx.x) * kBlockColumns;
    const int all = static_cast<int>(4 * grid.nside);
    const BeltStages<Sample> stages(table.pairs);
    char* const workspace = reinterpret_cast<char*>(dynamicBytes());
    int begin = (column - stages.margin) % all;
    if (begin < 0) begin += all;
    const auto bring = [&](int row, char* to) {
        // Rings of the belt are contiguous.
        stages.bring(values + grid.ring[first].first + row * static_cast<int64_t>(all), all, begin,
                     min(kStage, rows - row), table, group * static_cast<int64_t>(table.rows) + row,
                     to);
    };
    double sum[kRings][kColumns];
#pragma unroll
    for (auto& row : sum)
#pragma unroll
        for (double& s : row) s = 0.0;
    bring(0, workspace);
    const bool shifted = grid.ring[r0].shift != 0.0, upward = grid.ring[first].shift == 0.0;
    for (int row = 0, stage = 0; row < rows; row += kStage, stage ^= 1) {
        if (row + kStage < rows) {
            bring(row + kStage, workspace + (stage ^ 1) * stages.stage());
            waitForGroups<1>();
        } else {
            waitForGroups<0>();
        }
        __syncthreads();
        const char* const now = workspace + stage * stages.stage();
        const int some = min(kStage, rows - row);
        if (shifted)
            upward ? addStage<true, true>(stages, now, some, sum)
                   : addStage<true, false>(stages, now, some, sum);
        else
            upward ? addStage<false, true>(stages, now, some, sum)
                   : addStage<false, false>(stages, now, some, sum);
        __syncthreads();
    }
#pragma unroll
    for (int t = 0; t < kRings; ++t) {
        if (t >= targets) break;
        double* const to = result + grid.ring[r0 + t].first;
#pragma unroll
        for (int v = 0; v < kColumns; v += 2) {
            const int c = column + kColumns * static_cast<int>(threadIdx.x) + v;
            if (c < all)
                *reinterpret_cast<double2*>(to + c) = make_double2(sum[t][v], sum[t][v + 1]);
        }
    }
}

}  // namespace armilla::direct
