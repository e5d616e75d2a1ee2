// SPDX-License-Identifier: GPL-3.0-or-later
// The weight of a sample in a cell: the kernels of ops/grid.h prepared for inner loops, host and
// device. The formula itself stands in grid_weight_formula.inc, for numbers and for SIMD vectors.
#pragma once

#include <cmath>

#include "core/hd.h"

namespace armilla {

inline constexpr int kGridSeries = 16, kGridFactor = 64, kGridPlain = 9;

// With c the chord between sample and cell and r the angle, the weight is
//   exp(square * stretch(c^2)) * factor(c^2)
// `square` is c^2, or for an elliptical kernel a quadratic form of the offsets to the north and to
// the east (components of the difference vector). `stretch` makes the angle of the chord: a series
// where it converges to 1e-17 in kGridSeries terms, the arc sine beyond. `factor` is the sinc or
// Bessel function as a Chebyshev series in c^2 over [0, chord2Max].
//
// A round Gaussian is smooth enough for less: the 2^squarings-th root of it, whose exponent is
// below 0.6, is a polynomial in u = plainScale c^2 - 1, in [-1, 1], and squarings bring it back.
// Each of them doubles a relative error, which is below 2e-14 in the end, or `plain` is false.
struct GridWeights {
    double chord2Max = 0.0;  // of the radius: farther samples do not count
    double exponent = 0.0;   // round kernels: -1 / (2 s^2) or -1 / b^2
    double northNorth = 0.0, northEast = 0.0, eastEast = 0.0;  // elliptical ones
    bool elliptical = false, wide = false;
    int terms = 1, degree = -1;       // of the series; no factor: -1
    double series[kGridSeries] = {};  // with the exponent in it where it is round
    double factorScale = 0.0;         // u = factorScale c^2 - 1 in [-1, 1]
    double factor[kGridFactor + 1] = {};
    bool plain = false;
    int squarings = 0;
    double plainScale = 0.0;
    double root[kGridPlain + 1] = {};  // powers of u
};

// Plain numbers, on host and device. In a namespace of their own, where the calls of other
// instruction sets do not look.
namespace plain {

struct ScalarMath {
    using Number = double;
    ARMILLA_HD static Number set(double value) { return value; }
    ARMILLA_HD static Number multiply(Number a, Number b) { return a * b; }
    ARMILLA_HD static Number divide(Number a, Number b) { return a / b; }
    ARMILLA_HD static Number subtract(Number a, Number b) { return a - b; }
    ARMILLA_HD static Number multiplyAdd(Number a, Number b, Number c) { return std::fma(a, b, c); }
    ARMILLA_HD static Number exp(Number a) { return std::exp(a); }
    ARMILLA_HD static Number asin(Number a) { return std::asin(a); }
    ARMILLA_HD static Number root(Number a) { return std::sqrt(a); }
    ARMILLA_HD static Number notBelow(Number a, double least) { return a > least ? a : least; }
};

#include "shared/grid_weight_formula.inc"

}  // namespace plain

}  // namespace armilla
