// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuda/check.h"
#include "cuda/latitude_cuda.h"
#include "shared/band_interpolation.h"

namespace armilla::cuda {

namespace {

constexpr int kWarps = 8, kThreads = 32 * kWarps;
constexpr int kOrders = 4;               // of a warp
constexpr int kStrips = kBandRows / 16;  // 16 rows each
static_assert(kOrderTile % kOrders == 0);

// c += a b, 16 x 4 times 4 x 8. Lane l holds rows l / 4 and l / 4 + 8 of column l % 4 of a, row
// l % 4 of column l / 4 of b, and columns 2 (l % 4) and 2 (l % 4) + 1 of row l / 4, then of row
// l / 4 + 8, of c.
inline __device__ void multiplyAdd(double (&c)[4], double2 a, double b) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%0,%1,%2,%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a.x), "d"(a.y), "d"(b));
#elif __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a.x), "d"(b));
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[2]), "+d"(c[3])
        : "d"(a.y), "d"(b));
#else
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const double a0 = __shfl_sync(0xffffffffU, a.x, (lane & ~3) + k);
        const double a1 = __shfl_sync(0xffffffffU, a.y, (lane & ~3) + k);
        const double b0 = __shfl_sync(0xffffffffU, b, lane % 4 * 8 + k);
        const double b1 = __shfl_sync(0xffffffffU, b, lane % 4 * 8 + 4 + k);
        c[0] = fma(a0, b0, c[0]);
        c[1] = fma(a0, b1, c[1]);
        c[2] = fma(a1, b0, c[2]);
        c[3] = fma(a1, b1, c[3]);
    }
#endif
}

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

// The columns that a lane brings: one side of one order.
struct BandColumn {
    int slot, m, side;
    bool there, odd;  // of odd parity at the pole
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
    bool negative;
    __device__ Image(const BandColumn& at, int i, int n)
        : index(i), side(at.side), negative(false) {
        if (i < 0) {
            index = -1 - i;
            negative = at.odd;
        } else if (i >= n) {
            index = 2 * n - 1 - i;
            side ^= 1;
        }
    }
};

// Where a mode lies, as it is read; as RingSpectrum::mode.
struct ModePlace {
    int64_t sample = -1, tail = 0;
    int limit = -1, inRing = 0;
    bool south = false, negative = false;
    __device__ const double2* in(const RingSpectrum& spectrum, int m) const {
        if (m < inRing)
            return reinterpret_cast<const double2*>(spectrum.map) + (sample + 1) / 2 + m;
        return spectrum.tails + tail + (m - inRing) + (south ? limit + 1 - inRing : 0);
    }
};

// The product of a tile of the matrix with the columns that fetch(locate(i)) gives, i from
// tile.first on.
template <typename Locate, typename Fetch>
inline __device__ void multiplyTile(const BandTile& tile, const double2* weights,
                                    const Locate& locate, const Fetch& fetch,
                                    double (&re)[kStrips][4], double (&im)[kStrips][4]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int row = tile.first + lane % 4;
    const double2* a = weights + tile.weightsAt + lane;
    // Memory is far away: values two steps ahead, and where they lie three steps. Columns beyond
    // the last have no weights.
    double2 now = fetch(locate(row)), next = fetch(locate(row + 4));
    auto ahead = locate(row + 8);
#pragma unroll 2
    for (int step = 0; step < tile.steps; ++step, a += kBandStepWeights) {
        const double2 b = now;
        now = next;
        next = fetch(ahead);
        ahead = locate(row + 4 * (step + 3));
#pragma unroll
        for (int s = 0; s < kStrips; ++s) {
            const double2 w = a[32 * s];
            multiplyAdd(re[s], w, b.x);
            multiplyAdd(im[s], w, b.y);
        }
    }
}

// Each block: a tile of rings, and four orders a warp.
__global__ void __launch_bounds__(kThreads, 2) interpolationKernel(LatitudeTransfer t) {
    const int firstSlot = static_cast<int>(blockIdx.y * kWarps + threadIdx.x / 32) * kOrders;
    if (firstSlot >= t.slice.orders.slots) return;
    const int firstOrder = t.slice.orders.orderOf(firstSlot);
    const int firstRing = static_cast<int>(blockIdx.x) * kBandRows;
    const int lastRing = min(firstRing + kBandRows, t.ringPairs) - 1;
    if (firstOrder > min(t.mmax, t.spectrum.rings[lastRing].modeLimit)) return;
    const BandColumn column(t, firstSlot);
    const int firstRow = column.there ? t.slice.firstRow[column.m] : t.slice.rows;
    const PairModes* const from = t.modes + static_cast<int64_t>(column.slot) * t.slice.rows;
    double re[kStrips][4] = {}, im[kStrips][4] = {};
    multiplyTile(
        t.tiles[blockIdx.x], t.weights, [&](int i) { return Image(column, i, t.slice.rows); },
        [&](const Image& at) {
            double2 value = make_double2(0.0, 0.0);
            if (at.index >= firstRow && at.index < t.slice.rows)
                value = __ldcg(&from[at.index].north + at.side);
            return at.negative ? make_double2(-value.x, -value.y) : value;
        },
        re, im);
    const int lane = static_cast<int>(threadIdx.x) % 32, m = firstOrder + lane % 4;
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

// Each block: a tile of midpoints, and four orders a warp.
__global__ void __launch_bounds__(kThreads, 2) spreadingKernel(LatitudeTransfer t) {
    const int firstSlot = static_cast<int>(blockIdx.y * kWarps + threadIdx.x / 32) * kOrders;
    if (firstSlot >= t.slice.orders.slots) return;
    const int firstOrder = t.slice.orders.orderOf(firstSlot);
    const int first = static_cast<int>(blockIdx.x) * kBandRows;
    if (firstOrder > t.mmax || first + kBandRows <= t.slice.firstRow[firstOrder]) return;
    const BandColumn column(t, firstSlot);
    double re[kStrips][4] = {}, im[kStrips][4] = {};
    multiplyTile(
        t.tiles[blockIdx.x], t.weights,
        [&](int i) {
            const Image at(column, i, t.ringPairs);
            ModePlace place{};
            if (!column.there || at.index < 0 || at.index >= t.ringPairs) return place;
            const PairRings& rings = t.spectrum.rings[at.index];
            place.sample = at.side == 0 ? rings.north : rings.south;
            place.tail = rings.tail;
            place.limit = rings.modeLimit;
            place.inRing = rings.inRing;
            place.south = at.side != 0;
            place.negative = at.negative;
            return place;
        },
        [&](const ModePlace& place) {
            double2 value = make_double2(0.0, 0.0);
            if (column.m <= place.limit && place.sample >= 0)
                value = __ldcg(place.in(t.spectrum, column.m));
            return place.negative ? make_double2(-value.x, -value.y) : value;
        },
        re, im);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (firstOrder + lane % 4 > t.mmax) return;
    PairModes* const to = t.modes + static_cast<int64_t>(firstSlot + lane % 4) * t.slice.rows;
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

// Without interpolation: eight successive orders for each ring pair, a thread each.
constexpr int kPairsOfBlock = kThreads / kOrderTile;
template <bool kToRings>
__global__ void __launch_bounds__(kThreads) exchangeKernel(LatitudeTransfer t) {
    const int slot = static_cast<int>(blockIdx.y * kOrderTile + threadIdx.x % kOrderTile);
    const int pair = static_cast<int>(blockIdx.x * kPairsOfBlock + threadIdx.x / kOrderTile);
    const int m = t.slice.orders.orderOf(slot);
    if (pair >= t.ringPairs || m > t.mmax) return;
    const PairRings rings = t.spectrum.rings[pair];
    if (m > rings.modeLimit) return;
    PairModes& modes = t.modes[static_cast<int64_t>(slot) * t.slice.rows + pair];
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
        spreadingKernel<<<bandBlocks(t), kThreads, 0, stream>>>(t);
    else
        exchangeKernel<false><<<exchangeBlocks(t), kThreads, 0, stream>>>(t);
    checkLaunch("Fourier coefficients from rings");
}

}  // namespace armilla::cuda
