// SPDX-License-Identifier: GPL-3.0-or-later
// Gathering by tiles of cells on a CUDA device; used only by gridding_cuda.cu.
#pragma once

#include "grid/gridding_kernels_cuda.cuh"

namespace armilla::gridding {

// One channel. A tile is kCells adjacent cells that use the same samples. A lane of a warp holds a
// sample and loops over the cells. 32 neighbors in the order of samples, mostly of one bin, then
// agree on the near cells. Warps do not wait for each other. Several blocks may divide a tile's
// samples, because a target may have fewer tiles than the device runs blocks.
//
// With m the middle of the tile, s' = s - m of a sample, p' = p - m of a cell, and x, y along two
// axes orthogonal to m, the squared chord of unit vectors is, exactly,
//   c^2 = |s'|^2 (1 - |p'|^2 / 2) + |p'|^2 - 2 (s'x p'x + s'y p'y)
// because s' m = -|s'|^2 / 2. Three multiplications and additions then give u of grid_weight.h for
// a pair. Offsets are below the tile's reach, a few radii. Therefore the error of c^2 is some 1e-16
// of the squared reach, at most the effect of rounding of the unit vectors themselves.
constexpr int kMostTileCells = 16, kMostTileWarps = kMostThreads / 32;
// Samples per lane; independent operations hide latency.
constexpr int kHeld = 2;

template <class Number>
struct alignas(4 * sizeof(Number)) TileCell {
    Number x, y, square, rest;  // NaN: no cell

    // u of a sample at s'; `of` is |s'|^2 of the sample.
    __device__ Number u(Number sampleX, Number sampleY, Number of) const {
        return fma(square, of, fma(x, sampleX, fma(y, sampleY, rest)));
    }
};
struct TileSample {
    Vec3 at{0.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
    double value = 0.0, weight = 0.0;
};
// NaN for a missing sample or a bad value.
__device__ TileSample tileSample(const Samples& samples, const double* values, int64_t i) {
    TileSample one;
    const double value = values[i];
    if (!isfinite(value)) return one;
    one.at = {samples.x[i], samples.y[i], samples.z[i]};
    one.weight = samples.weights == nullptr ? 1.0 : samples.weights[i];
    one.value = one.weight * value;
    return one;
}

// The axes of a tile, read from shared memory each time to save registers for sums.
struct TileAxes {
    Vec3 middle, x, y;
};
__device__ Vec3 frameVector(const volatile Vec3& of) {
    return {of.x, of.y, of.z};
}

// Two directions orthogonal to `middle` and to each other.
__device__ void axesAt(Vec3 middle, Vec3& first, Vec3& second) {
    const Vec3 other = fabs(middle.z) < 0.5 ? Vec3{0.0, 0.0, 1.0} : Vec3{1.0, 0.0, 0.0};
    first = normalized(cross(other, middle));
    second = cross(middle, first);
}

// A cell in the axes of its tile; a NaN cell stays NaN.
__device__ TileCell<double> tileCell(const GridWeights& kernel, Vec3 cell, const TileAxes& axes) {
    const Vec3 offset = cell - axes.middle;
    const double square = dot(offset, offset), scale = 2.0 / kernel.chord2Max;
    return {-2.0 * scale * dot(offset, axes.x), -2.0 * scale * dot(offset, axes.y),
            scale * (1.0 - 0.5 * square), fma(scale, square, -1.0)};
}

// A disc that contains the discs of a tile's cells. Its radius is `reach`, infinite if more than
// half of the sphere.
struct TileDisc {
    BinDisc disc;
    Vec3 middle;
    double reach;
};
// Computed by the lanes of a warp, of which the first `count` have a cell each; all lanes get the
// result.
__device__ TileDisc tileDisc(const SampleBins& bins, Vec3 cell, int count, double radius) {
    const bool own = static_cast<int>(threadIdx.x) % 32 < count;
    Vec3 sum = own ? cell : Vec3{0.0, 0.0, 0.0};
    for (int step = 16; step > 0; step /= 2) {
        sum.x += __shfl_xor_sync(0xFFFFFFFFU, sum.x, step);
        sum.y += __shfl_xor_sync(0xFFFFFFFFU, sum.y, step);
        sum.z += __shfl_xor_sync(0xFFFFFFFFU, sum.z, step);
    }
    TileDisc tile;
    // The mean of cells all around the sphere may be its middle.
    const double length = norm(sum);
    tile.middle = length < 0.5 * count ? Vec3{0.0, 0.0, 1.0} : (1.0 / length) * sum;
    double farthest = own ? norm(cell - tile.middle) : 0.0;
    for (int step = 16; step > 0; step /= 2)
        farthest = fmax(farthest, __shfl_xor_sync(0xFFFFFFFFU, farthest, step));
    tile.reach = radius + 2.0 * asin(fmin(1.0, 0.5 * farthest));
    if (tile.reach < kHalfPi) {
        tile.disc = binDisc(bins, tile.middle, tile.reach);
        return tile;
    }
    // All rings, all longitudes.
    tile.reach = std::numeric_limits<double>::infinity();
    tile.disc = binDisc(bins, {0.0, 0.0, 1.0}, kHalfPi);
    tile.disc.chord2 = 8.0;
    tile.disc.firstRing = bins.firstRing;
    tile.disc.lastRing = bins.lastRing;
    return tile;
}

// Sums of the first 2 kHalf elements over the lanes of a warp: lane l returns the sum of element l
// % (2 kHalf). Recursive halving: each lane passes on the other half.
template <int kHalf, int kCount>
__device__ double sumOfLanes(double (&of)[kCount]) {
    if constexpr (kHalf == 0) {
        double sum = of[0];
#pragma unroll
        for (int step = kCount; step < 32; step *= 2)
            sum += __shfl_xor_sync(0xFFFFFFFFU, sum, step);
        return sum;
    } else {
        const bool upper = (threadIdx.x & kHalf) != 0;
#pragma unroll
        for (int i = 0; i < kHalf; ++i) {
            const double given = upper ? of[i] : of[i + kHalf];
            of[i] = (upper ? of[i + kHalf] : of[i]) + __shfl_xor_sync(0xFFFFFFFFU, given, kHalf);
        }
        return sumOfLanes<kHalf / 2>(of);
    }
}

// Tiles of cells: tile i holds the cells starts[i] up to starts[i + 1] of the order.
struct Tiles {
    const Vec3* cells = nullptr;       // in the order of tiles
    const uint32_t* places = nullptr;  // their original positions
    const uint32_t* starts = nullptr;
    int64_t first = 0;  // first tile of this launch
    int parts = 1;      // number of blocks that divide a tile's samples
};

// Sums of part p of the cell at position i of the order are stored at p * sums.cells + i; with a
// single part, at the cell's own position. kPlain and kSquarings: see gridWeight and plainWeight.
// kFilter: single precision first rejects cells beyond the radius by more than its error; without
// kFilter double precision makes the test.
template <bool kPlain, int kSquarings, bool kFilter, int kCells>
__global__ void __launch_bounds__(kMostThreads, 2)
    gatherTileKernel(GridWeights kernel, double radius, Samples samples, const double* values,
                     Tiles tiles, Sums sums) {
    static_assert(kCells <= kMostTileCells);
    __shared__ RunList list;
    // A byte buffer, because shared variables must not have the initializers of host types.
    __shared__ alignas(16) unsigned char discWorkspace[sizeof(TileDisc)];
    TileDisc& shared = *reinterpret_cast<TileDisc*>(discWorkspace);
    __shared__ TileAxes frame;
    __shared__ TileCell<double> cells[kCells];
    __shared__ TileCell<float> rough[kFilter ? kCells : 1];
    __shared__ Cell whole[kPlain ? 1 : kCells];
    __shared__ double partValues[kMostTileWarps][kCells], partWeights[kMostTileWarps][kCells];
    __shared__ int64_t partCounts[kMostTileWarps][kCells];
    const int64_t tile = tiles.first + blockIdx.x / static_cast<unsigned>(tiles.parts);
    const int part = static_cast<int>(blockIdx.x % static_cast<unsigned>(tiles.parts));
    const int64_t first = tiles.starts[tile];
    const int cellCount = static_cast<int>(tiles.starts[tile + 1] - first);
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    const int warps = static_cast<int>(blockDim.x) / 32;
    const int64_t step = int64_t{32} * kHeld * warps * tiles.parts;
    if (warp == 0) {
        const Vec3 cell = tiles.cells[first + min(lane, cellCount - 1)];
        const TileDisc found = tileDisc(samples.binned.bins, cell, cellCount, radius);
        if (lane == 0) shared = found;
    }
    __syncthreads();
    const Vec3 middle = shared.middle;
    Vec3 axisX, axisY;
    axesAt(middle, axisX, axisY);
    if (t == 0) frame = {middle, axisX, axisY};
    if (t < kCells) {
        const Vec3 at = t < cellCount ? tiles.cells[first + t]
                                      : Vec3{0.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
        const TileCell<double> cell = tileCell(kernel, at, {middle, axisX, axisY});
        cells[t] = cell;
        if constexpr (kFilter)
            rough[t] = {static_cast<float>(cell.x), static_cast<float>(cell.y),
                        static_cast<float>(cell.square), static_cast<float>(cell.rest)};
        if constexpr (!kPlain) whole[t] = cellAt(at);
    }
    // With r the radius and e the reach, offsets of samples in question are up to e, offsets of
    // cells up to e - r. Therefore no term of u and no partial sum exceeds 4 e (e + r) / r^2. Three
    // roundings of terms and three of sums, of 2^-24 each, then err by less than this.
    const double share = fmin(2.0, shared.reach) / radius;
    const auto farthest = static_cast<float>(1.0 + 6.0 * 0x1p-24 * 4.0 * share * (share + 1.0));
    double valueSums[kCells] = {}, weightSums[kCells] = {};
    int64_t count = 0;  // sample count of cell `lane`
    for (int64_t ring = shared.disc.firstRing; ring <= shared.disc.lastRing; ring += kRings) {
        listRuns(samples.binned, shared.disc, ring, list);
        if (list.runs == 0) continue;
        const int64_t all = list.end[list.runs - 1];
        int64_t start = int64_t{32} * kHeld * (part * warps + warp);
        RunWalk walk(list);
        const auto load = [&](int64_t from, TileSample(&to)[kHeld]) {
#pragma unroll
            for (int h = 0; h < kHeld; ++h) {
                const int64_t number = from + 32 * h + lane;
                to[h] = TileSample{};
                if (number < all) to[h] = tileSample(samples, values, walk.sample(number));
            }
        };
        TileSample next[kHeld];
        load(start, next);
        for (; start < all; start += step) {
            double x[kHeld], y[kHeld], square[kHeld], value[kHeld], own[kHeld];
            Vec3 at[kPlain ? 1 : kHeld];
#pragma unroll
            for (int h = 0; h < kHeld; ++h) {
                const Vec3 offset = next[h].at - frameVector(frame.middle);
                x[h] = dot(offset, frameVector(frame.x));
                y[h] = dot(offset, frameVector(frame.y));
                square[h] = dot(offset, offset);
                value[h] = next[h].value;
                own[h] = next[h].weight;
                if constexpr (!kPlain) at[h] = next[h].at;
            }
            // Prefetch of the next samples.
            load(start + step, next);
            // The cells that may be near to the sample of any lane.
            unsigned asked = ~0U;
            if constexpr (kFilter) {
                unsigned near = 0;
#pragma unroll
                for (int c = 0; c < kCells; ++c) {
                    const TileCell<float> cell = rough[c];
#pragma unroll
                    for (int h = 0; h < kHeld; ++h) {
                        const float u = cell.u(static_cast<float>(x[h]), static_cast<float>(y[h]),
                                               static_cast<float>(square[h]));
                        if (u <= farthest) near |= 1U << c;
                    }
                }
                asked = __reduce_or_sync(0xFFFFFFFFU, near);
            }
            // No jump out of the loop: the sums stay in registers only if the loop is unrolled.
#pragma unroll
            for (int c = 0; c < kCells; ++c) {
                if ((asked >> c & 1U) == 0) continue;
                const TileCell<double> cell = cells[c];
                double weight[kHeld];
                int found = 0;
#pragma unroll
                for (int h = 0; h < kHeld; ++h) {
                    const double u = cell.u(x[h], y[h], square[h]);
                    bool near = false;
                    if constexpr (kPlain) {
                        near = u <= 1.0;
                        weight[h] = plain::plainWeight<plain::ScalarMath, kSquarings>(kernel, u);
                    } else {
                        // The kernel's own distance test decides.
                        if (u <= 1.0 + 1e-6)
                            near = weightOf<false>(kernel, whole[c], at[h], weight[h]);
                    }
                    weight[h] = near ? weight[h] : 0.0;
                    found += __popc(__ballot_sync(0xFFFFFFFFU, near));
                }
                if (lane == c) count += found;
#pragma unroll
                for (int h = 0; h < kHeld; ++h) {
                    weightSums[c] = fma(weight[h], own[h], weightSums[c]);
                    valueSums[c] = fma(weight[h], value[h], valueSums[c]);
                }
            }
        }
    }
    // Sums over lanes, then over warps, in a fixed order.
    const double valueSum = sumOfLanes<kCells / 2>(valueSums),
                 weightSum = sumOfLanes<kCells / 2>(weightSums);
    if (lane < kCells) {
        partValues[warp][lane] = valueSum;
        partWeights[warp][lane] = weightSum;
        partCounts[warp][lane] = count;
    }
    __syncthreads();
    if (t >= cellCount) return;
    double value = 0.0, weight = 0.0;
    int64_t number = 0;
    for (int w = 0; w < warps; ++w) {
        value += partValues[w][t];
        weight += partWeights[w][t];
        number += partCounts[w][t];
    }
    const int64_t place = tiles.parts == 1 ? static_cast<int64_t>(tiles.places[first + t])
                                           : part * sums.cells + first + t;
    sums.values[place] = value;
    sums.weights[place] = weight;
    sums.counts[place] = static_cast<double>(number);
}

// Adds the parts of each cell in a fixed order and stores the sum at the cell's own position.
__global__ void addPartsKernel(Sums from, int64_t cells, int parts, const uint32_t* places,
                               Sums to) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < cells;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        double value = 0.0, weight = 0.0, count = 0.0;
        for (int64_t p = 0; p < parts; ++p) {
            value += from.values[p * from.cells + i];
            weight += from.weights[p * from.cells + i];
            count += from.counts[p * from.cells + i];
        }
        const uint32_t place = places[i];
        to.values[place] = value;
        to.weights[place] = weight;
        to.counts[place] = count;
    }
}

// The pixel of each cell in a coarse map with about one tile of cells per pixel; cells off the sky
// come last.
__global__ void cellKeysKernel(const Vec3* cells, int64_t count, SampleBins pixels, uint32_t none,
                               uint32_t* keys, uint32_t* places) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const Vec3 at = cells[i];
        keys[i] = at.z == at.z ? binKey(pixels, at) : none;
        places[i] = static_cast<uint32_t>(i);
    }
}
// 1 where a tile begins: at the first cell of a pixel, and after each `most` cells of a pixel.
__global__ void tileStartsKernel(const uint32_t* keys, int64_t count, uint32_t none, int most,
                                 uint8_t* starts) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const uint32_t key = keys[i];
        const bool begins = (i - firstNotBelow(keys, 0, i, key)) % most == 0;
        // The first cell off the sky ends the last tile.
        starts[i] = key == none ? i == 0 || keys[i - 1] != none : begins;
    }
}
__global__ void orderCellsKernel(const Vec3* cells, const uint32_t* places, int64_t count,
                                 Vec3* ordered) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        ordered[i] = cells[places[i]];
}

}  // namespace armilla::gridding
