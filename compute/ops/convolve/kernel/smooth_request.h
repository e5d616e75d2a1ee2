// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel of a smoothing request, and its end.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"

namespace armilla {

// Both throw InvalidArgument for parameters that contradict each other or the map.
void checkParameters(const SmoothParameters& p);
void checkParameters(const SmoothParameters& p, int64_t nside, size_t fields);

// The kernel to apply, and how it was normalized.
struct Applied {
    Kernel kernel;
    KernelNorm norm = KernelNorm::None;
    double radius = 0.0;  // angle of the truncation, radians; 0: none
};

Kernel kernelOf(const SmoothParameters& p);
// The kernel, truncated at `radius` if that is not 0; its integral is kept.
Applied appliedKernel(const SmoothParameters& p, double radius);
// B_l of T, E, B up to `lmax`, and B_l of T alone.
Beam beamOf(const Applied& applied, int lmax, const JobContext& job);
std::vector<double> scalarBeamOf(const Applied& applied, int lmax, const JobContext& job);

bool isOnPixels(SmoothMethod method);
std::string_view nameOf(SmoothMethod method);

// Limits of the edge with which a kernel may end in ring sums, relative to the peak: for a chosen
// radius, and for a requested radius.
inline constexpr double kSmallEdge = 1e-9, kLargestEdge = 1e-8;
double edgeAt(const Kernel& kernel, double radius);
// The end of the kernel in the methods on pixels, if no radius is requested; radians.
double radiusOf(const SmoothParameters& p, JobContext& job);
// The last l at which some B_l is not negligible (below 1e-13 of the largest).
int reachOf(const Beam& beam);

}  // namespace armilla
