// SPDX-License-Identifier: GPL-3.0-or-later
// Sources out of a filtered map, the brightest first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"
#include "ops/filter.h"

namespace armilla::sources {

// Pixels (RING) whose value / rms is at least `least` and not below that of any neighbor (of equal
// ones the first counts); NaN is below everything. Ascending.
std::vector<int64_t> localMaxima(int64_t nside, std::span<const double> values,
                                 std::span<const double> rms, double least, JobContext& job);

// Of a source whose peak, at the place where that is highest, is `highest` local rms. Choosing the
// two coordinates of the place adds 2 to the expectation of its square, in noise as on a source
// (Vanderlinde et al. 2010, ApJ 722, 1180, where the width is free too and 3 is taken away).
inline double significance(double highest) {
    return std::sqrt(std::max(0.0, highest * highest - 2.0));
}

struct Extracted {
    Vec3 direction;
    double peak = 0.0;           // of the response fitted to the filtered map around its maximum
    double rms = 0.0;            // local noise there
    double contamination = 0.0;  // what brighter sources had put there, of its own peak
    int64_t pixel = 0;           // of the maximum, RING
    bool fitted = true;          // false: the fit did not settle, and the pixel's center stands
    bool outside = false;  // its place is bad: seen by what reaches out of a hole, and taken away
    bool blended = false;  // another maximum stood too near to be a source of its own
    double snr() const { return significance(peak / rms); }
};

struct ExtractionLimits {
    double threshold = 5.0;   // in local rms
    double separation = 0.7;  // in FWHM of the beam: nearer ones are one source
    // A maximum fainter than this share of what was taken away at its place is what the beam did
    // not describe, not a source.
    double ringShare = 0.05;
    // Of the brightest: below that there are only the transforms' errors in maps without noise.
    double dynamicRange = 1e-5;
    int passes = 30;  // of brightest first, each to half of the last; 1: no second look
};

// Finds, fits and takes away (in `filtered`) the response to one source after the other.
std::vector<Extracted> extractSources(int64_t nside, std::span<double> filtered,
                                      std::span<const double> rms, const RadialProfile& response,
                                      double fwhm, const ExtractionLimits& limits, JobContext& job);

// Significances, at least `least`, of the maxima of the map turned upside down, fitted as sources
// are; not of those within two beams of a source, where a fit to what was not one point leaves
// holes. Descending.
std::vector<double> invertedSnrs(int64_t nside, std::span<const double> filtered,
                                 std::span<const double> rms, const RadialProfile& response,
                                 double fwhm, double least, std::span<const Vec3> sources,
                                 JobContext& job);

// values(p) += scale * profile(distance from `direction`), out to `reach`.
void addProfile(int64_t nside, std::span<double> ring, Vec3 direction, double scale,
                const RadialProfile& profile, double reach);

}  // namespace armilla::sources
