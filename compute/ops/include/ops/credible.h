// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest regions of a probability map that hold given shares of it.
#pragma once

#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

struct CredibleRegion {
    double share = 0.0;
    double threshold = 0.0;  // the least value in it, unit of the field
    double area = 0.0;       // sr
};
// Of each share (above 0, at most 1) of the sum of values times areas the region of the largest
// values: those of probabilities or counts per pixel and of densities alike; of a multi-order map
// densities. Bad pixels count as 0. Time: two passes over the map for the first share, one for each
// other; memory: 17 MB, and 16 bytes for each cell within 0.2 % of a threshold. Throws
// InvalidArgument for a share out of range, for negative values, or where nothing is above 0. Test:
// tst_credible.
std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            const std::vector<double>& shares, JobContext& job);

}  // namespace armilla
