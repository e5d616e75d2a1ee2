// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels of half transforms. A half transform of a row of 8 n numbers z_j
// gives only the Z_k of four residues of k modulo 8, closed under k -> -k, at half the cost of all
// Z_k. The kernels convert to and from a transform of four columns (column_fft.h). Row k of its
// result holds Z_{8 k + kHalfResidues[half][c]}, c = 0 .. 3.
#pragma once

#include <complex>
#include <cstddef>

#include "sht/storage/order_tiles.h"

namespace armilla {

// A row has 8 n numbers, n at least kShortestRealInputFft.
inline constexpr size_t kEighths = 8;
inline constexpr size_t kShortestRealInputFft = 4;

struct RealInputFft {
    size_t n;  // an eighth of the length
    int half;
    const double *fine, *coarse;  // factors of the length's roots of unity (UnitRoots)
};
// Samples of two real rings that are transformed together, and their weights.
template <typename Sample>
struct RingPairSamples {
    const Sample *north, *south;
    double northWeight, southWeight;
};
// `rows` (n rows of four) = w^{r j} sum_q z_{j + q n} e^{-2 pi i q r / 8} for the residues r, of
// z = north + i south.
void splitRow(const RealInputFft& row, const RingPairSamples<double>& samples, double* rows);
void splitRow(const RealInputFft& row, const RingPairSamples<float>& samples, double* rows);

struct HalfModes {
    size_t n;
    int half;
    const double* rows;                 // the transform Z of north + i south
    const std::complex<double>* phase;  // one for each m, or null for 1
    int firstTile, tileCount;           // tiles of the half
    int modes;                          // m = 0 .. modes - 1; further values are 0
    ModeTile* const* tiles;
};
// F_m = conj(phase_m) times the transforms of the two real rows.
void tilesOfRealInputFft(const HalfModes& modes);

}  // namespace armilla
