// SPDX-License-Identifier: GPL-3.0-or-later
// What a filter makes of noise and of holes: windows of its square and of its response.
#pragma once

#include <vector>

#include "core/job_context.h"
#include "ops/filter.h"

namespace armilla::sources {

// To lmax, 1 at l = 0: the squared filter, which acts on the variance of pixels.
std::vector<double> squaredWindow(const PointFilter& filter, double fwhm, int lmax,
                                  JobContext& job);
// Likewise |filter times beam|: where the response comes from. Without the sign, since a filter
// sharper than the beam has a ring that would count what is missing twice.
std::vector<double> responseWindow(const PointFilter& filter, const PointBeam& beam, int lmax,
                                   JobContext& job);

// The part of a filtered map's variance that the noise does not explain, where that is least.
double skyVariance(const std::vector<double>& filtered, const std::vector<double>& noiseVariance);

}  // namespace armilla::sources
