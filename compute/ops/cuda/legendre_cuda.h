// SPDX-License-Identifier: GPL-3.0-or-later
// The latitude part of spherical harmonic transforms on a CUDA device (formulas: sht/legendre.h).
//
// A block of threads works on one m and a run of ring pairs, some neighboring pairs a thread. The
// coefficients, mixed and scaled beforehand, stream through shared memory tile by tile, from where
// all lanes of a warp read the same at once, so that the multiply-adds are bound by arithmetic.
// Sums over rings (adjoint) add up a thread's pairs first, then the lanes of a warp while
// transposing (each lane ends with one of 32 sums), then the warps in their order, then the slices
// in theirs: no atomic operations, the same bits in every run.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace armilla::cuda {

// Ring pairs share limits, and lie in padded storage, in groups of this many.
inline constexpr int kPairGroup = 32;

// The latitude of a ring pair. Logarithms to base 2, high and low part of a double-double.
struct PairLatitude {
    double z, scalarArgument, spinArgument, inverseSin;
    double2 logSin;                  // sin(theta)
    double2 logSinHalf, logCosHalf;  // sqrt(2) sin(theta / 2), sqrt(2) cos(theta / 2)
    int form;                        // of the arguments; the same in each eight pairs
};

// Fourier coefficients F_m of a ring pair.
struct alignas(16) PairModes {
    double2 north, south;
};

// What one block does: its m, and the first of its pairs.
struct LegendreItem {
    int m, first;
};

// The steps of all m of a series, m by m: those of m begin at stepsAt[m].
struct LegendreSeries {
    int lmax = 0, mmax = 0;
    int spin = 0;
    const int64_t* stepsAt = nullptr;
    // Recurrences: a and b of form 0 (spin 0), a and g+ of form 0 (spin s).
    double2* recurrence = nullptr;
    // Two for each step: the factors of even and odd functions (spin 0), of S^+ and S^- (spin s);
    // in the adjoint the sums of both.
    double2* mixed = nullptr;
    // Of m, the first function without its powers of sines; spin s: those of S^+, then of S^-.
    const double* start = nullptr;
};

// What the sums of one slice of ring pairs need.
struct LegendreSlice {
    const PairLatitude* pairs = nullptr;  // of the grid, padded to whole groups
    int pairCount = 0;                    // without padding
    const LegendreItem* items = nullptr;
    int itemCount = 0;
    int firstPair = 0, rows = 0;  // of the slice; rows: padded
    // modes[c][m * rows + pair - firstPair], c the component.
    PairModes* modes[2] = {};
    int threads = 0;  // of a block
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
};

// One block of an adjoint kernel holds all pairs of a slice.
inline constexpr int kMaxSlicePairs = 512;
// Pairs of a thread, and most threads of a block. More pairs a thread mean fewer reads of shared
// memory and fewer exchanges between lanes for each multiply-add, but fewer warps.
inline constexpr int kScalarSynthesisPairs = 4, kScalarAdjointPairs = 8;
inline constexpr int kSpinSynthesisPairs = 4, kSpinAdjointPairs = 4;
inline constexpr int kScalarSynthesisThreads = kMaxSlicePairs / kScalarSynthesisPairs;
inline constexpr int kScalarAdjointThreads = kMaxSlicePairs / kScalarAdjointPairs;
inline constexpr int kSpinSynthesisThreads = kMaxSlicePairs / kSpinSynthesisPairs;
inline constexpr int kSpinAdjointThreads = kMaxSlicePairs / kSpinAdjointPairs;

// Fills the recurrences.
void scalarRecurrences(const LegendreSeries& series, cudaStream_t stream);
void spinRecurrences(const LegendreSeries& series, cudaStream_t stream);
// Coefficients to factors.
void scalarMix(const LegendreSeries& series, const DeviceAlm& alm, ScalarSource source,
               cudaStream_t stream);
void spinMix(const LegendreSeries& series, const DeviceAlm& e, const DeviceAlm& b,
             cudaStream_t stream);
// Adds what the sums make to coefficients: the transposes.
void scalarUnmix(const LegendreSeries& series, const DeviceAlm& alm, cudaStream_t stream);
void spinUnmix(const LegendreSeries& series, const DeviceAlm& e, const DeviceAlm& b,
               cudaStream_t stream);
// F_m of the slice's pairs from factors; divided by sin(theta) if asked for.
enum class Divisor { One, SinTheta };
void scalarSynthesis(const LegendreSeries& series, const LegendreSlice& slice, Divisor divisor,
                     cudaStream_t stream);
void spinSynthesis(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);
// Adds to the sums.
void scalarAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);
void spinAdjoint(const LegendreSeries& series, const LegendreSlice& slice, cudaStream_t stream);

}  // namespace armilla::cuda
