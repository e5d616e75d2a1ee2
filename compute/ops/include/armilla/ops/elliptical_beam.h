// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing with elliptical Gaussian beams of one orientation on the sky.
#pragma once

#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"

namespace armilla {

// FWHM of both axes, and the angle of the major axis from north through east (to larger
// longitudes), in radians. At each point of the sky the angle is measured from the local meridian.
struct EllipticalBeam {
    double major = 0.0, minor = 0.0, angle = 0.0;
};

// result(p) = sum_q w_q K(p, q) f_q over the good pixels q, with distances and directions on the
// sphere. At distance rho in direction chi from north, K is a Gaussian along both axes of the
// equal-area plane around p: at r = 2 sin(rho / 2) in direction chi. In that plane its integral is
// 2 pi sigma_major sigma_minor. The fraction 3e-7 of it lies beyond the cut ellipse, and the
// remaining part is scaled to the full integral (KernelNorm::Peak: 1 in the middle instead). Equal
// widths give the radial Gaussian of SmoothPlan to second order: sigma^2 / 6 of the peak.
// Orientation has no limit at the poles: around a pole the beam rotates once with the pixels.
//
// Cost: each pair of pixels within the ellipse's circle. Pairs share K along rings of equal
// lengths, and for at least four pixels in the caps. CUDA devices compute K for each pair.
//
// Error against sums over all pairs in long double: 1e-12 (tests/compute/tst_elliptical_beam.cpp).
// `weights`: none or ring. Full and partial maps; the fields keep their precision. Throws
// InvalidArgument for widths that are not 0 < minor <= major <= 0.8 rad. Throws Unsupported for
// pixel weights, multi-order maps, and parameters that only radial kernels have (other methods,
// lmax, iterations, a radius, polarization). Also throws OutOfMemory, DeviceError, Cancelled.
HealpixMap smoothElliptical(const HealpixMap& map, std::span<const int> fields,
                            const EllipticalBeam& beam, const SmoothParameters& parameters,
                            const Device& device, SmoothReport& report, JobContext& job);

}  // namespace armilla
