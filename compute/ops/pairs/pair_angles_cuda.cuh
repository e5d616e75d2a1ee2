// SPDX-License-Identifier: GPL-3.0-or-later
// Mean angles of pairs on a CUDA device, which visits every pair in the bins; used only by
// pair_counts_cuda.cu.
#pragma once

#include <cstdint>

#include "pairs/pair_angle.h"
#include "pairs/pair_kernels_cuda.cuh"

namespace armilla::pairing {

// Sums of weight times angle and of weights, tasks x (edges + 1): before the first edge, between
// edges, after the last. Without weights a pair weighs 1.
struct AngleSums {
    unsigned long long *low = nullptr, *high = nullptr;
    unsigned long long *weightLow = nullptr, *weightHigh = nullptr;
    const int* exponents = nullptr;  // per task, as in WeightSums
};
// Fixed-point exponent without weights: sums of 2^50 angles fit, and the last bit is 1e-18 rad.
constexpr int kAngleExponent = 60;
// Angles are below 4, so that sums of weight times angle need two bits more than those of weights.
constexpr int kAngleBits = 2;
// Leaves of the first group per block; with all leaves, a block would process a million pairs.
constexpr int kAngleShares = kGroupLeaves / kWarps;
// Pairs of groups per launch: some 10 ms.
constexpr int64_t kAngleSlice = 1024;

// Finds pairs of groups with pairs in a bin; the ranges before the first edge and after the last
// one may be no bins.
__global__ void angleTilesKernel(View view, int64_t begin, int64_t end, bool startsAtZero,
                                 bool endsAtPi, Tile* tiles, unsigned* count) {
    const int64_t i = begin + int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= end) return;
    const int task = lastAtMost(view.tileStart, view.taskCount, i);
    const TaskView t = view.tasks[task];
    const int64_t inTask = i - view.tileStart[task];
    const int a = static_cast<int>(inTask / t.groupsB), b = static_cast<int>(inTask % t.groupsB);
    if (t.same && b < a) return;
    const int groupA = t.firstA + a, groupB = t.firstB + b;
    const ChordRange range = chordRange(view.groupCaps[groupA], view.groupCaps[groupB]);
    const int first = edgesAtMost(view.edges, 0, view.edgeCount, range.least);
    const int last = edgesLess(view.edges, first, view.edgeCount, range.greatest);
    const bool before = last == 0 && !startsAtZero, after = first == view.edgeCount && !endsAtPi;
    if (!before && !after) tiles[atomicAdd(count, 1U)] = {task, groupA, groupB, first, last};
}

// Sums of one thread in one bin, which it adds to those of the block when its pairs leave the bin.
struct AngleRun {
    int bin = -1;
    Fixed angles, weights;
};

template <bool kWeighted>
__global__ void __launch_bounds__(kBlock, 2)
    anglesKernel(View view, const Tile* tiles, AngleSums sums, Doubts doubts) {
    constexpr int kBins = 256;
    __shared__ unsigned long long low[kBins], high[kBins], weightLow[kBins], weightHigh[kBins];
    const Tile tile = tiles[blockIdx.x];
    const bool diagonal = view.tasks[tile.task].same && tile.a == tile.b;
    const int bins = tile.last - tile.first + 1;
    const bool inShared = bins <= kBins;
    for (int i = threadIdx.x; i < bins && inShared; i += kBlock) {
        low[i] = high[i] = weightLow[i] = weightHigh[i] = 0;
    }
    __syncthreads();
    const int64_t place = int64_t{tile.task} * (view.edgeCount + 1) + tile.first;
    const int exponent = sums.exponents[tile.task] - kAngleBits;
    const Fixed unit = fixedPoint(exponent, 1.0);
    AngleRun run;
    const auto endRun = [&] {
        if (run.bin < 0) return;
        if (inShared) {
            addWeight(low + run.bin, high + run.bin, run.angles);
            addWeight(weightLow + run.bin, weightHigh + run.bin, run.weights);
        } else {
            addWeight(sums.low + place + run.bin, sums.high + place + run.bin, run.angles);
            addWeight(sums.weightLow + place + run.bin, sums.weightHigh + place + run.bin,
                      run.weights);
        }
    };
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const int leaf = static_cast<int>(blockIdx.y) * kWarps + warp;
    const int leafA = tile.a * kGroupLeaves + leaf;
    const int64_t at = int64_t{leafA} * kLeafPoints + lane;
    // The points of a group are its first ones.
    const int pointsB = view.groupCounts[tile.b];
    if (lane < view.leafCounts[leafA]) {
        const double x = view.x[at], y = view.y[at], z = view.z[at];
        for (int q = diagonal ? leaf * kLeafPoints + lane + 1 : 0; q < pointsB; ++q) {
            const int64_t other = int64_t{tile.b} * kGroupSize + q;
            const double ox = view.x[other], oy = view.y[other], oz = view.z[other];
            const double chord = squaredChord(x, y, z, ox, oy, oz);
            // the first edge that the pair is certainly below
            int first = tile.first, last = tile.last;
            while (first < last) {
                const int middle = (first + last) / 2;
                if (chord >= view.edges[middle].chordCertain)
                    first = middle + 1;
                else
                    last = middle;
            }
            if (first > tile.first && chord < view.edges[first - 1].chordPossible) {
                doubt(doubts, {tile.task, tile.first, first, view.index[at], view.index[other]});
                continue;
            }
            if (first - tile.first != run.bin) {
                endRun();
                run = {first - tile.first, {}, {}};
            }
            const double angle = pairAngle(chord, squaredChord(x, y, z, -ox, -oy, -oz));
            if constexpr (kWeighted) {
                const double weight = view.weights[at] * view.weights[other];
                run.angles = sumOf(run.angles, fixedPoint(exponent, weight * angle));
                run.weights = sumOf(run.weights, fixedPoint(exponent, weight));
            } else {
                // fixedPoint() of an angle below 4, whose high part is 0
                const double scaled = angle * static_cast<double>(1ULL << kAngleExponent);
                run.angles = sumOf(run.angles, {static_cast<unsigned long long>(scaled), 0});
                run.weights = sumOf(run.weights, unit);
            }
        }
    }
    endRun();
    __syncthreads();
    for (int i = threadIdx.x; i < bins && inShared; i += kBlock) {
        if ((low[i] | high[i] | weightLow[i] | weightHigh[i]) == 0) continue;
        addWeight(sums.low + place + i, sums.high + place + i, {low[i], high[i]});
        addWeight(sums.weightLow + place + i, sums.weightHigh + place + i,
                  {weightLow[i], weightHigh[i]});
    }
}

__global__ void addAnglesKernel(AngleSums sum, AngleSums part, int64_t count) {
    const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Fixed both = sumOf({sum.low[i], sum.high[i]}, {part.low[i], part.high[i]});
    sum.low[i] = both.low;
    sum.high[i] = both.high;
    const Fixed weight =
        sumOf({sum.weightLow[i], sum.weightHigh[i]}, {part.weightLow[i], part.weightHigh[i]});
    sum.weightLow[i] = weight.low;
    sum.weightHigh[i] = weight.high;
}

}  // namespace armilla::pairing
