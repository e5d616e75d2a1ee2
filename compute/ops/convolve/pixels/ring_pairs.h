// SPDX-License-Identifier: GPL-3.0-or-later
// Distances between the pixels of two HEALPix rings. Host and device.
//
// Ring r = 1 .. 4 nside - 1 has 4 q pixels, pixel j at longitude (j + shift) (pi / 2) / q, shift 0
// or 1/2. Between pixel j of ring r and pixel k of ring r' the difference in longitude is
//   delta = (pi / 2) ((j + shift) / q - (k + shift') / q'),
// and y = 1 - cos(distance) = y0 + 2 s s' sin^2(delta / 2), y0 = ((z - z')^2 + (s - s')^2) / 2.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "armilla/core/hd.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

struct HealpixRing {
    int64_t quarter = 0;  // pixels in a quarter of the ring
    double shift = 0.0;   // 0 or 1/2
    double z = 0.0, s = 0.0;
    int64_t first = 0;  // RING number of the ring's pixel 0
};
ARMILLA_HD inline HealpixRing healpixRing(int64_t nside, int64_t ring) {
    HealpixRing r;
    r.quarter = detail::quarterLength(nside, ring);
    r.shift = 0.5 * static_cast<double>(detail::ringShift(nside, ring));
    ringHeight(nside, ring, r.z, r.s);
    r.first = detail::firstPixelOfRing(nside, ring);
    return r;
}

// Colatitude, accurate at the poles.
ARMILLA_HD inline double colatitude(const HealpixRing& r) {
    return std::atan2(r.s, r.z);
}

// The first of the rings 1 .. `rings` whose colatitude is at least `angle`; rings + 1: none.
ARMILLA_HD inline int64_t firstRingFrom(const double* theta, int64_t rings, double angle) {
    int64_t low = 1, high = rings + 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (theta[middle] < angle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
// The rings within `radius` of ring r. Slightly wider: pixels on the border are tested one by one.
struct RingSpan {
    int64_t first = 1, last = 0;
};
ARMILLA_HD inline RingSpan ringsAround(const double* theta, int64_t rings, int64_t r,
                                       double radius) {
    const double wide = radius * (1.0 + 1e-12);
    RingSpan span;
    span.first = firstRingFrom(theta, rings, theta[r] - wide);
    // The mirror of the first ring around the mirror of r: the two hemispheres are equal to the
    // bit.
    span.last = rings + 1 - firstRingFrom(theta, rings, theta[rings + 1 - r] - wide);
    return span;
}

// The geometry of a target ring and a source ring, for a kernel that ends at y = `end`.
struct RingPair {
    double y0 = 0.0, across = 0.0;  // y = y0 + across sin^2(delta / 2)
    double reach = -1.0;  // largest |delta| within the kernel; pi: the whole ring; < 0: none
};
ARMILLA_HD inline RingPair ringPair(const HealpixRing& target, const HealpixRing& source,
                                    double end) {
    RingPair p;
    const double dz = target.z - source.z, ds = target.s - source.s;
    p.y0 = 0.5 * (dz * dz + ds * ds);
    p.across = 2.0 * target.s * source.s;
    if (p.y0 > end) return p;
    // y is at most 2.
    const double square = end < 2.0 ? (end - p.y0) / p.across : 1.0;
    // Slightly wider, because pixels on the border are tested one by one.
    p.reach = square < 1.0 ? 2.0 * std::asin(std::sqrt(square)) * (1.0 + 1e-12) : kPi;
    return p;
}

// The pixels k = first .. first + count - 1 of the source ring (numbers continue around the ring)
// within the pair's reach of pixel j of the target.
struct TapRun {
    int64_t first = 0;
    int count = 0;
    double delta = 0.0, step = 0.0;  // delta of tap i: delta + i step
};
ARMILLA_HD inline TapRun tapRun(const HealpixRing& target, int64_t j, const HealpixRing& source,
                                const RingPair& pair) {
    TapRun run;
    const double q = static_cast<double>(target.quarter), p = static_cast<double>(source.quarter);
    const double place = static_cast<double>(j) + target.shift;  // exact
    run.step = -kHalfPi / p;
    if (pair.reach >= kPi) {
        run.first = -2 * source.quarter;
        run.count = static_cast<int>(4 * source.quarter);
    } else {
        const double center = place * p / q - source.shift, half = pair.reach / kHalfPi * p;
        run.first = static_cast<int64_t>(std::ceil(center - half));
        const int64_t last = static_cast<int64_t>(std::floor(center + half));
        const int64_t all = 4 * source.quarter;
        const int64_t count = last - run.first + 1;
        run.count = static_cast<int>(count < 0 ? 0 : count > all ? all : count);
    }
    // Numerators are exact: below 2^53 for all nside of this program.
    const double numerator = place * p - (static_cast<double>(run.first) + source.shift) * q;
    run.delta = kHalfPi * numerator / (p * q);
    return run;
}

// sin^2(x) for |x| <= 1/2: the odd series to x^13, whose remainder is below 1e-17.
template <class Real>
ARMILLA_HD inline Real sineSquareNear(Real x) {
    const Real t = x * x;
    Real s = Real(1.0 / 6227020800.0);
    s = s * t - Real(1.0 / 39916800.0);
    s = s * t + Real(1.0 / 362880.0);
    s = s * t - Real(1.0 / 5040.0);
    s = s * t + Real(1.0 / 120.0);
    s = s * t - Real(1.0 / 6.0);
    s = s * t + Real(1.0);
    return t * s * s;
}

// The rings, 1 .. 4 nside - 1, and their colatitudes; element 0 is unused.
struct HealpixRings {
    explicit HealpixRings(int64_t nsideOfMap);
    int64_t nside, count;
    std::vector<HealpixRing> ring;
    std::vector<double> theta;
};
// Targets whose sources all lie in the belt and do not cover a complete ring: their taps are the
// same along the ring. first > last: none.
RingSpan beltTargets(const HealpixRings& rings, double radius, double end);
// The last mode between two rings of a kernel whose B_l end at `lastL`:
//   k_m = sum_l (2l+1)/(4 pi) B_l lambda_lm(theta) lambda_lm(theta').
// lambda_lm ends where m exceeds l sin(theta) by a few widths (l sin(theta))^(1/3) of its last
// oscillation: after 6 widths it is below 1e-13. Near the poles, where l sin(theta) is small, it
// ends at m = 16.
int lastMode(int lastL, double sine, double otherSine);

}  // namespace armilla
