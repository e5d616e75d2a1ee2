// SPDX-License-Identifier: GPL-3.0-or-later
// Point sources of a map: search in the filtered sky, fits, and completeness of the search.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/table.h"
#include "armilla/ops/brightness.h"
#include "armilla/ops/filter.h"

namespace armilla {

// The data and model of the fit of position and peak. Beam, Gaussian: the map, by the beam or an
// elliptical Gaussian. Filter: the filtered map, by the filter's response to the beam, which
// includes everything within the filter's reach. Filter is for combined maps of several
// frequencies, whose noise is correlated farther than a patch of the map.
enum class SourceFit { Beam, Gaussian, Filter };

// The sign of the sources returned. Sources of the other sign are also found and subtracted, so
// that their filter residuals are not taken for sources.
enum class SourceSign { Positive, Negative, Both };

// Bits of the FLAGS column.
enum SourceFlag : int64_t {
    kSourceBlended = 1,     // fitted together with another source, or possibly two
    kSourceNearMask = 2,    // part of the filter's response falls on bad pixels
    kSourceNearBright = 4,  // brighter sources contribute more than a tenth of its peak
    kSourceExtended = 8,    // wider than the beam by 3 sigma: all values are the Gaussian's
    kSourceNotFitted = 16   // peak and position are those of the maximum
};

// Parameters of findSources().
struct SourceParameters {
    FilterParameters filter;
    double threshold = 5.0;   // in units of the local noise
    double separation = 0.7;  // in FWHM: maxima closer than this are one source
    bool iterate = true;      // subtracts the brightest sources and searches again
    SourceFit fit = SourceFit::Beam;
    SourceSign sign = SourceSign::Positive;
};

// A source of findSources().
struct Source {
    Vec3 direction;              // in the map's frame
    double positionError = 0.0;  // radians, one standard deviation on each axis
    // The peak of a point source in this beam, in the map's unit, with the source's sign. For an
    // extended source, and with SourceFit::Gaussian, the peak of the Gaussian. The highest of all
    // positions near a source is brighter than the source by rms^2 / peak on average (two fitted
    // coordinates, half of rms^2 / peak each). This bias is subtracted.
    double peak = 0.0, peakError = 0.0;
    double modelPeak = 0.0;  // peak of the model that fits the map, without bias subtraction
    // significance and noise in the filtered map; snr has the sign of the peak
    double snr = 0.0, localRms = 0.0;
    // Elliptical Gaussian: FWHM in radians, major axis from north to east; NaN: not fitted.
    double major = 0.0, minor = 0.0, angle = 0.0;
    double majorError = 0.0, minorError = 0.0, angleError = 0.0;
    double gaussianPeak = 0.0, gaussianPeakError = 0.0;
    // brighter sources' contribution at its position, as a fraction of its peak
    double contamination = 0.0;
    double maskFraction = 0.0;  // fraction of the filter's response that falls on bad pixels
    int64_t pixel = 0;          // RING number, or place in the image
    int64_t flags = 0;
};

// Result of findSources().
struct SourceSearch {
    std::vector<Source> sources;  // the most significant first
    FilteredSky sky;
    std::vector<double> cleaned;  // the filtered map without the sources, RING
    // Expected number of false sources, and the significances of their stand-ins, descending. These
    // are maxima of the inverted cleaned map at or above the threshold, two beams or more from
    // sources of 5 sigma. Negative sources are excluded: maxima so deep that noise has none like
    // them in a hundred skies. If negative sources are searched, noise has at each significance no
    // more maxima than the sign with fewer.
    int64_t falseExpected = 0;
    std::vector<double> falseSnrs;
};

// Finds the sources of a map. Positions and peaks are fitted to the map itself: beam (or elliptical
// Gaussian) and a plane, by generalized least squares with the covariance of background and noise
// (C_l of the filter, scaled to the local noise). Sources nearer than one and a half beams, or
// wider than the beam, are fitted by one beam, several beams and a Gaussian. The likeliest model is
// kept (sources/blend_contest.h). Throws InvalidArgument for parameters out of range, and as
// FilterPlan. Tests: tst_sources, tst_source_shapes.
SourceSearch findSources(FilterPlan& plan, const HealpixMap& map,
                         const SourceParameters& parameters, JobContext& job);
// The same in a sky that was filtered with these parameters.
SourceSearch findSources(FilteredSky filtered, const SourceParameters& parameters, JobContext& job);

// Points whose beams add up to the model of a source: one, or many for an extended source. `fwhm`
// in radians.
std::vector<PointSource> pointsOf(const Source& source, double fwhm);

// The map with these sources added to a field, each as the beam around its position; negative peaks
// subtract.
HealpixMap withSources(const HealpixMap& map, int field, std::span<const PointSource> sources,
                       const PointBeam& beam, JobContext& job);

// Parameters of injectSources().
struct InjectionParameters {
    int64_t count = 1000;
    double lowest = 2.0, highest = 20.0;  // range of peaks in local noise, uniform in the logarithm
    uint64_t seed = 1;
};
// Result of a search for sources that were added to the map at empty places, as functions of their
// peak in units of the local noise.
struct Injection {
    // Completeness: fractions found, with binomial errors. Bias: medians of found / true - 1.
    // Reliability: the fraction of real sources among those found in the map itself at this
    // significance, 1 - N(inverted) / N.
    Curve completeness, bias, reliability;
    int64_t injected = 0, found = 0;
    double positionError = 0.0;  // rms on one axis in units of the search's error
    double peakError = 0.0;      // rms error of the peak in units of the search's error
};
// `search` is the search of the map without added sources. All sources are added together, at least
// four beams from each other and from the map's sources. Fewer than requested are added if no more
// fit.
Injection injectSources(const HealpixMap& map, int field, const SourceParameters& parameters,
                        const SourceSearch& search, const InjectionParameters& injection,
                        const Device& device, JobContext& job);
// The same in an image: `searchWith` searches its pixels with these sources added.
using SearchWith =
    std::function<SourceSearch(std::span<const PointSource> sources, JobContext& job)>;
Injection injectSources(const SourceParameters& parameters, const SourceSearch& search,
                        const InjectionParameters& injection, const SearchWith& searchWith,
                        JobContext& job);

// Properties of the map that a source catalog needs in addition to the search.
struct SourceCatalogParameters {
    Frame frame = Frame::Unknown;     // frame of the map
    std::string unit;                 // unit of the map
    std::optional<double> frequency;  // Hz
    double slope = 2.5;               // dN/dS ~ S^-slope, for DEBFLUX
    // Column and row of each source in an image, from 0 at the center of the first pixel.
    struct ImagePlaces {
        std::vector<double> x, y;
    };
    std::optional<ImagePlaces> places = std::nullopt;
};
// Columns NAME GLON GLAT RA DEC POS_ERR PEAK PEAK_ERR SNR FLUX FLUX_ERR DEBFLUX LOC_RMS FWHM_MAJ
// FWHM_MAJ_ERR FWHM_MIN FWHM_MIN_ERR POS_ANG POS_ANG_ERR CONTAM MASK_FRAC HPX_PIX N_FALSE FLAGS,
// with units and UCDs. IMG_X and IMG_Y, counted from 1, replace HPX_PIX in an image. Throws
// InvalidArgument for a map without a frame.
Catalog sourceCatalog(const SourceSearch& search, const SourceCatalogParameters& parameters,
                      const PointBeam& beam);

}  // namespace armilla
