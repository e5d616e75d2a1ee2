// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that order samples by the squares of a field (field_bins.h), for field_cuda.cuh
// alone.
//
// Samples: blocks count those of each square in their part of the table; sums of these counts, a
// square after the other and block after block, say where each block's samples of a square go; the
// blocks put them there, in the order of the table. Cells: each square has the list of those that
// it may have samples for (field_lists_cuda.cuh), up to a few dozen. Blocks add the samples of a
// square to the sums of all its cells, and these sums of squares are added up in a fixed order
// (field_sums_cuda.cuh).
#pragma once

#include "grid/field_bins.h"
#include "grid/gather_tiles_cuda.cuh"

namespace armilla::gridding {

constexpr int kFieldThreads = 256;
// Placing: this many warps count for themselves, each a piece of whole pairs of rows of 32; all of
// them write.
constexpr int kPlaceThreads = 512, kCountWarps = 8;
// Samples of the table that a block counts and places, its chunk: a multiple of the first. The
// samples of all chunks at work at a time, and so the lines of memory that wait for their other
// sectors, fit into the cache of the device.
constexpr int kChunkUnit = 64 * kCountWarps, kMostChunk = 4096;
constexpr uint16_t kNoSquare = 0xFFFF;
// Squares, and whether there is one.
constexpr int kSquareBits = 13;
static_assert(kMostSquares <= 1 << (kSquareBits - 1));

// One sector of memory.
struct alignas(32) FieldSample {
    double x, y;             // in the plane; not a number where the value is bad
    double product, weight;  // value times own weight; own weight
};

// The places of samples in the plane, their squares and, at table[square * chunks + chunk], how
// many there are of each in each block's chunk. Shared memory: a count a square.
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
        // Comes while this one is worked on.
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

// Samples in the order of the table, those that are in a square.
struct FieldRows {
    const double2* plane = nullptr;
    const double* weights = nullptr;  // all 1 if null
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
// Each lane's sample to its place. Lanes of a pair write halves of the same sample at a time, so
// that whole sectors go out. All lanes must call.
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

// Counts of squares of a warp's piece, which begins with an even row; two of them in a word.
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

// Shared memory of a block that places: for each counting warp a count a square, two of them in a
// word; where the chunk's samples of a square go; the place of each row among these.
struct PlaceRoom {
    uint32_t* counts;  // (warps, words)
    uint32_t* first;   // (2 words)
    uint16_t* places;  // (chunk)

    static constexpr size_t bytes(int squares, int chunk) {
        const size_t words = static_cast<size_t>(squares + 1) / 2;
        return words * 4 * (kCountWarps + 2) + static_cast<size_t>(chunk) * 2;
    }
    __device__ PlaceRoom(uint32_t* memory, int words)
        : counts(memory),
          first(memory + words * kCountWarps),
          places(reinterpret_cast<uint16_t*>(first + 2 * words)) {}
};

// The lanes with the same number. By votes on each bit, which took less time than the instruction
// that compares all lanes.
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
// The next place of each lane's number, of those that a warp has `taken`. All lanes must call.
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
// Rows [begin, end) of the table, a warp's piece, in their order, to the next places in `taken` of
// their squares; `start` is the first row of the chunk.
__device__ void rankPiece(const uint16_t* squares, int64_t start, int64_t begin, int64_t end,
                          uint16_t* taken, uint16_t* places) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const auto squareAt = [&](int64_t i) {
        return i < end ? static_cast<unsigned>(squares[i]) : kNoSquare;
    };
    unsigned next = squareAt(begin + lane);
    for (int64_t from = begin; from < end; from += 32) {
        const unsigned square = next;
        // Comes while this one is worked on.
        next = squareAt(from + 32 + lane);
        const bool used = square != kNoSquare;
        const unsigned place = nextPlace<kSquareBits>(square, used, taken);
        if (used) places[from - start + lane] = static_cast<uint16_t>(place);
    }
}

// Each sample to its place: `table` has been summed up. Samples of a square keep the order of the
// table.
__global__ void __launch_bounds__(kPlaceThreads, 2)
    placeInFieldKernel(FieldRows rows, int chunk, int squareCount, const uint16_t* squares,
                       const uint32_t* table, FieldSample* placed) {
    extern __shared__ uint32_t memory[];
    const int words = (squareCount + 1) / 2;
    const PlaceRoom room(memory, words);
    const int t = static_cast<int>(threadIdx.x), warp = t / 32;
    for (int b = t; b < squareCount; b += kPlaceThreads)
        room.first[b] = table[static_cast<int64_t>(b) * gridDim.x + blockIdx.x];
    for (int k = t; k < words * kCountWarps; k += kPlaceThreads) room.counts[k] = 0;
    __syncthreads();
    const int64_t start = static_cast<int64_t>(blockIdx.x) * chunk;
    const int64_t begin = start + warp * (chunk / kCountWarps);
    const int64_t end = min(begin + chunk / kCountWarps, rows.count);
    uint32_t* const own = room.counts + words * warp;
    if (warp < kCountWarps) countPiece(squares, begin, end, own);
    __syncthreads();
    // Counts become those of the warps before, in both halves of a word at once.
    for (int k = t; k < words; k += kPlaceThreads) {
        uint32_t before = 0;
        for (int w = 0; w < kCountWarps; ++w) {
            const uint32_t count = room.counts[w * words + k];
            room.counts[w * words + k] = before;
            before += count;
        }
    }
    __syncthreads();
    if (warp < kCountWarps)
        rankPiece(squares, start, begin, end, reinterpret_cast<uint16_t*>(own), room.places);
    __syncthreads();
    const int64_t stop = min(start + chunk, rows.count);
    for (int64_t from = start; from < stop; from += kPlaceThreads) {
        const int64_t i = from + t;
        const unsigned square = i < stop ? squares[i] : kNoSquare;
        FieldSample sample{};
        uint32_t place = kNowhere;
        if (square != kNoSquare) {
            sample = fieldSample(rows, i);
            place = room.first[square] + room.places[i - start];
        }
        storeByPairs(sample, place, placed);
    }
}

}  // namespace armilla::gridding
