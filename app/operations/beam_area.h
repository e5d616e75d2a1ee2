// SPDX-License-Identifier: GPL-3.0-or-later
// The beam that a header names (BMAJ, BMIN, BPA), what smoothing makes of it, and what that does to
// values per beam.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "operations/operation.h"
#include "ops/kernel.h"

namespace armilla {

// An elliptical Gaussian: full widths at half maximum, and the angle of the major axis from north
// through east; radians.
struct BeamEllipse {
    double major = 0.0, minor = 0.0, angle = 0.0;

    double area() const { return major * minor; }  // times kGaussianArea: solid angle
    bool isRound() const { return major - minor <= 1e-9 * major; }
};
// Solid angle of a Gaussian over the product of its widths: pi / (4 ln 2).
inline constexpr double kGaussianArea = 1.1330900354567985;
// BMAJ and BMIN in degrees, with BPA; none where they are missing or not above 0.
std::optional<BeamEllipse> beamOfCards(const std::vector<std::string>& cards);
// In place of those that are there; without a beam they go.
void setBeamCards(std::vector<std::string>& cards, const std::optional<BeamEllipse>& beam);

// One Gaussian convolved with another: their covariances add up.
BeamEllipse convolvedBeam(const BeamEllipse& a, const BeamEllipse& b);
// A beam convolved with a kernel of integral 1: the Gaussian of the same shape whose area is the
// beam's over the peak of the convolved beam, by a round beam of the same area. None where neither
// ends below l = 100000, or the integral of the kernel is zero beside it.
std::optional<BeamEllipse> convolvedBeam(const BeamEllipse& beam, const Kernel& kernel,
                                         JobContext& job);

// Whether values in the unit are per beam area, as Jy/beam.
bool isPerBeam(const std::string& unit);
// The factor on values in the unit where the beam becomes another, so that a source keeps
// its flux density: the ratio of the areas to the power that the beam has in the unit; 1 for units
// that are not per beam.
double perBeamFactor(const std::string& unit, const BeamEllipse& from, const BeamEllipse& to);

// The beam of a map, image or table before and after, with a factor for each field.
struct BeamChange {
    std::optional<BeamEllipse> from, to;
    std::vector<double> factors;
};
// Says in one line by what values per beam are multiplied, or that they are left as they are
// because no beam is known. Silent where no unit is per beam.
void noteBeam(const Context& context, const std::string& name,
              const std::vector<std::string>& units, const BeamChange& change,
              const char* whence = "BMAJ and BMIN");

}  // namespace armilla
