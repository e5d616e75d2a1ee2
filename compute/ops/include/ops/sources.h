// SPDX-License-Identifier: GPL-3.0-or-later
// Point sources of a map: found in its filtered sky, fitted, and what such a search misses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/curve.h"
#include "core/table.h"
#include "ops/brightness.h"
#include "ops/filter.h"

namespace armilla {

// What place and peak are fitted to: the map, by the beam or an elliptical Gaussian; or the
// filtered map, by the filter's response to the beam, which takes in all that the filter sees: the
// one for maps of several frequencies combined, whose noise reaches farther than a patch of the
// map.
enum class SourceFit { Beam, Gaussian, Filter };

// The sign of the sources returned. Sources of the other sign are found and subtracted, too, so
// that what the filter leaves around them is not taken for sources.
enum class SourceSign { Positive, Negative, Both };

// Bits of the FLAGS column.
enum SourceFlag : int64_t {
    kSourceBlended = 1,     // fitted together with another, or not told apart from two
    kSourceNearMask = 2,    // part of the filter's response falls on bad pixels
    kSourceNearBright = 4,  // a brighter source had added a tenth of its peak or more
    kSourceExtended = 8,    // wider than the beam by 3 sigma: all is that of the Gaussian
    kSourceNotFitted = 16   // peak and place are those of the maximum
};

struct SourceParameters {
    FilterParameters filter;
    double threshold = 5.0;   // in local noise
    double separation = 0.7;  // in FWHM: nearer ones are one source
    bool iterate = true;      // brightest first, taken away, looked at again
    SourceFit fit = SourceFit::Beam;
    SourceSign sign = SourceSign::Positive;
};

struct Source {
    Vec3 direction;              // in the map's frame
    double positionError = 0.0;  // radians, one standard deviation on each axis
    // The peak of a point source in this beam, in the map's unit, with the source's sign; of the
    // Gaussian for an extended source, and with SourceFit::Gaussian. The highest of all places near
    // a source is brighter than the source by rms^2 / peak on average (two coordinates fitted, half
    // of rms^2 / peak each): that is taken off.
    double peak = 0.0, peakError = 0.0;
    double modelPeak = 0.0;            // of the model that fits the map, nothing taken off
    double snr = 0.0, localRms = 0.0;  // of the filtered map; snr has the sign of the peak
    // Elliptical Gaussian: FWHM in radians, major axis from north to east; NaN: not fitted.
    double major = 0.0, minor = 0.0, angle = 0.0;
    double majorError = 0.0, minorError = 0.0, angleError = 0.0;
    double gaussianPeak = 0.0, gaussianPeakError = 0.0;
    double contamination = 0.0;  // what brighter sources had put at its place, of its own peak
    double maskFraction = 0.0;   // share of the filter's response that falls on bad pixels
    int64_t pixel = 0;           // RING
    int64_t flags = 0;
};

struct SourceSearch {
    std::vector<Source> sources;  // the most significant first
    FilteredSky sky;
    std::vector<double> cleaned;  // the filtered map without them, RING
    // Maxima of that map turned upside down at or above the threshold, two beams or more from
    // sources of 5 sigma: so many of these are expected to be false. Negative sources are not among
    // them: those so deep that noise has none like it in a hundred skies. Where negative sources
    // are looked for, noise has no more maxima of a significance than the sign that has fewer.
    // Their significances, descending.
    int64_t falseExpected = 0;
    std::vector<double> falseSnrs;
};

// Finds the sources of a map. Positions and peaks are fitted to the map itself: beam (or
// elliptical Gaussian) and a plane, by generalized least squares with the covariance of background
// and noise (C_l of the filter, scaled to the local noise). Sources nearer than one and a half
// beams, or wider than the beam, are fitted by the likeliest of one beam, several beams and a
// Gaussian (sources/blend_contest.h). Throws InvalidArgument for parameters out of range; as
// FilterPlan. Tests: tst_sources, tst_source_shapes.
SourceSearch findSources(FilterPlan& plan, const HealpixMap& map,
                         const SourceParameters& parameters, JobContext& job);

// Points whose beams add up to the model of a source: itself, or many for an extended one.
std::vector<PointSource> pointsOf(const Source& source, double fwhm);

// The map with these sources added to a field (negative peaks take them away), each the beam around
// its own place.
HealpixMap withSources(const HealpixMap& map, int field, std::span<const PointSource> sources,
                       const PointBeam& beam, JobContext& job);

struct InjectionParameters {
    int64_t count = 1000;
    double lowest = 2.0, highest = 20.0;  // peaks in local noise, evenly in the logarithm
    uint64_t seed = 1;
};
// What a search finds of sources put into the map where none are, as functions of their peak in
// units of the local noise.
struct Injection {
    // Shares found, with binomial errors; medians of found / true - 1; and the share of real ones
    // among those found in the map itself at this significance, 1 - N(inverted) / N.
    Curve completeness, bias, reliability;
    int64_t injected = 0, found = 0;
    double positionError = 0.0;  // rms of an axis in units of what the search said
    double peakError = 0.0;      // the same of the peak
};
// `search` is that of the map without them. The sources go in together, at least four beams from
// each other and from those of the map; fewer than asked for if there is no more room.
Injection injectSources(const HealpixMap& map, int field, const SourceParameters& parameters,
                        const SourceSearch& search, const InjectionParameters& injection,
                        const Device& device, JobContext& job);

// What a catalog of sources says beyond what the search knows.
struct SourceCatalogParameters {
    Frame frame = Frame::Unknown;     // of the map
    std::string unit;                 // of the map
    std::optional<double> frequency;  // Hz
    double slope = 2.5;               // dN/dS ~ S^-slope, for DEBFLUX
};
// Columns NAME GLON GLAT RA DEC POS_ERR PEAK PEAK_ERR SNR FLUX FLUX_ERR DEBFLUX LOC_RMS FWHM_MAJ
// FWHM_MAJ_ERR FWHM_MIN FWHM_MIN_ERR POS_ANG POS_ANG_ERR CONTAM MASK_FRAC HPX_PIX N_FALSE FLAGS,
// with units and UCDs. Throws InvalidArgument for a map without a frame.
Catalog sourceCatalog(const SourceSearch& search, const SourceCatalogParameters& parameters,
                      const PointBeam& beam);

}  // namespace armilla
