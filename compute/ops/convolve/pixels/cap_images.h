// SPDX-License-Identifier: GPL-3.0-or-later
// Direct sums in the caps for many images of a pixel at once. Host and device.
//
// Quarter turns about the axis and the reflections phi -> -phi and z -> -z map HEALPix onto itself.
// So a pixel of the eighth from longitude 0 to pi / 4 stands for 16 pixels with the same weights. A
// map is stored as 16 numbers for each pixel of the eighths of the rings 1 .. 2 nside: sources of a
// target and of its images are adjacent.
#pragma once

#include <cstdint>
#include <vector>

#include "convolve/pixels/ring_pairs.h"

namespace armilla {

inline constexpr int kEighthImages = 16;

// Number of pixels of the eighth of a ring, both borders included.
ARMILLA_HD inline int eighthCount(const HealpixRing& ring) {
    return (static_cast<int>(ring.quarter) - static_cast<int>(2.0 * ring.shift)) / 2 + 1;
}

// RING number of an image of pixel x of the eighth: quarter turns (bits 0 and 1 of `image`), phi ->
// -phi (bit 2), z -> -z (bit 3). `south`: the mirror of `north`.
ARMILLA_HD inline int64_t imagePixel(const HealpixRing& north, const HealpixRing& south, int image,
                                     int x) {
    const int q = static_cast<int>(north.quarter), twice = static_cast<int>(2.0 * north.shift);
    const int turned = (image & 3) * q;
    int place = (image & 4) != 0 ? turned - x - twice : turned + x;
    if (place < 0) place += 4 * q;
    if (place >= 4 * q) place -= 4 * q;
    return ((image & 8) != 0 ? south.first : north.first) + place;
}
// Whether another image of the same pixel of the eighth is the same pixel of the map, and
// represents it: on both borders of the eighth, and on the equator.
ARMILLA_HD inline bool repeatsImage(const HealpixRing& ring, bool onEquator, int image, int x) {
    const int twice = 2 * x + static_cast<int>(2.0 * ring.shift);
    if ((image & 8) != 0 && onEquator) return true;
    return (image & 4) != 0 && (twice == 0 || twice == static_cast<int>(ring.quarter));
}

// Pixel x of a ring, up to an eighth before or behind the eighth, is an image of a pixel of the
// eighth: image `image` of x is image `EighthPlace::image` of EighthPlace::x. Pixels farther away
// are clamped to the border.
struct EighthPlace {
    int x, image;
};
ARMILLA_HD inline EighthPlace inEighth(int x, int image, int quarter, int twice) {
    const int last = (quarter - twice) / 2;
    if (x < 0) {
        x = -x - twice;
        image ^= 4;
    } else if (x > last) {
        // Direct images become mirrored images of the next quarter turn, mirrored images become
        // direct images of the previous one.
        x = quarter - x - twice;
        image = (image & 4) != 0 ? (image & 8) | ((image + 3) & 3)
                                 : (image & 8) | 4 | ((image + 1) & 3);
    }
    return {x < 0 ? 0 : x > last ? last : x, image};
}

// The data of a source ring that targets of one ring use. Default construction leaves the values
// undefined, because objects are in shared memory of devices.
struct CapSource {
    double p, shiftQ;  // pixels in a quarter; shift times the target's pixels in a quarter
    double half;       // reach in pixels; < 0: none
    double unit;       // half a difference in longitude for a numerator of 1
    double y0, across;
    int quarter, twice;

    CapSource() = default;
    ARMILLA_HD CapSource(const HealpixRing& target, const HealpixRing& source, double end)
        : p(static_cast<double>(source.quarter)),
          shiftQ(source.shift * static_cast<double>(target.quarter)),
          half(-1.0),
          unit(0.5 * kHalfPi / (p * static_cast<double>(target.quarter))),
          quarter(static_cast<int>(source.quarter)),
          twice(static_cast<int>(2.0 * source.shift)) {
        const RingPair pair = ringPair(target, source, end);
        if (pair.reach >= 0.0) half = pair.reach / kHalfPi * p;
        y0 = pair.y0;
        across = pair.across;
    }
    // The longitude of a target at `place` = pixel + shift of its ring, in units of 1 / (4 p q) of
    // a turn from the source ring's pixel 0. Exact, as in tapRun().
    ARMILLA_HD double numerator(double place) const { return place * p - shiftQ; }
    // y of source pixel x from the target; half a difference in longitude is at most 1/2.
    ARMILLA_HD double distance(double numeratorOfTarget, int x, double q) const {
        return y0 +
               across * sineSquareNear((numeratorOfTarget - static_cast<double>(x) * q) * unit);
    }
    // Whether sin^2 x = x^2 - x^4 / 3 + 2 x^6 / 45 - x^8 / 315 holds to a relative error of 6e-15,
    // for x half a difference in longitude. True for most rings except near the poles.
    ARMILLA_HD bool isClose() const { return 0.5 * kHalfPi * half <= 0.05 * p; }
};
// The source pixels first .. last within reach. Pixels within a billionth of a pixel of the border
// are decided by their distance, as in other sums over pixels.
struct CapTaps {
    int first = 1, last = 0;
    ARMILLA_HD bool has(int x) const { return first <= x && x <= last; }
};
ARMILLA_HD inline CapTaps capTaps(const CapSource& source, double numerator, double q,
                                  double inverseQ, double end) {
    constexpr double kUnsurePixels = 1e-9;
    const double center = numerator * inverseQ;
    const double low = center - source.half, high = center + source.half;
    CapTaps taps{static_cast<int>(std::ceil(low - kUnsurePixels)),
                 static_cast<int>(std::floor(high + kUnsurePixels))};
    if (taps.first < low + kUnsurePixels && source.distance(numerator, taps.first, q) > end)
        ++taps.first;
    if (taps.last > high - kUnsurePixels && source.distance(numerator, taps.last, q) > end)
        --taps.last;
    return taps;
}

// The first ring up to `last` from which on images can be used: the sources' reach stays within an
// eighth of the circle from the eighth. last + 1: none.
int64_t firstByImages(const HealpixRings& rings, int64_t last, double radius, double end);
// Index of the first pixel of the eighth of each ring 1 .. 2 nside; the total at 2 nside + 1.
std::vector<int64_t> eighthOffsets(const HealpixRings& rings);

}  // namespace armilla
