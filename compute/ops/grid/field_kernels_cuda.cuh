// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that order samples by the squares of a field (field_bins.h); used only by field_cuda.cuh.
//
// Samples: blocks count the samples of each square in their chunk of the table. Prefix sums of
// these counts, square after square and block after block, give the destination of each block's
// samples. The blocks then move the samples, in the order of the table.
//
// Cells: each square has the list of up to a few dozen cells that it may have samples for
// (field_lists_cuda.cuh). Blocks add the samples of a square to the sums of all its cells. These
// sums of squares are added up in a fixed order (field_sums_cuda.cuh).
#pragma once

#include "grid/field_bins.h"
#include "grid/gather_tiles_cuda.cuh"

namespace armilla::gridding {

constexpr int kFieldThreads = 256;
// Placing: kCountWarps warps count, each a piece of whole pairs of rows of 32; all warps write.
constexpr int kPlaceThreads = 512, kCountWarps = 8;
// A block counts and places a chunk of samples of the table, a multiple of the unit. The samples of
// all active chunks fit the device's cache, and so do the memory lines with unwritten sectors.
constexpr int kChunkUnit = 64 * kCountWarps, kMostChunk = 4096;
constexpr uint16_t kNoSquare = 0xFFFF;
// Bits for the number of a square, and a bit for its presence.
constexpr int kSquareBits = 13;
static_assert(kMostSquares <= 1 << (kSquareBits - 1));

// A sample in one sector of memory (32 bytes).
struct alignas(32) FieldSample {
    double x, y;             // position in the plane; NaN if the value is bad
    double product, weight;  // value times the sample's weight; the weight
};

// Computes the position of samples in the plane and their squares. table[square * chunks + chunk]
// becomes the number of samples of each square in each block's chunk. Shared memory: one counter
// per square.
__global__ void __launch_bounds__(kFieldThreads, 4)
    squareKernel(RawSamples raw, FieldBins bins, int chunk, uint16_t* squares, double2* plane,
                 uint32_t* table, Counts* counts) {
    extern __shared__ uint32_t held[];
    const int t = static_cast<int>(threadIdx.x);
    for (int b = t; b < bins.count(); b += kFieldThreads) held[b] = 0;
    __syncthreads();
    OwnCounts own;
    const int64_t begin = static_cast<int64_t>(blockIdx.x) * chunk;
    const int64_t end = min(begin + chunk, raw.count);
    RawSample next = rawSample(raw, min(begin + t, end - 1));
    for (int64_t i = begin + t; i < end; i += kFieldThreads) {
        const RawSample one = next;
        // Prefetch of the next row.
        next = rawSample(raw, min(i + kFieldThreads, end - 1));
        Vec3 at;
        int square = -1;
        if (sampleAt(raw, one, i, own, counts, at)) {
            square = bins.squareOf(at);
            plane[i] = {at.x, at.y};
            if (square < 0)
                ++own.outside;
            else
                atomicAdd(&held[square], 1U);
        }
        squares[i] = square < 0 ? kNoSquare : static_cast<uint16_t>(square);
    }
    addCounts(own, counts);
    __syncthreads();
    for (int b = t; b < bins.count(); b += kFieldThreads)
        table[static_cast<int64_t>(b) * gridDim.x + blockIdx.x] = held[b];
}

// The samples that lie in a square, in the order of the table.
struct FieldRows {
    const double2* plane = nullptr;
    const double* weights = nullptr;  // null: all 1
    const double* values = nullptr;
    int64_t count = 0;
};
__device__ FieldSample fieldSample(const FieldRows& rows, int64_t i) {
    const double2 at = rows.plane[i];
    const double value = rows.values[i];
    const double weight = rows.weights == nullptr ? 1.0 : rows.weights[i];
    if (!isfinite(value)) return {std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, 0.0};
    return {at.x, at.y, weight * value, weight};
}
// Writes each lane's sample to its destination. Two lanes write halves of the same sample together,
// so that whole sectors are written. All lanes must call.
constexpr uint32_t kNowhere = 0xFFFFFFFFU;
__device__ void storeByPairs(const FieldSample& sample, uint32_t place, FieldSample* placed) {
    const bool odd = threadIdx.x % 2 != 0;
    const double given0 = odd ? sample.x : sample.product, given1 = odd ? sample.y : sample.weight;
    const double2 taken{__shfl_xor_sync(0xFFFFFFFFU, given0, 1),
                        __shfl_xor_sync(0xFFFFFFFFU, given1, 1)};
    const double2 kept = odd ? double2{sample.product, sample.weight} : double2{sample.x, sample.y};
    const uint32_t other = __shfl_xor_sync(0xFFFFFFFFU, place, 1);
    const uint32_t even = odd ? other : place, uneven = odd ? place : other;
    auto* const halves = reinterpret_cast<double2*>(placed);
    const int64_t half = odd ? 1 : 0;
    if (even != kNowhere) halves[2 * static_cast<int64_t>(even) + half] = odd ? taken : kept;
    if (uneven != kNowhere) halves[2 * static_cast<int64_t>(uneven) + half] = odd ? kept : taken;
}

// Counts the squares of a warp's piece, which begins at an even row; a word holds two counters.
__device__ void countPiece(const uint16_t* squares, int64_t begin, int64_t end, uint32_t* counts) {
    constexpr int kAhead = 8;
    const auto add = [&](unsigned square) {
        if (square != kNoSquare) atomicAdd(&counts[square / 2], 1U << (square % 2 * 16));
    };
    for (int64_t from = begin + 2 * (threadIdx.x % 32); from < end; from += 64 * kAhead) {
        uint32_t pairs[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int64_t i = from + 64 * k;
            pairs[k] = i + 1 < end
                           ? *reinterpret_cast<const uint32_t*>(squares + i)
                           : (uint32_t{kNoSquare} << 16) | (i < end ? squares[i] : kNoSquare);
        }
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            add(pairs[k] & 0xFFFFU);
            add(pairs[k] >> 16);
        }
    }
}

// Shared memory of a placing block: counters of each counting warp, two per word; the first
// destination of the chunk's samples of each square; the position of each row within these.
struct PlaceWorkspace {
    uint32_t* counts;  // (warps, words)
    uint32_t* first;   // (2 words)
    uint16_t* places;  // (chunk)

    static constexpr size_t bytes(int squares, int chunk) {
        const size_t words = static_cast<size_t>(squares + 1) / 2;
        return words * 4 * (kCountWarps + 2) + static_cast<size_t>(chunk) * 2;
    }
    __device__ PlaceWorkspace(uint32_t* memory, int words)
        : counts(memory),
          first(memory + words * kCountWarps),
          places(reinterpret_cast<uint16_t*>(first + 2 * words)) {}
};

// The lanes with the same number. Votes on each bit were faster than the instruction that compares
// all lanes (__match_any_sync).
template <int kBits>
__device__ unsigned lanesOf(unsigned number) {
    unsigned same = 0xFFFFFFFFU;
#pragma unroll
    for (int bit = 0; bit < kBits; ++bit) {
        const bool one = (number >> bit & 1U) != 0;
        const unsigned votes = __ballot_sync(0xFFFFFFFFU, one);
        same &= one ? votes : ~votes;
    }
    return same;
}
// The next position for each lane's number among `taken` of a warp. All lanes must call.
template <int kBits>
__device__ unsigned nextPlace(unsigned number, bool used, uint16_t* taken) {
    const unsigned peers = lanesOf<kBits>(number);
    const unsigned before = __popc(peers & ((1U << threadIdx.x % 32) - 1U));
    const unsigned place = used ? taken[number] : 0;
    __syncwarp();
    if (used && before == 0) taken[number] = static_cast<uint16_t>(place + __popc(peers));
    __syncwarp();
    return place + before;
}
// Assigns rows [begin, end) of the table, a warp's piece, in their order to the next positions in
// `taken` of their squares. `start` is the first row of the chunk.
__device__ void rankPiece(const uint16_t* squares, int64_t start, int64_t begin, int64_t end,
                          uint16_t* taken, uint16_t* places) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const auto squareAt = [&](int64_t i) {
        return i < end ? static_cast<unsigned>(squares[i]) : kNoSquare;
    };
    unsigned next = squareAt(begin + lane);
    for (int64_t from = begin; from < end; from += 32) {
        const unsigned square = next;
        // Prefetch of the next row.
        next = squareAt(from + 32 + lane);
        const bool used = square != kNoSquare;
        const unsigned place = nextPlace<kSquareBits>(square, used, taken);
        if (used) places[from - start + lane] = static_cast<uint16_t>(place);
    }
}

// Moves each sample to its destination; `table` must hold the prefix sums. Samples of a square keep
// the order of the table.
__global__ void __launch_bounds__(kPlaceThreads, 2)
    placeInFieldKernel(FieldRows rows, int chunk, int squareCount, const uint16_t* squares,
                       const uint32_t* table, FieldSample* placed) {
    extern __shared__ uint32_t memory[];
    const int words = (squareCount + 1) / 2;
    const PlaceWorkspace workspace(memory, words);
    const int t = static_cast<int>(threadIdx.x), warp = t / 32;
    for (int b = t; b < squareCount; b += kPlaceThreads)
        workspace.first[b] = table[static_cast<int64_t>(b) * gridDim.x + blockIdx.x];
    for (int k = t; k < words * kCountWarps; k += kPlaceThreads) workspace.counts[k] = 0;
    __syncthreads();
    const int64_t start = static_cast<int64_t>(blockIdx.x) * chunk;
    const int64_t begin = start + warp * (chunk / kCountWarps);
    const int64_t end = min(begin + chunk / kCountWarps, rows.count);
    uint32_t* const own = workspace.counts + words * warp;
    if (warp < kCountWarps) countPiece(squares, begin, end, own);
    __syncthreads();
    // Exclusive prefix sum over the warps, for both counters of a word at once.
    for (int k = t; k < words; k += kPlaceThreads) {
        uint32_t before = 0;
        for (int w = 0; w < kCountWarps; ++w) {
            const uint32_t count = workspace.counts[w * words + k];
            workspace.counts[w * words + k] = before;
            before += count;
        }
    }
    __syncthreads();
    if (warp < kCountWarps)
        rankPiece(squares, start, begin, end, reinterpret_cast<uint16_t*>(own), workspace.places);
    __syncthreads();
    const int64_t stop = min(start + chunk, rows.count);
    for (int64_t from = start; from < stop; from += kPlaceThreads) {
        const int64_t i = from + t;
        const unsigned square = i < stop ? squares[i] : kNoSquare;
        FieldSample sample{};
        uint32_t place = kNowhere;
        if (square != kNoSquare) {
            sample = fieldSample(rows, i);
            place = workspace.first[square] + workspace.places[i - start];
        }
        storeByPairs(sample, place, placed);
    }
}

}  // namespace armilla::gridding
