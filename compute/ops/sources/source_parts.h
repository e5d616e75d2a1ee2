// SPDX-License-Identifier: GPL-3.0-or-later
// Models of sources in the map: the beam, or an elliptical Gaussian wider than the beam.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/filter.h"
#include "sources/source_pixels.h"

namespace armilla::sources {

struct SkyPart {
    Vec3 direction;
    double peak = 0.0;  // with its sign
    // FWHM in radians, major axis from north to east; major 0: the beam.
    double major = 0.0, minor = 0.0, angle = 0.0;
    bool isGaussian() const { return major > 0.0; }
};

// Points whose beams add up to the part; a beam is one point. A Gaussian is the beam convolved with
// another Gaussian, an integral approximated by a sum over a grid, to 1e-5 of the peak. An axis
// narrower than the beam is set to the beam's.
std::vector<PointSource> pointsOf(const SkyPart& part, double fwhm);

// ring += scale * part, by the profile of a point (the beam in a map, the response in a filtered
// map). Each point extends until less than `end` of the map's unit is left of the part.
void addPart(const SourcePixels& pixels, std::span<double> ring, const SkyPart& part, double scale,
             const RadialProfile& profile, double fwhm, double end);

}  // namespace armilla::sources
