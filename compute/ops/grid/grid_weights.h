// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels prepared for the inner loops.
#pragma once

#include "armilla/ops/grid.h"
#include "shared/grid_weight.h"

namespace armilla {

// Farther out, the taper of the sinc and Bessel kernels is below 1e-15.
inline constexpr double kGridMaxBeams = 5.0;
// Squared chords that differ by less than this count as equal distances of nearest samples.
inline constexpr double kNearestTie = 2e-9;

// The kernel with its radius filled in. Throws InvalidArgument for widths that are missing or out
// of range.
GridKernel checkedKernel(const GridKernel& kernel);
// Prepares a checked kernel; for Nearest only the radius.
GridWeights gridWeights(const GridKernel& kernel);

}  // namespace armilla
