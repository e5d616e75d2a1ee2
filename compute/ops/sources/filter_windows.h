// SPDX-License-Identifier: GPL-3.0-or-later
// A filter applied to coefficients, and windows of its square and response, for noise and holes.
#pragma once

#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/filter.h"

namespace armilla::sources {

// result = f_l alm; f_l is 0 beyond its last l. Keeps the memory of `result` if its lmax is that of
// `alm`.
void applyFilter(const Alm& alm, std::span<const double> fl, Alm& result, JobContext& job);
// The window of the squared filter to lmax, 1 at l = 0; this window acts on the variance of pixels.
std::vector<double> squaredWindow(const PointFilter& filter, double fwhm, int lmax,
                                  JobContext& job);
// The window of |filter times beam| to lmax, 1 at l = 0: the origin of the response. Without the
// sign, because a filter sharper than the beam has a ring that would count missing parts twice.
std::vector<double> responseWindow(const PointFilter& filter, const PointBeam& beam, int lmax,
                                   JobContext& job);

// The sum of (2l + 1) / (4 pi) f_l^2: the variance that a filter leaves of white noise of one per
// steradian.
double squaredIntegral(const PointFilter& filter);

// In combinations, a beam wider than the first by kWider needs this share on good pixels: the
// effect of a hole's edge extends as far as that beam.
inline constexpr double kWider = 1.05, kLeastOfBeam = 0.9;

// Radial tables of a beam, 1 at the peak of a source, and of a filter's response to that source.
RadialProfile profileOf(const PointBeam& beam);
RadialProfile responseOf(const PointFilter& filter, const PointBeam& beam);

// The part of a filtered map's variance that the noise does not explain, from the quarter of its
// pixels with the least noise.
double skyVariance(std::span<const double> filtered, std::span<const double> noiseVariance);

}  // namespace armilla::sources
