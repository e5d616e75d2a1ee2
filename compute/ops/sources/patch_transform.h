// SPDX-License-Identifier: GPL-3.0-or-later
// Filters on tangent planes, patch by patch.
#pragma once

#include <memory>

#include "armilla/ops/image_filter.h"
#include "sources/source_pixels.h"

namespace armilla::sources {

// `fwhm`: of the beam, which sets the size of the patches, in radians. `lmax`, spectra and windows
// are those of a sky of this enlargement (PointBeam).
struct PatchScales {
    double fwhm = 0.0, enlargement = 1.0;
    int lmax = 2;
};
// Throws InvalidArgument for beams that are too wide for a plane.
std::unique_ptr<SkyTransform> makePatchTransform(const SourcePixels& pixels,
                                                 const PatchScales& scales, JobContext& job);

}  // namespace armilla::sources
