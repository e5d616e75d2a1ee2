// SPDX-License-Identifier: GPL-3.0-or-later
// Gathering for tiles of cells on a CUDA device, for gridding_cuda.cu alone.
#pragma once

#include "grid/gridding_kernels_cuda.cuh"

namespace armilla::gridding {

// One channel; a block for kTileCells cells that lie close together. Its threads bring batches of
// samples into shared memory, each warp takes those near to cells of its own: by single precision,
// which leaves out what lies beyond the radius by more than its errors, then as all others do.
// Cells too far apart for that are taken in smaller groups, which all warps share.
constexpr int kTileCells = 16, kTileThreads = 256, kTileWarps = kTileThreads / 32;
constexpr int kCellsOfWarp = kTileCells / kTileWarps;
// A group's disc is at most so many times as wide as a cell's: of its samples one in six is near.
constexpr double kWidestTile = 2.5;

struct TileBatch {
    float x[kTileThreads], y[kTileThreads], z[kTileThreads];  // from the group's middle
    double fineX[kTileThreads], fineY[kTileThreads], fineZ[kTileThreads];
    double values[kTileThreads], weights[kTileThreads];
};
// A sample on its way there; not a number where there is none or its value is bad.
struct TileSample {
    double x = std::numeric_limits<double>::quiet_NaN(), y = 0.0, z = 0.0, value = 0.0,
           weight = 1.0;
};
__device__ TileSample tileSample(const Samples& samples, const double* values, int64_t i) {
    TileSample one;
    one.value = values[i];
    if (!isfinite(one.value)) return one;
    one.x = samples.x[i];
    one.y = samples.y[i];
    one.z = samples.z[i];
    if (samples.weights != nullptr) one.weight = samples.weights[i];
    return one;
}

// What a warp knows of one of its cells.
struct TileCell {
    Cell cell;
    float x, y, z;  // from the group's middle
};
struct TileSum {
    double values = 0.0, weights = 0.0;
    int count = 0;
};

// The share of a batch that is this warp's: every `parts`-th run of 32 samples from `part` on.
template <bool kPlain>
__device__ void addBatch(const GridWeights& kernel, const TileBatch& batch, float farthest,
                         int part, int parts, int cells, const TileCell (&own)[kCellsOfWarp],
                         TileSum (&sums)[kCellsOfWarp]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int run = part; run < kTileWarps; run += parts) {
        const int i = run * 32 + lane;
        const float x = batch.x[i], y = batch.y[i], z = batch.z[i];
#pragma unroll
        for (int c = 0; c < kCellsOfWarp; ++c) {
            if (c >= cells) break;
            const float dx = x - own[c].x, dy = y - own[c].y, dz = z - own[c].z;
            if (!(fmaf(dx, dx, fmaf(dy, dy, dz * dz)) <= farthest)) continue;
            double weight = 0.0;
            if (!weightOf<kPlain>(kernel, own[c].cell,
                                  {batch.fineX[i], batch.fineY[i], batch.fineZ[i]}, weight))
                continue;
            weight *= batch.weights[i];
            sums[c].weights += weight;
            sums[c].values = fma(weight, batch.values[i], sums[c].values);
            ++sums[c].count;
        }
    }
}

template <bool kPlain>
__global__ void __launch_bounds__(kTileThreads, 3)
    gatherTileKernel(GridWeights kernel, double radius, Samples samples, const double* values,
                     CellRange range, const uint32_t* places, Sums sums) {
    __shared__ TileBatch batch;
    __shared__ RunList list;
    __shared__ Vec3 centers[kTileCells];
    __shared__ double partValues[kTileCells * kTileWarps], partWeights[kTileCells * kTileWarps];
    __shared__ int partCounts[kTileCells * kTileWarps];
    const int64_t first = range.first + blockIdx.x * static_cast<int64_t>(kTileCells);
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    if (t < kTileCells)
        centers[t] = first + t < range.end
                         ? range.cells[first + t]
                         : Vec3{0.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
    __syncthreads();
    for (int begin = 0; begin < kTileCells;) {
        // The largest group from here on that is close together; all threads find the same.
        int group = begin == 0 ? kTileCells : begin & -begin;
        SharedDisc shared = discOf(samples.binned.bins, centers + begin, group, radius);
        while (group > 1 && shared.reach > kWidestTile * radius) {
            group /= 2;
            shared = discOf(samples.binned.bins, centers + begin, group, radius);
        }
        const int groupBegin = begin;
        begin += group;
        if (shared.reach == 0.0) continue;
        const int parts = group < kTileWarps ? kTileWarps / group : 1;
        const int part = warp / group, cellsOfWarp = group > kTileWarps ? group / kTileWarps : 1;
        TileCell own[kCellsOfWarp];
        TileSum mine[kCellsOfWarp];
#pragma unroll
        for (int c = 0; c < kCellsOfWarp; ++c) {
            const Vec3 at =
                centers[groupBegin + warp % group + (c < cellsOfWarp ? c : 0) * kTileWarps];
            const Vec3 offset = at - shared.middle;
            own[c] = {cellAt(at), static_cast<float>(offset.x), static_cast<float>(offset.y),
                      static_cast<float>(offset.z)};
        }
        // Offsets of up to e = reach are rounded, and so is their difference d, which is below e
        // where it matters: a component errs by 3 u e, u = 2^-24, so the squared chord by
        // 2 e sqrt(3) 3 u e, and by 3 u e^2 of its own roundoffs: 13.4 u e^2.
        const double reach = fmin(2.0, shared.reach);
        const auto farthest =
            static_cast<float>((kernel.chord2Max + 16.0 * 0x1p-24 * reach * reach) * (1.0 + 1e-6));
        for (int64_t ring = shared.disc.firstRing; ring <= shared.disc.lastRing; ring += kRings) {
            listRuns(samples.binned, shared.disc, ring, list);
            if (list.runs == 0) continue;
            const int64_t all = list.end[list.runs - 1];
            RunWalk walk(list);
            TileSample next;
            if (t < all) next = tileSample(samples, values, walk.sample(t));
            for (int64_t start = 0; start < all; start += kTileThreads) {
                __syncthreads();
                batch.x[t] = static_cast<float>(next.x - shared.middle.x);
                batch.y[t] = static_cast<float>(next.y - shared.middle.y);
                batch.z[t] = static_cast<float>(next.z - shared.middle.z);
                batch.fineX[t] = next.x;
                batch.fineY[t] = next.y;
                batch.fineZ[t] = next.z;
                batch.values[t] = next.value;
                batch.weights[t] = next.weight;
                __syncthreads();
                // The next batch comes while this one is worked on.
                next = TileSample{};
                if (start + kTileThreads + t < all)
                    next = tileSample(samples, values, walk.sample(start + kTileThreads + t));
                addBatch<kPlain>(kernel, batch, farthest, part, parts, cellsOfWarp, own, mine);
            }
        }
        // Sums over lanes, then over the warps of a cell, in a fixed order.
        __syncthreads();
#pragma unroll
        for (int c = 0; c < kCellsOfWarp; ++c) {
            if (c >= cellsOfWarp) break;
            for (int step = 16; step > 0; step /= 2) {
                mine[c].values += __shfl_down_sync(0xFFFFFFFFU, mine[c].values, step);
                mine[c].weights += __shfl_down_sync(0xFFFFFFFFU, mine[c].weights, step);
            }
            const int count = __reduce_add_sync(0xFFFFFFFFU, mine[c].count);
            if (lane == 0) {
                const int at = (warp % group + c * kTileWarps) * kTileWarps + part;
                partValues[at] = mine[c].values;
                partWeights[at] = mine[c].weights;
                partCounts[at] = count;
            }
        }
        __syncthreads();
        if (t < group && first + groupBegin + t < range.end) {
            double value = 0.0, weight = 0.0, count = 0.0;
            for (int p = 0; p < parts; ++p) {
                value += partValues[t * kTileWarps + p];
                weight += partWeights[t * kTileWarps + p];
                count += partCounts[t * kTileWarps + p];
            }
            const uint32_t place = places[first + groupBegin + t];
            sums.values[place] = value;
            sums.weights[place] = weight;
            sums.counts[place] = count;
        }
        __syncthreads();
    }
}

// The order of cells for tiles: along the pixels of a fine NESTED map, those off the sky behind.
constexpr int64_t kTileOrderNside = int64_t{1} << 14;
__global__ void cellKeysKernel(const Vec3* cells, int64_t count, uint32_t* keys, uint32_t* places) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const Vec3 at = cells[i];
        keys[i] =
            at.z == at.z ? static_cast<uint32_t>(nestedFromDirection(kTileOrderNside, at)) : kNoKey;
        places[i] = static_cast<uint32_t>(i);
    }
}
__global__ void orderCellsKernel(const Vec3* cells, const uint32_t* places, int64_t count,
                                 Vec3* ordered) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        ordered[i] = cells[places[i]];
}

}  // namespace armilla::gridding
