// SPDX-License-Identifier: GPL-3.0-or-later
// One source looked at closely: the beam and an elliptical Gaussian fitted to the map around it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/healpix_map.h"

namespace armilla {

struct PatchFit {
    Vec3 direction;                      // in the map's frame
    double peak = 0.0, peakError = 0.0;  // above the plane, the map's unit
    double positionError = 0.0;          // radians, on each axis
    // FWHM of the Gaussian, radians, and the direction of its major axis from north to east; the
    // relative error of the mean width. The beam has fwhm, fwhm, 0 and 0.
    double major = 0.0, minor = 0.0, angle = 0.0, widthError = 0.0;
    double spread = 0.0;  // rms of what is left, the map's unit
};
struct PatchFits {
    std::optional<PatchFit> beam, gaussian;  // none where the fit does not settle
    int64_t pixels = 0;                      // with a value
};

// Least squares of a circular Gaussian beam of width `fwhm`, and of an elliptical Gaussian, each
// with a plane beneath, to the pixels within 1.5 FWHM of `start` (the map's frame). Errors are
// those of the scatter of what is left, taken as independent from pixel to pixel: where the sky
// around has structure of its own, those of a search (ops/sources.h), which knows its spectrum, are
// larger. Throws InvalidArgument for a map of several orders, a field that does not exist, an fwhm
// out of range (1 arcsec to 60 degrees). Takes some milliseconds. Test: tst_patch_fit.
PatchFits fitPatch(const HealpixMap& map, int field, Vec3 start, double fwhm);

}  // namespace armilla
