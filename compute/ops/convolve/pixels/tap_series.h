// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of taps as polynomials of a pixel's position between the pixels of another ring.
//
// In a source ring K depends on the difference in longitude alone. Let u = i - f be the distance in
// pixels to tap i from the target, which is -1/2 <= f <= 1/2 off its nearest source pixel. Then K =
// g(u), and g is even. So
//   w_{+i} = E_i(v) + f O_i(v),  w_{-i} = E_i(v) - f O_i(v),  v = 4 f^2,
// with polynomials E and O through c points each, which serve all targets of a ring. A weight costs
// about c multiply-adds, and no exponential.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/ring_pairs.h"

namespace armilla {

// The data of a source ring for one target ring.
struct SeriesPair {
    // Pixels in a quarter of the source and the target ring.
    double p = 0.0, q = 0.0, inverseQ = 0.0;
    double shift = 0.0;  // shift of the source
    double half = -1.0;  // reach in pixels of the source; < 0: none
    double unit = 0.0;   // width of a source pixel in longitude
    double y0 = 0.0, across = 0.0;

    SeriesPair() = default;
    ARMILLA_HD SeriesPair(const HealpixRing& target, const HealpixRing& source,
                          const RingPair& pair)
        : p(static_cast<double>(source.quarter)),
          q(static_cast<double>(target.quarter)),
          inverseQ(1.0 / q),
          shift(source.shift),
          half(pair.reach < 0.0 ? -1.0 : pair.reach / kHalfPi * p),
          unit(kHalfPi / p),
          y0(pair.y0),
          across(pair.across) {}
    // Number of taps on each side in a series.
    ARMILLA_HD int taps() const {
        return half < 0.0 ? 0 : static_cast<int>(half + 0.5 + 2.0 * 1e-9) + 1;
    }
};

// The taps -below .. above of a target around its nearest source pixel.
struct SeriesPlace {
    int64_t nearest = 0;
    double fraction = 0.0;
    int below = 0, above = 0;
    // Whether a tap counts. If a kernel's edge crosses a ring between two pixels, no tap counts,
    // not even tap 0: then below = -1, above = 0 or the other way around.
    ARMILLA_HD bool has(int tap) const { return -below <= tap && tap <= above; }
};
// A reach within a billionth of a pixel of a tap: the distance of the tap then decides, as in other
// sums over pixels.
inline constexpr double kUnsure = 1e-9;
ARMILLA_HD inline bool unsure(double reach) {
    return std::abs(reach - std::floor(reach + 0.5)) < kUnsure;
}
ARMILLA_HD inline int tapsWithin(const SeriesPair& pair, double reach, double fraction,
                                 double end) {
    if (!unsure(reach)) return static_cast<int>(std::floor(reach));
    const double tap = std::floor(reach + 0.5);
    const double y = pair.y0 + pair.across * sineSquareNear(0.5 * pair.unit * (tap - fraction));
    return static_cast<int>(y <= end ? tap : tap - 1.0);
}
// `place`: pixel and shift of the target.
ARMILLA_HD inline SeriesPlace seriesPlace(const SeriesPair& pair, double place, double end) {
    SeriesPlace at;
    // Numerators are exact, as in tapRun(); a fraction may exceed 1/2 by a rounding.
    const double numerator = place * pair.p - pair.shift * pair.q;
    const double nearest = std::floor(numerator * pair.inverseQ + 0.5);
    at.nearest = static_cast<int64_t>(nearest);
    at.fraction = (numerator - nearest * pair.q) * pair.inverseQ;
    at.above = tapsWithin(pair, pair.half + at.fraction, at.fraction, end);
    at.below = tapsWithin(pair, pair.half - at.fraction, -at.fraction, end);
    return at;
}

// The conversion of values at fractions to coefficients: first of Chebyshev polynomials of 2 v - 1,
// which leaves only rounding, then of powers of v.
class SeriesBasis {
public:
    static constexpr int kMostTerms = 12;
    explicit SeriesBasis(int terms);
    // The smallest basis that represents a Gaussian-like profile (ProfileView::rate) for pixels at
    // most `spacing` rad apart to 4e-15 of its peak. It has 0 terms if none suffices, or if `most`
    // taps on each side are too few.
    static SeriesBasis serving(const ProfileView& profile, double spacing, int most = 4096);

    int terms() const { return terms_; }
    // Each has `terms` numbers a row.
    const std::vector<double>& fractions() const { return fractions_; }
    const std::vector<double>& chebyshev() const { return chebyshev_; }  // [k][node]
    const std::vector<double>& powers() const { return powers_; }        // [k][power]

private:
    int terms_;
    std::vector<double> fractions_, chebyshev_, powers_;
};

// The largest distance of adjacent pixels (radians) in a source ring of the targets up to `last`.
double widestSpacing(const HealpixRings& rings, int64_t last, double radius);

// `profile` without its end: the continuation of a series beyond the end only needs to be smooth.
inline ProfileView endless(ProfileView profile) {
    profile.end = 8.0;
    return profile;
}

}  // namespace armilla
