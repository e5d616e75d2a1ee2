// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest regions of the sky that hold a share of a probability, with their borders.
#pragma once

#include <utility>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/credible.h"

namespace armilla {

struct CredibleOutline : CredibleRegion {
    // Sides of pixels between inside and outside, in the map's frame; of means over at most
    // kBorderNside. None where nside is no power of two.
    std::vector<std::pair<Vec3, Vec3>> border;
};
inline constexpr int64_t kBorderNside = 512;

// Those of credibleRegions. Empty where the field is none of probabilities after all: below 0
// somewhere, or 0 everywhere. Throws Cancelled.
std::vector<CredibleOutline> credibleOutlines(const HealpixMap& map, int field,
                                              const std::vector<double>& shares, JobContext& job);

}  // namespace armilla
