// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization rods: short headless lines at even distances in the picture.
#pragma once

#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/view_geometry.h"
#include "armilla/draw/graticule.h"
#include "armilla/draw/line_integral.h"

namespace armilla {

// Options of polarizationRods.
struct RodOptions {
    double spacing = 22.0;    // distance of rods, image pixels, at least 1
    double maxLength = 20.0;  // image pixels, for amplitudes of `maxAmplitude` and above
    // The field for the length of rods, of a map of any frame and resolution, in the unit of
    // `maxAmplitude`. No rod where the field is at most 0. Null: the polarization amplitude.
    const HealpixMap* lengths = nullptr;
    int lengthField = 0;
    double maxAmplitude = 1.0;
    double leastAmplitude = 0.0;  // no rods below this amplitude
    // Standard deviation of Q and U in a map pixel, and the least ratio of amplitude to its error.
    // With noise, amplitudes are debiased (Plaszczynski et al. 2014, arXiv:1312.0437, equation 37).
    double noise = 0.0, leastSnr = 0.0;
    PolarizationConvention convention = PolarizationConvention::Cosmo;
};
// One rod per cell of the view; see polarizationRods in graticule.h. Throws InvalidArgument for
// invalid lengths or amplitudes.
std::vector<Rod> polarizationRods(const HealpixMap& map, int qField, int uField,
                                  const ViewGeometry& mapView, const RodOptions& options);

// Amplitude without its noise bias: P - s^2 (1 - exp(-P^2 / s^2)) / (2 P).
double debiasedAmplitude(double amplitude, double noise);
// The 99th percentile of the amplitude over some thousand evenly chosen pixels: the amplitude of
// the longest rod. 0 without polarization.
double typicalAmplitude(const HealpixMap& map, int qField, int uField);
// The 99th percentile of the positive values of a field.
double typicalLength(const HealpixMap& map, int field);
// Standard deviation of Q and U in a pixel, estimated from neighbors. Uses (a - b - c + d) / 2 of
// the four pixels of a parent, in which a smooth sky leaves only its second derivatives. The median
// of the absolute values of some thousand is robust against sources. 0 with too few good pixels.
// Test: tst_line_integral.
double pixelNoise(const HealpixMap& map, int qField, int uField);
// A round amplitude (1, 2 or 5 times a power of ten) for a scale bar, at most `most`.
double roundAmplitude(double most);

}  // namespace armilla
