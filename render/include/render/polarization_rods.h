// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization as rods: short headless lines at even distances in the picture.
#pragma once

#include <vector>

#include "core/healpix_map.h"
#include "core/view_geometry.h"
#include "render/graticule.h"
#include "render/line_integral.h"

namespace armilla {

struct RodOptions {
    double spacing = 22.0;    // image pixels, at least 1
    double maxLength = 20.0;  // image pixels, of amplitudes of `maxAmplitude` and above
    // What rods are as long as, a field of a map of any frame and resolution, which `maxAmplitude`
    // is then of; none where it is not above 0. Without a map: the amplitude of polarization.
    const HealpixMap* lengths = nullptr;
    int lengthField = 0;
    double maxAmplitude = 1.0;
    double leastAmplitude = 0.0;  // none where the amplitude is less
    // Deviation of Q and U of a pixel of the map, and the least ratio of amplitude to its error;
    // with it amplitudes are freed of their bias (Plaszczynski et al. 2014, arXiv:1312.0437,
    // equation 37).
    double noise = 0.0, leastSnr = 0.0;
    PolarizationConvention convention = PolarizationConvention::Cosmo;
};
// One rod for each cell of the view; see polarizationRods in graticule.h. Throws InvalidArgument
// for lengths or amplitudes that cannot be.
std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, const RodOptions& options);

// Amplitude with its noise bias taken off: P - s^2 (1 - exp(-P^2 / s^2)) / (2 P).
double debiasedAmplitude(double amplitude, double noise);
// The 99th percentile of the amplitude of some thousand pixels, evenly chosen: what the longest rod
// is of. 0 if there is no polarization.
double typicalAmplitude(const HealpixMap& map, int qField, int uField);
// The same of the values above 0 of a field.
double typicalLength(const HealpixMap& map, int field);
// Standard deviation of Q and U of a pixel as neighbors tell it: of (a - b - c + d) / 2 of the four
// pixels of a parent, in which a smooth sky leaves only its second derivatives, by the middle of
// the sizes of some thousand of them (robust against sources). 0 where too few are good. Test:
// tst_line_integral.
double pixelNoise(const HealpixMap& map, int qField, int uField);
// A round amplitude (1, 2 or 5 times a power of ten) for a scale bar, at most `most`.
double roundAmplitude(double most);

}  // namespace armilla
