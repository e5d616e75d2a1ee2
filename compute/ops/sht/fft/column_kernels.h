// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the SIMD kernels of the ring FFTs (column_fft.h, row_fft.h).
#pragma once

#include <complex>
#include <cstddef>

namespace armilla {

// One pass of a self-sorting transform: for k < groups, i < length,
//   to(i, k, u) = w_{u i} sum_j from(i, j, k) e^{-2 pi i j u / radix},
// with from(i, j, k) row i + length (j + radix k), to(i, k, u) row i + length (k + groups u).
struct ColumnPassArguments {
    int radix;
    size_t groups, length;
    const double* twiddles;  // (cos, sin) of (u, i), u = 1 .. radix - 1, i = 1 .. length - 1
    const double* roots;     // cos, sin (2 pi j / radix), for a radix above 7
    double* folded;          // buffer of `radix` rows, for a radix above 7
};
void columnPass(const ColumnPassArguments& arguments, const double* from, double* to);

// The roots of unity w_{4n}^k, k < n, as factors (UnitRoots).
struct CombineArguments {
    size_t n;
    const double *fine, *coarse;
};
// The last step of a transform of 4 n numbers arranged as n rows of four:
//   out[k + n q] = sum_c (-i)^{c q} w_{4n}^{c k} rows[k][c].
void combineColumns(const CombineArguments& arguments, const double* rows, double* out);

// Multiplies n rows by factors, with real and imaginary parts exchanged before or after. The steps
// are the distances between successive factors and rows.
struct TurnArguments {
    size_t n;
    ptrdiff_t factorStep, fromStep, toStep;
    bool exchangeBefore, exchangeAfter;
};
void turnRows(const TurnArguments& arguments, const std::complex<double>* factors,
              const double* from, double* to);

}  // namespace armilla
