// SPDX-License-Identifier: GPL-3.0-or-later
// Extraction of sources from a filtered map, the brightest first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/filter.h"
#include "sources/source_parts.h"
#include "sources/source_pixels.h"

namespace armilla::sources {

// Pixels whose value / rms is at least `least` and not below that of any neighbor (the first
// one in a tie); NaN is below everything. Ascending.
std::vector<int64_t> localMaxima(const SourcePixels& pixels, std::span<const double> values,
                                 std::span<const double> rms, double least, JobContext& job);
// localMaxima, and the minima of value / rms at most -`leastNegative`.
std::vector<int64_t> localExtrema(const SourcePixels& pixels, std::span<const double> values,
                                  std::span<const double> rms, double least, double leastNegative,
                                  JobContext& job);

// Significance of a source from the maximum over positions of peak / local rms. The choice of the
// two coordinates adds 2 to the expectation of its square, for noise and sources alike (Vanderlinde
// et al. 2010, ApJ 722, 1180, subtract 3 for an additionally free width).
inline double significance(double highest) {
    return std::sqrt(std::max(0.0, highest * highest - 2.0));
}

struct Extracted {
    Vec3 direction;
    // The peak of the response fitted to the filtered map around a maximum; negative: a minimum.
    double peak = 0.0;
    double rms = 0.0;            // local noise there
    double contamination = 0.0;  // contribution of brighter sources, relative to the peak
    int64_t pixel = 0;           // pixel of the maximum
    // false: the fit did not converge, and the position is the pixel's center
    bool fitted = true;
    // its position is bad: a source in a hole that extends beyond the hole; subtracted only
    bool outside = false;
    bool blended = false;  // another maximum was too near to be a separate source
    double snr() const { return significance(std::abs(peak) / rms); }
};

struct ExtractionLimits {
    double threshold = 5.0;          // in local rms
    double negativeThreshold = 5.0;  // for negative sources, in local rms
    double separation = 0.7;         // in FWHM of the beam: nearer maxima are one source
    // A maximum below this fraction of the model subtracted at its place is a residual of the beam,
    // not a source.
    double ringShare = 0.05;
    // Relative to the brightest: below that, maps without noise contain only errors of the
    // transforms.
    double dynamicRange = 1e-5;
    int passes = 30;  // brightest first, each to half of the last; 1: a single pass
};

// Limits of bright sources, which would affect the spectrum of the sky. Almost none at 5 rms is
// false, and the quadrature of a first pass leaves rings of 1e-3 of the brightest.
inline constexpr ExtractionLimits kBrightSources{
    .threshold = 5.0, .negativeThreshold = 5.0, .dynamicRange = 1e-3};

// A residual below this fraction of a source wider than the beam, or of a blend, is attributed to
// the imperfect model of its shape.
inline constexpr double kShapeShare = 0.2;

// A repeated search of a map from which some sources have been subtracted.
struct SecondLook {
    std::span<const Extracted> known;      // already subtracted
    std::span<const SkyPart> extended;     // sources wider than the beam, subtracted as well
    std::function<bool(Vec3)> isLookedAt;  // restricts the search
};

// Finds, fits and subtracts (in `filtered`) the response of one source after another, of both
// signs, the most significant first.
std::vector<Extracted> extractSources(const SourcePixels& pixels, std::span<double> filtered,
                                      std::span<const double> rms, const RadialProfile& response,
                                      double fwhm, const ExtractionLimits& limits, JobContext& job,
                                      const SecondLook* second = nullptr);

// Significances, at least `least`, of the maxima of sign * map, fitted like sources. Maxima within
// two beams of `sources` are excluded, because fits to sources that are not points leave holes.
// Descending.
std::vector<double> maximaSnrs(const SourcePixels& pixels, std::span<const double> filtered,
                               double sign, std::span<const double> rms,
                               const RadialProfile& response, double fwhm, double least,
                               std::span<const Vec3> sources, JobContext& job);

// values(p) += scale * profile(distance from `direction`), up to `reach`.
void addProfile(const SourcePixels& pixels, std::span<double> ring, Vec3 direction, double scale,
                const RadialProfile& profile, double reach);

}  // namespace armilla::sources
