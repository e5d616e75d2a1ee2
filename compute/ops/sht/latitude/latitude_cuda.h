// SPDX-License-Identifier: GPL-3.0-or-later
// Between the latitudes at which Legendre sums are formed and the rings of a grid, on a CUDA
// device: F_m of a slice of orders to the rings' storage, and the transpose. Either the latitudes
// are those of the rings, or F_m is interpolated (shared/band_interpolation.h).
//
// The band matrix is the same for all orders, so interpolation is a product of matrices, done by
// the units for such products (FP64 "tensor cores"): a warp makes 64 rows of the result for four
// orders, eight columns of complex numbers with north and south. The weights of 64 rows are one
// dense tile, in the order in which lanes take them, and pass through shared memory for all warps
// of a block; columns are read straight from memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sht/fft/ring_spectrum_cuda.h"
#include "sht/legendre/legendre_cuda.h"

namespace armilla::cuda {

// Where a ring lies among the midpoints: at number whole + fraction, |fraction| <= 1/2. Number j
// of them is at (j + 1/2) spacings from the north pole.
struct BandPosition {
    int whole;
    double fraction;
};
// kBandRows rows of the matrix: columns first .. first + 4 steps - 1, their weights at weightsAt.
// Columns are numbered on over the pole and the equator, where mirror images of rings lie: -1 - i
// for the image of i at the pole, 2 n - 1 - i for that at the equator.
// Steps are of four columns each; of a strip of 16 rows those of begin .. end - 1 have weights that
// are not zero.
inline constexpr int kBandRows = kInterpolatedPairs, kBandStrips = kBandRows / 16;
struct BandTile {
    int first, steps;
    int64_t weightsAt;
    int begin[kBandStrips], end[kBandStrips];
};
// double2's of weights for one step.
inline constexpr int kBandStepWeights = kBandStrips * 32;
// Fills the weights. toRings: rows are rings, columns midpoints; else the other way round.
struct BandShape {
    const BandPosition* rings;
    int ringCount, midpoints;
    bool toRings;
};
void fillBandWeights(const BandShape& shape, const BandTile* tiles, int tileCount, double2* weights,
                     cudaStream_t stream);

// F_m of a slice of orders, slot by slot: those of row i at of(slot)[i].
struct ModeRows {
    PairModes* modes = nullptr;
    int64_t pitch = 0;
    const int64_t* at = nullptr;  // of each slot, where row 0 would be; null: by the pitch

    __device__ PairModes* of(int slot) const {
        return modes + (at == nullptr ? slot * pitch : at[slot]);
    }
};

struct LatitudeTransfer {
    LegendreSlice slice;  // with interpolation, of rows without padding
    ModeRows modes;
    RingSpectrum spectrum;
    int mmax = 0, spin = 0;
    int ringPairs = 0;
    int firstPair = 0;                    // the row that is ring pair 0, without interpolation
    const double* ringFactors = nullptr;  // of the F_m of each ring pair; null: none
    // Of interpolation; null: none.
    const BandTile* tiles = nullptr;
    const double2* weights = nullptr;
    int tileCount = 0;
};
void latitudesToRings(const LatitudeTransfer& transfer, cudaStream_t stream);
void ringsToLatitudes(const LatitudeTransfer& transfer, cudaStream_t stream);

// Of transforms that devices share, one summing over latitudes what others have at their rings
// (plan/order_shares_cuda.h). Without interpolation, to or from rows: only what rings see.
void ringsToRows(const LatitudeTransfer& transfer, cudaStream_t stream);
// ringsToLatitudes with interpolation, from rows of all ring pairs in place of rings.
// `firstPair`: of each m, the first pair that sees it.
struct RowsOfRings {
    ModeRows rows;
    const int* firstPair = nullptr;
};
void rowsToLatitudes(const LatitudeTransfer& transfer, const RowsOfRings& rings,
                     cudaStream_t stream);
// Rows of each order of a slice: those from `begin` to `end`, and from first[m] on.
struct RowsCopy {
    ModeRows from, to;
    OrderSlice orders;
    int mmax = 0;
    const int* first = nullptr;
    int begin = 0, end = 0;
};
void copyRows(const RowsCopy& copy, cudaStream_t stream);

}  // namespace armilla::cuda
