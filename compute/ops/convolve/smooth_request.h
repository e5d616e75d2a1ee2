// SPDX-License-Identifier: GPL-3.0-or-later
// What a request for smoothing asks for: its kernel, and where that ends.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/job_context.h"
#include "ops/convolve.h"

namespace armilla {

// Throw InvalidArgument for what contradicts itself or the map.
void checkParameters(const SmoothParameters& p);
void checkParameters(const SmoothParameters& p, int64_t nside, size_t fields);

// The kernel as it is to be applied, and how it was normalized.
struct Applied {
    Kernel kernel;
    KernelNorm norm = KernelNorm::None;
    double radius = 0.0;  // where it was cut; 0: nowhere
};

Kernel kernelOf(const SmoothParameters& p);
// Cut at `radius`, if that is not 0; the integral stays.
Applied appliedKernel(const SmoothParameters& p, double radius);
// B_l of T, E, B up to `lmax`, and those of T alone.
Beam beamOf(const Applied& applied, int lmax, const JobContext& job);
std::vector<double> scalarBeamOf(const Applied& applied, int lmax, const JobContext& job);

bool isOnPixels(SmoothMethod method);
std::string_view nameOf(SmoothMethod method);

// Edges, as shares of the peak, that kernels may end with by rings: where a radius is chosen, and
// where it is asked for.
inline constexpr double kSmallEdge = 1e-9, kLargestEdge = 1e-8;
double edgeAt(const Kernel& kernel, double radius);
// Where the methods on pixels end a kernel, if it is not asked for.
double radiusOf(const SmoothParameters& p, JobContext& job);
// The last l at which some B_l is not negligible (below 1e-13 of the largest).
int reachOf(const Beam& beam);

}  // namespace armilla
