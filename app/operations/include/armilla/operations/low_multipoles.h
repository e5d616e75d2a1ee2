// SPDX-License-Identifier: GPL-3.0-or-later
// Monopole and dipole of maps in operations: fit, figures and notes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/operations/json.h"
#include "armilla/ops/monopole.h"

namespace armilla {

// Subtracts the fit from each scalar field, never from Q and U, of a full or partial map.
// `weights`: one per pixel in RING order, or empty. Returns an object for each fitted field
// (setFitted). Throws InvalidArgument for a map without a scalar field, and as RingMoments::fit.
Json removeFitted(HealpixMap& map, Remove how, std::span<const double> weights, JobContext& job);

// Sets "monopole", in the unit of the field, and "dipole": amplitude, direction and vector.
void setFitted(Json& figures, Remove how, const LowMultipoles& fitted);

// "the good pixels have a mean of 2.73 K, 1400 times their rms", if the mean is large enough to
// affect results from a map with bad pixels.
std::optional<std::string> meanLine(double mean, double rms, const std::string& unit);

}  // namespace armilla
