// SPDX-License-Identifier: GPL-3.0-or-later
// Beam in the header of a map (BMAJ, BMIN, BPA), for values per beam such as Jy/beam.
#pragma once

#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"

namespace armilla {

// True if the unit of one of these fields is per beam and the beam of the map is known. Smoothing
// then changes the values by the ratio of the beam areas.
bool smoothingScales(const HealpixMap& map, const std::vector<int>& fields);
// Converts the values per beam of a smoothed map to the new beam, and writes that beam to its
// cards; the mechanism of the operation `smooth`. Returns a line that names the factor or the
// reason for unchanged values; empty if no unit is per beam.
std::string takeSmoothedBeam(HealpixMap& smoothed, const SmoothParameters& parameters,
                             JobContext& job);
// FWHM of the beam of a map for display: "7.2°", "10″ x 8″". Empty if the beam is unknown or no
// field has a unit per beam.
std::string perBeamText(const HealpixMap& map);

}  // namespace armilla
