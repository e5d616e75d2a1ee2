// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of groups and of leaves on a CUDA device; used only by pair_counts_cuda.cu.
#pragma once

#include <cstdint>

#include "pairs/pair_cells_cuda.cuh"

namespace armilla::pairing {

// Among the edges [first, last), the number whose half chord is at most (or less than) a value, as
// an edge index.
__device__ int edgesAtMost(const CudaEdge* edges, int first, int last, double value) {
    while (first < last) {
        const int middle = (first + last) / 2;
        if (edges[middle].halfChord <= value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}
__device__ int edgesLess(const CudaEdge* edges, int first, int last, double value) {
    while (first < last) {
        const int middle = (first + last) / 2;
        if (edges[middle].halfChord < value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

__device__ void add(unsigned long long* to, int64_t value) {
    atomicAdd(to, static_cast<unsigned long long>(value));
}

// Sums of weights in 128-bit fixed point, independent of the order of addition.
struct Fixed {
    unsigned long long low = 0, high = 0;
};
struct WeightSums {
    unsigned long long *low = nullptr, *high = nullptr;
    const int* exponents = nullptr;  // per task: a sum of 1 is 2^exponent
};
__device__ Fixed fixedPoint(int exponent, double value) {
    // Powers of two and the difference are exact; bits below the last are truncated.
    const double scaled = ldexp(value, exponent - 64), whole = floor(scaled);
    return {static_cast<unsigned long long>(ldexp(scaled - whole, 64)),
            static_cast<unsigned long long>(static_cast<long long>(whole))};
}
__device__ Fixed fixedPoint(const WeightSums& sums, int task, double value) {
    return fixedPoint(sums.exponents[task], value);
}
__device__ void addWeight(unsigned long long* low, unsigned long long* high, Fixed value) {
    const unsigned long long before = atomicAdd(low, value.low);
    const unsigned long long carry = before + value.low < before ? 1ULL : 0ULL;
    if (value.high + carry != 0ULL) atomicAdd(high, value.high + carry);
}
__device__ void addWeight(const WeightSums& sums, int64_t at, Fixed value) {
    addWeight(sums.low + at, sums.high + at, value);
}
__device__ Fixed sumOf(Fixed a, Fixed b) {
    const unsigned long long low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1ULL : 0ULL)};
}
// Sum of the products of weights of two cells; within one cell, each pair of different points once.
__device__ double productOf(CellWeight a, CellWeight b, bool own) {
    return own ? 0.5 * (a.sum * a.sum - a.squares) : a.sum * b.sum;
}

// `from`: pairs below an edge and all later edges, tasks x (edges + 1). `wholeWeight`: the same for
// weights, if present.
__global__ void tilesKernel(View view, int64_t begin, int64_t end, int tileEdges, Tile* tiles,
                            unsigned* count, unsigned long long* from, WeightSums wholeWeight) {
    const int64_t i = begin + int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= end) return;
    const int task = lastAtMost(view.tileStart, view.taskCount, i);
    const TaskView t = view.tasks[task];
    const int64_t inTask = i - view.tileStart[task];
    const int a = static_cast<int>(inTask / t.groupsB), b = static_cast<int>(inTask % t.groupsB);
    if (t.same && b < a) return;
    const bool own = t.same && a == b;
    const int groupA = t.firstA + a, groupB = t.firstB + b;
    const int64_t countA = view.groupCounts[groupA], countB = view.groupCounts[groupB];
    const ChordRange range = chordRange(view.groupCaps[groupA], view.groupCaps[groupB]);
    const int first = edgesAtMost(view.edges, 0, view.edgeCount, range.least);
    const int last = edgesLess(view.edges, first, view.edgeCount, range.greatest);
    add(from + int64_t{task} * (view.edgeCount + 1) + last,
        own ? countA * (countA - 1) / 2 : countA * countB);
    if (wholeWeight.low != nullptr)
        addWeight(wholeWeight, int64_t{task} * (view.edgeCount + 1) + last,
                  fixedPoint(wholeWeight, task,
                             productOf(view.groupWeights[groupA], view.groupWeights[groupB], own)));
    for (int edge = first; edge < last; edge += tileEdges)
        tiles[atomicAdd(count, 1U)] = {task, groupA, groupB, edge, min(last, edge + tileEdges)};
}

struct Doubts {
    CudaDoubt* list;
    unsigned long long* count;  // may exceed the list's capacity
    unsigned long long workspace;
};
__device__ void doubt(const Doubts& doubts, const CudaDoubt& one) {
    const unsigned long long place = atomicAdd(doubts.count, 1ULL);
    if (place < doubts.workspace) doubts.list[place] = one;
}

// The two leaves that a warp processes.
struct LeafPair {
    int64_t a, b;  // first points
    int countA, countB;
    int first, last;  // edges
    bool own;         // pairs within one leaf: each once
};

// The lane's pairs below one edge in double precision; `possible` also counts doubtful ones. Calls
// body(point of the second leaf) for each certain pair.
template <class Body>
__device__ int fineCount(const View& view, const LeafPair& pair, int task, int k,
                         const Doubts& doubts, int& possible, const Body& body) {
    const int lane = threadIdx.x % kWarp;
    const CudaEdge edge = view.edges[k];
    int certain = 0;
    possible = 0;
    if (lane < pair.countA) {
        const double x = view.x[pair.a + lane], y = view.y[pair.a + lane],
                     z = view.z[pair.a + lane];
        for (int q = 0; q < pair.countB; ++q) {
            const double chord =
                squaredChord(x, y, z, view.x[pair.b + q], view.y[pair.b + q], view.z[pair.b + q]);
            if (chord >= edge.chordPossible) continue;
            ++possible;
            if (chord < edge.chordCertain) {
                ++certain;
                body(q);
            } else {
                doubt(doubts, {task, k, k + 1, view.index[pair.a + lane], view.index[pair.b + q]});
            }
        }
    }
    return certain;
}

// Sorts pairs individually into the bins between the edges of the pair of leaves. Calls body(point
// of the second leaf, edge) for each pair certainly below the edge and not certainly below the one
// before.
template <class Body>
__device__ void binPairs(const View& view, const LeafPair& pair, int task, const Doubts& doubts,
                         const Body& body) {
    const int lane = threadIdx.x % kWarp;
    if (lane >= pair.countA) return;
    const double x = view.x[pair.a + lane], y = view.y[pair.a + lane], z = view.z[pair.a + lane];
    for (int q = pair.own ? lane + 1 : 0; q < pair.countB; ++q) {
        const double chord =
            squaredChord(x, y, z, view.x[pair.b + q], view.y[pair.b + q], view.z[pair.b + q]);
        int low = pair.first, high = pair.last;  // the first edge that the pair is certainly below
        while (low < high) {
            const int middle = (low + high) / 2;
            if (chord >= view.edges[middle].chordCertain)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < pair.last) body(q, low);
        if (low > pair.first && chord < view.edges[low - 1].chordPossible)
            doubt(doubts,
                  {task, pair.first, low, view.index[pair.a + lane], view.index[pair.b + q]});
    }
}

__global__ void __launch_bounds__(kBlock, 4)
    pairsKernel(View view, const Tile* tiles, unsigned long long* at, Doubts doubts) {
    __shared__ float4 points[kGroupSize];  // points of the second group
    // Counters of this tile: at most 2^20 pairs, so 32 bits suffice; unsigned sums below 0 wrap and
    // recover.
    __shared__ unsigned atEdge[kTileEdges], fromEdge[kTileEdges];
    const Tile tile = tiles[blockIdx.x];
    const TaskView task = view.tasks[tile.task];
    const bool diagonal = task.same && tile.a == tile.b;
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    for (int i = threadIdx.x; i < tile.last - tile.first; i += kBlock) atEdge[i] = fromEdge[i] = 0;
    for (int i = threadIdx.x; i < kGroupSize; i += kBlock)
        points[i] = view.single[int64_t{tile.b} * kGroupSize + i];
    __syncthreads();

    const int leafB = tile.b * kGroupLeaves + lane;
    const Cap capB = view.leafCaps[leafB];
    const int countB = view.leafCounts[leafB];
    for (int leaf = warp; leaf < kGroupLeaves; leaf += kWarps) {
        const int leafA = tile.a * kGroupLeaves + leaf;
        LeafPair pair{};
        pair.countA = view.leafCounts[leafA];
        if (pair.countA == 0) break;
        pair.a = int64_t{leafA} * kLeafPoints;
        const Cap capA = view.leafCaps[leafA];
        const float4 p = view.single[pair.a + lane];
        const bool own = diagonal && lane == leaf;
        const bool active = countB > 0 && (!diagonal || lane >= leaf);
        int first = tile.last, last = tile.last;
        if (active) {
            const ChordRange range = chordRange(capA, capB);
            first = edgesAtMost(view.edges, tile.first, tile.last, range.least);
            last = edgesLess(view.edges, first, tile.last, range.greatest);
            if (last < tile.last)
                atomicAdd(
                    fromEdge + (last - tile.first),
                    static_cast<unsigned>(own ? countB * (countB - 1) / 2 : pair.countA * countB));
        }
        for (unsigned todo = __ballot_sync(kAll, first < last); todo != 0; todo &= todo - 1) {
            const int other = __ffs(static_cast<int>(todo)) - 1;
            pair.b = int64_t{tile.b * kGroupLeaves + other} * kLeafPoints;
            pair.countB = __shfl_sync(kAll, countB, other);
            pair.first = __shfl_sync(kAll, first, other);
            pair.last = __shfl_sync(kAll, last, other);
            pair.own = diagonal && other == leaf;
            if (pair.own || pair.last - pair.first > kManyEdges) {
                binPairs(view, pair, tile.task, doubts, [&](int, int edge) {
                    atomicAdd(fromEdge + (edge - tile.first), 1U);
                    if (pair.last < tile.last) atomicSub(fromEdge + (pair.last - tile.first), 1U);
                });
                continue;
            }
            const double radii = capA.sinHalf + __shfl_sync(kAll, capB.sinHalf, other);
            const float4* const others = points + other * kLeafPoints;
            for (int k = pair.last - 1; k >= pair.first; --k) {
                int certain = 0, possible = 0;
                bool decided = false;
                if (2.0 * radii * view.edges[k].sine > kSingleWorthwhile) {
                    const float t = view.edges[k].dot;
                    unsigned above = 0;  // sign bits: pairs at or above the edge; NaN has none
                    float nearest = 1.0F;
#pragma unroll 8
                    for (int q = 0; q < kLeafPoints; ++q) {
                        const float4 o = others[q];
                        const float d = fmaf(p.x, o.x, fmaf(p.y, o.y, fmaf(p.z, o.z, -t)));
                        above += __float_as_uint(d) >> 31;
                        nearest = fminf(nearest, fabsf(d));
                    }
                    decided = !__any_sync(kAll, nearest <= kSingleBand);
                    possible = certain =
                        lane < pair.countA ? pair.countB - static_cast<int>(above) : 0;
                }
                if (!decided)
                    certain = fineCount(view, pair, tile.task, k, doubts, possible, [](int) {});
                certain = __reduce_add_sync(kAll, certain);
                if (lane == 0 && certain > 0)
                    atomicAdd(atEdge + (k - tile.first), static_cast<unsigned>(certain));
                if (!__any_sync(kAll, possible > 0)) break;
            }
        }
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned before = 0;
    for (int k = tile.first; k < tile.last; ++k) {
        before += fromEdge[k - tile.first];
        const unsigned sum = before + atEdge[k - tile.first];
        if (sum != 0) add(at + int64_t{tile.task} * view.edgeCount + k, sum);
    }
}

// The counting kernel with weights, in double precision throughout. Counts as above, and for each
// edge the sum of products of weights of the pairs certainly below. Doubtful pairs go to the host.
__global__ void __launch_bounds__(kBlock, 2)
    weightedPairsKernel(View view, const Tile* tiles, unsigned long long* at, WeightSums weightAt,
                        Doubts doubts) {
    __shared__ unsigned atEdge[kWeightedTileEdges], fromEdge[kWeightedTileEdges];
    __shared__ unsigned long long atLow[kWeightedTileEdges], atHigh[kWeightedTileEdges],
        fromLow[kWeightedTileEdges], fromHigh[kWeightedTileEdges];
    const Tile tile = tiles[blockIdx.x];
    const TaskView task = view.tasks[tile.task];
    const bool diagonal = task.same && tile.a == tile.b;
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    for (int i = threadIdx.x; i < tile.last - tile.first; i += kBlock) {
        atEdge[i] = fromEdge[i] = 0;
        atLow[i] = atHigh[i] = fromLow[i] = fromHigh[i] = 0;
    }
    __syncthreads();
    const auto addFrom = [&](int edge, double weight) {
        addWeight(fromLow + (edge - tile.first), fromHigh + (edge - tile.first),
                  fixedPoint(weightAt, tile.task, weight));
    };

    const int leafB = tile.b * kGroupLeaves + lane;
    const Cap capB = view.leafCaps[leafB];
    const int countB = view.leafCounts[leafB];
    for (int leaf = warp; leaf < kGroupLeaves; leaf += kWarps) {
        const int leafA = tile.a * kGroupLeaves + leaf;
        LeafPair pair{};
        pair.countA = view.leafCounts[leafA];
        if (pair.countA == 0) break;
        pair.a = int64_t{leafA} * kLeafPoints;
        const bool own = diagonal && lane == leaf;
        int first = tile.last, last = tile.last;
        if (countB > 0 && (!diagonal || lane >= leaf)) {
            const ChordRange range = chordRange(view.leafCaps[leafA], capB);
            first = edgesAtMost(view.edges, tile.first, tile.last, range.least);
            last = edgesLess(view.edges, first, tile.last, range.greatest);
            if (last < tile.last) {
                atomicAdd(
                    fromEdge + (last - tile.first),
                    static_cast<unsigned>(own ? countB * (countB - 1) / 2 : pair.countA * countB));
                addFrom(last, productOf(view.leafWeights[leafA], view.leafWeights[leafB], own));
            }
        }
        const double ownWeight = view.weights[pair.a + lane];
        for (unsigned todo = __ballot_sync(kAll, first < last); todo != 0; todo &= todo - 1) {
            const int other = __ffs(static_cast<int>(todo)) - 1;
            pair.b = int64_t{tile.b * kGroupLeaves + other} * kLeafPoints;
            pair.countB = __shfl_sync(kAll, countB, other);
            pair.first = __shfl_sync(kAll, first, other);
            pair.last = __shfl_sync(kAll, last, other);
            pair.own = diagonal && other == leaf;
            if (pair.own || pair.last - pair.first > kManyEdges) {
                binPairs(view, pair, tile.task, doubts, [&](int q, int edge) {
                    const double weight = ownWeight * view.weights[pair.b + q];
                    atomicAdd(fromEdge + (edge - tile.first), 1U);
                    addFrom(edge, weight);
                    if (pair.last == tile.last) return;
                    atomicSub(fromEdge + (pair.last - tile.first), 1U);
                    addFrom(pair.last, -weight);
                });
                continue;
            }
            for (int k = pair.last - 1; k >= pair.first; --k) {
                int possible = 0;
                double weight = 0.0;
                int certain = fineCount(view, pair, tile.task, k, doubts, possible,
                                        [&](int q) { weight += view.weights[pair.b + q]; });
                // Fixed order: lane by lane of a butterfly.
                weight = warpSum(weight * ownWeight);
                certain = __reduce_add_sync(kAll, certain);
                if (lane == 0 && certain > 0) {
                    atomicAdd(atEdge + (k - tile.first), static_cast<unsigned>(certain));
                    addWeight(atLow + (k - tile.first), atHigh + (k - tile.first),
                              fixedPoint(weightAt, tile.task, weight));
                }
                if (!__any_sync(kAll, possible > 0)) break;
            }
        }
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned before = 0;
    Fixed weightBefore;
    for (int k = tile.first; k < tile.last; ++k) {
        const int i = k - tile.first;
        before += fromEdge[i];
        weightBefore = sumOf(weightBefore, {fromLow[i], fromHigh[i]});
        const int64_t place = int64_t{tile.task} * view.edgeCount + k;
        const unsigned sum = before + atEdge[i];
        if (sum != 0) add(at + place, sum);
        addWeight(weightAt, place, sumOf(weightBefore, {atLow[i], atHigh[i]}));
    }
}

__global__ void addWeightsKernel(WeightSums sum, WeightSums part, int64_t count) {
    const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Fixed both = sumOf({sum.low[i], sum.high[i]}, {part.low[i], part.high[i]});
    sum.low[i] = both.low;
    sum.high[i] = both.high;
}

__global__ void addKernel(unsigned long long* sum, const unsigned long long* part, int64_t count) {
    const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) sum[i] += part[i];
}

}  // namespace armilla::pairing
