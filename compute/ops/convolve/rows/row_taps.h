// SPDX-License-Identifier: GPL-3.0-or-later
// Taps of a kernel between two rings of any grid: the samples, and K of each. Host and device.
//
// For a sample at colatitude theta' that lies `delta` east of a target at theta, with s = sin and z
// = cos:
//   y = 1 - cos(distance) = y0 + 2 s s' sin^2(delta / 2), y0 = ((z - z')^2 + (s - s')^2) / 2.
// Its direction has the components n = s z' - z s' + 2 z s' sin^2(delta / 2) to the north of the
// target and e = s' sin(delta) to the east.
#pragma once

#include <cmath>
#include <cstdint>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"
#include "convolve/kernel/profile_table.h"

namespace armilla {

struct TapRing {
    double z = 0.0, s = 0.0, theta = 0.0;
    double phi0 = 0.0;
    double weight = 0.0;  // quadrature weight of each of its samples
    int64_t count = 0, first = 0;
};

// A kernel that is Gaussian in the equal-area plane around the target: a point at distance rho on
// the sphere is 2 sin(rho / 2) from the middle of the plane, in its own direction.
struct EllipseView {
    double height = 0.0;  // K in the middle
    double north = 0.0, both = 0.0,
           east = 0.0;  // K = height exp(-q), q = north n^2 + both n e + east e^2
    double last = 0.0;  // K = 0 where q is larger
};

// Trivially copyable; the arrays of the profile are owned elsewhere.
struct TapKernel {
    double end = 0.0;  // K = 0 where y is larger
    bool isElliptical = false;
    ProfileView profile;  // used without an ellipse
    EllipseView ellipse;
};

struct TapPair {
    double y0 = 0.0, across = 0.0;  // y = y0 + across sin^2(delta / 2)
    double north0 = 0.0, north1 = 0.0, east = 0.0;
    double reach = -1.0;  // largest |delta| within the kernel; pi: the whole ring; < 0: none
};
ARMILLA_HD inline TapPair tapPair(const TapRing& target, const TapRing& source, double end) {
    TapPair p;
    const double dz = target.z - source.z, ds = target.s - source.s;
    p.y0 = 0.5 * (dz * dz + ds * ds);
    p.across = 2.0 * target.s * source.s;
    p.north0 = target.s * source.z - target.z * source.s;
    p.north1 = 2.0 * target.z * source.s;
    p.east = 2.0 * source.s;
    if (p.y0 > end) return p;
    // Slightly wider: K itself defines the end. At a pole `across` is 0.
    const double square = (end - p.y0) / p.across;
    p.reach = square < 1.0 ? 2.0 * std::asin(std::sqrt(square)) * (1.0 + 1e-12) : kPi;
    return p;
}

ARMILLA_HD inline double tapValue(const TapKernel& kernel, const TapPair& pair, double delta) {
    const double half = std::sin(0.5 * delta), square = half * half;
    const double y = pair.y0 + pair.across * square;
    if (!kernel.isElliptical) return kernel.profile(y);
    if (!(y <= kernel.end)) return 0.0;
    const EllipseView& k = kernel.ellipse;
    const double n = pair.north0 + pair.north1 * square;
    const double e = pair.east * half * std::cos(0.5 * delta);
    const double q = (k.north * n * n + k.both * n * e + k.east * e * e) / (1.0 - 0.5 * y);
    return q <= k.last ? k.height * std::exp(-q) : 0.0;
}

// The samples `first` .. first + count - 1 of the source ring (numbers continue around the ring)
// within the pair's reach of sample j of the target. Sample i lies delta + i step east of it.
struct TapSpan {
    int64_t first = 0, count = 0;
    double delta = 0.0, step = 0.0;
};
ARMILLA_HD inline TapSpan tapSpan(const TapRing& target, int64_t j, const TapRing& source,
                                  const TapPair& pair) {
    const double n = static_cast<double>(target.count), p = static_cast<double>(source.count);
    const double turn = target.phi0 - source.phi0, place = static_cast<double>(j);
    TapSpan span;
    span.step = kTwoPi / p;
    const double center = place * p / n + turn * p / kTwoPi;
    if (pair.reach >= kPi) {
        span.first = static_cast<int64_t>(std::ceil(center - 0.5 * p));
        span.count = source.count;
    } else {
        const double half = pair.reach * p / kTwoPi;
        span.first = static_cast<int64_t>(std::ceil(center - half));
        const int64_t count = static_cast<int64_t>(std::floor(center + half)) - span.first + 1;
        span.count = count < 0 ? 0 : count > source.count ? source.count : count;
    }
    // The numerator is exact: below 2^53 for all grids of this program.
    const double numerator = static_cast<double>(span.first) * n - place * p;
    span.delta = kTwoPi * (numerator / (n * p)) - turn;
    return span;
}

// The rings `first` .. `last` - 1 whose colatitude is within slightly more than `radius` of
// `theta`.
struct TapRows {
    int64_t first = 0, last = 0;
};
ARMILLA_HD inline int64_t firstRowFrom(const TapRing* rings, int64_t count, double theta) {
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (rings[middle].theta < theta)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
ARMILLA_HD inline TapRows rowsAround(const TapRing* rings, int64_t count, double theta,
                                     double radius) {
    const double wide = radius * (1.0 + 1e-12) + 1e-15;
    return {firstRowFrom(rings, count, theta - wide), firstRowFrom(rings, count, theta + wide)};
}

}  // namespace armilla
