// SPDX-License-Identifier: GPL-3.0-or-later
// The change that smoothing makes to the beam of a map or image, and to values per beam.
#pragma once

#include <string>
#include <vector>

#include "beam_area.h"
#include "core/healpix_map.h"
#include "operations/smooth.h"

namespace armilla {

// By the beam that the cards name; the new one is not known where the kernel does not keep the mean
// of a map. `units` are those of the smoothed fields.
BeamChange beamAfterSmoothing(const std::vector<std::string>& cards,
                              const std::vector<std::string>& units, const SmoothOptions& options,
                              const SmoothParameters& parameters, JobContext& job);
std::vector<std::string> unitsOf(const std::vector<Field>& fields);
// Values per beam in the new one; bad values stay bad.
void scaleValues(std::variant<std::vector<float>, std::vector<double>>& values, double factor);
// Scales all fields of the smoothed map, whose cards become those of the new beam, and says so.
void takeBeam(Context& context, const std::string& name, const SmoothOptions& options,
              const SmoothParameters& parameters, HealpixMap& smoothed);

}  // namespace armilla
