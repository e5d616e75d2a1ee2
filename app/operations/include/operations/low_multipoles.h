// SPDX-License-Identifier: GPL-3.0-or-later
// Monopole and dipole of maps, as operations fit them and speak of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "operations/json.h"
#include "ops/monopole.h"

namespace armilla {

// The first field of a mask as weights of the pixels of a RING map: averaged or copied to its
// nside, turned to its frame; bad pixels have weight 0. Throws InvalidArgument for weights below 0
// or above 1, and where one of the frames is unknown.
std::vector<double> maskWeights(const HealpixMap& mask, int64_t nside, Frame frame,
                                JobContext& job);

// Subtracts what is fitted to each scalar field, never Q and U. `weights`: of the pixels in RING
// order, or empty. Returns the fields that were fitted, an object each (setFitted). Full and
// partial maps. Throws InvalidArgument for a map without a scalar field, and as RingMoments::fit.
Json removeFitted(HealpixMap& map, Remove how, std::span<const double> weights, JobContext& job);

// "monopole", in the unit of the field, and "dipole": amplitude, direction and vector.
void setFitted(Json& figures, Remove how, const LowMultipoles& fitted);

// "the good pixels have a mean of 2.73 K, 1400 times their rms", where that is large enough to show
// in what is made of a map with bad pixels.
std::optional<std::string> meanLine(double mean, double rms, const std::string& unit);

}  // namespace armilla
