// SPDX-License-Identifier: GPL-3.0-or-later
// The two-level search of gridding, host and device. Samples are sorted by HEALPix ring and pixel;
// each ring contributes one or two runs of samples that a disc may touch.
//
// A RING pixel extends from the latitude of the previous ring to that of the next, and in longitude
// half way to its neighbors in the ring. Its corners lie there, in caps and belt alike (Gorski et
// al. 2005, section 5). Therefore the pixels of a ring that a disc touches are those that touch the
// widest part of the disc between two latitudes.
#pragma once

#include "armilla/core/pixel_geometry.h"

namespace armilla {

// Rings firstRing .. lastRing of `nside`, each with up to `stride` pixels eastward from the
// longitude `start`; few keys sort fast. Keys number the pixels ring after ring.
struct SampleBins {
    int64_t nside = 1, firstRing = 1, lastRing = 3;
    int64_t stride = 4;
    double start = 0.0;  // in quarter turns, [0, 4)

    ARMILLA_HD int64_t rings() const { return lastRing - firstRing + 1; }
    ARMILLA_HD int64_t keys() const { return rings() * stride; }
    // The place in a ring of quarter length q that has offset 0. It lies two pixels before the
    // start: pixels extend half a pixel to either side of their center, and the center is offset by
    // up to half a pixel.
    ARMILLA_HD int64_t firstPlace(int64_t q) const {
        return stride >= 4 * nside
                   ? 0
                   : static_cast<int64_t>(std::floor(start * static_cast<double>(q))) - 2;
    }
    // Offset of a place from firstPlace; `place` may be off by a turn.
    ARMILLA_HD int64_t offsetOf(int64_t place, int64_t q) const {
        int64_t offset = place - firstPlace(q);
        while (offset < 0) offset += 4 * q;
        while (offset >= 4 * q) offset -= 4 * q;
        return offset;
    }
};
inline constexpr uint32_t kNoKey = 0xFFFFFFFFU;
// Margin for the assignment of bins, in pixels; disc searches are widened by this much. The actual
// rounding is far smaller, up to nside 2^20.
inline constexpr double kBinSlack = 1e-6;
inline constexpr int64_t kMaxBinNside = int64_t{1} << 20;

// Valid longitudes of a table: up to one turn beyond either end of a circle, because scans continue
// across longitude 0. Other values, and latitudes beyond the poles, indicate a wrong column or
// unit.
inline constexpr double kLeastLongitude = -kTwoPi, kLargestLongitude = 2.0 * kTwoPi;
// Margin for rounding in the conversion from degrees to radians.
inline constexpr double kAngleSlack = 1e-9;
ARMILLA_HD inline bool positionOutOfRange(double lon, double lat) {
    return std::fabs(lat) > kHalfPi + kAngleSlack || lon < kLeastLongitude - kAngleSlack ||
           lon > kLargestLongitude + kAngleSlack;
}

// Key of a direction; kNoKey outside the bins.
ARMILLA_HD inline uint32_t binKey(const SampleBins& bins, Vec3 direction) {
    const FacePixel at = faceFromDirection(bins.nside, direction);
    const RingPlace place = ringPlaceFromFace(bins.nside, at);
    if (place.ring < bins.firstRing || place.ring > bins.lastRing) return kNoKey;
    const int64_t offset =
        bins.offsetOf(place.place, detail::quarterLength(bins.nside, place.ring));
    if (offset >= bins.stride) return kNoKey;
    return static_cast<uint32_t>((place.ring - bins.firstRing) * bins.stride + offset);
}

// Sorted samples with the index of rings and bins.
struct BinnedSamples {
    SampleBins bins;
    const uint32_t* keys = nullptr;      // (samples), ascending
    const int64_t* ringStart = nullptr;  // (rings + 1): the first sample of each ring
    // (keys + 1): the first sample of each bin. Null if bins are many relative to samples; then a
    // search finds them.
    const uint32_t* binStart = nullptr;
};

// A disc prepared for searches.
struct BinDisc {
    double z = 0.0, s = 0.0;  // cosine and sine of the center's colatitude
    double quarters = 0.0;    // the center's longitude in quarter turns, [0, 4)
    double chord2 = 0.0;      // squared chord of the radius
    double sinRadius = 0.0, cosRadius = 1.0;
    int64_t firstRing = 1, lastRing = 0;  // rings that the disc may touch
};

namespace detail {

// Ring number of a colatitude as a real number; 0 and 4 nside at the poles.
ARMILLA_HD inline double realRing(double nside, double z, double s) {
    const double za = std::fabs(z);
    if (za <= 2.0 / 3.0) return nside * (2.0 - 1.5 * z);
    const double fromPole = nside * s * std::sqrt(3.0 / (1.0 + za));
    return z > 0.0 ? fromPole : 4.0 * nside - fromPole;
}

// Half the longitude range of the disc at this colatitude, in quarter turns, from the haversine
// formula. Below 0: none; 2: all.
ARMILLA_HD inline double halfWidthAt(const BinDisc& disc, double z, double s) {
    const double dz = z - disc.z, ds = s - disc.s;
    const double left = 0.25 * (disc.chord2 - dz * dz - ds * ds);
    if (left < 0.0) return -1.0;
    const double whole = s * disc.s;
    if (left >= whole) return 2.0;
    return 2.0 * std::asin(std::sqrt(left / whole)) / kHalfPi;
}

ARMILLA_HD inline double larger(double a, double b) {
    return a > b ? a : b;
}

}  // namespace detail

// `center` must be a unit vector; `radius` at most a quarter turn.
ARMILLA_HD inline BinDisc binDisc(const SampleBins& bins, Vec3 center, double radius) {
    // Widened by the margin of the bins, which are not much smaller than the radius.
    radius = radius * (1.0 + kBinSlack) + 1e-14;
    BinDisc disc;
    disc.z = center.z;
    disc.s = std::sqrt(center.x * center.x + center.y * center.y);
    const detail::Longitude lon = detail::longitudeOf(center.x, center.y);
    disc.quarters = lon.quarter + lon.share;
    const double chord = 2.0 * std::sin(0.5 * radius);
    disc.chord2 = chord * chord;
    disc.sinRadius = std::sin(radius);
    disc.cosRadius = std::cos(radius);
    const double n = static_cast<double>(bins.nside);
    // The ends of the meridian through the center; a disc that contains a pole ends at the pole.
    const double northSine = disc.s * disc.cosRadius - disc.z * disc.sinRadius;
    const double southSine = disc.s * disc.cosRadius + disc.z * disc.sinRadius;
    const double north =
        northSine <= 0.0 && disc.z > 0.0
            ? 0.0
            : detail::realRing(n, disc.z * disc.cosRadius + disc.s * disc.sinRadius,
                               std::fabs(northSine));
    const double south =
        southSine <= 0.0 && disc.z < 0.0
            ? 4.0 * n
            : detail::realRing(n, disc.z * disc.cosRadius - disc.s * disc.sinRadius,
                               std::fabs(southSine));
    disc.firstRing = static_cast<int64_t>(std::floor(north - kBinSlack));
    disc.lastRing = static_cast<int64_t>(std::ceil(south + kBinSlack));
    if (disc.firstRing < bins.firstRing) disc.firstRing = bins.firstRing;
    if (disc.lastRing > bins.lastRing) disc.lastRing = bins.lastRing;
    return disc;
}

// Half-open run of sorted samples.
struct SortedRun {
    int64_t begin = 0, end = 0;
};

ARMILLA_HD inline int64_t firstNotBelow(const uint32_t* keys, int64_t begin, int64_t end,
                                        int64_t key) {
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (static_cast<int64_t>(keys[middle]) < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// The samples of a ring that the disc may touch: none, one run, or two across longitude 0. Returns
// the number of runs.
ARMILLA_HD inline int ringRuns(const BinnedSamples& samples, const BinDisc& disc, int64_t ring,
                               SortedRun runs[2]) {
    const SampleBins& bins = samples.bins;
    const int64_t begin = samples.ringStart[ring - bins.firstRing];
    const int64_t end = samples.ringStart[ring - bins.firstRing + 1];
    if (begin == end) return 0;
    double northZ = 0.0, northS = 0.0, southZ = 0.0, southS = 0.0;
    ringHeight(bins.nside, ring - 1, northZ, northS);
    ringHeight(bins.nside, ring + 1, southZ, southS);
    double half = detail::larger(detail::halfWidthAt(disc, northZ, northS),
                                 detail::halfWidthAt(disc, southZ, southS));
    // The tangent meridians touch the disc at this height, unless the disc contains a pole.
    const double tangentZ = disc.z / disc.cosRadius;
    if (disc.s > disc.sinRadius && tangentZ < northZ && tangentZ > southZ)
        half = std::asin(disc.sinRadius / disc.s) / kHalfPi;
    if (half < 0.0) return 0;
    const int64_t quarter = detail::quarterLength(bins.nside, ring), length = 4 * quarter;
    const double q = static_cast<double>(quarter);
    const double at =
        disc.quarters * q + 0.5 * static_cast<double>(1 - detail::ringShift(bins.nside, ring));
    int64_t first = static_cast<int64_t>(std::floor(at - half * q - kBinSlack));
    const int64_t last = static_cast<int64_t>(std::floor(at + half * q + kBinSlack));
    if (last - first + 1 >= length) {
        runs[0] = {begin, end};
        return 1;
    }
    const int64_t count = last - first + 1;
    first = bins.offsetOf(first, quarter);
    const int64_t zero = (ring - bins.firstRing) * bins.stride;
    // Offsets outside the keys have no samples.
    const auto startOf = [&](int64_t offset) {
        if (offset >= bins.stride) return end;
        return samples.binStart != nullptr ? static_cast<int64_t>(samples.binStart[zero + offset])
                                           : firstNotBelow(samples.keys, begin, end, zero + offset);
    };
    int found = 0;
    // Beyond the end of the ring, the run continues at its beginning.
    if (first + count > length) {
        runs[0] = {begin, startOf(first + count - length)};
        if (runs[0].begin < runs[0].end) found = 1;
    }
    SortedRun& run = runs[found];
    run.begin = startOf(first);
    run.end = startOf(first + count);
    return run.begin < run.end ? found + 1 : found;
}

}  // namespace armilla
