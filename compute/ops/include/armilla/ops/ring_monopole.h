// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of samples on rings of any grid, and its dipole: fitted and subtracted.
#pragma once

#include <span>

#include "armilla/ops/monopole.h"
#include "armilla/ops/ring_grid.h"

namespace armilla {

// Fits and subtracts in place, with the quadrature weights of the rings, times `weights` of the
// samples unless these are empty; NaN is bad. With
// Remove::None nothing is subtracted, because the quadrature of these grids is exact for a mean:
// the result holds mean and rms of the good samples. Throws InvalidArgument if the samples do not
// determine the parameters, Cancelled. Test: tests/cli/tst_cli_ring_images.cpp.
TakenOut takeOut(Remove how, const RingGrid& rings, std::span<double> samples,
                 std::span<const double> weights, JobContext& job);

}  // namespace armilla
