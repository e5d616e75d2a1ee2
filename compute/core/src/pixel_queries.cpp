// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/pixel_queries.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/face_neighbors.h"
#include "pixel_checks.h"

namespace armilla {

namespace {

// Four-point interpolation; `colatitude` returns the colatitude of a ring.
template <class Colatitude>
Interpolation interpolated(int64_t nside, Ordering ordering, Vec3 direction,
                           const Colatitude& colatitude) {
    const double across = std::sqrt(direction.x * direction.x + direction.y * direction.y);
    const double fromPole = kHalfPi * detail::quarterTurns(across, std::fabs(direction.z));
    const double theta = direction.z < 0.0 ? kPi - fromPole : fromPole;
    const detail::Longitude lon = detail::longitudeOf(direction.x, direction.y);
    const double quarters = lon.quarter + lon.share;
    const int64_t above = ringAtOrAbove(nside, theta), below = above + 1;
    Interpolation result;
    auto& pixels = result.pixels;
    auto& weights = result.weights;
    const auto onRing = [&](int64_t ring, size_t slot) {
        const int64_t length = detail::quarterLength(nside, ring), count = 4 * length;
        const double place = quarters * static_cast<double>(length) -
                             0.5 * static_cast<double>(detail::ringShift(nside, ring));
        const double west = std::floor(place);
        const int64_t first = detail::firstPixelOfRing(nside, ring);
        const auto left = static_cast<int64_t>(west);  // -1 .. count - 1
        pixels[slot] = first + (left < 0 ? count - 1 : left);
        pixels[slot + 1] = first + (left + 1 < count ? left + 1 : 0);
        weights[slot + 1] = place - west;
        weights[slot] = 1.0 - weights[slot + 1];
    };
    const double thetaAbove = colatitude(above), thetaBelow = colatitude(below);
    const double share = std::clamp((theta - thetaAbove) / (thetaBelow - thetaAbove), 0.0, 1.0);
    if (above > 0) onRing(above, 0);
    if (below < 4 * nside) onRing(below, 2);
    if (above == 0)  // the two pixels of the first ring across the pole
        for (size_t i = 0; i < 2; ++i) pixels[i] = (pixels[i + 2] + 2) & 3;
    if (below == 4 * nside) {
        const int64_t ringStart = 12 * nside * nside - 4;
        for (size_t i = 0; i < 2; ++i)
            pixels[i + 2] = ringStart + ((pixels[i] - ringStart + 2) & 3);
    }
    for (size_t i = 0; i < 2; ++i) {
        if (above == 0) {
            const double pole = 0.25 * (1.0 - share);
            weights[i + 2] = share * weights[i + 2] + pole;
            weights[i] = pole;
        } else if (below == 4 * nside) {
            const double pole = 0.25 * share;
            weights[i] = (1.0 - share) * weights[i] + pole;
            weights[i + 2] = pole;
        } else {
            weights[i] *= 1.0 - share;
            weights[i + 2] *= share;
        }
    }
    if (ordering == Ordering::Nested)
        for (int64_t& pixel : pixels) pixel = nestedFromRing(nside, pixel);
    return result;
}

double colatitudeOf(int64_t nside, int64_t ring) {
    double z = 0.0, s = 0.0;
    ringHeight(nside, ring, z, s);
    return std::atan2(s, z);
}

}  // namespace

std::array<int64_t, 8> neighbors(int64_t nside, Ordering ordering, int64_t pixel) {
    checkPixel(nside, ordering, pixel);
    const FacePixel at = faceFromPixel(nside, ordering, pixel);
    std::array<int64_t, 8> result{};
    for (int i = 0; i < 8; ++i) {
        const FacePixel next = neighborOf(nside, at, i);
        result[static_cast<size_t>(i)] = next.face >= 0 ? pixelFromFace(nside, ordering, next) : -1;
    }
    return result;
}

Interpolation interpolation(int64_t nside, Ordering ordering, Vec3 direction) {
    checkNside(nside, ordering);
    return interpolated(nside, ordering, direction,
                        [nside](int64_t ring) { return colatitudeOf(nside, ring); });
}

Interpolator::Interpolator(int64_t nside, Ordering ordering) : nside_(nside), ordering_(ordering) {
    checkNside(nside, ordering);
    colatitudes_.resize(static_cast<size_t>(4 * nside + 1));
    for (int64_t ring = 0; ring <= 4 * nside; ++ring)
        colatitudes_[static_cast<size_t>(ring)] = colatitudeOf(nside, ring);
}

Interpolation Interpolator::operator()(Vec3 direction) const {
    return interpolated(nside_, ordering_, direction,
                        [this](int64_t ring) { return colatitudes_[static_cast<size_t>(ring)]; });
}

std::array<Vec3, 4> pixelCorners(int64_t nside, Ordering ordering, int64_t pixel) {
    checkPixel(nside, ordering, pixel);
    const FacePixel at = faceFromPixel(nside, ordering, pixel);
    const auto corner = [&](int64_t x, int64_t y) {
        // A corner lies on ring (row + 2) nside - x - y: the formula for pixel centers, half a step
        // further.
        const FacePixel place{at.face, x, y};
        const int64_t ring = detail::ringOfFacePixel(nside, place) + 1;
        const int64_t length = detail::quarterLength(nside, ring);
        return detail::directionOnRing(nside, ring, length,
                                       detail::longitudeOfFacePixel(place, length));
    };
    return {corner(at.x + 1, at.y + 1), corner(at.x, at.y + 1), corner(at.x, at.y),
            corner(at.x + 1, at.y)};
}

double maximumPixelRadius(int64_t nside) {
    checkNside(nside, Ordering::Ring);
    // The most elongated pixel is the one at the west corner of a north face. Its radius extends
    // from its center, on the ring z = 2/3, to its north corner, on the next ring of the cap
    // (Gorski et al., equation 4).
    const auto n = static_cast<double>(nside);
    const double center = kPi / (4.0 * n), share = 1.0 - 1.0 / n, depth = share * share / 3.0;
    const double s = std::sqrt(5.0) / 3.0, sCorner = std::sqrt(depth * (2.0 - depth));
    return angularDistance({s * std::cos(center), s * std::sin(center), 2.0 / 3.0},
                           {sCorner, 0.0, 1.0 - depth});
}

}  // namespace armilla
