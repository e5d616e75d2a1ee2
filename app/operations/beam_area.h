// SPDX-License-Identifier: GPL-3.0-or-later
// Beam of a header (BMAJ, BMIN, BPA), the beam after smoothing, and the factor on values per beam.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/kernel.h"

namespace armilla {

// Elliptical Gaussian: full widths at half maximum, and the angle of the major axis from north
// through east, in radians.
struct BeamEllipse {
    double major = 0.0, minor = 0.0, angle = 0.0;

    double area() const { return major * minor; }  // times kGaussianArea: beam solid angle
    bool isRound() const { return major - minor <= 1e-9 * major; }
};
// Beam solid angle of a Gaussian divided by the product of its widths: pi / (4 ln 2).
inline constexpr double kGaussianArea = 1.1330900354567985;
// BMAJ and BMIN in degrees, with BPA; none if they are missing or not above 0.
std::optional<BeamEllipse> beamOfCards(const std::vector<std::string>& cards);
// Replaces the beam cards; without a beam it removes them.
void setBeamCards(std::vector<std::string>& cards, const std::optional<BeamEllipse>& beam);

// Convolution of two Gaussians: their covariances add.
BeamEllipse convolvedBeam(const BeamEllipse& a, const BeamEllipse& b);
// Convolution of a beam with a kernel of integral 1, as a Gaussian of the same shape. Its area is
// the area of the beam divided by the peak of the convolved beam, computed with a round beam of
// equal area. None if neither ends below l = 100000, or if the integral of the kernel is
// negligible.
std::optional<BeamEllipse> convolvedBeam(const BeamEllipse& beam, const Kernel& kernel,
                                         JobContext& job);

// Whether values in the unit are per beam area, such as Jy/beam.
bool isPerBeam(const std::string& unit);
// Factor on values in the unit that keeps the flux density of a source when the beam changes: the
// ratio of the areas to the power of the beam in the unit. It is 1 for units that are not per beam.
double perBeamFactor(const std::string& unit, const BeamEllipse& from, const BeamEllipse& to);

// Beam of a map, image or table before and after smoothing, with a factor for each field.
struct BeamChange {
    std::optional<BeamEllipse> from, to;
    std::vector<double> factors;
};
// A line about the factor on values per beam, or that they are unchanged because no beam is known.
// Empty if no unit is per beam or no value changes.
std::string beamLine(const std::vector<std::string>& units, const BeamChange& change,
                     const char* whence = "BMAJ and BMIN");
// Notes that line with the name of the input.
void noteBeam(const Context& context, const std::string& name,
              const std::vector<std::string>& units, const BeamChange& change,
              const char* whence = "BMAJ and BMIN");

}  // namespace armilla
