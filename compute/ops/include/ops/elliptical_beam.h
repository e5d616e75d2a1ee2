// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing with elliptical Gaussian beams of one orientation on the sky.
#pragma once

#include <span>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/convolve.h"
#include "ops/device.h"

namespace armilla {

// Widths in radians; the angle of the major axis from north through east (to larger longitudes), at
// each point of the sky from its own meridian.
struct EllipticalBeam {
    double major = 0.0, minor = 0.0, angle = 0.0;
};

// result(p) = sum_q w_q K(p, q) f_q over the good pixels q, with distances and directions on the
// sphere. K at distance rho in direction chi from north is a Gaussian along both axes of the plane
// around p that keeps areas: at r = 2 sin(rho / 2) in direction chi. There its integral is that of
// a plane, 2 pi sigma_major sigma_minor; beyond the ellipse that is left out lie 3e-7 of it, and
// what is kept has the whole integral (KernelNorm::Peak: 1 in the middle instead). Equal widths
// give the radial Gaussian of SmoothPlan to its square, sigma^2 / 6 of the peak. Orientation has no
// limit at the poles: around them the beam turns once with the pixels.
//
// Cost: each pair of pixels within the ellipse's circle; along rings of equal lengths, and for four
// pixels of the caps at least, pairs share K. On CUDA devices each pair by itself. Against sums
// over all pairs in long double: 1e-12 (tests/compute/tst_elliptical_beam.cpp). `weights`: none or
// of rings. Full and partial maps; the fields in the precision they have. Throws InvalidArgument
// for widths that are not 0 < minor <= major <= 0.8 rad, Unsupported for pixel weights, multi-order
// maps and what only radial kernels have (other methods, lmax, iterations, a radius,
// polarization), OutOfMemory, DeviceError, Cancelled.
HealpixMap smoothElliptical(const HealpixMap& map, std::span<const int> fields,
                            const EllipticalBeam& beam, const SmoothParameters& parameters,
                            const Device& device, SmoothReport& report, JobContext& job);

}  // namespace armilla
