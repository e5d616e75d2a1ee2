// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that grid a field by squares (field_bins.h), for field_cuda.cuh alone.
//
// Samples: blocks count those of each square in their part of the table; sums of these counts, a
// square after the other and block after block, say where each block's samples of a square go; the
// blocks put them there, in the order of the table. Cells: each square has the list of those that
// it may have samples for, up to a few dozen. A block goes through samples of one square and adds
// them to the sums of all its cells, which lanes hold, and these sums of squares are added up in a
// fixed order.
#pragma once

#include <cub/block/block_scan.cuh>

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

// The squares of samples and, at table[square * chunks + chunk], how many there are of each in each
// block's chunk. Shared memory: a count a square.
__global__ void __launch_bounds__(kFieldThreads, 4)
    squareKernel(RawSamples raw, FieldBins bins, int chunk, uint16_t* squares, uint32_t* table,
                 Counts* counts) {
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

// A row of the table, with its value, in the axes of the field.
__device__ FieldSample fieldSample(const RawSamples& raw, const RawSample& row, double value) {
    if (!isfinite(value)) return {std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, 0.0};
    const Vec3 at = raw.turn * direction({row.lon, row.lat});
    return {at.x, at.y, row.weight * value, row.weight};
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

// The lanes with the same square. By votes on each bit, which took less time than the instruction
// that compares all lanes.
__device__ unsigned lanesOf(unsigned square) {
    unsigned same = 0xFFFFFFFFU;
#pragma unroll
    for (int bit = 0; bit < kSquareBits; ++bit) {
        const bool one = (square >> bit & 1U) != 0;
        const unsigned votes = __ballot_sync(0xFFFFFFFFU, one);
        same &= one ? votes : ~votes;
    }
    return same;
}
// Rows [begin, end) of the table, a warp's piece, in their order, to the next places in `taken` of
// their squares; `start` is the first row of the chunk.
__device__ void rankPiece(const uint16_t* squares, int64_t start, int64_t begin, int64_t end,
                          uint16_t* taken, uint16_t* places) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const unsigned below = (1U << lane) - 1U;
    const auto squareAt = [&](int64_t i) {
        return i < end ? static_cast<unsigned>(squares[i]) : kNoSquare;
    };
    unsigned next = squareAt(begin + lane);
    for (int64_t from = begin; from < end; from += 32) {
        const unsigned square = next;
        // Comes while this one is worked on.
        next = squareAt(from + 32 + lane);
        const unsigned peers = lanesOf(square), before = __popc(peers & below);
        const bool used = square != kNoSquare;
        const unsigned place = used ? taken[square] : 0;
        __syncwarp();
        if (used && before == 0) taken[square] = static_cast<uint16_t>(place + __popc(peers));
        __syncwarp();
        if (used) places[from - start + lane] = static_cast<uint16_t>(place + before);
    }
}

// Each sample to its place: `table` has been summed up. Samples of a square keep the order of the
// table.
__global__ void __launch_bounds__(kPlaceThreads, 2)
    placeInFieldKernel(RawSamples raw, const double* values, int chunk, int squareCount,
                       const uint16_t* squares, const uint32_t* table, FieldSample* placed) {
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
    const int64_t end = min(begin + chunk / kCountWarps, raw.count);
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
    const int64_t stop = min(start + chunk, raw.count);
    for (int64_t from = start; from < stop; from += kPlaceThreads) {
        const int64_t i = min(from + t, stop - 1);
        const unsigned square = squares[i];
        const bool used = square != kNoSquare && from + t < stop;
        storeByPairs(fieldSample(raw, rawSample(raw, i), values[i]),
                     used ? room.first[square] + room.places[i - start] : kNowhere, placed);
    }
}

// What a block of the sums works on: some samples of a square, and cells of its list. Squares of
// many samples have several parts.
struct FieldShare {
    int square;
    uint32_t begin, end;          // samples
    uint32_t cellBegin, cellEnd;  // among all lists
    uint32_t sums;                // where the sum of the first cell goes
};
struct FieldWork {
    const uint32_t* partStart = nullptr;  // (squares + 1): first share of a square
    const uint32_t* sumStart = nullptr;   // (squares + 1): first sum of a square, part by part
    const FieldShare* shares = nullptr;
};
struct FieldSums {
    double *values = nullptr, *weights = nullptr;
    uint32_t* counts = nullptr;
};

// Parts of up to `most` samples, and sums, of the squares before each, by one block.
constexpr int kWorkThreads = 1024;
__global__ void __launch_bounds__(kWorkThreads)
    countPartsKernel(const uint32_t* table, int64_t chunks, int squares, uint32_t most,
                     const uint32_t* listStart, uint32_t* partStart, uint32_t* sumStart) {
    using Scan = cub::BlockScan<uint32_t, kWorkThreads>;
    __shared__ typename Scan::TempStorage room[2];
    constexpr int kEach = (kMostSquares + 1 + kWorkThreads - 1) / kWorkThreads;
    uint32_t parts[kEach], sums[kEach];
    const int first = static_cast<int>(threadIdx.x) * kEach;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        const int b = first + k;
        const uint32_t samples = b < squares ? table[(b + 1) * chunks] - table[b * chunks] : 0;
        const uint32_t cells = b < squares ? listStart[b + 1] - listStart[b] : 0;
        parts[k] = cells == 0 ? 0 : (samples + most - 1) / most;
        sums[k] = parts[k] * cells;
    }
    Scan(room[0]).ExclusiveSum(parts, parts);
    Scan(room[1]).ExclusiveSum(sums, sums);
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        if (first + k > squares) continue;
        partStart[first + k] = parts[k];
        sumStart[first + k] = sums[k];
    }
}
// The shares of each square, by a thread.
__global__ void sharesKernel(const uint32_t* table, int64_t chunks, int squares,
                             const uint32_t* listStart, const uint32_t* partStart,
                             const uint32_t* sumStart, FieldShare* shares) {
    const int b = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (b >= squares) return;
    const uint32_t begin = table[b * chunks], samples = table[(b + 1) * chunks] - begin;
    const uint32_t list = listStart[b], listEnd = listStart[b + 1];
    const uint32_t first = partStart[b], parts = partStart[b + 1] - first, sum = sumStart[b];
    // Parts differ by one sample at most.
    const auto startOf = [&](uint32_t part) {
        return begin + static_cast<uint32_t>(uint64_t{samples} * part / parts);
    };
    for (uint32_t p = 0; p < parts; ++p)
        shares[first + p] = {b,    startOf(p), startOf(p + 1),
                             list, listEnd,    sum + p * (listEnd - list)};
}

constexpr int kSumThreads = 128, kSumWarps = kSumThreads / 32;
// Lanes in a row hold cells, kHeld each; four rows of them a sample each.
constexpr int kCellLanes = 8, kSampleRows = 32 / kCellLanes;

__device__ TileAxes axesOfSquare(const FieldBins& bins, int square) {
    const double x = bins.startX + (square % bins.across + 0.5) * bins.width,
                 y = bins.startY + (square / bins.across + 0.5) * bins.width;
    TileAxes axes{{x, y, FieldBins::heightOf(x, y)}, {}, {}};
    axesAt(axes.middle, axes.x, axes.y);
    return axes;
}

// A lane's cells and the sums of its samples for them.
template <int kHeld>
struct HeldCells {
    TileCell<double> cells[kHeld];
    double values[kHeld] = {}, weights[kHeld] = {};
    uint32_t counts[kHeld] = {};

    template <int kSquarings>
    __device__ void add(const GridWeights& kernel, double2 place, double2 rest, double own) {
#pragma unroll
        for (int c = 0; c < kHeld; ++c) {
            const double u = cells[c].u(place.x, place.y, rest.x);
            double weight = plain::plainWeight<plain::ScalarMath, kSquarings>(kernel, u);
            const bool near = u <= 1.0;
            weight = near ? weight : 0.0;
            counts[c] += near ? 1U : 0U;
            weights[c] = fma(weight, own, weights[c]);
            values[c] = fma(weight, rest.y, values[c]);
        }
    }
};

// What the lanes of a block share.
constexpr int kMostHeld = 4, kMostHeldCells = kMostHeld * kCellLanes;
struct SumRoom {
    TileAxes axes;
    double2 place[kSumWarps][32], rest[kSumWarps][32];
    double own[kSumWarps][32];
    double values[kSumWarps][kMostHeldCells], weights[kSumWarps][kMostHeldCells];
    uint32_t counts[kSumWarps][kMostHeldCells];
};

// Sums over rows of lanes, then over warps, in a fixed order.
template <int kHeld>
__device__ void storeHeld(HeldCells<kHeld>& held, int cells, uint32_t to, SumRoom& room,
                          const FieldSums& sums) {
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
#pragma unroll
    for (int c = 0; c < kHeld; ++c) {
#pragma unroll
        for (int step = kCellLanes; step < 32; step *= 2) {
            held.values[c] += __shfl_xor_sync(0xFFFFFFFFU, held.values[c], step);
            held.weights[c] += __shfl_xor_sync(0xFFFFFFFFU, held.weights[c], step);
            held.counts[c] += __shfl_xor_sync(0xFFFFFFFFU, held.counts[c], step);
        }
        if (lane >= kCellLanes) continue;
        room.values[warp][c * kCellLanes + lane] = held.values[c];
        room.weights[warp][c * kCellLanes + lane] = held.weights[c];
        room.counts[warp][c * kCellLanes + lane] = held.counts[c];
    }
    __syncthreads();
    if (t >= cells) return;
    double value = 0.0, weight = 0.0;
    uint32_t count = 0;
    for (int w = 0; w < kSumWarps; ++w) {
        value += room.values[w][t];
        weight += room.weights[w][t];
        count += room.counts[w][t];
    }
    sums.values[to + t] = value;
    sums.weights[to + t] = weight;
    sums.counts[to + t] = count;
}

// `cells` from the place `first` in the lists on, up to kHeld a lane.
template <int kHeld, int kSquarings>
__device__ void gatherHeld(const GridWeights& kernel, const FieldShare& share, const TileAxes& axes,
                           const Vec3* listed, int cells, const FieldSample* samples, SumRoom& room,
                           HeldCells<kHeld>& held) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
    FieldSample next;
    const auto load = [&](uint32_t i) {
        next = FieldSample{kNone, 0.0, 0.0, 0.0};
        if (i < share.end) next = samples[i];
    };
    load(share.begin + t);
#pragma unroll
    for (int c = 0; c < kHeld; ++c) {
        const int k = c * kCellLanes + lane % kCellLanes;
        held.cells[c] = tileCell(kernel, k < cells ? listed[k] : Vec3{0.0, 0.0, kNone}, axes);
    }
    for (uint32_t from = share.begin + 32 * warp; from < share.end; from += kSumThreads) {
        const Vec3 offset = Vec3{next.x, next.y, FieldBins::heightOf(next.x, next.y)} -
                            frameVector(room.axes.middle);
        // Warps keep to themselves: each has seen all of its samples before the next ones come.
        __syncwarp();
        room.place[warp][lane] = {dot(offset, frameVector(room.axes.x)),
                                  dot(offset, frameVector(room.axes.y))};
        room.rest[warp][lane] = {dot(offset, offset), next.product};
        room.own[warp][lane] = next.weight;
        __syncwarp();
        load(from + kSumThreads + lane);
        for (int k = lane / kCellLanes; k < 32; k += kSampleRows)
            held.template add<kSquarings>(kernel, room.place[warp][k], room.rest[warp][k],
                                          room.own[warp][k]);
    }
}

template <int kSquarings>
__global__ void __launch_bounds__(kSumThreads)
    fieldSumsKernel(GridWeights kernel, FieldBins bins, FieldWork work, const Vec3* listed,
                    const FieldSample* samples, FieldSums sums) {
    // Without the initializers that types of the host have.
    __shared__ alignas(16) unsigned char bytes[sizeof(SumRoom)];
    SumRoom& room = *reinterpret_cast<SumRoom*>(bytes);
    // There are more blocks than shares.
    if (blockIdx.x >= work.partStart[bins.count()]) return;
    const FieldShare share = work.shares[blockIdx.x];
    const uint32_t before = blockIdx.y * kMostHeldCells;
    if (share.cellBegin + before >= share.cellEnd) return;
    const int cells =
        static_cast<int>(min(share.cellEnd - share.cellBegin - before, kMostHeldCells));
    const TileAxes axes = axesOfSquare(bins, share.square);
    if (threadIdx.x == 0) room.axes = axes;
    __syncthreads();
    const auto gather = [&]<int kHeld>(HeldCells<kHeld> held) {
        gatherHeld<kHeld, kSquarings>(kernel, share, axes, listed + share.cellBegin + before, cells,
                                      samples, room, held);
        storeHeld(held, cells, share.sums + before, room, sums);
    };
    switch ((cells + kCellLanes - 1) / kCellLanes) {
        case 1: return gather(HeldCells<1>{});
        case 2: return gather(HeldCells<2>{});
        case 3: return gather(HeldCells<3>{});
        default: return gather(HeldCells<kMostHeld>{});
    }
}

// Where a cell stands in the lists: `square` and `place` from start[cell] on, in the order of
// squares.
struct FieldPlaces {
    const uint32_t* start = nullptr;   // (cells + 1)
    const uint16_t* square = nullptr;  // of a place
    const uint32_t* place = nullptr;   // among all lists
};

// Sums of a cell over its squares and their parts, by a warp.
__global__ void addSquaresKernel(FieldSums from, FieldWork work, const uint32_t* listStart,
                                 FieldPlaces places, int64_t cells, Sums to) {
    const int64_t cell = (blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x) / 32;
    if (cell >= cells) return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    double value = 0.0, weight = 0.0, count = 0.0;
    for (uint32_t k = places.start[cell] + lane; k < places.start[cell + 1]; k += 32) {
        const int square = places.square[k];
        const uint32_t list = listStart[square], each = listStart[square + 1] - list;
        const uint32_t parts = work.partStart[square + 1] - work.partStart[square];
        uint32_t at = work.sumStart[square] + places.place[k] - list;
        for (uint32_t p = 0; p < parts; ++p, at += each) {
            value += from.values[at];
            weight += from.weights[at];
            count += from.counts[at];
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

// Calls body(square) for each square that holds places within the radius of a cell's.
template <class Body>
__device__ void forSquaresOf(const FieldBins& bins, Vec3 cell, const Body& body) {
    if (!isfinite(cell.z)) return;
    const auto clamped = [&](double at, int most) {
        return static_cast<int>(fmin(fmax(floor(at * bins.perWidth), 0.0), most - 1.0));
    };
    const double x = cell.x - bins.startX, y = cell.y - bins.startY;
    const int right = clamped(x + bins.radius, bins.across),
              top = clamped(y + bins.radius, bins.down);
    for (int j = clamped(y - bins.radius, bins.down); j <= top; ++j)
        for (int i = clamped(x - bins.radius, bins.across); i <= right; ++i) {
            // To the nearest place of the square.
            const double dx = fmax(0.0, fmax(i * bins.width - x, x - (i + 1) * bins.width));
            const double dy = fmax(0.0, fmax(j * bins.width - y, y - (j + 1) * bins.width));
            if (dx * dx + dy * dy <= bins.radius * bins.radius) body(j * bins.across + i);
        }
}
// `turned`: cells in the axes of the field.
__global__ void countSquaresKernel(const Vec3* cells, int64_t count, FieldBins bins, Vec3* turned,
                                   uint32_t* counts) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i <= count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        uint32_t found = 0;
        if (i < count) {
            turned[i] = bins.frame * cells[i];
            forSquaresOf(bins, turned[i], [&](int) { ++found; });
        }
        counts[i] = found;
    }
}
__global__ void listSquaresKernel(const Vec3* turned, int64_t count, FieldBins bins,
                                  const uint32_t* starts, uint16_t* squares, uint32_t* entries,
                                  uint32_t* cells) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i < count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        uint32_t at = starts[i];
        forSquaresOf(bins, turned[i], [&](int square) {
            squares[at] = static_cast<uint16_t>(square);
            cells[at] = static_cast<uint32_t>(i);
            entries[at] = at;
            ++at;
        });
    }
}
// `sorted`: the entries of cells by square.
__global__ void listCellsKernel(const uint16_t* sortedSquares, const uint32_t* sorted,
                                int64_t count, const uint32_t* cells, const Vec3* turned,
                                int squares, Vec3* listed, uint32_t* places, uint32_t* starts) {
    for (int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; i <= count;
         i += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        const int before = i == 0 ? -1 : sortedSquares[i - 1];
        const int here = i == count ? squares : sortedSquares[i];
        for (int b = before + 1; b <= here; ++b) starts[b] = static_cast<uint32_t>(i);
        if (i == count) continue;
        listed[i] = turned[cells[sorted[i]]];
        places[sorted[i]] = static_cast<uint32_t>(i);
    }
}

}  // namespace armilla::gridding
