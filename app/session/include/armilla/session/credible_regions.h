// SPDX-License-Identifier: GPL-3.0-or-later
// Credible regions: the smallest regions of the sky that contain a given probability, with their
// borders.
#pragma once

#include <utility>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/credible.h"

namespace armilla {

// A credible region with its border.
struct CredibleOutline : CredibleRegion {
    // Pieces of the line on which the value, interpolated linearly between pixel centers, is the
    // threshold, in the frame of the map. Maps above kBorderNside are averaged to that. Empty if
    // nside is not a power of two.
    std::vector<std::pair<Vec3, Vec3>> border;
};
inline constexpr int64_t kBorderNside = 512;

// Outlines of credibleRegions() for a field. Empty if the field holds no probabilities: a value is
// below 0, or all are 0. Throws Cancelled.
std::vector<CredibleOutline> credibleOutlines(const HealpixMap& map, int field,
                                              const std::vector<double>& shares, JobContext& job);

}  // namespace armilla
