// SPDX-License-Identifier: GPL-3.0-or-later
// The weight of a sample in a cell: the kernels of armilla/ops/grid.h prepared for inner loops,
// host and device. grid_weight_formula.inc contains the formula, for scalars and for SIMD vectors.
#pragma once

#include <cmath>

#include "armilla/core/hd.h"

namespace armilla {

inline constexpr int kGridSeries = 16, kGridFactor = 64, kGridPlain = 9;

// With c the chord between sample and cell and r the angle, the weight is
//   exp(square * stretch(c^2)) * factor(c^2)
// - `square` is c^2, or for an elliptical kernel a quadratic form of the offsets to the north and
//   to the east (components of the difference vector).
// - `stretch` converts chord to angle: a series where kGridSeries terms converge to 1e-17, the arc
//   sine beyond.
// - `factor` is the sinc or Bessel function as a Chebyshev series in c^2 over [0, chord2Max].
//
// A round Gaussian allows a cheaper form. Its 2^squarings-th root has an exponent below 0.6 and is
// a polynomial in u = plainScale c^2 - 1, in [-1, 1]; repeated squaring restores the Gaussian. Each
// squaring doubles the relative error; if the final error exceeds 2e-14, `plain` is false.
struct GridWeights {
    double chord2Max = 0.0;  // squared chord of the radius; farther samples have no weight
    double exponent = 0.0;   // round kernels: -1 / (2 s^2) or -1 / b^2
    double northNorth = 0.0, northEast = 0.0, eastEast = 0.0;  // elliptical ones
    bool elliptical = false, wide = false;
    int terms = 1, degree = -1;       // terms of `series`; degree -1: no factor
    double series[kGridSeries] = {};  // includes the exponent for round kernels
    double factorScale = 0.0;         // u = factorScale c^2 - 1 in [-1, 1]
    double factor[kGridFactor + 1] = {};
    bool plain = false;
    int squarings = 0;
    double plainScale = 0.0;
    double root[kGridPlain + 1] = {};  // powers of u
};

// Scalars, on host and device. In a separate namespace, so that overload resolution for other
// instruction sets does not find these functions.
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
