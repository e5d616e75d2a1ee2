// SPDX-License-Identifier: GPL-3.0-or-later
// Fits of the beam and of an elliptical Gaussian to the map around one source.
#pragma once

#include <cstdint>
#include <optional>

#include "armilla/core/healpix_map.h"

namespace armilla {

// Parameters of one fitted profile.
struct PatchFit {
    Vec3 direction;                      // in the map's frame
    double peak = 0.0, peakError = 0.0;  // above the fitted plane, in the map's unit
    double positionError = 0.0;          // radians, on each axis
    // FWHM of the Gaussian, radians, the direction of its major axis from north to east, and the
    // relative error of the mean width. A beam fit has fwhm, fwhm, 0 and 0.
    double major = 0.0, minor = 0.0, angle = 0.0, widthError = 0.0;
    double spread = 0.0;  // rms of the residual, in the map's unit
};
// Result of fitPatch().
struct PatchFits {
    std::optional<PatchFit> beam, gaussian;  // none if the fit does not converge
    int64_t pixels = 0;                      // pixels with a value
};

// Least squares of a circular Gaussian beam of width `fwhm` (radians), and of an elliptical
// Gaussian, each plus a plane. The data are the pixels within 1.5 FWHM of `start` (the map's
// frame). Errors come from the scatter of the residual, taken as independent from pixel to pixel.
// If the surrounding sky has structure, a search (armilla/ops/sources.h) gives larger errors,
// because it uses the sky's spectrum. Throws InvalidArgument for a multi-order map, a field that
// does not exist, an fwhm out of range (1 arcsec to 60 degrees). Takes some milliseconds. Test:
// tst_patch_fit.
PatchFits fitPatch(const HealpixMap& map, int field, Vec3 start, double fwhm);

}  // namespace armilla
