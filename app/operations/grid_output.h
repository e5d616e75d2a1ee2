// SPDX-License-Identifier: GPL-3.0-or-later
// What gridding gives, as files have it.
#pragma once

#include "grid_options.h"
#include "grid_samples.h"
#include "grid_target.h"
#include "operations/operation.h"

namespace armilla {

// An image or a cube, a map with a field for each channel, or the table of sight lines with columns
// of values: with WEIGHTS and COUNTS, and in the header unit, kernel and the width of the beam
// after the kernel where the telescope's is known.
// Weights and counts are outputs of their own, too, where those are asked for.
Outputs gridOutputs(const Context& context, const GridOptions& options, const GridTable& table,
                    const GridTarget& target, const GridKernel& kernel, GridSums sums,
                    const Input* sightlines);

// An elliptical Gaussian beam convolved with the kernel, which is cut at its radius.
BeamEllipse beamAfter(const GridKernel& kernel, const BeamEllipse& beam);

}  // namespace armilla
