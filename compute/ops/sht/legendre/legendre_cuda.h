// SPDX-License-Identifier: GPL-3.0-or-later
// The latitude part of spherical harmonic transforms on a CUDA device (formulas:
// sht/legendre/legendre.h).
//
// A block of threads computes one m and a run of ring pairs, some neighboring pairs a thread. The
// coefficients, mixed and scaled in advance, stream through shared memory tile by tile. All lanes
// of a warp read the same address at once, so the multiply-adds are bound by arithmetic.
//
// Sums over rings (adjoint) first add a thread's pairs. Then the lanes of a warp are added while
// transposing (each lane ends with one of 32 sums), then the warps in order, then the blocks in
// order. There are no atomic operations: every run gives the same bits.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "shared/legendre_recurrence.h"
#include "sht/plan/device_latitudes.h"
#include "sht/plan/order_slice.h"

namespace armilla::cuda {

inline constexpr int kPairGroup = kLatitudeGroup;
using armilla::kOrderTile;
using armilla::OrderSlice;

// The latitude of a ring pair. Logarithms to base 2, high and low part of a double-double.
struct PairLatitude {
    double z, scalarArgument, spinArgument;
    double2 logSin;                  // sin(theta)
    double2 logSinHalf, logCosHalf;  // sqrt(2) sin(theta / 2), sqrt(2) cos(theta / 2)
    int form;                        // form of the arguments; the same within eight pairs
};

// Fourier coefficients F_m of a ring pair.
struct alignas(16) PairModes {
    double2 north, south;
};

// The work of one block: its m, and the first of its pairs. A block takes the pairs of one run
// (LegendreSlice::run) that have modes of m.
inline constexpr int kBlockPairs = 512;
struct LegendreItem {
    int m, first;
};

// The largest number of series summed over one recurrence.
inline constexpr int kMostSeries = 4;

// The steps of all m of a series, m by m: m begins at stepsAt[m]; -1: m is not present.
struct LegendreSeries {
    int lmax = 0, mmax = 0;
    int spin = 0;
    int count = 1;  // series of spin 0 over one recurrence: 1, 2, or kMostSeries
    const int64_t* stepsAt = nullptr;
    // Recurrences: a and b of form 0 (spin 0), a and g+ of form 0 (spin s).
    double2* recurrence = nullptr;
    // Numbers of the orders of a slice; m begins at mixedAt[m]. Two for each step and series: the
    // factors of even and odd functions (spin 0), of S^+ and S^- (spin s). In the adjoint they are
    // the sums of both; successive blocks of an m are `blockStride` steps apart.
    double2* mixed = nullptr;
    const int64_t* mixedAt = nullptr;
    int64_t blockStride = 0;
    // For each m, the first function without its powers of sines; for spin s S^+, then S^-.
    const double* start = nullptr;
    // The scales s_{k-1} and s_k of every 32nd step k; m begins at m * chunks.
    double2* scales = nullptr;
    int chunks = 0;

    __device__ int64_t mixedOf(int m) const { return 2 * count * mixedAt[m]; }
};

// The input of the sums of one slice of orders.
struct LegendreSlice {
    OrderSlice orders;
    const PairLatitude* pairs = nullptr;  // padded to complete groups
    int pairCount = 0, rows = 0;          // without padding and with it
    int end = 0;                          // end of the rows to process
    int run = kBlockPairs;
    const int* firstRow = nullptr;       // for each m, the first processed row with modes of m
    const double* rowFactors = nullptr;  // factors of the series' F_m; null: none
    const LegendreItem* items = nullptr;
    int itemCount = 0;
    PairModes* modes[kMostSeries] = {};  // by series or component: modes[slot * rows + pair]

    // Number of threads of a block.
    int threads(int pairsOfThread) const {
        return ((end < run ? end : run) / pairsOfThread + 31) / 32 * 32;
    }
    __device__ int blockOf(const LegendreItem& item) const { return item.first / run; }
    // The end of the pairs of a block.
    __device__ int endOf(const LegendreItem& item) const {
        const int last = (blockOf(item) + 1) * run;
        return last < end ? last : end;
    }
    // The index of the first mode of m. Recompute it in loops, which have no register to spare.
    __device__ int64_t modesAt(int m) const {
        return static_cast<int64_t>(orders.slotOf(m)) * rows;
    }
};

// Coefficients a_lm, m-major, and the series formed from them.
enum class ScalarSource {
    Plain,
    ThetaDerivative,  // sin(theta) d/dtheta: coefficients up to lmax - 1
    PhiDerivative,    // d/dphi: coefficients up to lmax - 1
};
struct DeviceAlm {
    double2* values = nullptr;
    int lmax = 0;
    const int64_t* columns = nullptr;  // for each present m: where its degree 0 would be

#ifdef __CUDACC__
    __device__ double2* column(int m) const {
        return values + __ldg(columns + m);
    }
    // A coefficient of the input of a synthesis. Imaginary parts at m = 0 count as 0.
    __device__ double2 at(int l, int m) const {
        const double2 value = column(m)[l];
        return make_double2(value.x, m == 0 ? 0.0 : value.y);
    }
#endif
};

// Pairs of a thread, and the largest number of threads of a block. More pairs a thread mean fewer
// reads of shared memory and fewer exchanges between lanes for each multiply-add, but fewer warps.
inline constexpr int kPairsOfTwo = 4;  // for two series
// Polar caps have few latitudes; their sums must not take longer than the remaining sums.
inline constexpr int kSpinPairs = 4, kSpinCapPairs = 1;
inline constexpr int kSpinThreads = kBlockPairs / kSpinPairs;
inline constexpr int kSpinCapRun = kSpinCapPairs * kSpinThreads;

// Steps of a chunk, one for each lane of a warp.
inline constexpr int kChunkSteps = 32;
// Compute the recurrences and scales.
void scalarRecurrences(const LegendreSeries& series, cudaStream_t stream);
void spinRecurrences(const LegendreSeries& series, cudaStream_t stream);
// Coefficients to factors.
void scalarMix(const LegendreSeries& series, const LegendreSlice& slice,
               std::span<const DeviceAlm> alm, ScalarSource source, cudaStream_t stream);
void spinMix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& e,
             const DeviceAlm& b, cudaStream_t stream);
// Add the sums to coefficients: the transposes of the mixing.
void scalarUnmix(const LegendreSeries& series, const LegendreSlice& slice,
                 std::span<const DeviceAlm> alm, cudaStream_t stream);
void spinUnmix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& e,
               const DeviceAlm& b, cudaStream_t stream);
// The same through two series of spin 0, of degrees up to lmax + spin (sht/legendre/spin_mixing.h).
// `lowering`: rows t = 1 .. spin, each l = 0 .. series.lmax.
inline constexpr int kMostMixedSpin = 3;
struct SpinMixTable {
    const SpinLowering* lowering = nullptr;
    int spin = 0;
};
void beltMix(const LegendreSeries& series, const LegendreSlice& slice, const SpinMixTable& table,
             const DeviceAlm& e, const DeviceAlm& b, cudaStream_t stream);
void beltUnmix(const LegendreSeries& series, const LegendreSlice& slice, const SpinMixTable& table,
               const DeviceAlm& e, const DeviceAlm& b, cudaStream_t stream);
// F_m, from factors, of the rows with modes of m. `pairs` of a thread, for a single series: 2, 4 or
// 8.
void scalarSynthesis(const LegendreSeries& series, const LegendreSlice& slice, int pairs,
                     cudaStream_t stream);
void spinSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);
// The transpose: computes the sums. `pairs`: 4 or 8.
void scalarAdjoint(const LegendreSeries& series, const LegendreSlice& slice, int pairs,
                   cudaStream_t stream);
void spinAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);

// The same for kMostSeries series, on the matrix units.
void batchSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);
void batchAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);

}  // namespace armilla::cuda
