// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest regions of the sky that hold a share of a probability.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

struct CredibleRegion {
    double level = 0.0;  // share of the probability
    double area = 0.0;   // steradians
    // Sides of pixels between inside and outside, in the map's frame; of means over at most
    // kBorderNside. None where nside is no power of two.
    std::vector<std::pair<Vec3, Vec3>> border;
};
inline constexpr int64_t kBorderNside = 512;

// Probability per pixel or per steradian, by its unit and name.
bool isProbability(const Field& field);
// Pixels in the order of their density until they hold `levels` of the whole; by the sort of all
// that matter. Pixels of one size: probabilities per pixel and densities go the same way. Values
// below 0 and bad ones count nothing. Empty where the whole is 0. Throws OutOfMemory, Cancelled.
std::vector<CredibleRegion> credibleRegions(const HealpixMap& map, int field,
                                            std::span<const double> levels, JobContext& job);

}  // namespace armilla
