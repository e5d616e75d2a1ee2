// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix pixel geometry: one set of formulas for host and device, 64-bit indices.
//
// Source: K. M. Gorski et al., ApJ 622 (2005) 759, arXiv:astro-ph/0409513, sections 4 and 5, and
// the face layout of its figure 4. GLSL twin: resources/shaders/pixel_geometry.glsl. Valid for
// nside 1 .. 2^29; RING for any nside, NESTED for powers of two. RING and NESTED both use the
// position on a base face, so a direction lands in the same pixel in both.
//
// Directions may have any length except 0. Near the poles sin(theta), not 1 - |z|, carries the
// accuracy, so pixels stay right down to the smallest angle that a double can hold. A direction
// within a few epsilon (2.2e-16, times nside in units of a pixel) of a border may fall to either
// side. Pixel numbers must be in range; no function here checks them. Tests: tst_pixel_geometry.
#pragma once

#include <cmath>
#include <cstdint>

#include "armilla/core/hd.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

// Position of a pixel on one of the twelve base faces: x to the north-east, y to the north-west,
// both in [0, nside).
struct FacePixel {
    int face = 0;
    int64_t x = 0, y = 0;
};

// Position of a pixel in its ring of equal latitude: rings count from 1 at the north pole to
// 4 nside - 1, places in a ring from 0, eastward from longitude 0.
struct RingPlace {
    int64_t ring = 1, place = 0;
};

namespace detail {

// Puts bit i of v (32 bits) at bit 2i.
ARMILLA_HD inline uint64_t spreadBits(uint64_t v) {
    v = (v | (v << 16)) & 0x0000FFFF0000FFFFULL;
    v = (v | (v << 8)) & 0x00FF00FF00FF00FFULL;
    v = (v | (v << 4)) & 0x0F0F0F0F0F0F0F0FULL;
    v = (v | (v << 2)) & 0x3333333333333333ULL;
    return (v | (v << 1)) & 0x5555555555555555ULL;
}
// The inverse: bit 2i of v to bit i; odd bits are ignored.
ARMILLA_HD inline uint64_t gatherBits(uint64_t v) {
    v &= 0x5555555555555555ULL;
    v = (v | (v >> 1)) & 0x3333333333333333ULL;
    v = (v | (v >> 2)) & 0x0F0F0F0F0F0F0F0FULL;
    v = (v | (v >> 4)) & 0x00FF00FF00FF00FFULL;
    v = (v | (v >> 8)) & 0x0000FFFF0000FFFFULL;
    return (v | (v >> 16)) & 0x00000000FFFFFFFFULL;
}
// log2 of a power of two.
ARMILLA_HD inline int exponentOf(int64_t powerOfTwo) {
#if defined(__CUDA_ARCH__)
    return __ffsll(powerOfTwo) - 1;
#else
    return __builtin_ctzll(static_cast<unsigned long long>(powerOfTwo));
#endif
}
// floor(sqrt(n)) exactly, 0 <= n < 2^62. The double root is off by at most one: n rounds to 53
// bits.
ARMILLA_HD inline int64_t integerRoot(int64_t n) {
    int64_t root = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
    if (root * root > n) --root;
    if ((root + 1) * (root + 1) <= n) ++root;
    return root;
}
ARMILLA_HD inline int64_t atMost(int64_t value, int64_t limit) {
    return value < limit ? value : limit;
}

// The face and pixel of a direction in the equatorial belt. In quarter turn q of longitude, two
// families of diagonals cut the belt into pixels. `ascending` counts the diagonals crossed towards
// the north-east, `descending` the diagonals crossed towards the south-east. Both count from the
// western corner of the quarter, in [0, 2 nside). Four faces meet there: north q, south q + 8, and
// the halves of two equatorial faces.
ARMILLA_HD inline FacePixel faceFromDiagonals(int64_t nside, int quarter, int64_t ascending,
                                              int64_t descending) {
    const bool beyondAscending = ascending >= nside;
    const bool beyondDescending = descending >= nside;
    int face = 4 + quarter;
    if (beyondAscending)
        face = beyondDescending ? 4 + ((quarter + 1) & 3) : quarter;
    else if (beyondDescending)
        face = 8 + quarter;
    return {face, beyondAscending ? ascending - nside : ascending,
            nside - 1 - (beyondDescending ? descending - nside : descending)};
}

// The angle atan(aside / along) in quarter turns, 0 to 1, for aside, along >= 0; 0 for 0 / 0.
// Relative error below 7e-16 (test: quarterTurns); multiples of 1/2 are exact. Three times as fast
// as atan2 of the C library, and bit-identical on every machine. The angle is reduced below pi / 8
// by atan(t) = pi / 4 - atan((1 - t) / (1 + t)). Then 2 / pi atan(t) = t P(t^2), where P
// interpolates in the 12 Chebyshev nodes of 0 <= t^2 <= tan^2(pi / 8). Its error is 1e-17.
ARMILLA_HD inline double quarterTurns(double aside, double along) {
    const bool steep = aside > along;
    const double large = steep ? aside : along, small = steep ? along : aside;
    const bool diagonal = small > 0.41421356237309503 * large;
    const double numerator = diagonal ? large - small : small;
    const double denominator = diagonal ? large + small : large;
    const double t = large > 0.0 ? numerator / denominator : 0.0;
    const double u = t * t, u2 = u * u, u4 = u2 * u2;
    // Estrin's scheme: pairs shorten the chain of dependent additions.
    const double p0 = (0x1.45f306dc9c883p-1 + u * -0x1.b2995e7b7b5d3p-3) +
                      u2 * (0x1.04c26be3ad1d9p-3 + u * -0x1.7483758b95cefp-4);
    const double p4 = (0x1.21bb93b21e842p-4 + u * -0x1.da1b82e9a1b62p-5) +
                      u2 * (0x1.91279b6e8bf26p-5 + u * -0x1.5b7c4c7692f06p-5);
    const double p8 = (0x1.30ecfedf75564p-5 + u * -0x1.069711fdd3bb5p-5) +
                      u2 * (0x1.8bfdf3ac7cf95p-6 + u * -0x1.736f1e7eb46c3p-7);
    const double turns = t * (p0 + u4 * (p4 + u4 * p8));
    const double octant = diagonal ? 0.5 - turns : turns;
    return steep ? 1.0 - octant : octant;
}

// Longitude as whole quarter turns, 0 to 3, and the fraction of the next one, in [0, 1).
struct Longitude {
    int quarter = 0;
    double share = 0.0;
};
// Longitude of the horizontal vector (x, y).
ARMILLA_HD inline Longitude longitudeOf(double x, double y) {
    const int west = x < 0.0 ? 1 : 0, south = y < 0.0 ? 1 : 0;
    const double ax = std::fabs(x), ay = std::fabs(y);
    const bool odd = west != south;
    const double share = quarterTurns(odd ? ax : ay, odd ? ay : ax);
    // The last 4 epsilon of a quarter count to the next quarter. Reason: sin and cos of longitudes
    // written as 90, 180, 270 or 360 degrees miss 0 by up to that much. Such directions belong to
    // the pixels east of these longitudes.
    const bool next = share >= 1.0 - 0x1p-50;
    return {(((3 * south) ^ west) + (next ? 1 : 0)) & 3, next ? 0.0 : share};
}

// Number of pixels of a ring in a quarter turn.
ARMILLA_HD inline int64_t quarterLength(int64_t nside, int64_t ring) {
    const int64_t fromPole = atMost(ring, 4 * nside - ring);
    return atMost(fromPole, nside);
}
// 1 if the first pixel of the ring begins at longitude 0; 0 if its center lies at longitude 0.
ARMILLA_HD inline int64_t ringShift(int64_t nside, int64_t ring) {
    const bool belt = ring > nside && ring < 3 * nside;
    return belt ? 1 - ((ring - nside) & 1) : 1;
}
// RING number of the first pixel of a ring.
ARMILLA_HD inline int64_t firstPixelOfRing(int64_t nside, int64_t ring) {
    if (ring <= nside) return 2 * ring * (ring - 1);
    if (ring <= 3 * nside) return 2 * nside * (nside - 1) + 4 * nside * (ring - nside);
    const int64_t fromSouth = 4 * nside - ring;
    return 12 * nside * nside - 2 * fromSouth * (fromSouth + 1);
}
// The ring of a pixel on a face; row 0, 1, 2 of faces from the north.
ARMILLA_HD inline int64_t ringOfFacePixel(int64_t nside, FacePixel pixel) {
    return (pixel.face / 4 + 2) * nside - pixel.x - pixel.y - 1;
}
// Longitude of a pixel's center in units of pi / (4 quarterLength), in [0, 8 quarterLength).
ARMILLA_HD inline int64_t longitudeOfFacePixel(FacePixel pixel, int64_t quarterLength) {
    const int64_t faceCenter = 2 * (pixel.face & 3) + (pixel.face / 4 == 1 ? 0 : 1);
    const int64_t longitude = faceCenter * quarterLength + pixel.x - pixel.y;
    return longitude < 0 ? longitude + 8 * quarterLength : longitude;
}

}  // namespace detail

// The face pixel that contains a direction.
ARMILLA_HD inline FacePixel faceFromDirection(int64_t nside, Vec3 direction) {
    const double n = static_cast<double>(nside);
    const double across2 = direction.x * direction.x + direction.y * direction.y;
    const double scale = 1.0 / std::sqrt(across2 + direction.z * direction.z);
    const double z = direction.z * scale, za = std::fabs(z);
    const detail::Longitude at = detail::longitudeOf(direction.x, direction.y);
    const int quarter = at.quarter;
    const double share = at.share;
    if (za <= 2.0 / 3.0) {
        // Gorski et al. section 5: diagonals of slope -+8/(3 pi) in the (phi, z) plane.
        const double across = n * (share + 0.5), up = n * (0.75 * z);
        // Rounding at |z| = 2/3 can leave [0, 2 nside) by one.
        const int64_t ascending = detail::atMost(static_cast<int64_t>(across + up), 2 * nside - 1);
        const int64_t descending = detail::atMost(static_cast<int64_t>(across - up), 2 * nside - 1);
        return detail::faceFromDiagonals(nside, quarter, ascending, descending);
    }
    // Polar caps: distance from the pole in rings, sqrt(3 (1 - |z|)) nside = sqrt(3 / (1 + |z|)) s.
    const double rings = n * scale * std::sqrt(across2 * 3.0 / (1.0 + za));
    const int64_t inWest = detail::atMost(static_cast<int64_t>(share * rings), nside - 1);
    const int64_t inEast = detail::atMost(static_cast<int64_t>((1.0 - share) * rings), nside - 1);
    if (z > 0.0) return {quarter, nside - 1 - inEast, nside - 1 - inWest};
    return {quarter + 8, inWest, inEast};
}

// NESTED number: interleaves the bits of y and x below the face number.
ARMILLA_HD inline int64_t nestedFromFace(int64_t nside, FacePixel pixel) {
    const uint64_t inFace = detail::spreadBits(static_cast<uint64_t>(pixel.x)) |
                            (detail::spreadBits(static_cast<uint64_t>(pixel.y)) << 1);
    return pixel.face * nside * nside + static_cast<int64_t>(inFace);
}
// The face pixel of a NESTED number.
ARMILLA_HD inline FacePixel faceFromNested(int64_t nside, int64_t pixel) {
    const int64_t face = pixel >> (2 * detail::exponentOf(nside));
    const uint64_t inFace = static_cast<uint64_t>(pixel & (nside * nside - 1));
    return {static_cast<int>(face), static_cast<int64_t>(detail::gatherBits(inFace)),
            static_cast<int64_t>(detail::gatherBits(inFace >> 1))};
}

// Ring and place of a pixel on a face.
ARMILLA_HD inline RingPlace ringPlaceFromFace(int64_t nside, FacePixel pixel) {
    const int64_t ring = detail::ringOfFacePixel(nside, pixel);
    const int64_t quarter = detail::quarterLength(nside, ring);
    const int64_t longitude = detail::longitudeOfFacePixel(pixel, quarter);
    return {ring, (longitude - detail::ringShift(nside, ring)) / 2};
}
// RING number of a face pixel.
ARMILLA_HD inline int64_t ringFromFace(int64_t nside, FacePixel pixel) {
    const RingPlace at = ringPlaceFromFace(nside, pixel);
    return detail::firstPixelOfRing(nside, at.ring) + at.place;
}

// Ring and place of a RING pixel number.
ARMILLA_HD inline RingPlace ringPlaceFromRing(int64_t nside, int64_t pixel) {
    const int64_t cap = 2 * nside * (nside - 1), all = 12 * nside * nside;
    if (pixel < cap) {
        // Ring i begins at 2 i (i - 1), hence i = floor((1 + sqrt(1 + 2 p)) / 2).
        const int64_t ring = (1 + detail::integerRoot(1 + 2 * pixel)) / 2;
        return {ring, pixel - 2 * ring * (ring - 1)};
    }
    if (pixel < all - cap) {
        const int64_t inBelt = pixel - cap, rings = inBelt / (4 * nside);
        return {nside + rings, inBelt - rings * 4 * nside};
    }
    // The same formula from the south pole, with pixels counted backward.
    const int64_t back = all - 1 - pixel;
    const int64_t ring = (1 + detail::integerRoot(1 + 2 * back)) / 2;
    return {4 * nside - ring, 4 * ring - 1 - (back - 2 * ring * (ring - 1))};
}
// The face pixel at a position in a ring.
ARMILLA_HD inline FacePixel faceFromRingPlace(int64_t nside, RingPlace at) {
    const int64_t length = detail::quarterLength(nside, at.ring);
    const int64_t longitude = 2 * at.place + detail::ringShift(nside, at.ring);
    const int64_t quarter = longitude / (2 * length);
    const int64_t inQuarter = longitude - quarter * 2 * length;
    if (length == nside)
        return detail::faceFromDiagonals(nside, static_cast<int>(quarter),
                                         (3 * nside + inQuarter - at.ring) >> 1,
                                         (inQuarter + at.ring - nside) >> 1);
    const int face = static_cast<int>(quarter) + (at.ring < nside ? 0 : 8);
    const int64_t sum = (face / 4 + 2) * nside - 1 - at.ring, difference = inQuarter - length;
    return {face, (sum + difference) / 2, (sum - difference) / 2};
}
// A run of ring pixels from `at` to the border of their face: pixel k of the run is (first.x + k,
// first.y - k). Loops over rings go run by run, without a computation for each pixel.
struct RingRun {
    FacePixel first;
    int64_t length = 0;
};
ARMILLA_HD inline RingRun ringRun(int64_t nside, RingPlace at) {
    const FacePixel first = faceFromRingPlace(nside, at);
    const int64_t inRing = 4 * detail::quarterLength(nside, at.ring) - at.place;
    const int64_t onFace = detail::atMost(nside - first.x, first.y + 1);
    return {first, detail::atMost(inRing, onFace)};
}
// The face pixel of a RING number.
ARMILLA_HD inline FacePixel faceFromRing(int64_t nside, int64_t pixel) {
    return faceFromRingPlace(nside, ringPlaceFromRing(nside, pixel));
}

// Conversions between directions, RING and NESTED numbers.
ARMILLA_HD inline int64_t ringFromDirection(int64_t nside, Vec3 direction) {
    return ringFromFace(nside, faceFromDirection(nside, direction));
}
ARMILLA_HD inline int64_t nestedFromDirection(int64_t nside, Vec3 direction) {
    return nestedFromFace(nside, faceFromDirection(nside, direction));
}
ARMILLA_HD inline int64_t nestedFromRing(int64_t nside, int64_t pixel) {
    return nestedFromFace(nside, faceFromRing(nside, pixel));
}
ARMILLA_HD inline int64_t ringFromNested(int64_t nside, int64_t pixel) {
    return ringFromFace(nside, faceFromNested(nside, pixel));
}

// z and sin(theta) of a ring, Gorski et al. equations 4 and 8; accurate to an epsilon of `Real`,
// also at the poles.
template <class Real>
ARMILLA_HD inline void ringHeight(int64_t nside, int64_t ring, Real& z, Real& s) {
    const Real n = static_cast<Real>(nside);
    const int64_t fromPole = detail::quarterLength(nside, ring);
    if (fromPole < nside) {
        const Real share = static_cast<Real>(fromPole) / n;
        const Real depth = share * share / 3;  // 1 - |z|
        z = ring < nside ? 1 - depth : depth - 1;
        s = std::sqrt(depth * (2 - depth));
    } else {
        z = static_cast<Real>(2 * (2 * nside - ring)) / (3 * n);
        s = std::sqrt((1 - z) * (1 + z));
    }
}

namespace detail {

// The point of ring `ring` at `longitude` units of pi / (4 length), length = quarterLength. Rings 0
// and 4 nside are the poles.
ARMILLA_HD inline Vec3 directionOnRing(int64_t nside, int64_t ring, int64_t length,
                                       int64_t longitude) {
    double z = 0.0, s = 0.0;
    ringHeight(nside, ring, z, s);
    if (length == 0) return {0.0, 0.0, z};
    // Whole quarter turns by exchange of axes: exact, and bit-identical in all four quarters.
    const int64_t quarter = longitude / (2 * length);
    const double angle = 0.25 * kPi * static_cast<double>(longitude - quarter * 2 * length) /
                         static_cast<double>(length);
    const double along = s * std::cos(angle), aside = s * std::sin(angle);
    if ((quarter & 3) == 0) return {along, aside, z};  // quarter 4 is the end of the ring
    if (quarter == 1) return {-aside, along, z};
    if (quarter == 2) return {-along, -aside, z};
    return {aside, -along, z};
}

}  // namespace detail

// Unit vector to the center of a pixel.
ARMILLA_HD inline Vec3 directionFromFace(int64_t nside, FacePixel pixel) {
    const int64_t ring = detail::ringOfFacePixel(nside, pixel);
    const int64_t length = detail::quarterLength(nside, ring);
    return detail::directionOnRing(nside, ring, length,
                                   detail::longitudeOfFacePixel(pixel, length));
}
// Unit vectors to pixel centers by position in a ring, RING and NESTED number.
ARMILLA_HD inline Vec3 directionFromRingPlace(int64_t nside, RingPlace at) {
    return detail::directionOnRing(nside, at.ring, detail::quarterLength(nside, at.ring),
                                   2 * at.place + detail::ringShift(nside, at.ring));
}
ARMILLA_HD inline Vec3 directionFromRing(int64_t nside, int64_t pixel) {
    return directionFromRingPlace(nside, ringPlaceFromRing(nside, pixel));
}
ARMILLA_HD inline Vec3 directionFromNested(int64_t nside, int64_t pixel) {
    return directionFromFace(nside, faceFromNested(nside, pixel));
}

}  // namespace armilla
