// SPDX-License-Identifier: GPL-3.0-or-later
// The latitude part of spherical harmonic transforms on a CUDA device (formulas:
// sht/legendre/legendre.h).
//
// A block of threads works on one m and a run of ring pairs, some neighboring pairs a thread. The
// coefficients, mixed and scaled beforehand, stream through shared memory tile by tile, from where
// all lanes of a warp read the same at once, so that the multiply-adds are bound by arithmetic.
// Sums over rings (adjoint) add up a thread's pairs first, then the lanes of a warp while
// transposing (each lane ends with one of 32 sums), then the warps in their order, then the blocks
// in theirs: no atomic operations, the same bits in every run.
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
    int form;                        // of the arguments; the same in each eight pairs
};

// Fourier coefficients F_m of a ring pair.
struct alignas(16) PairModes {
    double2 north, south;
};

// What one block does: its m, and the first of its pairs. A block takes pairs of one run of them
// (LegendreSlice::run), those that see anything of m.
inline constexpr int kBlockPairs = 512;
struct LegendreItem {
    int m, first;
};

// Most series that are summed over one recurrence.
inline constexpr int kMostSeries = 4;

// The steps of all m of a series, m by m: those of m begin at stepsAt[m]; -1: m is not there.
struct LegendreSeries {
    int lmax = 0, mmax = 0;
    int spin = 0;
    int count = 1;  // series of spin 0 over one recurrence: 1, 2, or kMostSeries
    const int64_t* stepsAt = nullptr;
    // Recurrences: a and b of form 0 (spin 0), a and g+ of form 0 (spin s).
    double2* recurrence = nullptr;
    // Of the orders of a slice, those of m at mixedAt[m]. Two for each step and series: the
    // factors of even and odd functions (spin 0), of S^+ and S^- (spin s); in the adjoint the sums
    // of both, those of each block of an m `blockStride` steps after those of the one before.
    double2* mixed = nullptr;
    const int64_t* mixedAt = nullptr;
    int64_t blockStride = 0;
    // Of m, the first function without its powers of sines; spin s: those of S^+, then of S^-.
    const double* start = nullptr;
    // The scales s_{k-1} and s_k of every 32nd step k: those of m from m * chunks on.
    double2* scales = nullptr;
    int chunks = 0;

    __device__ int64_t mixedOf(int m) const { return 2 * count * mixedAt[m]; }
};

// What the sums of one slice of orders need.
struct LegendreSlice {
    OrderSlice orders;
    const PairLatitude* pairs = nullptr;  // padded to whole groups
    int pairCount = 0, rows = 0;          // without padding and with it
    int end = 0;                          // of the rows that are worked on
    int run = kBlockPairs;
    const int* firstRow = nullptr;  // of each m, the first row worked on that sees anything of it
    const double* rowFactors = nullptr;  // of the F_m of series; null: none
    const LegendreItem* items = nullptr;
    int itemCount = 0;
    PairModes* modes[kMostSeries] = {};  // of a series or component: modes[slot * rows + pair]

    // Threads of a block.
    int threads(int pairsOfThread) const {
        return ((end < run ? end : run) / pairsOfThread + 31) / 32 * 32;
    }
    __device__ int blockOf(const LegendreItem& item) const { return item.first / run; }
    // The end of the pairs of a block.
    __device__ int endOf(const LegendreItem& item) const {
        const int last = (blockOf(item) + 1) * run;
        return last < end ? last : end;
    }
    // Where the modes of m begin. Not to be kept through a loop, which has no register to spare.
    __device__ int64_t modesAt(int m) const {
        return static_cast<int64_t>(orders.slotOf(m)) * rows;
    }
};

// Coefficients a_lm, m-major, and what is made of them on the way.
enum class ScalarSource {
    Plain,
    ThetaDerivative,  // sin(theta) d/dtheta: coefficients up to lmax - 1
    PhiDerivative,    // d/dphi, up to lmax - 1 likewise
};
struct DeviceAlm {
    double2* values = nullptr;
    int lmax = 0;
    const int64_t* columns = nullptr;  // of each m that is there: where its degree 0 would be

#ifdef __CUDACC__
    __device__ double2* column(int m) const {
        return values + __ldg(columns + m);
    }
#endif
};

// Pairs of a thread, and most threads of a block. More pairs a thread mean fewer reads of shared
// memory and fewer exchanges between lanes for each multiply-add, but fewer warps.
inline constexpr int kPairsOfTwo = 4;  // where two series are summed
// Polar caps are few latitudes, whose sums are to last no longer than those of the others.
inline constexpr int kSpinPairs = 4, kSpinCapPairs = 1;
inline constexpr int kSpinThreads = kBlockPairs / kSpinPairs;
inline constexpr int kSpinCapRun = kSpinCapPairs * kSpinThreads;

// Steps of a chunk, worked on by the lanes of a warp.
inline constexpr int kChunkSteps = 32;
// Fills the recurrences and scales.
void scalarRecurrences(const LegendreSeries& series, cudaStream_t stream);
void spinRecurrences(const LegendreSeries& series, cudaStream_t stream);
// Coefficients to factors.
void scalarMix(const LegendreSeries& series, const LegendreSlice& slice,
               std::span<const DeviceAlm> alm, ScalarSource source, cudaStream_t stream);
void spinMix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& e,
             const DeviceAlm& b, cudaStream_t stream);
// Adds what the sums make to coefficients: the transposes.
void scalarUnmix(const LegendreSeries& series, const LegendreSlice& slice,
                 std::span<const DeviceAlm> alm, cudaStream_t stream);
void spinUnmix(const LegendreSeries& series, const LegendreSlice& slice, const DeviceAlm& e,
               const DeviceAlm& b, cudaStream_t stream);
// The same by way of two series of spin 0, of degrees to lmax + spin (sht/legendre/spin_mixing.h).
// `lowering`: those of t = 1 .. spin, each of l = 0 .. series.lmax.
inline constexpr int kMostMixedSpin = 3;
struct SpinMixTable {
    const SpinLowering* lowering = nullptr;
    int spin = 0;
};
void beltMix(const LegendreSeries& series, const LegendreSlice& slice, const SpinMixTable& table,
             const DeviceAlm& e, const DeviceAlm& b, cudaStream_t stream);
void beltUnmix(const LegendreSeries& series, const LegendreSlice& slice, const SpinMixTable& table,
               const DeviceAlm& e, const DeviceAlm& b, cudaStream_t stream);
// F_m of the rows that see m from factors. `pairs` of a thread, where the series is one: 2, 4 or 8.
void scalarSynthesis(const LegendreSeries& series, const LegendreSlice& slice, int pairs,
                     cudaStream_t stream);
void spinSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);
// The transpose: makes the sums. Here 4 or 8.
void scalarAdjoint(const LegendreSeries& series, const LegendreSlice& slice, int pairs,
                   cudaStream_t stream);
void spinAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);

// The same for kMostSeries series, by the units for products of matrices.
void batchSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);
void batchAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);

}  // namespace armilla::cuda
