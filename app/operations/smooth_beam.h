// SPDX-License-Identifier: GPL-3.0-or-later
// Change of the beam of a map or image by smoothing, and of values per beam.
#pragma once

#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/operations/smooth.h"
#include "beam_area.h"

namespace armilla {

// Uses the beam of the cards. The new beam is unknown if the kernel changes the mean of a map.
// `units` are the units of the smoothed fields; `ellipse` is an elliptical kernel, if any.
BeamChange beamAfterSmoothing(const std::vector<std::string>& cards,
                              const std::vector<std::string>& units,
                              const std::optional<BeamEllipse>& ellipse,
                              const SmoothParameters& parameters, JobContext& job);
// The elliptical kernel of the options; none for a round one.
std::optional<BeamEllipse> kernelEllipse(const SmoothOptions& options);
std::vector<std::string> unitsOf(const std::vector<Field>& fields);
// Converts values per beam to the new beam; bad values stay bad.
void scaleValues(std::variant<std::vector<float>, std::vector<double>>& values, double factor);
// Scales all fields of the smoothed map, writes the new beam to its cards, and notes the change.
void takeBeam(Context& context, const std::string& name, const SmoothOptions& options,
              const SmoothParameters& parameters, HealpixMap& smoothed);

}  // namespace armilla
