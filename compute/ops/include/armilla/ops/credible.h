// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest regions of a probability map that contain given fractions of the probability.
#pragma once

#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"

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

// Credible level of each element of a map.
struct CredibleLevels {
    std::vector<double> levels;  // for each element of the map; NaN where it is bad
    double sum = 0.0;            // total probability before a normalization
    bool isNormalized = false;   // the sum was off 1 by more than 1e-3
};
// The level of an element is the probability of all elements whose probability per area is at least
// its own. Fields per steradian and multi-order maps hold densities, other fields probabilities of
// whole pixels. Levels are divided by the sum if it differs from 1 by more than 1e-3, and
// are 1 at most. Memory: 24 bytes an element. Throws InvalidArgument for negative values, and if no
// value is above 0. Tests: tst_credible, tst_cli_catalogs.
CredibleLevels credibleLevels(const HealpixMap& map, int field, JobContext& job);

}  // namespace armilla
