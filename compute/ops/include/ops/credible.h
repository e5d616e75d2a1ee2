// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest regions of a probability map that contain given fractions of the probability.
#pragma once

#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// A credible region.
struct CredibleRegion {
    double share = 0.0;
    double threshold = 0.0;  // the smallest value inside the region, unit of the field
    double area = 0.0;       // sr
};
// Returns one region of the largest values for each of `shares` (above 0, at most 1): it contains
// this fraction of the sum of values times areas. Probabilities or counts per pixel and densities
// give the same region; a multi-order map holds densities. Bad pixels count as 0. Time: two passes
// over the map for the first fraction, one pass for each further fraction. Memory: 17 MB, and 16
// bytes for each cell within 0.2 % of a threshold. Throws InvalidArgument for a fraction out of
// range, for negative values, and if no value is above 0. Test: tst_credible.
std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            const std::vector<double>& shares, JobContext& job);

}  // namespace armilla
