// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over a field's squares (field_kernels_cuda.cuh); used only by field_cuda.cuh.
//
// A block processes samples of one square, and orders them in shared memory by the plots that
// divide the square. A warp adds the samples of one plot after another to the sums of the cells
// near that plot, which its lanes hold. With sixteen plots these are half as many as the cells near
// the square, and most of the samples are within the radius. The sums of the warps are added in a
// fixed order.
#pragma once

#include <cub/block/block_scan.cuh>
#include <type_traits>

#include "grid/field_kernels_cuda.cuh"
#include "shared/sample_bins.h"

namespace armilla::gridding {

constexpr int kSumThreads = 128, kSumWarps = kSumThreads / 32;
// Samples of a block. The shared memory and registers of a multiprocessor hold kSumBlocks blocks.
constexpr int kSamplesOfThread = 6, kMostOfPart = kSumThreads * kSamplesOfThread, kSumBlocks = 5;
// Plots along a side of a square, and in all; bits for a plot number or none.
constexpr int kPlotsAcross = 4, kPlots = kPlotsAcross * kPlotsAcross, kPlotBits = 5;
static_assert(kPlots <= 16 && kPlots < 1 << kPlotBits);
// Cells of a list that a block handles.
constexpr int kMostListed = 64;
static_assert(kMostListed <= kSumThreads);
// Consecutive lanes hold cells, up to kMostHeld each; each row of kCellLanes lanes takes one
// sample.
constexpr int kCellLanes = 8, kSampleRows = 32 / kCellLanes, kMostHeld = 3;

// The upper 32 bits of 1.0.
constexpr int kUpperWordOfOne = 0x3FF00000;

// The work of a block: some samples of a square, and cells of its list. Squares of many samples
// have several parts.
struct FieldShare {
    int square;
    uint32_t begin, end;          // samples
    uint32_t cellBegin, cellEnd;  // among all lists
    uint32_t sums;                // index of the first cell's sum
};
struct FieldWork {
    const uint32_t* partStart = nullptr;  // (squares + 1): first part of a square
    const uint32_t* sumStart = nullptr;   // (squares + 1): first sum of a square, part by part
    const FieldShare* shares = nullptr;
};
struct FieldSums {
    double *values = nullptr, *weights = nullptr;
    uint32_t* counts = nullptr;
};
// The cells of all squares, square after square.
struct FieldLists {
    const TileAxes* axes = nullptr;           // (squares)
    const TileCell<double>* cells = nullptr;  // in the axes of their square
    const uint16_t* plots = nullptr;          // bit p: plot p may have samples for the cell
};

// Prefix sums over squares of the numbers of parts, of up to kMostOfPart samples, and of sums; one
// block.
constexpr int kWorkThreads = 1024;
__global__ void __launch_bounds__(kWorkThreads)
    countPartsKernel(const uint32_t* table, int64_t chunks, int squares, const uint32_t* listStart,
                     uint32_t* partStart, uint32_t* sumStart) {
    using Scan = cub::BlockScan<uint32_t, kWorkThreads>;
    __shared__ typename Scan::TempStorage workspace[2];
    constexpr int kEach = (kMostSquares + 1 + kWorkThreads - 1) / kWorkThreads;
    uint32_t parts[kEach], sums[kEach];
    const int first = static_cast<int>(threadIdx.x) * kEach;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int b = first + k;
        const uint32_t samples = b < squares ? table[(b + 1) * chunks] - table[b * chunks] : 0;
        const uint32_t cells = b < squares ? listStart[b + 1] - listStart[b] : 0;
        parts[k] = cells == 0 ? 0 : (samples + kMostOfPart - 1) / kMostOfPart;
        sums[k] = parts[k] * cells;
    }
    Scan(workspace[0]).ExclusiveSum(parts, parts);
    Scan(workspace[1]).ExclusiveSum(sums, sums);
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        if (first + k > squares) continue;
        partStart[first + k] = parts[k];
        sumStart[first + k] = sums[k];
    }
}
// Describes the shares; one thread per share.
__global__ void sharesKernel(const uint32_t* table, int64_t chunks, int squares,
                             const uint32_t* listStart, const uint32_t* partStart,
                             const uint32_t* sumStart, FieldShare* shares) {
    const int64_t share = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    if (share >= partStart[squares]) return;
    // The last square that begins at or before this share; a square without parts begins where the
    // next square does.
    const auto b = static_cast<int>(firstNotBelow(partStart, 0, squares + 1, share + 1) - 1);
    const uint32_t begin = table[b * chunks], samples = table[(b + 1) * chunks] - begin;
    const uint32_t list = listStart[b], listEnd = listStart[b + 1];
    const uint32_t parts = partStart[b + 1] - partStart[b];
    const uint32_t part = static_cast<uint32_t>(share) - partStart[b];
    // Parts differ by at most one sample.
    const auto startOf = [&](uint32_t p) {
        return begin + static_cast<uint32_t>(uint64_t{samples} * p / parts);
    };
    shares[share] = {b,    startOf(part), startOf(part + 1),
                     list, listEnd,       sumStart[b] + part * (listEnd - list)};
}

// Shared memory of a block.
struct SumWorkspace {
    TileAxes axes;
    TileCell<double> cells[kMostListed];
    uint16_t plots[kMostListed];
    // Samples plot by plot: coordinates; squared offset and product; weight.
    double2 place[kMostOfPart], rest[kMostOfPart];
    double own[kMostOfPart];
    uint16_t start[kPlots + 1];            // first sample of each plot
    uint16_t taken[kSumWarps][kPlots];     // next position of each plot, per warp
    uint8_t list[kSumWarps][kMostListed];  // cells near the current plot of a warp
    double values[kSumWarps][kMostListed], weights[kSumWarps][kMostListed];
    uint32_t counts[kSumWarps][kMostListed];
};

// Run by one warp after all warps have counted: first position of each plot, and of each warp's
// samples in a plot.
__device__ void startPlots(SumWorkspace& workspace) {
    const int plot = static_cast<int>(threadIdx.x) % 32;
    unsigned own = 0;
    if (plot < kPlots)
        for (const auto& taken : workspace.taken) own += taken[plot];
    unsigned end = own;
    for (int step = 1; step < 32; step *= 2) {
        const unsigned before = __shfl_up_sync(0xFFFFFFFFU, end, step);
        if (plot >= step) end += before;
    }
    if (plot >= kPlots) return;
    unsigned next = end - own;
    workspace.start[plot] = static_cast<uint16_t>(next);
    if (plot == kPlots - 1) workspace.start[kPlots] = static_cast<uint16_t>(end);
    for (auto& taken : workspace.taken) {
        const unsigned count = taken[plot];
        taken[plot] = static_cast<uint16_t>(next);
        next += count;
    }
}
// Copies the samples of a share to shared memory, ordered by plots.
__device__ void orderByPlots(const FieldBins& bins, const FieldShare& share,
                             const FieldSample* samples, SumWorkspace& workspace) {
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    const auto count = static_cast<int>(share.end - share.begin);
    // All loads are issued before the first result is used.
    FieldSample held[kSamplesOfThread];
#pragma unroll
    for (int k = 0; k < kSamplesOfThread; ++k) {
        held[k].x = std::numeric_limits<double>::quiet_NaN();
        const int i = k * kSumThreads + t;
        if (i < count) held[k] = samples[share.begin + i];
    }
    if (lane < kPlots) workspace.taken[warp][lane] = 0;
    __syncthreads();
    // Rounding here is below the margin in the radius of the lists.
    const auto perPlot = static_cast<float>(kPlotsAcross * bins.perWidth);
    const auto along = [&](double from) {
        const float at = fmaf(static_cast<float>(from), perPlot, 0.5F * kPlotsAcross);
        return min(max(static_cast<int>(at), 0), kPlotsAcross - 1);
    };
    unsigned places[kSamplesOfThread];  // position, with the plot in the upper half
#pragma unroll
    for (int k = 0; k < kSamplesOfThread; ++k) {
        const bool used = isfinite(held[k].x);
        const unsigned plot =
            used ? static_cast<unsigned>(along(held[k].y - workspace.axes.middle.y) * kPlotsAcross +
                                         along(held[k].x - workspace.axes.middle.x))
                 : kPlots;
        places[k] = plot << 16 | nextPlace<kPlotBits>(plot, used, workspace.taken[warp]);
    }
    __syncthreads();
    if (warp == 0) startPlots(workspace);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSamplesOfThread; ++k) {
        const unsigned plot = places[k] >> 16;
        if (plot >= kPlots) continue;
        const FieldSample& one = held[k];
        const unsigned to = workspace.taken[warp][plot] + (places[k] & 0xFFFFU);
        const Vec3 offset = Vec3{one.x, one.y, FieldBins::heightOf(one.x, one.y)} -
                            frameVector(workspace.axes.middle);
        workspace.place[to] = {dot(offset, frameVector(workspace.axes.x)),
                               dot(offset, frameVector(workspace.axes.y))};
        workspace.rest[to] = {dot(offset, offset), one.product};
        workspace.own[to] = one.weight;
    }
    __syncthreads();
}

// Adds samples [begin, end) to `count` cells of the warp's list, up to kHeld cells per lane.
template <int kHeld, int kSquarings>
__device__ void gatherPlot(const GridWeights& kernel, int begin, int end, const uint8_t* list,
                           int count, SumWorkspace& workspace) {
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    TileCell<double> held[kHeld];
    double values[kHeld] = {}, weights[kHeld] = {};
    uint32_t counts[kHeld] = {};
#pragma unroll
    for (int c = 0; c < kHeld; ++c) {
        const int k = c * kCellLanes + lane % kCellLanes;
        held[c] = workspace.cells[list[min(k, count - 1)]];
        if (k >= count) held[c].rest = std::numeric_limits<double>::quiet_NaN();
    }
    for (int k = begin + lane / kCellLanes; k < end; k += kSampleRows) {
        const double2 place = workspace.place[k], rest = workspace.rest[k];
        const double own = workspace.own[k];
#pragma unroll
        for (int c = 0; c < kHeld; ++c) {
            const double u = held[c].u(place.x, place.y, rest.x);
            const double weight = plain::plainWeight<plain::ScalarMath, kSquarings>(kernel, u);
            // Tests u < 1 by the upper word, because the double-precision units limit this loop. A
            // computed NaN has a larger upper word.
            if (__double2hiint(u) >= kUpperWordOfOne) continue;
            ++counts[c];
            weights[c] = fma(weight, own, weights[c]);
            values[c] = fma(weight, rest.y, values[c]);
        }
    }
    __syncwarp();
#pragma unroll
    for (int c = 0; c < kHeld; ++c) {
#pragma unroll
        for (int step = kCellLanes; step < 32; step *= 2) {
            values[c] += __shfl_xor_sync(0xFFFFFFFFU, values[c], step);
            weights[c] += __shfl_xor_sync(0xFFFFFFFFU, weights[c], step);
            counts[c] += __shfl_xor_sync(0xFFFFFFFFU, counts[c], step);
        }
        const int k = c * kCellLanes + lane;
        if (lane >= kCellLanes || k >= count) continue;
        workspace.values[warp][list[k]] += values[c];
        workspace.weights[warp][list[k]] += weights[c];
        workspace.counts[warp][list[k]] += counts[c];
    }
}
// Processes the plots of a warp in turn, for the first `count` cells in shared memory.
template <int kSquarings>
__device__ void gatherPlots(const GridWeights& kernel, int count, SumWorkspace& workspace) {
    constexpr int kMost = kCellLanes * kMostHeld;
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    uint8_t* const list = workspace.list[warp];
    for (int plot = warp; plot < kPlots; plot += kSumWarps) {
        const int begin = workspace.start[plot], end = workspace.start[plot + 1];
        if (begin == end) continue;
        int near = 0;
        __syncwarp();
        for (int from = 0; from < count; from += 32) {
            const int k = from + lane;
            const bool own = k < count && (workspace.plots[k] >> plot & 1U) != 0;
            const unsigned votes = __ballot_sync(0xFFFFFFFFU, own);
            if (own) list[near + __popc(votes & ((1U << lane) - 1U))] = static_cast<uint8_t>(k);
            near += __popc(votes);
        }
        __syncwarp();
        // Passes of nearly equal numbers of cells.
        const int passes = (near + kMost - 1) / kMost;
        for (int pass = 0; pass < passes; ++pass) {
            const int from = near * pass / passes, some = near * (pass + 1) / passes - from;
            const auto gather = [&]<int kHeld>(std::integral_constant<int, kHeld>) {
                gatherPlot<kHeld, kSquarings>(kernel, begin, end, list + from, some, workspace);
            };
            switch ((some + kCellLanes - 1) / kCellLanes) {
                case 1: gather(std::integral_constant<int, 1>{}); break;
                case 2: gather(std::integral_constant<int, 2>{}); break;
                default: gather(std::integral_constant<int, kMostHeld>{}); break;
            }
        }
    }
}

// Processes shares from `from` on. Shared memory: a SumWorkspace.
template <int kSquarings>
__global__ void __launch_bounds__(kSumThreads, kSumBlocks)
    fieldSumsKernel(GridWeights kernel, FieldBins bins, FieldWork work, int64_t from,
                    FieldLists lists, const FieldSample* samples, FieldSums sums) {
    extern __shared__ double2 shared[];
    SumWorkspace& workspace = *reinterpret_cast<SumWorkspace*>(shared);
    // The launch may have more blocks than shares.
    if (from + blockIdx.x >= work.partStart[bins.count()]) return;
    const FieldShare share = work.shares[from + blockIdx.x];
    const uint32_t before = blockIdx.y * kMostListed;
    if (share.cellBegin + before >= share.cellEnd) return;
    const auto cells = static_cast<int>(min(share.cellEnd - share.cellBegin - before, kMostListed));
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    if (t == kSumThreads - 1) workspace.axes = lists.axes[share.square];
    if (t < cells) {
        workspace.cells[t] = lists.cells[share.cellBegin + before + t];
        workspace.plots[t] = lists.plots[share.cellBegin + before + t];
    }
    for (int c = lane; c < cells; c += 32) {
        workspace.values[warp][c] = workspace.weights[warp][c] = 0.0;
        workspace.counts[warp][c] = 0;
    }
    orderByPlots(bins, share, samples, workspace);
    gatherPlots<kSquarings>(kernel, cells, workspace);
    __syncthreads();
    if (t >= cells) return;
    double value = 0.0, weight = 0.0;
    uint32_t count = 0;
    for (int w = 0; w < kSumWarps; ++w) {
        value += workspace.values[w][t];
        weight += workspace.weights[w][t];
        count += workspace.counts[w][t];
    }
    const uint32_t to = share.sums + before + t;
    sums.values[to] = value;
    sums.weights[to] = weight;
    sums.counts[to] = count;
}

// Positions of a cell in the lists: `square` and `place` from start[cell] on, in the order of
// squares.
struct FieldPlaces {
    const uint32_t* start = nullptr;   // (cells + 1)
    const uint16_t* square = nullptr;  // square of an entry
    const uint32_t* place = nullptr;   // among all lists
};

// Adds the sums of a cell over its squares and their parts; one warp per cell.
__global__ void addSquaresKernel(FieldSums from, FieldWork work, const uint32_t* listStart,
                                 FieldPlaces places, int64_t cells, Sums to) {
    const int64_t cell = (blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x) / 32;
    if (cell >= cells) return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    double value = 0.0, weight = 0.0, count = 0.0;
    const auto add = [&](uint32_t at) {
        value += from.values[at];
        weight += from.weights[at];
        count += from.counts[at];
    };
    // One lane adds the parts of a square; squares with more parts are added by all lanes.
    constexpr uint32_t kPartsOfLane = 32;
    const uint32_t end = places.start[cell + 1];
    for (uint32_t first = places.start[cell]; first < end; first += 32) {
        uint32_t at = 0, each = 0, parts = 0;
        if (const uint32_t k = first + lane; k < end) {
            const int square = places.square[k];
            const uint32_t list = listStart[square];
            each = listStart[square + 1] - list;
            parts = work.partStart[square + 1] - work.partStart[square];
            at = work.sumStart[square] + places.place[k] - list;
        }
        if (parts <= kPartsOfLane)
            for (uint32_t p = 0; p < parts; ++p) add(at + p * each);
        __syncwarp();
        for (unsigned left = __ballot_sync(0xFFFFFFFFU, parts > kPartsOfLane); left != 0;
             left &= left - 1) {
            const int holder = __ffs(static_cast<int>(left)) - 1;
            const uint32_t start = __shfl_sync(0xFFFFFFFFU, at, holder),
                           step = __shfl_sync(0xFFFFFFFFU, each, holder),
                           number = __shfl_sync(0xFFFFFFFFU, parts, holder);
            for (uint32_t p = lane; p < number; p += 32) add(start + p * step);
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        value += __shfl_xor_sync(0xFFFFFFFFU, value, step);
        weight += __shfl_xor_sync(0xFFFFFFFFU, weight, step);
        count += __shfl_xor_sync(0xFFFFFFFFU, count, step);
    }
    if (lane != 0) return;
    to.values[cell] = value;
    to.weights[cell] = weight;
    to.counts[cell] = count;
}

}  // namespace armilla::gridding
