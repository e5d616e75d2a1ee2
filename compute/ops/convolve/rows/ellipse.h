// SPDX-License-Identifier: GPL-3.0-or-later
// Elliptical beams as kernels of sums over rows.
#pragma once

#include "armilla/ops/elliptical_beam.h"
#include "convolve/rows/row_sums.h"

namespace armilla {

// The kernel of an elliptical beam. Throws InvalidArgument for widths out of range.
RowKernel ellipseKernel(const EllipticalBeam& beam, KernelNorm norm);
// The end of the kernel along an axis of that FWHM; radians.
double ellipseRadius(double fwhm);

}  // namespace armilla
