// SPDX-License-Identifier: GPL-3.0-or-later
// Neighborhoods and regions of HEALPix pixels, on the host.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/healpix_map.h"

namespace armilla {

// Half-open run of pixel numbers.
struct PixelRange {
    int64_t begin = 0, end = 0;
};

// The eight neighbors SW, W, NW, N, NE, E, SE, S; -1 where there is none. Order as HEALPix C++.
std::array<int64_t, 8> neighbors(int64_t nside, Ordering ordering, int64_t pixel);
// Pixels whose centers lie within `radius` radians of `center`; ascending disjoint ranges.
std::vector<PixelRange> queryDisc(int64_t nside, Ordering ordering, Vec3 center, double radius);
// Pixels whose centers lie inside the convex polygon with these corners (at least 3, either sense).
// Throws InvalidArgument if the polygon is degenerate or not convex.
std::vector<PixelRange> queryPolygon(int64_t nside, Ordering ordering,
                                     std::span<const Vec3> corners);
// The four pixels and weights of HEALPix bilinear interpolation at `direction`.
struct Interpolation {
    std::array<int64_t, 4> pixels{};
    std::array<double, 4> weights{};
};
Interpolation interpolation(int64_t nside, Ordering ordering, Vec3 direction);
// Corners of a pixel, N, W, S, E, for drawing outlines.
std::array<Vec3, 4> pixelCorners(int64_t nside, Ordering ordering, int64_t pixel);
// One iso-latitude ring, 1 <= ring <= 4 nside - 1.
struct RingInfo {
    int64_t firstPixel = 0, count = 0;
    double z = 0.0, sinTheta = 0.0, phi0 = 0.0;
};
RingInfo ringInfo(int64_t nside, int64_t ring);

}  // namespace armilla
