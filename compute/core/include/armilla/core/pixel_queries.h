// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of either ordering; neighborhoods and regions of HEALPix pixels, on the host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla {

// The formulas of pixel_geometry.h for either ordering, also without checks.
inline FacePixel faceFromPixel(int64_t nside, Ordering ordering, int64_t pixel) {
    return ordering == Ordering::Ring ? faceFromRing(nside, pixel) : faceFromNested(nside, pixel);
}
inline int64_t pixelFromFace(int64_t nside, Ordering ordering, FacePixel at) {
    return ordering == Ordering::Ring ? ringFromFace(nside, at) : nestedFromFace(nside, at);
}
inline Vec3 directionFromPixel(int64_t nside, Ordering ordering, int64_t pixel) {
    return ordering == Ordering::Ring ? directionFromRing(nside, pixel)
                                      : directionFromNested(nside, pixel);
}
inline int64_t pixelFromDirection(int64_t nside, Ordering ordering, Vec3 direction) {
    return pixelFromFace(nside, ordering, faceFromDirection(nside, direction));
}

// Half-open run of pixel numbers.
struct PixelRange {
    int64_t begin = 0, end = 0;
};

// All functions below throw InvalidArgument for an nside or a pixel that does not exist. Directions
// may have any length except 0. Checked against HEALPix C++ and brute force: tst_pixel_queries.

// The eight neighbors SW, W, NW, N, NE, E, SE, S, the order of HEALPix C++; -1 if absent.
std::array<int64_t, 8> neighbors(int64_t nside, Ordering ordering, int64_t pixel);

// Pixels whose centers lie within `radius` radians of `center`, border included; ascending disjoint
// ranges. RING finds two ends for each ring. NESTED descends the tree of pixels, with a cost that
// grows with the border. Throws InvalidArgument for a radius that is negative or no number.
std::vector<PixelRange> queryDisc(int64_t nside, Ordering ordering, Vec3 center, double radius);
// Pixels whose centers lie inside the convex polygon with these corners (at least 3, either sense),
// border included; its sides are great circles. Throws InvalidArgument if the polygon is degenerate
// or not convex.
std::vector<PixelRange> queryPolygon(int64_t nside, Ordering ordering,
                                     std::span<const Vec3> corners);

// The four pixels and weights of HEALPix bilinear interpolation at `direction`: linear in longitude
// in the ring above and in the ring below, then linear in colatitude; beyond the first and last
// rings the pole counts as the mean of its four pixels. Weights are >= 0 and sum to 1.
struct Interpolation {
    std::array<int64_t, 4> pixels{};
    std::array<double, 4> weights{};
};
// Pixels and weights at one direction; Interpolator is faster for many.
Interpolation interpolation(int64_t nside, Ordering ordering, Vec3 direction);
// interpolation() for many directions; holds the colatitudes of the rings (32 nside bytes).
// Thread-safe.
class Interpolator {
public:
    Interpolator(int64_t nside, Ordering ordering);
    Interpolation operator()(Vec3 direction) const;

private:
    int64_t nside_;
    Ordering ordering_;
    std::vector<double> colatitudes_;  // index i holds ring i; 0 and 4 nside hold the poles
};

// Corners of a pixel, N, W, S, E, for drawing outlines.
std::array<Vec3, 4> pixelCorners(int64_t nside, Ordering ordering, int64_t pixel);

// No pixel of this nside reaches farther than this from its center, radians.
double maximumPixelRadius(int64_t nside);

}  // namespace armilla
