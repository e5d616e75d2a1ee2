// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs of gridding.
#pragma once

#include "armilla/operations/operation.h"
#include "grid_options.h"
#include "grid_samples.h"
#include "grid_target.h"

namespace armilla {

// An image or cube, a map with a field for each channel, or a table of sight lines with value
// columns, each with WEIGHTS and COUNTS. The header has unit and kernel, and the beam after the
// kernel if the telescope beam is known. Weights and counts are separate outputs as well if
// requested.
Outputs gridOutputs(const Context& context, const GridOptions& options, const GridTable& table,
                    const GridTarget& target, const GridKernel& kernel, GridSums sums,
                    const Input* sightlines);

// Elliptical Gaussian beam convolved with the kernel, which ends at its radius.
BeamEllipse beamAfter(const GridKernel& kernel, const BeamEllipse& beam);

}  // namespace armilla
