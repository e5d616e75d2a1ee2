// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between the latitudes of the Legendre sums and the rings of a grid, on a CUDA device:
// F_m of a slice of orders to the rings' storage, and the transpose. Either the latitudes are those
// of the rings, or F_m is interpolated (shared/band_interpolation.h).
//
// The band matrix is the same for all orders, so interpolation is a product of matrices on the FP64
// tensor cores. A warp computes 64 rows of the result for four orders, eight columns of complex
// numbers with north and south. The weights of 64 rows are one dense tile, in the order in which
// lanes read them. They pass through shared memory for all warps of a block; columns are read
// directly from memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "sht/fft/ring_spectrum_cuda.h"
#include "sht/legendre/legendre_cuda.h"

namespace armilla::cuda {

// The position of a ring among the midpoints: whole + fraction, |fraction| <= 1/2. Midpoint j is (j
// + 1/2) spacings from the north pole.
struct BandPosition {
    int whole;
    double fraction;
};
// kBandRows rows of the matrix: columns first .. first + 4 steps - 1, their weights at weightsAt.
// Column numbers continue over the pole and the equator to the mirror images of rings: -1 - i for
// the image of i at the pole, 2 n - 1 - i for the image at the equator. A step has four columns. In
// a strip of 16 rows the steps begin .. end - 1 have weights that are not zero.
inline constexpr int kBandRows = kInterpolatedPairs, kBandStrips = kBandRows / 16;
struct BandTile {
    int first, steps;
    int64_t weightsAt;
    int begin[kBandStrips], end[kBandStrips];
};
// Number of double2 weights of one step.
inline constexpr int kBandStepWeights = kBandStrips * 32;
// Shape of the weights. toRings: rows are rings, columns midpoints; else rows are midpoints and
// columns rings.
struct BandShape {
    const BandPosition* rings;
    int ringCount, midpoints;
    bool toRings;
};
void fillBandWeights(const BandShape& shape, const BandTile* tiles, int tileCount, double2* weights,
                     cudaStream_t stream);

// F_m of a slice of orders, slot by slot: row i is at of(slot)[i].
struct ModeRows {
    PairModes* modes = nullptr;
    int64_t pitch = 0;
    const int64_t* at = nullptr;  // position of row 0 for each slot; null: by the pitch

    __device__ PairModes* of(int slot) const {
        return modes + (at == nullptr ? slot * pitch : at[slot]);
    }
};

struct LatitudeTransfer {
    LegendreSlice slice;  // with interpolation: of rows without padding
    ModeRows modes;
    RingSpectrum spectrum;
    int mmax = 0, spin = 0;
    int ringPairs = 0;
    int firstPair = 0;                    // without interpolation: the row that is ring pair 0
    const double* ringFactors = nullptr;  // factors of each ring pair's F_m; null: none
    // Tiles of the interpolation; null: no interpolation.
    const BandTile* tiles = nullptr;
    const double2* weights = nullptr;
    int tileCount = 0;
};
void latitudesToRings(const LatitudeTransfer& transfer, cudaStream_t stream);
void ringsToLatitudes(const LatitudeTransfer& transfer, cudaStream_t stream);

// For transforms that several devices share: one device sums over latitudes the F_m of other
// devices' rings (several/order_shares_cuda.h). Without interpolation, to or from rows: only the
// orders with modes on the rings.
void ringsToRows(const LatitudeTransfer& transfer, cudaStream_t stream);
// ringsToLatitudes with interpolation, from rows of all ring pairs instead of rings. `firstPair`:
// for each m, the first pair with that mode.
struct RowsOfRings {
    ModeRows rows;
    const int* firstPair = nullptr;
};
void rowsToLatitudes(const LatitudeTransfer& transfer, const RowsOfRings& rings,
                     cudaStream_t stream);
// Copies rows `begin` to `end` of each order of a slice, from row first[m] on.
struct RowsCopy {
    ModeRows from, to;
    OrderSlice orders;
    int mmax = 0;
    const int* first = nullptr;
    int begin = 0, end = 0;
};
void copyRows(const RowsCopy& copy, cudaStream_t stream);

}  // namespace armilla::cuda
