// SPDX-License-Identifier: GPL-3.0-or-later
// Mollweide's projection of many places, by interpolation.
#pragma once

#include <vector>

#include "armilla/core/view_geometry.h"

namespace armilla {

// Plane points within `kError` of planeFromDirection(), without its five or more sines. Cubic
// Hermite interpolation in u = 1 - |sin(lat)| takes the place of Newton's method.
class QuickMollweide {
public:
    // Bound of the error of each coordinate, in plane units. The sine of the auxiliary angle is
    // about 1.2 u^(1/3). With cells of width h its interpolation errs by at most h^4 / 384 times
    // the fourth derivative, 1.2 u^(-11/3), hence 1.1e-8 at the least u; the longitude multiplies
    // that by at most pi.
    static constexpr double kError = 1e-7;

    QuickMollweide();
    // The plane point of a unit vector in the view frame; false near the poles, where u is too
    // small for the interpolation.
    bool point(bool flip, Vec3 direction, PlanePoint& point) const;

private:
    // Coefficients of the cubics in a cell.
    struct Cell {
        double x[4], y[4];
    };
    std::vector<Cell> cells_;
};

}  // namespace armilla
