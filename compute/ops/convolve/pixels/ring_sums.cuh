// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of convolution by rings. CUDA files only.
#pragma once

#include "convolve/kernel/profile_table.h"
#include "convolve/kernel/spin_kernel.h"
#include "convolve/pixels/ring_blocks.h"

namespace armilla::rings {

// Targets of a group, and samples of K whose cosines a thread keeps: in a folded group half of them
// at t step, half at (t + 1/2) step. The samples are summed in groups of five, because many sources
// have a shorter reach than the farthest one.
constexpr int kTargets = static_cast<int>(kRingsOfBlock), kCosines = 20, kTermStep = 5;
constexpr int kSumThreads = 128;
// Source rings with weights in a block at once.
constexpr int kSources = 8;

// The device's form of a RingBlock.
struct Group {
    int first = 0, count = 0;              // rings
    int firstSource = 0, lastSource = -1;  // rings
    int modes = 0, steps = 0;
    int terms = 0;                        // a multiple of chunk()
    int64_t weightsAt = 0, countsAt = 0;  // within a slice

    ARMILLA_HD int sources() const { return lastSource - firstSource + 1; }
    // Whether an even target of the group has the shift of a source ring; in the belt shifts
    // alternate from ring to ring.
    ARMILLA_HD bool alike(int source) const { return ((source - first) & 1) == 0; }
};
template <bool kFolded>
ARMILLA_HD constexpr int chunk() {
    return kFolded ? kCosines / 2 : kCosines;
}
inline Group groupOf(const RingBlock& block) {
    Group group;
    group.first = static_cast<int>(block.targets.first);
    group.count = static_cast<int>(block.targets.last - block.targets.first + 1);
    group.firstSource = static_cast<int>(block.sources.first);
    group.lastSource = static_cast<int>(block.sources.last);
    group.modes = block.modes;
    group.steps = block.steps();
    const int each = block.folded ? chunk<true>() : chunk<false>();
    group.terms = (block.terms + each - 1) / each * each;
    return group;
}

// The terms of the modes. Radial: cosines of a radial kernel's samples. For K2 e^{2 i chi}
// (spin_kernel.h), whose profile is G: cosines of the even (real) part, or sines of the odd
// (imaginary) part.
enum class Part { Radial, Even, Odd };

// Computes samples of K as weights of waves: for each source a run of terms, each for all targets.
// Also counts the terms of each source, from zero. One row of blocks for each group. `theta`:
// colatitudes of the rings, for parts of K2 only.
template <bool kFolded, Part kPart = Part::Radial>
__global__ void weightsKernel(const Group* groups, const HealpixRing* ring, const double* theta,
                              ProfileView profile, double* weights, int* counts) {
    const Group group = groups[blockIdx.y];
    const int64_t all = static_cast<int64_t>(group.sources()) * group.terms * kTargets;
    const double step = kPi / group.steps;
    for (int64_t e = blockIdx.x * static_cast<int64_t>(kSumThreads) + threadIdx.x; e < all;
         e += static_cast<int64_t>(gridDim.x) * kSumThreads) {
        const int target = static_cast<int>(e % kTargets);
        const int t = static_cast<int>(e / kTargets % group.terms);
        const int source = static_cast<int>(e / (static_cast<int64_t>(kTargets) * group.terms));
        const bool between =
            kFolded && group.alike(group.firstSource + source) == ((target & 1) != 0);
        double w = 0.0;
        if (target < group.count && t <= group.steps) {
            const HealpixRing a = ring[group.first + target], b = ring[group.firstSource + source];
            const double dz = a.z - b.z, ds = a.s - b.s;
            const double y0 = 0.5 * (dz * dz + ds * ds);
            const double half = 0.5 * (between ? t + 0.5 : t) * step;
            double square = 0.0;
            if (half <= 0.4995) {
                square = sineSquareNear(half);
            } else {
                const double s = sin(half);
                square = s * s;
            }
            // With samples all around the ring, delta and -delta are one term; the first and the
            // last sample, at 0 and at pi, have no partner.
            const double share = !between && (t == 0 || t == group.steps) ? 0.5 : 1.0;
            w = share / group.steps * profile(y0 + 2.0 * a.s * b.s * square);
            if constexpr (kPart != Part::Radial) {
                const SpinPair pair(theta[group.first + target], theta[group.firstSource + source]);
                const SpinTurn turn(pair, cos(half), sin(half));
                w *= kPart == Part::Even ? turn.real : turn.imaginary;
            }
        }
        weights[group.weightsAt + e] = w;
        if (w != 0.0) atomicMax(&counts[group.countsAt + source], t + 1);
    }
}

// cos(m (begin + t) pi / steps), or sines, t = 0 .. kCount - 1, `twice` = 2 begin. A phase
// recurrence from an exact start with an exact step: 20 steps lose 20 roundings.
template <int kCount, bool kSines>
__device__ __forceinline__ void wavesOf(int m, int64_t twice, int steps, double* wave) {
    const int64_t period = 4 * static_cast<int64_t>(steps);
    double c = 0.0, s = 0.0, stepC = 0.0, stepS = 0.0;
    sincospi(static_cast<double>(m * twice % period) / (2.0 * steps), &s, &c);
    sincospi(static_cast<double>(m) / steps, &stepS, &stepC);
#pragma unroll
    for (int t = 0; t < kCount; ++t) {
        wave[t] = kSines ? s : c;
        const double next = c * stepC - s * stepS;
        s = s * stepC + c * stepS;
        c = next;
    }
}

// kernel[target] = sum_t weights[t][target] wave[t]; even targets use the waves from kEven on.
template <int kChunk, int kEven, int kOdd>
__device__ __forceinline__ void addTerms(const double* weights, int count,
                                         const double (&wave)[kCosines],
                                         double (&kernel)[kTargets]) {
#pragma unroll
    for (double& value : kernel) value = 0.0;
#pragma unroll
    for (int begin = 0; begin < kChunk; begin += kTermStep) {
        if (begin >= count) break;
#pragma unroll
        for (int t = begin; t < begin + kTermStep; ++t)
#pragma unroll
            for (int target = 0; target < kTargets; ++target)
                kernel[target] = fma(weights[t * kTargets + target],
                                     wave[(target % 2 == 0 ? kEven : kOdd) + t], kernel[target]);
    }
}

// S_m(r) = sum_r' k_m(r, r') F_m(r') for the rings of a group and their mirrors: one thread for
// each m, a row of blocks for each group. k_m is a sum of waves, which the thread keeps.
// `Spectrum`: the modes of a ring pair and side of a map. For the odd part -i `turn` times the sums
// is added to the existing values, with the opposite sign between the mirrors.
template <bool kFolded, Part kPart = Part::Radial, class Spectrum>
__global__ void __launch_bounds__(kSumThreads, 3)
    ringSumsKernel(const Group* groups, int64_t nside, const double* weights, const int* counts,
                   Spectrum from, Spectrum to, double turn = 0.0) {
    constexpr bool kSines = kPart == Part::Odd;
    constexpr int kChunk = chunk<kFolded>();
    static_assert(kChunk % kTermStep == 0);
    __shared__ double workspace[kSources * kChunk * kTargets];
    __shared__ int countOf[kSources];
    const Group group = groups[blockIdx.y];
    const int thread = static_cast<int>(threadIdx.x);
    const int m = static_cast<int>(blockIdx.x) * kSumThreads + thread;
    if (static_cast<int>(blockIdx.x) * kSumThreads >= group.modes) return;
    const int mode = min(m, group.modes - 1);
    double sum[kTargets][4];
#pragma unroll
    for (auto& target : sum)
#pragma unroll
        for (double& s : target) s = 0.0;
    for (int begin = 0; begin < group.terms; begin += kChunk) {
        double wave[kCosines];
        wavesOf<kChunk, kSines>(mode, 2 * static_cast<int64_t>(begin), group.steps, wave);
        if constexpr (kFolded)
            wavesOf<kChunk, kSines>(mode, 2 * static_cast<int64_t>(begin) + 1, group.steps,
                                    wave + kChunk);
        for (int first = group.firstSource; first <= group.lastSource; first += kSources) {
            const int sources = min(kSources, group.lastSource - first + 1);
            __syncthreads();
            for (int e = thread; e < sources * kChunk * kTargets; e += kSumThreads) {
                const int source = e / (kChunk * kTargets), rest = e % (kChunk * kTargets);
                workspace[e] = weights[group.weightsAt +
                                       (static_cast<int64_t>(first - group.firstSource + source) *
                                            group.terms +
                                        begin) *
                                           kTargets +
                                       rest];
            }
            if (thread < sources)
                countOf[thread] =
                    counts[group.countsAt + first - group.firstSource + thread] - begin;
            __syncthreads();
            for (int i = 0; i < sources; ++i) {
                const int count = countOf[i], k = first + i;
                if (count <= 0) continue;
                const bool below = k > 2 * nside;
                const int pair = below ? static_cast<int>(4 * nside) - k - 1 : k - 1;
                const auto place = from.rings[pair];
                const bool alone = place.south < 0;
                const double2 north = *from.mode(place, below, mode);
                const double2 south = alone ? north : *from.mode(place, !below, mode);
                const double* const w = workspace + i * kChunk * kTargets;
                double kernel[kTargets];
                if constexpr (!kFolded)
                    addTerms<kChunk, 0, 0>(w, count, wave, kernel);
                else if (group.alike(k))
                    addTerms<kChunk, 0, kChunk>(w, count, wave, kernel);
                else
                    addTerms<kChunk, kChunk, 0>(w, count, wave, kernel);
#pragma unroll
                for (int target = 0; target < kTargets; ++target) {
                    sum[target][0] = fma(kernel[target], north.x, sum[target][0]);
                    sum[target][1] = fma(kernel[target], north.y, sum[target][1]);
                    sum[target][2] = fma(kernel[target], south.x, sum[target][2]);
                    sum[target][3] = fma(kernel[target], south.y, sum[target][3]);
                }
            }
        }
    }
    if (m >= group.modes) return;
    // The last folded mode equals its own negative, so it counts half.
    const double share = kFolded && m == group.modes - 1 ? 0.5 : 1.0;
#pragma unroll
    for (int target = 0; target < kTargets; ++target) {
        if (target >= group.count) break;
        const auto place = to.rings[group.first + target - 1];
        const auto write = [&](bool south, double re, double im) {
            double2& own = *to.mode(place, south, m);
            if constexpr (kSines) {
                const double by = south ? -turn * share : turn * share;
                own = make_double2(fma(by, im, own.x), fma(-by, re, own.y));
            } else {
                own = make_double2(share * re, share * im);
            }
        };
        write(false, sum[target][0], sum[target][1]);
        if (place.south >= 0) write(true, sum[target][2], sum[target][3]);
    }
}

}  // namespace armilla::rings
