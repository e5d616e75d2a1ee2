// SPDX-License-Identifier: GPL-3.0-or-later
// Sources out of a filtered map, the brightest first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"
#include "ops/filter.h"
#include "sources/source_parts.h"

namespace armilla::sources {

// Pixels (RING) whose value / rms is at least `least` and not below that of any neighbor (of equal
// ones the first counts); NaN is below everything. Ascending.
std::vector<int64_t> localMaxima(int64_t nside, std::span<const double> values,
                                 std::span<const double> rms, double least, JobContext& job);
// The same, and the minima of value / rms at most -`leastNegative`.
std::vector<int64_t> localExtrema(int64_t nside, std::span<const double> values,
                                  std::span<const double> rms, double least, double leastNegative,
                                  JobContext& job);

// Of a source whose peak, at the place where that is highest, is `highest` local rms. Choosing the
// two coordinates of the place adds 2 to the expectation of its square, in noise as on a source
// (Vanderlinde et al. 2010, ApJ 722, 1180, where the width is free too and 3 is taken away).
inline double significance(double highest) {
    return std::sqrt(std::max(0.0, highest * highest - 2.0));
}

struct Extracted {
    Vec3 direction;
    // The peak of the response fitted to the filtered map around a maximum; negative: a minimum.
    double peak = 0.0;
    double rms = 0.0;            // local noise there
    double contamination = 0.0;  // what brighter sources had put there, of its own peak
    int64_t pixel = 0;           // of the maximum, RING
    bool fitted = true;          // false: the fit did not settle, and the pixel's center stands
    bool outside = false;  // its place is bad: seen by what reaches out of a hole, and taken away
    bool blended = false;  // another maximum stood too near to be a source of its own
    double snr() const { return significance(std::abs(peak) / rms); }
};

struct ExtractionLimits {
    double threshold = 5.0;          // in local rms
    double negativeThreshold = 5.0;  // of negative sources
    double separation = 0.7;         // in FWHM of the beam: nearer ones are one source
    // A maximum fainter than this share of what was taken away at its place is what the beam did
    // not describe, not a source.
    double ringShare = 0.05;
    // Of the brightest: below that there are only the transforms' errors in maps without noise.
    double dynamicRange = 1e-5;
    int passes = 30;  // of brightest first, each to half of the last; 1: no second look
};

// A residual below this share of a source that is wider than the beam, or of several, is their
// shape, which is not quite that of the model.
inline constexpr double kShapeShare = 0.2;

// A search once more, of a map that some sources have been taken away from.
struct SecondLook {
    std::span<const Extracted> known;      // taken away
    std::span<const SkyPart> extended;     // likewise, wider than the beam
    std::function<bool(Vec3)> isLookedAt;  // nothing is found elsewhere
};

// Finds, fits and takes away (in `filtered`) the response to one source after the other, of both
// signs, the most significant first.
std::vector<Extracted> extractSources(int64_t nside, std::span<double> filtered,
                                      std::span<const double> rms, const RadialProfile& response,
                                      double fwhm, const ExtractionLimits& limits, JobContext& job,
                                      const SecondLook* second = nullptr);

// Significances, at least `least`, of the maxima of sign * map, fitted as sources are; not of those
// within two beams of `sources`, where a fit to what was not one point leaves holes. Descending.
std::vector<double> maximaSnrs(int64_t nside, std::span<const double> filtered, double sign,
                               std::span<const double> rms, const RadialProfile& response,
                               double fwhm, double least, std::span<const Vec3> sources,
                               JobContext& job);

// values(p) += scale * profile(distance from `direction`), out to `reach`.
void addProfile(int64_t nside, std::span<double> ring, Vec3 direction, double scale,
                const RadialProfile& profile, double reach);

}  // namespace armilla::sources
