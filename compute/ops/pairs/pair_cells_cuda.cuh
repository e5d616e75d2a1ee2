// SPDX-License-Identifier: GPL-3.0-or-later
// Points in cells on a CUDA device; used only by pair_counts_cuda.cu. Leaves of one warp's points
// and groups of leaves follow a Hilbert curve on each base face of HEALPix, with caps around both.
#pragma once

#include <cstdint>

#include "armilla/core/pixel_geometry.h"
#include "pairs/caps.h"
#include "pairs/pair_counts_cuda.h"

namespace armilla::pairing {

constexpr int kWarp = 32;
constexpr int kLeafPoints = kWarp;
constexpr int kGroupLeaves = kWarp;
constexpr int kGroupSize = kLeafPoints * kGroupLeaves;
constexpr int kWarps = 8;
constexpr int kBlock = kWarps * kWarp;
constexpr unsigned kAll = 0xFFFFFFFFU;
// Edges per tile; more edges make several tiles.
constexpr int kTileEdges = 512;
// From this number of edges on, the pairs of two leaves are sorted into bins individually.
constexpr int kManyEdges = 12;
// Tiles per launch: about 10 ms if all contain pairs to count.
constexpr int64_t kSlice = int64_t{1} << 16;
// Bound on |computed - true| of dot - t with three fused steps from -t, in roundoffs: 2 of
// coordinates, one of t, 2 for each of two partial sums of up to 2, and less than one of the last.
constexpr float kSingleBand = 8.0F * 0x1p-24F;
// A warp's 1024 pairs are spread over a range 2 (r_a + r_b) sin(edge) of dot products, with radii r
// of about twice the sines of their halves. Single precision is worthwhile if fewer than one in ten
// warps has a pair within the error band.
constexpr double kSingleWorthwhile = 10.0 * kLeafPoints * kLeafPoints * 2.0 * kSingleBand / 2.0;
// Keys: 4 bits of base face and 40 bits of the curve below the number of the set.
constexpr int kCurveOrder = 20;
constexpr int kKeyBits = 2 * kCurveOrder + 4;

// kTileEdges for pairs with weights, whose sums are four times as long.
constexpr int kWeightedTileEdges = 128;

struct SetView {
    int64_t firstPoint;  // index among the points of all sets
    int64_t count;
    int firstGroup, groups;
};
struct TaskView {
    int firstA, groupsA, firstB, groupsB;  // groups
    bool same;
};
struct Tile {
    int task, a, b;   // groups
    int first, last;  // edges
};
// Sums of the weights of a cell, and of their squares.
struct CellWeight {
    double sum, squares;
};
struct View {
    const double *x, *y, *z;  // in the order of leaves
    const float4* single;     // NaN after a set's last point
    const uint32_t* index;    // in its set
    const double* weights;    // in the order of leaves, 0 after a set's last point; or null
    const CellWeight *leafWeights, *groupWeights;
    const Cap* leafCaps;
    const Cap* groupCaps;
    const int* leafCounts;
    const int* groupCounts;
    const CudaEdge* edges;
    int edgeCount;
    const TaskView* tasks;
    const int64_t* tileStart;  // first tile of each task, and the end
    int taskCount;
};

// The last element of an ascending list that is at most `value`.
template <class T>
__device__ int lastAtMost(const T* list, int count, T value) {
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (list[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Position of (x, y) on the Hilbert curve of `order`.
__device__ uint64_t hilbert(uint64_t x, uint64_t y, int order) {
    uint64_t place = 0;
    for (int bit = order - 1; bit >= 0; --bit) {
        const uint64_t rx = (x >> bit) & 1, ry = (y >> bit) & 1;
        place = place << 2 | ((3 * rx) ^ ry);
        if (ry == 0) {
            const uint64_t mask = (uint64_t{1} << bit) - 1;
            if (rx == 1) {
                x = ~x & mask;
                y = ~y & mask;
            }
            const uint64_t swapped = x;
            x = y;
            y = swapped;
        }
    }
    return place;
}

__global__ void keysKernel(const double* x, const double* y, const double* z, int64_t points,
                           const int64_t* setStart, int sets, uint64_t* keys, uint32_t* order) {
    const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= points) return;
    const FacePixel pixel = faceFromDirection(int64_t{1} << kCurveOrder, {x[i], y[i], z[i]});
    const auto set = static_cast<uint64_t>(lastAtMost(setStart, sets, i));
    keys[i] = set << kKeyBits | static_cast<uint64_t>(pixel.face) << 2 * kCurveOrder |
              hilbert(static_cast<uint64_t>(pixel.x), static_cast<uint64_t>(pixel.y), kCurveOrder);
    order[i] = static_cast<uint32_t>(i);
}

// Moves points to their positions, then computes the caps of leaves and of the group; one block per
// group.
struct Unsorted {
    const double *x, *y, *z, *weights;  // no weights: null
    const uint32_t* order;
    const SetView* sets;
    const int* groupStart;  // the first group of each set
    int setCount;
};
struct Cells {
    double *x, *y, *z, *weights;
    float4* single;
    uint32_t* index;
    CellWeight *leafWeights, *groupWeights;
    Cap *leafCaps, *groupCaps;
    int *leafCounts, *groupCounts;
};

__device__ double warpSum(double value) {
    for (int step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(kAll, value, step);
    return value;
}
__device__ double warpMax(double value) {
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = fmax(value, __shfl_xor_sync(kAll, value, step));
    return value;
}
__device__ void normalize(double& x, double& y, double& z) {
    const double length = sqrt(x * x + y * y + z * z);
    if (length > 1e-3) {
        x /= length;
        y /= length;
        z /= length;
    } else {
        x = y = 0.0;
        z = 1.0;
    }
}
__device__ double squaredChord(double ax, double ay, double az, double bx, double by, double bz) {
    const double dx = ax - bx, dy = ay - by, dz = az - bz;
    return dx * dx + dy * dy + dz * dz;
}

__global__ void __launch_bounds__(kBlock) cellsKernel(Unsorted from, Cells to) {
    __shared__ double partX[kWarps], partY[kWarps], partZ[kWarps];
    __shared__ CellWeight leafWeights[kGroupLeaves];
    const int group = static_cast<int>(blockIdx.x), lane = threadIdx.x % kWarp,
              warp = threadIdx.x / kWarp;
    const SetView set = from.sets[lastAtMost(from.groupStart, from.setCount, group)];
    const int64_t inSet = int64_t{group - set.firstGroup} * kGroupSize;
    const int count = static_cast<int>(min(int64_t{kGroupSize}, set.count - inSet));
    constexpr int kTurns = kGroupLeaves / kWarps;
    double px[kTurns], py[kTurns], pz[kTurns];
    double groupX = 0.0, groupY = 0.0, groupZ = 0.0;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
        const int leaf = turn * kWarps + warp, point = leaf * kLeafPoints + lane;
        const int64_t place = int64_t{group} * kGroupSize + point;
        const int here = min(kLeafPoints, max(0, count - leaf * kLeafPoints));
        double x = nan(""), y = x, z = x, weight = 0.0;
        uint32_t index = 0;
        if (lane < here) {
            const uint32_t source = from.order[set.firstPoint + inSet + point];
            x = from.x[source];
            y = from.y[source];
            z = from.z[source];
            index = static_cast<uint32_t>(source - set.firstPoint);
            if (from.weights != nullptr) weight = from.weights[source];
        }
        if (from.weights != nullptr) {
            to.weights[place] = weight;
            const CellWeight sum{warpSum(weight), warpSum(weight * weight)};
            if (lane == 0) to.leafWeights[group * kGroupLeaves + leaf] = leafWeights[leaf] = sum;
        }
        to.x[place] = x;
        to.y[place] = y;
        to.z[place] = z;
        to.single[place] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 0};
        to.index[place] = index;
        const bool there = lane < here;
        double cx = warpSum(there ? x : 0.0), cy = warpSum(there ? y : 0.0),
               cz = warpSum(there ? z : 0.0);
        groupX += cx;
        groupY += cy;
        groupZ += cz;
        normalize(cx, cy, cz);
        const double farthest = warpMax(there ? squaredChord(x, y, z, cx, cy, cz) : 0.0);
        if (lane == 0) {
            to.leafCaps[group * kGroupLeaves + leaf] = capWithin(cx, cy, cz, farthest);
            to.leafCounts[group * kGroupLeaves + leaf] = here;
        }
        px[turn] = x;
        py[turn] = y;
        pz[turn] = z;
    }
    if (lane == 0) {
        partX[warp] = groupX;
        partY[warp] = groupY;
        partZ[warp] = groupZ;
    }
    __syncthreads();
    double cx = 0.0, cy = 0.0, cz = 0.0;
    for (int w = 0; w < kWarps; ++w) {
        cx += partX[w];
        cy += partY[w];
        cz += partZ[w];
    }
    normalize(cx, cy, cz);
    double farthest = 0.0;
#pragma unroll
    for (int turn = 0; turn < kTurns; ++turn) {
        const double chord = squaredChord(px[turn], py[turn], pz[turn], cx, cy, cz);
        farthest = fmax(farthest, chord);  // fmax of a number and NaN is the number
    }
    farthest = warpMax(farthest);
    __syncthreads();
    if (lane == 0) partX[warp] = farthest;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 0; w < kWarps; ++w) farthest = fmax(farthest, partX[w]);
        to.groupCaps[group] = capWithin(cx, cy, cz, farthest);
        to.groupCounts[group] = count;
        if (from.weights == nullptr) return;
        CellWeight sum{0.0, 0.0};
        for (const CellWeight& leaf : leafWeights) {
            sum.sum += leaf.sum;
            sum.squares += leaf.squares;
        }
        to.groupWeights[group] = sum;
    }
}

}  // namespace armilla::pairing
