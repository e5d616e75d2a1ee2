// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "armilla/device/cuda/check.h"
#include "shared/band_interpolation.h"
#include "sht/latitude/latitude_cuda.h"
#include "sht/legendre/matrix_unit_cuda.cuh"

namespace armilla::cuda {

namespace {

constexpr int kWarps = 8, kThreads = 32 * kWarps;
constexpr int kOrders = 4;  // orders of a warp
constexpr int kStrips = kBandStrips;
static_assert(kOrderTile % kOrders == 0);

__global__ void __launch_bounds__(kThreads)
    bandWeightsKernel(BandShape shape, const BandTile* tiles, double2* weights) {
    const BandTile tile = tiles[blockIdx.x];
    const int rows = shape.toRings ? shape.ringCount : shape.midpoints;
    const auto weight = [&](int row, int column) {
        if (row >= rows) return 0.0;
        int ring = shape.toRings ? row : column;
        const int midpoint = shape.toRings ? column : row;
        const bool pole = ring < 0, equator = ring >= shape.ringCount;
        if (pole) ring = -1 - ring;
        if (equator) ring = 2 * shape.ringCount - 1 - ring;
        if (ring < 0 || ring >= shape.ringCount) return 0.0;
        const BandPosition at = shape.rings[ring];
        const int whole = pole      ? -1 - at.whole
                          : equator ? 2 * shape.midpoints - 1 - at.whole
                                    : at.whole;
        return bandWeight(whole - midpoint, pole || equator ? -at.fraction : at.fraction);
    };
    for (int i = threadIdx.x; i < tile.steps * kBandStepWeights; i += blockDim.x) {
        const int lane = i % 32, strip = i / 32 % kStrips, step = i / kBandStepWeights;
        const int row = static_cast<int>(blockIdx.x) * kBandRows + 16 * strip + lane / 4;
        const int column = tile.first + 4 * step + lane % 4;
        weights[tile.weightsAt + i] = make_double2(weight(row, column), weight(row + 8, column));
    }
}

// The column that a lane loads: one side of one order.
struct BandColumn {
    int slot, m, side;
    bool there, odd;  // odd: parity at the pole
    __device__ BandColumn(const LatitudeTransfer& t, int firstSlot) {
        const int column = static_cast<int>(threadIdx.x) % 32 / 4;
        slot = firstSlot + column / 2;
        m = t.slice.orders.orderOf(slot);
        side = column % 2;
        there = m <= t.mmax;
        odd = ((m + t.spin) & 1) != 0;
    }
};
// Number `i` of n latitudes and their images.
struct Image {
    int index, side;
    // `none`: there are no images.
    __device__ Image(const BandColumn& at, int i, int n, bool none = false)
        : index(i), side(at.side) {
        if (none) return;
        if (i < 0) {
            index = -1 - i;
        } else if (i >= n) {
            index = 2 * n - 1 - i;
            side ^= 1;
        }
    }
};

// Weights of a tile pass through shared memory, one stage of steps before their use. Columns are
// loaded into registers kAhead steps before their use.
constexpr int kStageSteps = 8, kAhead = 4;
struct WeightStages {
    double2 weights[2][kStageSteps * kBandStepWeights];
};

// The product of a tile of the matrix with the columns that fetch(step) returns, four rows for each
// step. Images at the pole of `odd` columns change their sign here, because an earlier operation on
// a value would wait for its load. All threads of a block take part; `active`: whether the warp has
// columns. bring(stage) starts to copy the data that fetch needs for that stage.
template <typename Bring, typename Fetch>
inline __device__ void multiplyTile(const BandTile& tile, const double2* weights,
                                    WeightStages& stages, bool active, const Bring& bring,
                                    const Fetch& fetch, bool odd, double (&re)[kStrips][4],
                                    double (&im)[kStrips][4]) {
    const double2* const from = weights + tile.weightsAt;
    const auto begin = [&](int stage) {
        const int first = stage * kStageSteps;
        const int count = min(kStageSteps, tile.steps - first) * kBandStepWeights;
        for (int i = threadIdx.x; i < count; i += kThreads)
            __pipeline_memcpy_async(&stages.weights[stage & 1][i],
                                    from + first * kBandStepWeights + i, sizeof(double2));
        bring(stage + 1);
        __pipeline_commit();
    };
    bring(0);
    begin(0);
    double2 values[kAhead];
    for (int stage = 0; stage * kStageSteps < tile.steps; ++stage) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if ((stage + 1) * kStageSteps < tile.steps) begin(stage + 1);
        if (!active) continue;
        if (stage == 0)
#pragma unroll
            for (int i = 0; i < kAhead; ++i) values[i] = fetch(i);
        const double2* const a = stages.weights[stage & 1] + threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < kStageSteps; ++i) {
            const int step = stage * kStageSteps + i;
            double2 b = values[i % kAhead];
            if (odd && tile.first + 4 * step + static_cast<int>(threadIdx.x) % 4 < 0)
                b = make_double2(-b.x, -b.y);
            if (step + kAhead < tile.steps) values[i % kAhead] = fetch(step + kAhead);
#pragma unroll
            for (int s = 0; s < kStrips; ++s) {
                if (step < tile.begin[s] || step >= tile.end[s]) continue;
                const double2 w = a[i * kBandStepWeights + 32 * s];
                multiplyAdd(re[s], w, b.x);
                multiplyAdd(im[s], w, b.y);
            }
        }
    }
}

// Each block computes a tile of rings, and four orders a warp.
__global__ void __launch_bounds__(kThreads, 2) interpolationKernel(LatitudeTransfer t) {
    __shared__ WeightStages stages;
    const int firstRing = static_cast<int>(blockIdx.x) * kBandRows;
    const int lastRing = min(firstRing + kBandRows, t.ringPairs) - 1;
    const int limit = min(t.mmax, t.spectrum.rings[lastRing].modeLimit);
    const int blockSlot = static_cast<int>(blockIdx.y) * kWarps * kOrders;
    if (t.slice.orders.orderOf(blockSlot) > limit) return;
    const int firstSlot = blockSlot + static_cast<int>(threadIdx.x / 32) * kOrders;
    const int firstOrder = t.slice.orders.orderOf(firstSlot);
    const bool active = firstSlot < t.slice.orders.slots && firstOrder <= limit;
    const BandColumn column(t, firstSlot);
    const int firstRow = column.there ? t.slice.firstRow[column.m] : t.slice.rows;
    const PairModes* const from = column.there ? t.modes.of(column.slot) : nullptr;
    const BandTile tile = t.tiles[blockIdx.x];
    const bool plain = tile.first >= 0 && tile.first + 4 * tile.steps <= t.slice.rows;
    const int lane = static_cast<int>(threadIdx.x) % 32, m = firstOrder + lane % 4;
    double re[kStrips][4] = {}, im[kStrips][4] = {};
    multiplyTile(
        tile, t.weights, stages, active, [](int) {},
        [&](int step) {
            const Image at(column, tile.first + 4 * step + lane % 4, t.slice.rows, plain);
            double2 value = make_double2(0.0, 0.0);
            if (at.index >= firstRow && (plain || at.index < t.slice.rows))
                value = __ldcg(&from[at.index].north + at.side);
            return value;
        },
        column.odd && tile.first < 0, re, im);
    if (!active) return;
#pragma unroll
    for (int s = 0; s < kStrips; ++s)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int pair = firstRing + 16 * s + 8 * half + lane / 4;
            if (pair > lastRing) continue;
            const PairRings rings = t.spectrum.rings[pair];
            if (m > min(t.mmax, rings.modeLimit)) continue;
            const double f = t.ringFactors == nullptr ? 1.0 : t.ringFactors[pair];
            *t.spectrum.mode(rings, false, m) =
                make_double2(f * re[s][2 * half], f * im[s][2 * half]);
            if (rings.south >= 0)
                *t.spectrum.mode(rings, true, m) =
                    make_double2(f * re[s][2 * half + 1], f * im[s][2 * half + 1]);
        }
}

// Positions of a ring's modes, from m = 0 on.
struct ModePlace {
    int64_t ring, tail;  // indices of numbers in the map and in the tails; `tail` is that of mode m
    int limit, inRing;   // limit -1: no ring
};
// The positions for column `i`, on one side.
inline __device__ ModePlace placeOf(const LatitudeTransfer& t, int i, int side) {
    if (i < 0) {
        i = -1 - i;
    } else if (i >= t.ringPairs) {
        i = 2 * t.ringPairs - 1 - i;
        side ^= 1;
    }
    if (i < 0 || i >= t.ringPairs) return {0, 0, -1, 0};
    const PairRings& rings = t.spectrum.rings[i];
    const bool south = side != 0;
    return {((south ? rings.south : rings.north) + 1) / 2,
            rings.tail + (south ? rings.modesInTail() : 0) - rings.inRing,
            south && rings.south < 0 ? -1 : rings.modeLimit, rings.inRing};
}

// Each block computes a tile of midpoints, and four orders a warp, from the storage of rings or
// from rows. The positions of a stage's rings are in shared memory one stage before their use.
template <bool kFromRows>
__global__ void __launch_bounds__(kThreads, 2)
    spreadingKernel(LatitudeTransfer t, RowsOfRings from) {
    constexpr int kRings = 4 * kStageSteps;
    static_assert(2 * kRings <= kThreads);
    __shared__ WeightStages stages;
    __shared__ __align__(sizeof(double2)) char placeBytes[3][kRings][2][sizeof(ModePlace)];
    const auto place = [&](int stage, int ring, int side) -> ModePlace& {
        return *reinterpret_cast<ModePlace*>(placeBytes[stage % 3][ring][side]);
    };
    const int first = static_cast<int>(blockIdx.x) * kBandRows;
    const int blockSlot = static_cast<int>(blockIdx.y) * kWarps * kOrders;
    const int blockOrder = t.slice.orders.orderOf(blockSlot);
    // The last orders have modes in the fewest rows, the first ones in the most.
    if (blockOrder > t.mmax || first + kBandRows <= t.slice.firstRow[blockOrder]) return;
    const int firstSlot = blockSlot + static_cast<int>(threadIdx.x / 32) * kOrders;
    const int firstOrder = t.slice.orders.orderOf(firstSlot);
    const bool active = firstSlot < t.slice.orders.slots && firstOrder <= t.mmax &&
                        first + kBandRows > t.slice.firstRow[firstOrder];
    const BandColumn column(t, firstSlot);
    const BandTile tile = t.tiles[blockIdx.x];
    const double2* const map = reinterpret_cast<const double2*>(t.spectrum.map);
    const int last = column.there ? column.m : 1 << 30;  // beyond all limits without a column
    const bool fromRows = kFromRows && column.there;
    const int firstPair = fromRows ? from.firstPair[column.m] : t.ringPairs;
    const PairModes* const rows = fromRows ? from.rows.of(column.slot) : nullptr;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    double re[kStrips][4] = {}, im[kStrips][4] = {};
    multiplyTile(
        tile, t.weights, stages, active,
        [&](int stage) {
            if (kFromRows) return;
            const int i = static_cast<int>(threadIdx.x) / 2, side = threadIdx.x % 2;
            if (i < kRings)
                place(stage, i, side) = placeOf(t, tile.first + stage * kRings + i, side);
        },
        [&](int step) {
            if (kFromRows) {
                const Image at(column, tile.first + 4 * step + lane % 4, t.ringPairs);
                return at.index >= firstPair && at.index < t.ringPairs
                           ? __ldcg(&rows[at.index].north + at.side)
                           : make_double2(0.0, 0.0);
            }
            const ModePlace& at =
                place(step / kStageSteps, 4 * (step % kStageSteps) + lane % 4, column.side);
            double2 value = make_double2(0.0, 0.0);
            if (last <= at.limit)
                value = __ldcg(column.m < at.inRing ? map + at.ring + column.m
                                                    : t.spectrum.tails + at.tail + column.m);
            return value;
        },
        column.odd && tile.first < 0, re, im);
    if (!active || firstOrder + lane % 4 > t.mmax) return;
    PairModes* const to = t.modes.of(firstSlot + lane % 4);
#pragma unroll
    for (int s = 0; s < kStrips; ++s)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = first + 16 * s + 8 * half + lane / 4;
            if (row >= t.slice.rows) continue;
            to[row] = {make_double2(re[s][2 * half], im[s][2 * half]),
                       make_double2(re[s][2 * half + 1], im[s][2 * half + 1])};
        }
}

// Without interpolation: one thread for each of eight successive orders of a ring pair.
constexpr int kPairsOfBlock = kThreads / kOrderTile;
template <bool kToRings>
__global__ void __launch_bounds__(kThreads) exchangeKernel(LatitudeTransfer t) {
    const int slot = static_cast<int>(blockIdx.y * kOrderTile + threadIdx.x % kOrderTile);
    const int pair = static_cast<int>(blockIdx.x * kPairsOfBlock + threadIdx.x / kOrderTile);
    const int m = t.slice.orders.orderOf(slot);
    if (pair >= t.ringPairs || m > t.mmax) return;
    const PairRings rings = t.spectrum.rings[pair];
    if (m > rings.modeLimit) return;
    PairModes& modes = t.modes.of(slot)[t.firstPair + pair];
    double2* const north = t.spectrum.mode(rings, false, m);
    double2* const south = rings.south < 0 ? nullptr : t.spectrum.mode(rings, true, m);
    if (!kToRings) {
        modes = {*north, south == nullptr ? make_double2(0.0, 0.0) : *south};
        return;
    }
    const double f = t.ringFactors == nullptr ? 1.0 : t.ringFactors[pair];
    *north = make_double2(f * modes.north.x, f * modes.north.y);
    if (south != nullptr) *south = make_double2(f * modes.south.x, f * modes.south.y);
}

constexpr int kCopyThreads = 256;
__global__ void __launch_bounds__(kCopyThreads) copyRowsKernel(RowsCopy copy) {
    const int slot = static_cast<int>(blockIdx.y), m = copy.orders.orderOf(slot);
    if (m > copy.mmax) return;
    const int begin = max(copy.first[m], copy.begin);
    const double2* const from = reinterpret_cast<const double2*>(copy.from.of(slot));
    double2* const to = reinterpret_cast<double2*>(copy.to.of(slot));
    for (int i = 2 * begin + static_cast<int>(blockIdx.x * kCopyThreads + threadIdx.x);
         i < 2 * copy.end; i += static_cast<int>(gridDim.x) * kCopyThreads)
        to[i] = from[i];
}

dim3 bandBlocks(const LatitudeTransfer& t) {
    constexpr int kSlots = kWarps * kOrders;
    return dim3(static_cast<unsigned>(t.tileCount),
                static_cast<unsigned>((t.slice.orders.slots + kSlots - 1) / kSlots));
}
dim3 exchangeBlocks(const LatitudeTransfer& t) {
    return dim3(static_cast<unsigned>((t.ringPairs + kPairsOfBlock - 1) / kPairsOfBlock),
                static_cast<unsigned>(t.slice.orders.slots / kOrderTile));
}

}  // namespace

void fillBandWeights(const BandShape& shape, const BandTile* tiles, int tileCount, double2* weights,
                     cudaStream_t stream) {
    bandWeightsKernel<<<static_cast<unsigned>(tileCount), kThreads, 0, stream>>>(shape, tiles,
                                                                                 weights);
    checkLaunch("weights of the interpolation in latitude");
}

void latitudesToRings(const LatitudeTransfer& t, cudaStream_t stream) {
    if (t.tiles != nullptr)
        interpolationKernel<<<bandBlocks(t), kThreads, 0, stream>>>(t);
    else
        exchangeKernel<true><<<exchangeBlocks(t), kThreads, 0, stream>>>(t);
    checkLaunch("Fourier coefficients to rings");
}

void ringsToLatitudes(const LatitudeTransfer& t, cudaStream_t stream) {
    if (t.tiles != nullptr)
        spreadingKernel<false><<<bandBlocks(t), kThreads, 0, stream>>>(t, {});
    else
        exchangeKernel<false><<<exchangeBlocks(t), kThreads, 0, stream>>>(t);
    checkLaunch("Fourier coefficients from rings");
}

void ringsToRows(const LatitudeTransfer& t, cudaStream_t stream) {
    exchangeKernel<false><<<exchangeBlocks(t), kThreads, 0, stream>>>(t);
    checkLaunch("Fourier coefficients of rings");
}

void rowsToLatitudes(const LatitudeTransfer& t, const RowsOfRings& rings, cudaStream_t stream) {
    spreadingKernel<true><<<bandBlocks(t), kThreads, 0, stream>>>(t, rings);
    checkLaunch("Fourier coefficients from rows");
}

void copyRows(const RowsCopy& copy, cudaStream_t stream) {
    constexpr int kMostBlocks = 16;
    const int blocks = (2 * (copy.end - copy.begin) + kCopyThreads - 1) / kCopyThreads;
    if (blocks <= 0) return;
    copyRowsKernel<<<dim3(static_cast<unsigned>(std::min(blocks, kMostBlocks)),
                          static_cast<unsigned>(copy.orders.slots)),
                     kCopyThreads, 0, stream>>>(copy);
    checkLaunch("copying Fourier coefficients");
}

}  // namespace armilla::cuda
